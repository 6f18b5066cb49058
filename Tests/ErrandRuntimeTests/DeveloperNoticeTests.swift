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

    @Test func whatIsHandledAndHasACategoryIsNotSaid() async {
        let categories = ErrorCategories().adding(Unknown.self) { _ in .retryable }
        #expect(await notices(.fail, [Unknown(), Known(), CommandFault(.rejected)], categories).isEmpty)
        #expect(await notices(.fail, [Unknown()]).count == 1)
        #expect(await notices(.pass, [Known()]).count == 1)
        #expect(await notices(nil, [CancellationError()]).isEmpty)
    }
}
