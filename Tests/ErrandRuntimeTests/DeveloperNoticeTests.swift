import BankClient
import ErrandTesting
import Testing

@testable import ErrandRuntime

/// What the developer hears about errors that were not given a category, and that were not handled.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: DeveloperNotice.isEnabled, "builds for release say nothing"))
struct DeveloperNoticeTests {
    private struct Unknown: Error {}
    private struct Known: CategorizedError {
        var category: ErrorCategory { .retryable }
    }
    private struct Says: Responder {
        let answer: IncidentAnswer
        func respond(to incident: Incident) async -> IncidentAnswer { answer }
    }

    /// The notices about errors of this suite.
    private func notices(
        _ answer: IncidentAnswer?, _ errors: [any Error], _ categories: ErrorCategories = ErrorCategories()
    )
        async -> [String]
    {
        let said = LockedState<[String]> { [] }
        let dispatcher = Dispatcher(
            transport: ScriptedTransport { _, _ in .json(200, "") }, responder: answer.map(Says.init))
        let bank = Bank(on: dispatcher, session: .begun)
        await DeveloperNotice.collecting { line in
            said.withLock { $0.append(line) }
        } _: {
            for error in errors { await bank.raise(error, using: categories) }
        }
        return said.withLock { $0 }.filter { line in ["Unknown", "Known", "rejected"].contains { line.contains($0) } }
    }

    @Test func eachKindOfErrorIsSaidOnce() async {
        let said = await notices(nil, [Unknown(), Unknown(), Known(), Unknown(), Known(), CommandFault(.rejected)])
        #expect(said.count == 4, "\(said)")
        #expect(
            said.filter { $0.hasPrefix("`Unknown` has no category") && $0.contains("`CategorizedError`") }.count == 1)
        for name in ["Unknown", "Known", "rejected"] {
            let handled = said.filter {
                $0.hasPrefix("no responder handled `\(name)`") && $0.contains("ErrorPresenter()")
            }
            #expect(handled.count == 1, "\(said)")
        }
    }

    /// A command whose contract says the status of a success.
    private struct OpenTab: ErrandRuntime.Command {
        typealias Service = Shop
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Shop.service, "openTab", .post, effect: .once, session: .none, response: .none, status: 201)
        func encode(into request: inout RequestEncoder) { request.path("/tabs") }
    }

    /// It succeeds all the same. The rest of a download (206) is no other status.
    @Test func anotherStatusThanThatOfTheContractIsSaidOnce() async throws {
        let statuses = [201, 206, 202, 200]
        let said = LockedState<[String]> { [] }
        let transport = ScriptedTransport { _, number in .json(statuses[min(number, statuses.count) - 1], "{}") }
        let shop = Shop(on: Dispatcher(transport: transport))
        try await DeveloperNotice.collecting { line in
            said.withLock { $0.append(line) }
        } _: {
            for _ in statuses { try await shop.send(OpenTab()) }
        }
        let own = said.withLock { $0 }.filter { $0.contains("openTab") }
        #expect(own.count == 1, "\(own)")
        #expect(
            own.first?.hasPrefix("`Shop.openTab` has succeeded with HTTP 202, but the contract says `status: 201`.")
                == true)
    }

    @Test func whatIsHandledAndHasACategoryIsNotSaid() async {
        let categories = ErrorCategories().adding(Unknown.self) { _ in .retryable }
        #expect(await notices(.fail, [Unknown(), Known(), CommandFault(.rejected)], categories).isEmpty)
        #expect(await notices(.fail, [Unknown()]).count == 1)
        #expect(await notices(.pass, [Known()]).count == 1)
        #expect(await notices(nil, [CancellationError()]).isEmpty)
    }
}
