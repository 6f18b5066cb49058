import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// What observers are told: of each command the whole story, in order, and of each request that is sent.
@Suite(.serialized) struct ObservationPromiseTests {
    @Test func everyCommandIsToldWhole() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("–  observers are told of each command whole") { simulation in
            let chronicle = CommandChronicle()
            let dispatcher = simulation.makeDispatcher(
                responder: Undecided(), observers: [chronicle], settings: DispatcherSettings(maximumRequestsPerHost: 4))
            let bank = simulation.makeBank(on: dispatcher)
            simulation.server.faults = FaultPlan(rate: 0.4)
            simulation.server.expireSessions(after: .milliseconds(200))
            let ended = await simulation.concurrently(60) { number -> Int in
                await simulation.sleep(for: .milliseconds(number * 7 % 300))
                let call = simulation.task {
                    switch number % 4 {
                    case 0: _ = await bank.result(of: Bank.GetAccount(accountID: number))
                    case 1: _ = await bank.result(of: Bank.OrderCard(accountID: number))
                    case 2: _ = await bank.result(of: Bank.ListAccounts())
                    default: _ = await bank.result(of: Bank.TransferFunds(fromAccount: number, toAccount: 0, amount: 1))
                    }
                }
                if number % 10 == 0 {
                    await simulation.sleep(for: .milliseconds(number * 3))
                    call.cancel()
                }
                await call.value
                return 1
            }
            // A login that was begun for a command that was cancelled continues.
            await simulation.sleep(for: .seconds(600))
            let stories = Dictionary(grouping: chronicle.events, by: \.command.id)
            var finding = PromiseRun.Finding(cases: stories.count)
            finding.expect(
                stories.count >= ended.count, "\(stories.count) commands were told of, \(ended.count) were sent")
            for (id, story) in stories {
                let faults = CommandChronicle.faults(in: story)
                finding.expect(faults.isEmpty, "\(story[0].command.endpoint) \(id): \(faults)")
            }
            let told = chronicle.events.compactMap { event -> AttemptIdentity? in
                if case .attemptStarted(let attempt) = event.kind { attempt.identity } else { nil }
            }
            let sent = chronicle.sent
            finding.expect(
                sent.count == told.count && Set(sent) == Set(told),
                "\(told.count) attempts were told of, \(sent.count) were sent")
            return finding
        }
    }

    private struct Undecided: Responder {
        func respond(to incident: Incident) async -> IncidentAnswer { .pass }
    }
}
