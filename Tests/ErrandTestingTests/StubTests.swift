import BankClient
import ErrandRuntime
import ErrandStubs
import Foundation
import Testing

@Suite struct StubTests {
    private static func account(_ id: Int) -> Bank.Account {
        Bank.Account(id: id, owner: "Ada", balance: 5, status: .active, openedAt: Date(timeIntervalSince1970: 0))
    }

    /// A dispatcher whose transport is never to be asked.
    private static func dispatcher(
        observers: [any CommandObserver] = [], settings: DispatcherSettings = DispatcherSettings()
    ) -> Dispatcher {
        Dispatcher(transport: NoTransport(), observers: observers, settings: settings)
    }

    // MARK: Responses

    @Test func aStubSeesTheCommandAndGivesItsResponse() async throws {
        let bank = Bank(on: Self.dispatcher()).stubbed {
            $0.on(Bank.GetAccount.self) { command in Self.account(command.accountID) }
            $0.on(Bank.ListAccounts.self) { _ in [Self.account(1), Self.account(2)] }
            $0.on(Bank.CloseAccount.self) { _ in }
        }
        #expect(try await bank.getAccount(accountID: 7).id == 7)
        #expect(try await bank.listAccounts().map { $0.id } == [1, 2])
        try await bank.closeAccount(accountID: 7)
        #expect(try await bank.reply(to: Bank.GetAccount(accountID: 8)).status == 200)
    }

    @Test func theLastStubOfACommandCounts() async throws {
        let bank = Bank(on: Self.dispatcher()).stubbed {
            $0.on(Bank.GetAccount.self) { _ in Self.account(1) }
            $0.on(Bank.GetAccount.self) { _ in Self.account(2) }
        }
        #expect(try await bank.getAccount(accountID: 7).id == 2)
    }

    @Test func aLoginBeginsTheSession() async throws {
        let bank = Bank(on: Self.dispatcher()).stubbed {
            $0.on(Bank.LogIn.self) { _ in Bank.LogIn.Response(token: "t", customer: 4) }
            $0.on(Bank.LogOut.self) { _ in }
        }
        var phases = bank.binding.session.states.makeAsyncIterator()
        #expect(await phases.next() == .loggedOut)
        _ = try await bank.logIn(user: "ada", password: "lovelace")
        #expect(await phases.next() == .loggedIn(identity: "4"))
        try await bank.logOut()
        #expect(await phases.next() == .loggedOut)
    }

    // MARK: Failures

    @Test func aDeclaredErrorIsWhatTheContractSays() async {
        let bank = Bank(on: Self.dispatcher()).stubbed {
            $0.on(Bank.TransferFunds.self) { command throws(Bank.TransferFundsFailure) in
                throw .insufficientFunds(.declared(.init(fromAccount: command.fromAccount, amount: command.amount)))
            }
        }
        do throws(Bank.TransferFundsFailure) {
            _ = try await bank.transferFunds(fromAccount: 3, toAccount: 4, amount: 5)
            Issue.record("it has failed")
        } catch {
            guard case .insufficientFunds(let details) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(details.data?.fromAccount == 3)
            #expect(details.name == "insufficientFunds")
            #expect(details.category == .nonRetryable)
            #expect(details.applied == .never)
            #expect(details.message == "There is not enough money in this account.")
            #expect(details.messageKey == "Bank.insufficientFunds")
            #expect(details.service == "Bank")
            #expect(details.endpoint == "transferFunds")
            #expect(details.method == .post)
            #expect(details.attempts == 1)
        }
    }

    @Test func whatAStubWritesIntoTheContextDoesNotContradictTheContract() async {
        let bank = Bank(on: Self.dispatcher()).stubbed {
            $0.fail(
                Bank.ListAccounts.self,
                with: .sessionExpired(
                    FailureContext(name: "wrong", category: .retryable, message: "Wrong", status: 401)))
        }
        let context = await bank.result(of: Bank.ListAccounts()).failure?.context
        #expect(context?.name == "sessionExpired")
        #expect(context?.category == .requiresLogout)
        #expect(context?.message == "You have been away for a while. Please log in again.")
        #expect(context?.status == 401)
    }

    @Test func anAppsOwnTextsTakeTheirPlace() async {
        let settings = DispatcherSettings(localize: { key, _ in key == "Bank.noSuchAccount" ? "Kein Konto" : nil })
        let bank = Bank(on: Self.dispatcher(settings: settings)).stubbed {
            $0.fail(Bank.GetAccount.self, with: .noSuchAccount(.declared))
        }
        #expect(await bank.result(of: Bank.GetAccount(accountID: 1)).failure?.context.message == "Kein Konto")
    }

