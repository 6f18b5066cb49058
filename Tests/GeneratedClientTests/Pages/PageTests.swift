import BankClient
import ErrandRuntime
import Foundation
import TestSeeds
import TestServices
import Testing

/// The examples on the pages of `docs/` compile, and some of them are run.
@Suite struct PageTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// Without the indentation, which the page and the file have for different reasons.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func page(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent("../../../\(name)"), encoding: .utf8)
    }

    /// The Swift on a page, but for what is a manifest, or is compiled where `place` says.
    private static func examples(_ page: String) throws -> [String] {
        try self.page(page).components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0].trimmingCharacters(in: .newlines) }
            .filter { !$0.hasPrefix("// Package.swift") }
    }

    private static let articles = "Sources/ErrandRuntime/Documentation.docc/"
    private static let pages: [(page: String, file: String, count: Int)] = [
        ("docs/extension-points.md", "ExtensionPointExamples.swift", 22),
        ("docs/sessions.md", "SessionExamples.swift", 5),
        ("docs/pages.md", "PagesExamples.swift", 3),
        ("docs/downloads.md", "DownloadExamples.swift", 4),
        ("docs/connections.md", "ConnectionExamples.swift", 7),
        ("docs/background-transfers.md", "../../../Examples/BackgroundTransfers/Transfers.swift", 6),
        (articles + "HandlingErrorsOnce.md", "ArticleExamples.swift", 5),
        (articles + "TheGeneratedSwift.md", "GeneratedSwiftExamples.swift", 15),
        (articles + "TestingWithTheSimulator.md", "../../ErrandTestingTests/TestingPageTests.swift", 4),
        (articles + "AdoptingStepByStep.md", "ArticleExamples.swift", 4),
    ]

    @Test(arguments: pages) func everyExampleCompiles(page: String, file: String, count: Int) throws {
        let examples = try Self.examples(page)
        #expect(examples.count == count)
        let compiled = try ["ArticleExamples.swift", file].flatMap {
            Self.lines(try String(contentsOf: Self.folder.appendingPathComponent($0), encoding: .utf8))
        }
        for example in examples {
            let wanted = Self.lines(example)
            let isThere = compiled.indices.contains { compiled[$0...].starts(with: wanted) }
            #expect(isThere, "\(file) does not have this example of \(page):\n\(example)")
        }
    }

    /// Those about contracts and templates are compiled by `errandTests/ArticleTests`, which has the tool.
    @Test func everyArticleIsCompared() throws {
        let folder = Self.folder.appendingPathComponent("../../../" + Self.articles)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let elsewhere: Set = [
            "ErrandRuntime.md", "GettingStarted.md", "WritingAContract.md", "CustomisingTemplates.md",
            "FromAnOpenAPIDocument.md",
        ]
        #expect(
            Set(names).subtracting(elsewhere)
                == Set(
                    Self.pages.map(\.page).filter { $0.hasPrefix(Self.articles) }.map {
                        String($0.dropFirst(Self.articles.count))
                    }))
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
        for request in await service.requests() { #expect(request.header("X-App-Build") == "4711") }
        await service.end()
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
