import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

@testable import ErrandUI

/// A presenter that no window and no terminal is attached to.
@Suite(.serialized, .timeLimit(.minutes(1))) struct PresenterPlaceTests {
    private let presenter = ErrorPresenter()

    private func bank() async -> Bank {
        let transport = ScriptedTransport { (_, _) async throws(TransportFault) in
            throw TransportFault(.refused, evidence: .notSent)
        }
        let dispatcher = Dispatcher(
            transport: transport, responder: presenter, settings: DispatcherSettings(retry: RetryRule(attempts: 1)))
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        return Bank(on: dispatcher, session: session)
    }

    @Test func commandsEndAtOnceWithTheirOwnErrors() async {
        let bank = await bank()
        for _ in 1...3 {
            guard case .failure(let failure) = await bank.result(of: Bank.ListAccounts()) else {
                return #expect(Bool(false), "the server is down")
            }
            #expect(failure.context.name == "unreachable" && !failure.context.isAnswered)
        }
        #expect(await bank.raise(CommandFault(.rejected)) == nil)
        #expect(presenter.waitingCount == 0)
    }

    @Test func aWindowThatComesLateTakesOver() async {
        let bank = await bank()
        _ = await bank.result(of: Bank.ListAccounts())
        let host = presenter.attach()
        for _ in 1...2 {
            let command = Task { await bank.result(of: Bank.ListAccounts()) }
            for await _ in host.states where host.state.presentation != nil { break }
            guard let shown = host.state.presentation else { return #expect(Bool(false), "nothing is shown") }
            #expect(shown.name == "unreachable" && host.choose(.dismiss, of: shown.id))
            host.didClose(shown.id)
            guard case .failure(let failure) = await command.value else { return #expect(Bool(false), "it is down") }
            #expect(failure.context.isAnswered)
        }
        host.detach()
        guard case .failure(let failure) = await bank.result(of: Bank.ListAccounts()) else { return }
        #expect(!failure.context.isAnswered)
    }

    @Test(.enabled(if: DeveloperNotice.isEnabled, "builds for release say nothing")) func theDeveloperIsToldOnce() async
    {
        let bank = await bank()
        let notices = LockedState<[String]> { [] }
        await DeveloperNotice.collecting { line in
            notices.withLock { $0.append(line) }
        } _: {
            for _ in 1...3 { _ = await bank.result(of: Bank.ListAccounts()) }
        }
        let told = notices.withLock { $0 }.filter { $0.hasPrefix("an `ErrorPresenter` has no place to present") }
        #expect(told.count == 1 && told.first?.contains(".errandHost(client)") == true, "\(told)")
    }
}