    @Test(arguments: CommandFault.Kind.allCases)
    func aBuiltInErrorKeepsItsKind(_ kind: CommandFault.Kind) async {
        let bank = Bank(on: Self.dispatcher()).stubbed {
            $0.fail(Bank.ListAccounts.self, with: .fault(CommandFault(kind)))
        }
        guard case .fault(let fault)? = await bank.result(of: Bank.ListAccounts()).failure else {
            Issue.record("\(kind)")
            return
        }
        let usual = CommandFault(kind)
        #expect(fault.kind == kind)
        #expect(fault.context.name == kind.rawValue)
        #expect(fault.context.endpoint == "listAccounts")
        #expect(fault.category == usual.category)
        // The command is a read, which is never possibly carried out.
        #expect(fault.context.applied == .never)
        #expect(fault.context.message == usual.context.message)
        #expect(fault.context.serverMessage == nil)
    }

    @Test func anUnknownEffectHasAReceiptThatCanBeSentAgain() async throws {
        let calls = CallCounter()
        let bank = Bank(on: Self.dispatcher()).stubbed {
            $0.on(Bank.TransferFunds.self) { command throws(Bank.TransferFundsFailure) in
                if calls.next() == 1 { throw .unconfirmed(.declared) }
                return .completed(Bank.Transfer(of: command))
            }
        }
        let result = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: 5))
        guard case .unconfirmed(let receipt)? = result.failure else {
            Issue.record("\(result)")
            return
        }
        #expect(receipt.context.name == "unconfirmed")
        #expect(receipt.context.applied == .maybe)
        #expect(receipt.cause.name == "connectionLost")
        #expect(receipt.idempotencyKey != nil)
        _ = try await bank.send(again: receipt, as: Bank.TransferFunds.self)
        #expect(calls.count == 2)
    }

    @Test func aCommandWithoutAStubNamesItself() async {
        let bank = Bank(on: Self.dispatcher()).stubbed { $0.on(Bank.CloseAccount.self) { _ in } }
        guard case .fault(let fault)? = await bank.result(of: Bank.ListAccounts()).failure else {
            Issue.record("it has failed")
            return
        }
        #expect(fault.kind == .invalidRequest)
        #expect(fault.context.message == "Bank.listAccounts has no stub.")
        #expect("\(fault)".contains("Bank.listAccounts must have a stub"), "\(fault)")
    }

    // MARK: The pipeline around it

    @Test func aBrokenConstraintIsFoundBeforeTheStub() async {
        let calls = CallCounter()
        let bank = Bank(on: Self.dispatcher()).stubbed {
            $0.on(Bank.TransferFunds.self) { command in
                _ = calls.next()
                return .completed(Bank.Transfer(of: command))
            }
        }
        let result = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: -5))
        guard case .shared(.fault(let fault))? = result.failure else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .invalidRequest)
        #expect(fault.context.brokenFields.map(\.name) == ["amount"])
        #expect(calls.count == 0)
    }

    @Test func aCancelledCommandIsCancelled() async {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let bank = Bank(on: Self.dispatcher()).stubbed {
            $0.on(Bank.ListAccounts.self) { _ in
                start.finish()
                try? await Task.sleep(for: .seconds(600))
                return []
            }
        }
        let task = Task { await bank.result(of: Bank.ListAccounts()) }
        for await _ in started {}
        task.cancel()
        #expect(await task.value.failure?.context.name == "cancelled")
    }

    @Test func observersAndFollowersHearOfIt() async throws {
        let feed = CommandEventFeed()
        let dispatcher = Self.dispatcher(observers: [feed])
        var events = feed.events.makeAsyncIterator()
        var completions = dispatcher.completions(of: Bank.CloseAccount.self).makeAsyncIterator()
        let bank = Bank(on: dispatcher).stubbed {
            $0.fail(Bank.CloseAccount.self, with: .accountNotEmpty(.declared))
        }
        _ = await bank.result(of: Bank.CloseAccount(accountID: 1))
        guard case .queued? = await events.next()?.kind, case .settled(let settlement)? = await events.next()?.kind,
            case .failure(let context) = settlement.result
        else {
            Issue.record("queued, then settled")
            return
        }
        #expect(context.name == "accountNotEmpty")
        #expect(await completions.next()?.result.failure?.context.name == "accountNotEmpty")
    }
}
