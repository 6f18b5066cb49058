import BankClient
import ErrandTesting
import Foundation
import TestSeeds
import Testing

@testable import ErrandRuntime

/// Logins of the app's own, closures that take for ever, and what an app hears of all that.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct SessionLoginTests {
    private let ledger = TokenLedger()

    /// Takes the token `new`, and gives it for a login that is let go.
    private func transport(_ meeting: Meeting) -> ScriptedTransport {
        ledger.transport { request, _ in
            if let login = IdentifiedLogIn.answer(to: request) {
                await meeting.hold()
                return login
            }
            return request.headers["Authorization"] == "Bearer new" ? .json(200, noAccounts) : .json(401, "")
        }
    }

    @Test func commandsWaitForTheAppsOwnLogin() async throws {
        let meeting = Meeting()
        let asked = Tally()
        let session = Session { () -> Bank.LogIn? in
            await asked.add()
            return nil
        }
        let bank = Bank.scripted(transport(meeting), session: session)
        async let login = bank.result(of: IdentifiedLogIn(token: "new"))
        await meeting.met()
        async let result = bank.result(of: Bank.ListAccounts())
        await bank.binding.dispatcher.waits(at: .session)
        meeting.release()
        guard case .success = await result, case .success = await login else {
            Issue.record("it failed")
            return
        }
        #expect(ledger.tokens(on: "GET /v1/accounts") == ["new"])
        #expect(await asked.count == 0)
    }

    /// Then the commands that waited ask for one.
    @Test func aLoginOfTheAppThatFailsReleasesWhoWaits() async throws {
        let meeting = Meeting()
        let transport = ledger.transport { request, number in
            if number == 1 {
                await meeting.hold()
                return .json(401, #"{"error":{"code":900001}}"#)
            }
            if request.method == .post { return .json(200, #"{"data":{"token":"new"}}"#) }
            return request.headers["Authorization"] == "Bearer new" ? .json(200, noAccounts) : .json(401, "")
        }
        let session = Session { () -> Bank.LogIn? in Bank.LogIn(user: "ada", password: "right") }
        let bank = Bank.scripted(transport, session: session)
        async let login = bank.result(of: Bank.LogIn(user: "ada", password: "wrong"))
        await meeting.met()
        async let result = bank.result(of: Bank.ListAccounts())
        await bank.binding.dispatcher.waits(at: .session)
        meeting.release()
        guard case .failure = await login else {
            Issue.record("it succeeded")
            return
        }
        guard case .success = await result else {
            Issue.record("it failed")
            return
        }
        #expect(ledger.tokens(on: "GET /v1/accounts") == ["new"])
    }

    /// The login waits for the responder, which would wait for the login.
    @Test func aResponderDoesNotWaitForTheLoginThatWaitsForIt() async throws {
        struct Curious: Responder {
            let bank: LockedState<Bank?>
            func respond(to incident: Incident) async -> IncidentAnswer {
                if let bank = bank.withLock({ $0 }) { _ = await bank.result(of: Bank.ListAccounts()) }
                return .fail
            }
        }
        let curious = Curious(bank: LockedState { nil })
        let transport = ledger.transport { request, _ in .json(request.method == .post ? 503 : 401, "") }
        let bank = Bank(
            on: Dispatcher(
                transport: transport, responder: curious, settings: DispatcherSettings(retry: .never),
                environment: DispatcherEnvironment(clock: SteppedClock())))
        curious.bank.withLock { $0 = bank }
        guard case .failure = await bank.result(of: IdentifiedLogIn(token: "new")) else {
            Issue.record("it succeeded")
            return
        }
        #expect(ledger.tokens(on: "GET /v1/accounts").isEmpty)
    }

    /// The same for an action in another task, such as a button's, that uses the incident's client.
    @Test func anIncidentsClientDoesNotWaitForTheLoginThatWaitsForIt() async throws {
        struct Button: Responder {
            let bank: LockedState<Bank?>
            let outcome: LockedState<String>
            func respond(to incident: Incident) async -> IncidentAnswer {
                guard let bank = bank.withLock({ $0 }).map(incident.client) else { return .fail }
                let result = await Task.detached { await bank.result(of: Bank.ListAccounts()) }.value
                if case .failure(let failure) = result { outcome.withLock { $0 = failure.context.name } }
                return .fail
            }
        }
        let button = Button(bank: LockedState { nil }, outcome: LockedState { "" })
        let transport = ledger.transport { request, _ in .json(request.method == .post ? 503 : 401, "") }
        let bank = Bank(
            on: Dispatcher(
                transport: transport, responder: button, settings: DispatcherSettings(retry: .never),
                environment: DispatcherEnvironment(clock: SteppedClock())))
        button.bank.withLock { $0 = bank }
        guard case .failure = await bank.result(of: Bank.LogIn(user: "ada", password: "right")) else {
            Issue.record("it succeeded")
            return
        }
        #expect(button.outcome.withLock { $0 } == "unauthenticated")
        #expect(ledger.tokens(on: "GET /v1/accounts").isEmpty)
    }

    /// It hangs for ever, even when it is cancelled. The next command asks anew.
    @Test func aClosureThatNeverReturnsHoldsUpNoCommand() async throws {
        let asked = Tally()
        let never = Meeting()
        let session = Session { () -> Bank.LogIn? in
            if await asked.add() == 1 {
                await Task { await never.hold() }.value
            }
            return Bank.LogIn(user: "ada", password: "right")
        }
        let transport = ledger.transport { request, _ in
            .json(200, request.method == .post ? #"{"data":{"token":"new"}}"# : noAccounts)
        }
        let bank = Bank.scripted(transport, session: session)
        let first = Task { await bank.result(of: Bank.ListAccounts()) }
        await never.met()
        first.cancel()
        guard case .failure(.fault(let fault)) = await first.value else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.kind == .cancelled)
        guard case .success = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("it failed")
            return
        }
        #expect(await asked.count == 2)
        never.release()
    }

    @Test func theClosureIsCancelledWhenNoCommandWaits() async throws {
        let asking = Meeting()
        let session = Session { () -> Bank.LogIn? in
            // Ends when it is cancelled.
            await asking.hold()
            return Bank.LogIn(user: "ada", password: "right")
        }
        let bank = Bank.scripted(ledger.transport { _, _ in .json(200, noAccounts) }, session: session)
        let first = Task { await bank.result(of: Bank.ListAccounts()) }
        let second = Task { await bank.result(of: Bank.ListAccounts()) }
        await bank.binding.dispatcher.waits(at: .session, 2)
        await asking.met()
        first.cancel()
        _ = await first.value
        #expect(session.state.withLock { $0.renewal } != nil)
        second.cancel()
        _ = await second.value
        #expect(session.state.withLock { $0.renewal } == nil)
        // The result of the closure is then never sent.
        #expect(ledger.tokens(on: "POST /v1/sessions").isEmpty)
    }

    /// The command that needed the login has no patience, or was cancelled while the session was being refreshed.
    @Test(arguments: [true, false])
    func nobodyIsAskedForALoginThatNoCommandWaitsFor(isImpatient: Bool) async throws {
        let asked = Tally()
        let refreshing = Meeting()
        let session = Session { () -> Bank.LogIn? in
            await asked.add()
            return nil
        }
        let transport = ledger.transport { request, _ in
            if request.url.hasSuffix("/refresh") { await refreshing.hold() }
            return .json(401, "")
        }
        let shop = shop(transport, session).with { $0.patience = isImpatient ? .upTo(.zero) : nil }
        await session.begin(SessionTokens(access: "old", refresh: "r"))
        let command = Task { await shop.result(of: Shop.Ping()) }
        await refreshing.met()
        command.cancel()
        guard case .failure = await command.value else {
            Issue.record("it succeeded")
            return
        }
        refreshing.release()
        await until { session.state.withLock { $0.renewal } == nil }
        #expect(await asked.count == 0)
        // The next one that waits has it asked.
        _ = await Shop(on: shop.binding.dispatcher, session: session).result(of: Shop.Ping())
        #expect(await asked.count == 1)
    }

    /// The session from a completed renewal is used, regardless of its stated expiry.
    @Test(arguments: [0, -5])
    func tokensThatAreBornExpiredAreUsedOnce(lifetime: Int) async throws {
        let refreshes = LockedState<Int> { 0 }
        let transport = ledger.transport { request, _ in
            guard request.url.hasSuffix("/refresh") else { return .json(200, "") }
            let number = refreshes.withLock { count in
                count += 1
                return count
            }
            return .json(200, #"{"access":"t\#(number)","expiresIn":\#(lifetime),"refresh":"r"}"#)
        }
        let shop = shop(transport)
        await shop.binding.session.begin(SessionTokens(access: "t0", expiresIn: 1, refresh: "r"), at: .distantPast)
        for _ in 1...3 { try await shop.send(Shop.Ping()) }
        #expect(ledger.tokens(on: "GET /ping") == ["t1", "t2", "t3"])
        #expect(refreshes.withLock { $0 } == 3)
    }

    // MARK: What ends a session

    @Test(arguments: [302, 403, 404, 407, 408, 418, 425, 429, 500, 502, 503])
    func whatAGatewaySaysOfARenewalEndsNoSession(status: Int) async throws {
        let transport = ledger.transport { request, _ in .json(request.url.hasSuffix("/refresh") ? status : 401, "") }
        let shop = shop(transport)
        await shop.binding.session.begin(SessionTokens(access: "old", refresh: "r"))
        guard case .failure(let fault) = await shop.result(of: Shop.Ping()) else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.category != .requiresLogout)
        #expect(shop.binding.session.tokens?.refresh == "r")
    }

    /// A command whose token must be renewed ends the session.
    private func expectEnd(of shop: Shop) async {
        await shop.binding.session.begin(SessionTokens(access: "old", refresh: "r"))
        guard case .failure(let fault) = await shop.result(of: Shop.Ping()) else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.category == .requiresLogout)
        #expect(shop.binding.session.tokens == nil)
    }

    @Test(arguments: [400, 401])
    func aRefusedRenewalEndsTheSession(status: Int) async throws {
        let transport = ledger.transport { request, _ in .json(request.url.hasSuffix("/refresh") ? status : 401, "") }
        await expectEnd(of: shop(transport))
    }

    /// The errors of RFC 6749 section 5.2 that are about the app. A rotated client secret must not log a user out.
    @Test(arguments: [
        "invalid_client", "invalid_request", "invalid_scope", "unauthorized_client", "unsupported_grant_type",
    ])
    func aRenewalThatIsRefusedForTheAppsOwnFaultEndsNoSession(error: String) async throws {
        for status in [400, 401] {
            let transport = ledger.transport { request, _ in
                guard request.url.hasSuffix("/refresh") else { return .json(401, "") }
                return .json(status, #"{"error_description":"no","error":"\#(error)"}"#, ["Content-Type": "text/html"])
            }
            let shop = shop(
                transport,
                Session { () -> Shop.Refresh? in
                    Issue.record("a user was asked")
                    return nil
                })
            await shop.binding.session.begin(SessionTokens(access: "old", refresh: "r"))
            guard case .failure(let fault) = await shop.result(of: Shop.Ping()) else {
                Issue.record("it succeeded")
                return
            }
            // Not a refusal of this command, and not the end of the session.
            #expect(fault.kind == .unavailable && fault.context.applied == .never)
            #expect((fault.context.underlying as? CommandFault).map { "\($0)" }?.contains(", \(error)") == true)
            #expect(shop.binding.session.tokens?.refresh == "r")
        }
    }

    /// A refresh whose refusals the contract lists as an error that needs a login: what is about the app is still about the app.
    @Test func theErrorOfTheBodyComesBeforeTheContracts() {
        struct Refused: CommandFailure {
            let context: FailureContext
            init(_ context: FailureContext) { self.context = context }
            init(_ fault: CommandFault) { context = fault.context }
            init?(declared error: DeclaredName, _ match: ErrorMatch) { context = match.context }
        }
        let service = ServiceDescription(
            name: "Shop", version: "1", errors: [ErrorDescription("notRenewed", .requiresLogout)])
        func ends(_ error: TokenEndpointError?) -> Bool {
            let context = FailureContext(
                name: "notRenewed", category: .requiresLogout, status: 401, underlying: error)
            return Session.endsSession(Refused(context), service)
        }
        #expect(!ends(.invalidClient) && !ends(.invalidScope))
        #expect(ends(.invalidGrant) && ends(nil))
    }

    /// The body says it, whatever the status and the type of the content.
    @Test(arguments: [400, 401, 403])
    func anInvalidGrantEndsTheSession(status: Int) async throws {
        let transport = ledger.transport { request, _ in
            request.url.hasSuffix("/refresh")
                ? .json(status, #"{"error":"invalid_grant"}"#, ["Content-Type": "text/html"]) : .json(401, "")
        }
        await expectEnd(of: shop(transport))
    }

    /// Bodies that have no error of RFC 6749: the status decides.
    @Test(arguments: [
        "", "invalid_client", "[\"invalid_client\"]", #"{"error":{"code":"invalid_client"}}"#, #"{"error":"expired"}"#,
        #"{"error":"invalid_client""#, #"{"reason":"invalid_client"}"#,
    ])
    func anotherBodyLeavesItToTheStatus(body: String) async throws {
        let transport = ledger.transport { request, _ in .json(request.url.hasSuffix("/refresh") ? 400 : 401, body) }
        let shop = shop(transport)
        await shop.binding.session.begin(SessionTokens(access: "old", refresh: "r"))
        _ = await shop.result(of: Shop.Ping())
        #expect(shop.binding.session.tokens == nil)
    }

    // MARK: Following

    @Test func anAppFollowsTheSession() async throws {
        let session = Session()
        let follower = session.states.makeAsyncIterator()
        func next() async -> SessionPhase? {
            var follower = follower
            return await follower.next()
        }
        #expect(await next() == .loggedOut)
        await session.begin(SessionTokens(access: "a", refresh: "r", identity: "ada"))
        #expect(await next() == .loggedIn(identity: "ada"))
        let transport = ledger.transport { request, _ in
            .json(request.url.hasSuffix("/refresh") || request.url.hasSuffix("token=a") ? 401 : 200, "")
        }
        _ = await shop(transport, session).result(of: Shop.Ping())
        #expect(await next() == .renewing(identity: "ada"))
        #expect(await next() == .expired(identity: "ada"))
        // A second one begins with what there is.
        var second = session.states.makeAsyncIterator()
        #expect(await second.next() == .expired(identity: "ada"))
        await session.end()
        #expect(await next() == .loggedOut)
    }

    /// An app that shows what belongs to a user has to know of the next one, even without identities.
    @Test func anotherLoginIsTold() async throws {
        let session = Session()
        var follower = session.states.makeAsyncIterator()
        #expect(await follower.next() == .loggedOut)
        await session.begin(SessionTokens(access: "a"))
        await session.begin(SessionTokens(access: "b"))
        await session.replaceTokens(SessionTokens(access: "b2"))
        await session.end()
        for wanted in [SessionPhase.loggedIn(identity: nil), .loggedIn(identity: nil), .loggedOut] {
            #expect(await follower.next() == wanted)
        }
    }

    @Test func aFollowerIsNotToldBeforeTheStoreIsRead() async throws {
        actor Store: SessionStore {
            func load() async -> SessionTokens? { SessionTokens(access: "kept", identity: "ada") }
            func save(_ tokens: SessionTokens?) async {}
        }
        var follower = Session(store: Store()).states.makeAsyncIterator()
        #expect(await follower.next() == .loggedIn(identity: "ada"))
    }

    /// The second dispatcher's client has taken the place of the first one's, which has commands that wait all the same.
    @Test func aLoginTellsEachDispatcher() async throws {
        let asked = Tally()
        struct Patient: Responder {
            let asked: Tally
            func respond(to incident: Incident) async -> IncidentAnswer {
                await asked.add()
                // Until the incident is withdrawn.
                await Meeting().hold()
                return .fail
            }
        }
        let session = Session()
        let transport = ledger.transport { request, _ in
            request.headers["Authorization"] == "Bearer new" ? .json(200, noAccounts) : .json(401, "")
        }
        let dispatchers = (1...2).map { _ in
            Dispatcher(
                transport: transport, responder: Patient(asked: asked),
                environment: DispatcherEnvironment(clock: SteppedClock()))
        }
        let banks = dispatchers.map { Bank(on: $0, session: session) }
        await session.begin(SessionTokens(access: "old", identity: "ada"))
        let tasks = banks.map { bank in Task { await bank.result(of: Bank.ListAccounts()) } }
        for dispatcher in dispatchers { await dispatcher.waits(at: .responder) }
        await session.begin(SessionTokens(access: "new", identity: "ada"))
        for task in tasks {
            guard case .success = await task.value else {
                Issue.record("it failed")
                continue
            }
        }
    }
}
