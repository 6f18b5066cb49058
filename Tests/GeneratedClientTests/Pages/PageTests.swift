import BankClient
import ErrandRuntime
import ErrandTesting
import Foundation
import TestSeeds
import TestServices
import Testing

/// Examples of `docs/extension-points.md` and `docs/sessions.md`, run. `scripts/check pages` compiles all examples.
@Suite struct PageTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static func page(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent("../../../\(name)"), encoding: .utf8)
    }

    /// The table leads to each section of the page, or to a page that is there.
    @Test func everyLinkLeadsSomewhere() throws {
        let page = try Self.page("docs/extension-points.md")
        let sections = page.components(separatedBy: "\n## ").dropFirst().map {
            "#" + $0.prefix { $0 != "\n" }.lowercased().replacingOccurrences(of: " ", with: "-")
        }
        let links = page.components(separatedBy: "](").dropFirst().map { String($0.prefix { $0 != ")" }) }
        for link in links where link.hasPrefix("#") { #expect(sections.contains(link), "\(link)") }
        for link in links where !link.hasPrefix("#") { _ = try Self.page("docs/" + link.prefix { $0 != "#" }) }
        #expect(Set(links.filter { $0.hasPrefix("#") }) == Set(sections))
    }

    @Test func recordedAnswersAreAnswers() async throws {
        let bank = ExtensionPointLines.transport(["/v1/accounts": #"{"data":[]}"#])
        await bank.binding.session.begin(SessionTokens(access: "t"))
        #expect(try await bank.listAccounts().isEmpty)
    }

    @Test func theStampArrives() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service, on: ExtensionPointLines.interceptor())
        _ = try await bank.listAccounts()
        let requests = await service.requests()
        #expect(!requests.isEmpty)
        for request in requests { #expect(request.header("X-App-Build") == "4711") }
        await service.end()
    }

    /// The second request asks whether the response is current, and the command has it without its body. Another user's command
    /// has none of it.
    @Test func anUnchangedResponseIsKept() async throws {
        let transport = ScriptedTransport { request, _ in
            let isKnown = request.headers["If-None-Match"] == #""v1""#
            var response = TransportResponse(
                status: isKnown ? 304 : 200, body: isKnown ? [] : Array(#"{"data":[]}"#.utf8))
            response.headers.set("ETag", #""v1""#)
            return response
        }
        let interceptors: [any Interceptor] = [ETagCache()]
        let dispatcher = Dispatcher(transport: transport, interceptors: interceptors)
        let bank = Bank(on: dispatcher)
        await bank.binding.session.begin(SessionTokens(access: "ada"))
        for _ in 1...3 { #expect(try await bank.listAccounts().isEmpty) }
        await bank.binding.session.begin(SessionTokens(access: "bob"))
        #expect(try await bank.listAccounts().isEmpty)
        #expect(
            transport.requests.map { $0.headers["If-None-Match"] } == [nil, #""v1""#, #""v1""#, nil])
    }

    @Test func textsOfTheAppAreShown() async throws {
        let service = try await BankService.start()
        let dispatcher = ExtensionPointLines.texts(["Bank.wrongPassword": "Falsches Passwort."])
        let bank = Bank(.init(url: service.url), on: dispatcher)
        let failure = try await bank.failure(of: Bank.LogIn(user: "ada", password: "byron"))
        #expect(failure.localizedDescription == "Falsches Passwort.")
        await service.end()
    }

    /// The incident is the screen's, and the command fails without a word of the app's responder.
    @Test func aScreenAnswersFirst() async throws {
        let service = try await BankService.start()
        let asked = Tally()
        let bank = try await Bank.asAda(
            service,
            on: ExtensionPointLines.responder { _, _ in
                await asked.add()
                return false
            })
        await service.expireSessions()
        await #expect(throws: (any Error).self) { try await ExtensionPointLines.oneScreen(bank) }
        #expect(await asked.count == 0)
        await #expect(throws: (any Error).self) { try await bank.listAccounts() }
        #expect(await asked.count == 1)
        await service.end()
    }

    @Test func slowCommandsAreTold() async throws {
        let service = try await BankService.start()
        let lines = Lines()
        _ = ExtensionPointLines.observer { lines.add($0) }
        let observer = SlowCommands { lines.add($0) }
        let ada = try await Bank.asAda(service, on: Dispatcher(interceptors: [Slowness()], observers: [observer]))
        _ = try await ada.listAccounts()
        #expect(lines.all.contains { $0.contains("/accounts") && $0.hasSuffix(": fine") })
        await service.end()
    }

    @Test func errorsOfTheSystemHaveACategory() {
        #expect(ExtensionPointLines.categories(CocoaError(.fileReadNoSuchFile)) == .nonRetryable)
        #expect(ExtensionPointLines.categories(CocoaError(.fileReadNoPermission)) == .retryable)
    }

    @Test func aStoreOfOnesOwnKeepsTheSession() async throws {
        let service = try await BankService.start()
        let store = VaultStore(vault: Vault())
        _ = try await Bank.asAda(service, session: Session(store: store))
        let bank = Bank(.init(url: service.url), on: .brisk(), session: Session(store: store))
        _ = try await bank.listAccounts()
        #expect(await service.requests(on: "POST /sessions").count == 1)
        await service.end()
    }
}

/// Takes its time.
private struct Slowness: Interceptor {
    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        let response = try await next(request)
        try? await Task.sleep(for: .milliseconds(1_100))
        return response
    }
}

private final class Lines: Sendable {
    private let kept = LockedState<[String]> { [] }
    var all: [String] { kept.withLock { $0 } }
    func add(_ line: String) { kept.withLock { $0.append(line) } }
}
