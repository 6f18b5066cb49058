import BankClient
import ConversationsClient
import ErrandRuntime
import ErrandStubs
import Foundation
import FriendsClient
import PresenceClient
import Testing

// The examples of `Sources/ErrandRuntime/Documentation.docc/TheGeneratedSwift.md`, word for word. `PageTests` compares the two.

enum GeneratedSwiftLines {
    static func servers() -> [Bank] {
        let bank = Bank()
        let local = Bank(.local(port: "9090"))
        let staging = Bank(Bank.Server(url: "https://staging.bank.example/v1"))
        return [bank, local, staging]
    }

    static func common(_ deviceID: String) -> Friends {
        let friends = Friends(common: Friends.Common(locale: "de", deviceID: deviceID))
        return friends
    }

    static func shared(
        _ ask: @escaping @Sendable (String) async -> Bool, _ askForPassword: @escaping @Sendable () async -> Bank.LogIn?
    ) -> [Bank] {
        let dispatcher = Dispatcher(responder: Banner(ask: ask))
        let session = Session { await askForPassword() }
        let accounts = Bank(on: dispatcher, session: session)
        let cards = Bank(.local(), on: dispatcher, session: session)
        return [accounts, cards]
    }

    static func calls(_ bank: Bank) async throws -> [Bank.Account] {
        let open = try await bank.listAccounts(status: .active)
        let command = Bank.ListAccounts(status: .active)
        let same = try await bank.send(command)
        return open + same
    }

    static func reply(_ friends: Friends) async throws {
        let reply = try await friends.reply(to: Friends.SearchUsers(text: "ada"))
        print(reply.value.total, reply.status, reply.headers["X-Request-ID"] ?? "–")
        if reply.skippedCount > 0 { print("\(reply.skippedCount) left out:", reply.skipped) }
    }

    static func options(_ bank: Bank) -> Bank {
        let patient = bank.with {
            $0.timeout = .seconds(60)
            $0.headers["X-Screen"] = "statement"
        }
        return patient
    }

    static func cancelled(_ bank: Bank) {
        let loading = Task { try await bank.listAccounts() }
        loading.cancel()
    }

    static func events(_ presence: Presence) async {
        for await next in presence.events(of: Presence.Notice.self) {
            print(next.event?.text ?? "events may be missing here")
        }
    }

    static func transfer(
        _ bank: Bank, _ amount: Decimal, offer: (Decimal?) -> Void, keep: (ErrandRuntime.Receipt) -> Void,
        show: (String) -> Void
    ) async {
        do throws(Bank.TransferFundsFailure) {
            _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: amount)
        } catch .insufficientFunds(let failure) {
            offer(failure.data?.amount)
        } catch .unconfirmed(let receipt) {
            keep(receipt)
        } catch .fault(let fault) {
            if fault.kind != .cancelled { show(fault.context.message) }
        } catch {
            show(error.context.message)
        }
    }

    static func again(_ bank: Bank, _ receipt: ErrandRuntime.Receipt) async throws {
        let transfer = try await bank.send(again: receipt, as: Bank.TransferFunds.self)
        print(transfer)
    }

    static func reporting(_ failure: some CommandFailure, show: (String) -> Void) {
        func report(_ failure: some CommandFailure) {
            print(failure.context.endpoint, failure.category, failure.context.attempts, failure.context.status ?? 0)
            show(failure.context.message)
        }
        report(failure)
    }

    static func values(_ friends: Friends, _ bytes: [UInt8]) async throws {
        if let birthday = CalendarDate(year: 1815, month: 12, day: 10) {
            // `name` stays as it is, `email` is removed, `birthday` is set.
            _ = try await friends.changeProfile(email: .null, birthday: .value(birthday))
        }
        let photo = FilePart(bytes, fileName: "me.jpg", contentType: "image/jpeg")
        _ = try await friends.changePhoto(photo: photo)
    }

    static func enums(_ status: Bank.AccountStatus, _ message: Conversations.Message) -> String {
        func title(of status: Bank.AccountStatus) -> String {
            switch status {
            case .active: "Active"
            case .frozen, .closed: "Not in use"
            case .unrecognized(let word): word
            }
        }
        func preview(of message: Conversations.Message) -> String {
            switch message {
            case .text(let message): message.text
            case .image: "An image"
            case .location: "A place"
            case .unrecognized(let kind, _): "Something new (\(kind))"
            }
        }
        return title(of: status) + preview(of: message)
    }

    static func stub() -> Bank {
        let empty = Bank().stubbed {
            $0.on(Bank.ListAccounts.self) { _ in [] }
            $0.on(Bank.GetAccount.self) { _ throws(Bank.GetAccountFailure) in throw .noSuchAccount(.declared) }
        }
        return empty
    }
}

@Suite struct GeneratedSwiftTests {
    @Test func aStubAnswersAndFails() async throws {
        let bank = GeneratedSwiftLines.stub()
        #expect(try await bank.listAccounts().isEmpty)
        await #expect(throws: Bank.GetAccountFailure.self) { try await bank.getAccount(accountID: 1) }
    }

    @Test func aWordThatIsNewIsShown() {
        let title = GeneratedSwiftLines.enums(
            .unrecognized("dormant"), .unrecognized("poll", .object([:])))
        #expect(title == "dormantSomething new (poll)")
    }
}
