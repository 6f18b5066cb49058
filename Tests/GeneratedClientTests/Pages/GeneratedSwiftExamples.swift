import BankClient
import ConversationsClient
import ErrandRuntime
import ErrandStubs
import Foundation
import Testing

// The examples of `Sources/Runtime/ErrandRuntime/Documentation.docc/TheGeneratedSwift.md` that are run. `scripts/check pages` compares them
// with the article.

enum GeneratedSwiftLines {
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
