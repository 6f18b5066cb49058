import BankClient
import ErrandTesting
import Testing

@testable import ErrandRuntime

/// Which login continues the session of the commands that wait, where no token names its user: one that was asked for, and no
/// other one.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct LoginContinuationTests {
    private static let transfers = "POST /v1/transfers"
    private let ledger = TokenLedger()

    private var transport: ScriptedTransport {
        ledger.transport { request, _ in
            if let login = IdentifiedLogIn.answer(to: request) { return login }
            return request.headers["Authorization"] == "Bearer new" ? .json(200, transferred) : .json(401, "")
        }
    }

    /// Does what the test wants when it is asked about the session, and then gives its answer.
    private final class Form: Responder {
        typealias Deed = @Sendable (Incident, Bank) async -> IncidentAnswer
        let bank = LockedState<Bank?> { nil }
        private let deed: Deed

        init(_ deed: @escaping Deed) { self.deed = deed }

        func respond(to incident: Incident) async -> IncidentAnswer {
            guard let bank = bank.withLock({ $0 }), case .session = incident.scope else { return .fail }
            return await deed(incident, bank)
        }
    }

    private func bank(_ session: Session, _ deed: @escaping Form.Deed) async -> Bank {
        let form = Form(deed)
        let bank = Bank(
            on: Dispatcher(
                transport: transport, responder: form, environment: DispatcherEnvironment(clock: SteppedClock())),
            session: session)
        form.bank.withLock { $0 = bank }
        await session.begin(SessionTokens(access: "a"))
        return bank
    }

    private func transfer(_ bank: Bank) async -> Result<Bank.TransferFunds.Response, Bank.TransferFundsFailure> {
        await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500))
    }

    private func isSuccess<Success, Failure>(_ result: Result<Success, Failure>) -> Bool {
        if case .success = result { true } else { false }
    }

    // MARK: Asked for

    @Test func aLoginThroughTheIncidentsClientGoesOn() async throws {
        let bank = await bank(Session()) { incident, bank in
            let isLoggedIn = (try? await incident.client(bank).send(IdentifiedLogIn(token: "new"))) != nil
            return isLoggedIn ? .retry : .fail
        }
        #expect(isSuccess(await transfer(bank)))
        #expect(ledger.tokens(on: Self.transfers) == ["a", "new"])
    }

    /// A button has a task of its own, which inherits nothing.
    @Test func aLoginOfAButtonThroughTheIncidentsClientGoesOn() async throws {
        let bank = await bank(Session()) { incident, bank in
            let bank = incident.client(bank)
            let isLoggedIn = await Task.detached { (try? await bank.send(IdentifiedLogIn(token: "new"))) != nil }.value
            return isLoggedIn ? .retry : .fail
        }
        #expect(isSuccess(await transfer(bank)))
        #expect(ledger.tokens(on: Self.transfers) == ["a", "new"])
    }

    @Test func theAppsWordInAResponderGoesOn() async throws {
        let session = Session()
        let bank = await bank(session) { _, _ in
            await session.replaceTokens(SessionTokens(access: "new"))
            return .retry
        }
        #expect(isSuccess(await transfer(bank)))
        #expect(ledger.tokens(on: Self.transfers) == ["a", "new"])
    }

    /// A closure that logs in by itself, and has no command left to return.
    @Test(arguments: [true, false]) func aLoginInTheClosureGoesOn(isCommand: Bool) async throws {
        let bank = LockedState<Bank?> { nil }
        let session = Session { () -> Bank.LogIn? in
            guard let bank = bank.withLock({ $0 }) else { return nil }
            if isCommand {
                _ = try? await bank.send(IdentifiedLogIn(token: "new"))
            } else {
                await bank.binding.session.begin(SessionTokens(access: "new"))
            }
            return nil
        }
        let client = Bank.scripted(transport, session: session)
        bank.withLock { $0 = client }
        await session.begin(SessionTokens(access: "a"))
        #expect(isSuccess(await transfer(client)))
        #expect(ledger.tokens(on: Self.transfers) == ["a", "new"])
    }

    // MARK: Not asked for

    /// Another user takes over while a responder is being asked.
    @Test(arguments: [true, false]) func aLoginBesideAResponderIsAnotherUsers(isCommand: Bool) async throws {
        let asking = Meeting()
        let session = Session()
        let bank = await bank(session) { _, _ in
            await asking.hold()
            return .fail
        }
        let orders = (1...20).map { _ in Task { await transfer(bank) } }
        await bank.binding.dispatcher.waits(at: .responder, 20)
        await asking.met()
        if isCommand {
            _ = try await bank.send(IdentifiedLogIn(token: "new"))
        } else {
            await session.begin(SessionTokens(access: "new"))
        }
        for order in orders { #expect(await order.value.isSessionEnded) }
        asking.release()
        #expect(!ledger.tokens(on: Self.transfers).contains("new"))
        #expect(isSuccess(await transfer(bank)))
    }

    /// The plain client says nothing about whose login it is, also where a responder uses it.
    @Test func aLoginThroughThePlainClientIsAnotherUsers() async throws {
        let bank = await bank(Session()) { _, bank in
            _ = try? await bank.send(IdentifiedLogIn(token: "new"))
            return .retry
        }
        #expect(await transfer(bank).isSessionEnded)
        #expect(ledger.tokens(on: Self.transfers) == ["a"])
    }

    /// The form stays open after its commands have ended, and another user fills it in.
    @Test func theClientOfAClosedIncidentContinuesNothing() async throws {
        let kept = LockedState<Bank?> { nil }
        let session = Session()
        let bank = await bank(session) { incident, bank in
            kept.withLock { $0 = incident.client(bank) }
            return .fail
        }
        #expect(!isSuccess(await transfer(bank)))
        let epoch = session.loginNumber
        let form = try #require(kept.withLock { $0 })
        _ = try await form.send(IdentifiedLogIn(token: "new"))
        #expect(session.loginNumber != epoch)
    }

    @Test func theClientOfAnotherSessionsIncidentContinuesNothing() async throws {
        let other = Session()
        await other.begin(SessionTokens(access: "b"))
        let epoch = other.loginNumber
        let transport = transport
        let bank = await bank(Session()) { incident, _ in
            let shop = incident.client(Bank.scripted(transport, session: other))
            _ = try? await shop.send(IdentifiedLogIn(token: "new"))
            return .fail
        }
        _ = await transfer(bank)
        #expect(other.tokens?.access == "new" && other.loginNumber != epoch)
    }

    /// The closure's login is under way when another process's user turns up in the store.
    @Test func aLoginOfTheClosureDoesNotContinueAnotherProcessesSession() {
        var state = SessionState(hasLogin: true, isLoaded: true)
        state.begin(SessionTokens(access: "a"), isSameUser: false)
        state.startRenewal { Task(operation: $0) }
        guard let renewal = state.renewal else { return #expect(Bool(false), "no renewal") }
        #expect(renewal.start.continuedEpoch == 1)
        state.ledger.noteKept(state.basis.generation)
        var kept = SessionTokens(access: "c")
        kept.lineage = SessionLineage(epoch: "another", generation: 0)
        #expect(state.adopt(kept, from: renewal.start) && state.epoch?.number == 2)
        let bank = Bank.scripted(ScriptedTransport { _, _ in .json(200, "") })
        let isBegun = state.begin(
            SessionTokens(access: "a2"), from: renewal.start, isRenewal: false, isOwn: true, through: bank.binding.route
        )
        #expect(
            isBegun && state.epoch?.number == 3, "commands of the other process's user would have the token of this one"
        )
    }
}
