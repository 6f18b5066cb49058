import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A command belongs to the login that it was submitted under. When that login is over, the command is not sent with the next
/// user's token, even if it waits.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct SessionEpochTests {
    private static let transfers = "POST /v1/transfers"
    private let ledger = TokenLedger()
    private let session = Session()

    private func bank(
        _ transport: ScriptedTransport, clock: some Clock<Duration> = SteppedClock(),
        network: any PathMonitor = AlwaysSatisfiedPath()
    ) -> Bank {
        let environment = DispatcherEnvironment(clock: clock, generator: SeededGenerator(seed: 5))
        return Bank(on: Dispatcher(transport: transport, network: network, environment: environment), session: session)
    }

    private func transfer(_ bank: Bank) async -> Result<Bank.TransferFunds.Response, Bank.TransferFundsFailure> {
        await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500))
    }

    private func switchUser() async {
        await session.end()
        await session.begin(SessionTokens(access: "b"))
    }

    @Test func aLateRefusalOfOneUserIsNoCommandOfTheNext() async throws {
        let meeting = Meeting()
        let bank = bank(
            ledger.transport { _, _ in
                await meeting.hold()
                return .json(401, "")
            })
        await session.begin(SessionTokens(access: "a"))
        async let result = transfer(bank)
        await meeting.met()
        await switchUser()
        meeting.release()
        let ended = await result
        #expect(ended.isSessionEnded)
        #expect(ended.applied == .never)
        #expect(ledger.tokens(on: Self.transfers) == ["a"])
        #expect(session.tokens?.access == "b")
    }

    @Test func aPauseOutlastsNoUser() async throws {
        let bank = bank(ledger.transport { _, _ in .json(503, "", ["Retry-After": "30"]) })
        await session.begin(SessionTokens(access: "a"))
        async let result = transfer(bank)
        await bank.binding.dispatcher.waits(at: .pause)
        await switchUser()
        // At once, though the clock doesn't move.
        #expect(await result.isSessionEnded)
        #expect(ledger.tokens(on: Self.transfers) == ["a"])
    }

    /// The failure's statement about the first attempt is true: the gateway may have passed it on.
    @Test func whatMayHaveBeenAppliedIsSaid() async throws {
        let bank = bank(ledger.transport { _, _ in .json(504, "", ["Retry-After": "30"]) })
        await session.begin(SessionTokens(access: "a"))
        async let result = transfer(bank)
        await bank.binding.dispatcher.waits(at: .pause)
        await switchUser()
        #expect(await result.applied == .maybe)
    }

    @Test func whatIsHeldOfflineOutlastsNoUser() async throws {
        let network = TestPathMonitor(.unsatisfied)
        let bank = bank(ledger.transport { _, _ in .json(200, transferred) }, network: network)
        await session.begin(SessionTokens(access: "a"))
        async let result = transfer(bank)
        await bank.binding.dispatcher.waits(at: .connectivity)
        await switchUser()
        #expect(await result.isSessionEnded)
        network.become(ConnectivityTests.wiFi)
        guard case .success = await transfer(bank) else {
            Issue.record("the next user's failed")
            return
        }
        #expect(ledger.tokens(on: Self.transfers) == ["b"])
    }

    @Test func aLogoutHeldOfflineEndsNoOtherUsersSession() async throws {
        let network = TestPathMonitor(.unsatisfied)
        let bank = bank(ledger.transport { _, _ in .json(200, "") }, network: network)
        await session.begin(SessionTokens(access: "a"))
        async let result = bank.result(of: Bank.LogOut())
        await bank.binding.dispatcher.waits(at: .connectivity)
        await switchUser()
        #expect(await result.isSessionEnded)
        network.become(ConnectivityTests.wiFi)
        #expect(ledger.tokens(on: "DELETE /v1/sessions").isEmpty)
        #expect(session.tokens?.access == "b")
    }

    /// No user was logged in when it was submitted: it ends no session that comes later, and is not sent with its token.
    @Test func aLogoutWithoutAUserEndsNoSession() async throws {
        let bank = bank(ledger.transport { _, _ in .json(200, "") })
        let logout = bank.binding.makeCall(Bank.LogOut())
        await session.begin(SessionTokens(access: "b"))
        _ = try await logout.perform(Bank.LogOut())
        #expect(ledger.tokens(on: "DELETE /v1/sessions").isEmpty)
        #expect(session.tokens?.access == "b")
    }

    @Test func whoWaitsForARenewalIsNotSentByTheNextUser() async throws {
        let meeting = Meeting()
        let shop = Shop(
            on: Dispatcher(
                transport: ledger.transport { request, _ in
                    guard request.url.hasSuffix("/refresh") else {
                        return .json(request.url.hasSuffix("token=b") ? 200 : 401, "")
                    }
                    await meeting.hold()
                    return .json(200, #"{"access":"late"}"#)
                }), session: session)
        await session.begin(SessionTokens(access: "a", refresh: "r"))
        async let result = shop.result(of: Shop.Ping())
        await meeting.met()
        await session.begin(SessionTokens(access: "b"))
        #expect(await result.isSessionEnded)
        meeting.release()
        guard case .success = await shop.result(of: Shop.Ping()) else {
            Issue.record("the next user's failed")
            return
        }
        #expect(ledger.tokens(on: "GET /ping") == ["a", "b"])
        #expect(session.tokens?.access == "b")
        #expect(session.tokens?.refresh == nil)
    }

    @Test func theHostsGateOutlastsNoUser() async throws {
        let meeting = Meeting()
        let transport = ledger.transport { request, _ in
            if request.method == .get { await meeting.hold() }
            return .json(200, request.method == .get ? noAccounts : transferred)
        }
        let dispatcher = Dispatcher(
            transport: transport, settings: DispatcherSettings(maximumRequestsPerHost: 1),
            environment: DispatcherEnvironment(clock: SteppedClock()))
        let bank = Bank(on: dispatcher, session: session)
        await session.begin(SessionTokens(access: "a"))
        async let first = bank.result(of: Bank.ListAccounts())
        await meeting.met()
        async let result = transfer(bank)
        await dispatcher.waits(at: .host)
        await switchUser()
        #expect(await result.isSessionEnded)
        meeting.release()
        _ = await first
        #expect(ledger.tokens(on: Self.transfers).isEmpty)
    }

    // MARK: What stays in the epoch, and what joins it

    @Test func aCommandSubmittedBeforeAnyLoginJoinsTheFirstLogin() async throws {
        let network = TestPathMonitor(.unsatisfied)
        let bank = bank(ledger.transport { _, _ in .json(200, transferred) }, network: network)
        async let result = transfer(bank)
        await bank.binding.dispatcher.waits(at: .connectivity)
        await session.begin(SessionTokens(access: "b"))
        network.become(ConnectivityTests.wiFi)
        guard case .success = await result else {
            Issue.record("it failed")
            return
        }
        #expect(ledger.tokens(on: Self.transfers) == ["b"])
    }

    /// It waited through a whole login, and a second one.
    @Test func aCommandSubmittedBeforeAnyLoginJoinsNoLaterOne() async throws {
        let network = TestPathMonitor(.unsatisfied)
        let bank = bank(ledger.transport { _, _ in .json(200, transferred) }, network: network)
        async let result = transfer(bank)
        await bank.binding.dispatcher.waits(at: .connectivity)
        await session.begin(SessionTokens(access: "a"))
        await switchUser()
        #expect(await result.isSessionEnded)
        network.become(ConnectivityTests.wiFi)
        _ = await transfer(bank)
        #expect(ledger.tokens(on: Self.transfers) == ["b"])
    }

    /// Each session counts its own logins: the first one of another session is somebody else's.
    @Test func aReceiptIsUsedInItsOwnSessionOnly() async throws {
        let transport = ledger.transport { _, _ throws(TransportFault) in throw TransportFault(.lost, evidence: .sent) }
        let other = Session()
        await session.begin(SessionTokens(access: "a"))
        await other.begin(SessionTokens(access: "b"))
        guard case .failure(.unconfirmed(let receipt)) = await transfer(Bank.scripted(transport, session: session))
        else {
            Issue.record("it ended in another way")
            return
        }
        do throws(Bank.TransferFundsFailure) {
            let bank = Bank.scripted(transport, session: other)
            _ = try await bank.send(again: receipt, as: Bank.TransferFunds.self)
            Issue.record("it succeeded")
        } catch {
            #expect(error.context.name == "sessionEnded")
            #expect(error.context.applied == .maybe)
        }
        #expect(Set(ledger.tokens(on: Self.transfers)) == ["a"])
    }

    /// It was submitted without a user, and stays that way.
    @Test func anOptionalCommandWithoutAUserCarriesNoToken() async throws {
        let network = TestPathMonitor(.unsatisfied)
        let bank = bank(ledger.transport { _, _ in .json(200, noAccounts) }, network: network)
        async let result = bank.result(of: Bank.ListAccountsLeniently())
        await bank.binding.dispatcher.waits(at: .connectivity)
        await session.begin(SessionTokens(access: "b"))
        network.become(ConnectivityTests.wiFi)
        guard case .success = await result else {
            Issue.record("it failed")
            return
        }
        #expect(ledger.tokens(on: "GET /v1/accounts") == [""])
    }

    @Test func theSameUserByTheAppsWordGoesOn() async throws {
        let meeting = Meeting()
        let bank = bank(
            ledger.transport { request, number in
                if number > 1 { return .json(200, transferred) }
                await meeting.hold()
                return .json(401, "")
            })
        await session.begin(SessionTokens(access: "a1"))
        async let result = transfer(bank)
        await meeting.met()
        await session.replaceTokens(SessionTokens(access: "a2"))
        meeting.release()
        guard case .success = await result else {
            Issue.record("it failed")
            return
        }
        #expect(ledger.tokens(on: Self.transfers) == ["a1", "a2"])
    }

    @Test(arguments: [("ada", true), ("eve", false), (nil, false), ("", false)])
    func identityDecidesWhetherALoginIsAnotherUsers(identity: String?, goesOn: Bool) async throws {
        let meeting = Meeting()
        let bank = bank(
            ledger.transport { request, number in
                if let login = IdentifiedLogIn.answer(to: request) { return login }
                if number > 1 { return .json(200, transferred) }
                await meeting.hold()
                return .json(401, "")
            })
        await session.begin(SessionTokens(access: "a1", identity: "ada"))
        async let result = transfer(bank)
        await meeting.met()
        _ = try await bank.send(IdentifiedLogIn(token: "new", identity: identity))
        meeting.release()
        #expect(await result.isSessionEnded == !goesOn)
        #expect(ledger.tokens(on: Self.transfers) == (goesOn ? ["a1", "new"] : ["a1"]))
    }

    /// The closure was asked for Ada's login, and Eve sat down.
    @Test(arguments: [("ada", true), ("eve", false), (nil, true), ("", true)])
    func aClosureThatLogsInAnotherUserEndsTheCommands(identity: String?, goesOn: Bool) async throws {
        let session = Session { () -> IdentifiedLogIn? in IdentifiedLogIn(token: "new", identity: identity) }
        let transport = ledger.transport { request, _ in
            if let login = IdentifiedLogIn.answer(to: request) { return login }
            return request.headers["Authorization"] == "Bearer new" ? .json(200, transferred) : .json(401, "")
        }
        let bank = Bank.scripted(transport, session: session)
        await session.begin(SessionTokens(access: "a", identity: "ada"))
        let result = await transfer(bank)
        #expect(result.isSessionEnded == !goesOn)
        #expect(ledger.tokens(on: Self.transfers) == (goesOn ? ["a", "new"] : ["a"]))
        #expect(session.tokens?.identity == (identity == "eve" ? "eve" : "ada"))
    }

    /// A form in another window replaces the closure's answer, and the closure's own form closes. Without an identity, the form may
    /// be another user's.
    @Test(arguments: ["ada", nil]) func aLoginMadeElsewhereReleasesWhoWaitsForTheClosure(identity: String?) async throws
    {
        let asking = Meeting()
        let closed = Meeting()
        let session = Session { () -> Bank.LogIn? in
            // Ends when it is cancelled.
            await asking.hold()
            closed.release()
            return Bank.LogIn(user: "late", password: "late")
        }
        let transport = ledger.transport { request, _ in
            if let login = IdentifiedLogIn.answer(to: request) { return login }
            return request.headers["Authorization"] == "Bearer new" ? .json(200, transferred) : .json(401, "")
        }
        let bank = Bank.scripted(transport, session: session)
        await session.begin(SessionTokens(access: "a", identity: "ada"))
        async let result = transfer(bank)
        await asking.met()
        _ = try await bank.send(IdentifiedLogIn(token: "new", identity: identity))
        #expect(await result.isSessionEnded == (identity == nil))
        await closed.hold()
        #expect(ledger.tokens(on: Self.transfers) == (identity == nil ? ["a"] : ["a", "new"]))
        #expect(ledger.tokens(on: "POST /v1/sessions").isEmpty)
        #expect(session.tokens?.access == "new")
    }

    @Test func aLogoutThatFailsEndsNothing() async throws {
        let meeting = Meeting()
        let bank = bank(
            ledger.transport { request, number in
                if request.method == .delete { return .json(500, "") }
                await meeting.hold()
                return .json(200, transferred)
            })
        await session.begin(SessionTokens(access: "a"))
        async let result = transfer(bank)
        await meeting.met()
        _ = await bank.result(of: Bank.LogOut())
        meeting.release()
        guard case .success = await result else {
            Issue.record("it failed")
            return
        }
        #expect(session.tokens?.access == "a")
    }
}
