import BankClient
import ErrandRuntime
import ErrandTesting
import Foundation
import Testing

@testable import ErrandUI

/// The last commands of an app, as a developer looks at them.
@Suite(.timeLimit(.minutes(1))) struct CommandHistoryTests {
    /// A bank whose server answers with these responses, one after the other, and then with the last one.
    private func bank(_ observer: CommandHistory, _ responses: TransportResponse...) -> Bank {
        let count = LockedState<Int> { 0 }
        let transport = ScriptedTransport { _, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return responses[min(number, responses.count) - 1]
        }
        return Bank(
            on: Dispatcher(
                transport: transport, observers: [observer],
                settings: DispatcherSettings(retry: RetryRule(attempts: 3, base: .milliseconds(1)))),
            session: Session(tokens: SessionTokens(access: "token-canary", identity: "user-canary")))
    }

    private static let accounts = TransportResponse.json(
        #"{"data":[{"id":1,"owner":"owner-canary","balance":5,"status":"active","openedAt":"2026-01-02T03:04:05Z"}]}"#)
    private static let unavailable = TransportResponse(status: 503)

    @Test func anAppMakesOneInALine() {
        let history = CommandHistory()
        let bank = Bank(on: Dispatcher(observers: [history]))
        print(history.report)
        _ = bank
    }

    @Test func aCommandHasItsAttemptsAndItsResult() async throws {
        let history = CommandHistory(isRecording: true)
        _ = await bank(history, Self.unavailable, Self.accounts).result(of: Bank.ListAccounts())
        let record = try #require(history.records.first)
        #expect(history.records.count == 1)
        #expect(record.state == .succeeded, "\(record.report)")
        #expect(record.attempts == 2)
        #expect(record.duration != nil)
        #expect(record.report.hasPrefix("Bank.listAccounts succeeded, 2 attempts, "))
        #expect(record.report.contains(": attempt 1, status 503 after "))
        #expect(record.events.first?.text == "queued")
        #expect(record.events.map(\.id) == Array(1...record.events.count))
    }

    @Test func aFailureHasItsNameAndCategory() async throws {
        let history = CommandHistory(isRecording: true)
        _ = await bank(history, Self.unavailable).result(of: Bank.ListAccounts())
        #expect(history.records.first?.state == .failed("serviceUnavailable", .retryable), "\(history.report)")
    }

    @Test func theLastOnesAreKept() async throws {
        let history = CommandHistory(limit: 3, isRecording: true)
        let bank = bank(history, Self.accounts)
        for _ in 0..<5 { _ = await bank.result(of: Bank.ListAccounts()) }
        #expect(history.records.map(\.id) == [5, 4, 3])
        #expect(CommandHistory().limit == 200)
        history.clear()
        #expect(history.records.isEmpty && history.report.isEmpty)
    }

    /// Commands of several dispatchers have the same numbers, and one that was forgotten may still go on.
    @Test func manyCommandsOfManyDispatchersAtOnce() async throws {
        let history = CommandHistory(limit: 10, isRecording: true)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let bank = self.bank(history, Self.unavailable, Self.accounts)
                    for number in 0..<25 {
                        _ = await bank.result(of: Bank.ListAccounts())
                        if number == 12 { history.clear() }
                    }
                }
            }
        }
        #expect(history.records.count <= 10)
        #expect(history.records.allSatisfy { $0.events.first?.text == "queued" && $0.state == .succeeded })
        #expect(history.records.map(\.id) == history.records.map(\.id).sorted(by: >))
    }

    @Test func theEventsOfACommandAreBounded() async throws {
        let history = CommandHistory(isRecording: true)
        let feed = CommandEventFeed()
        let bank = Bank(
            on: Dispatcher(transport: ScriptedTransport { _, _ in Self.accounts }, observers: [history, feed]))
        var events = feed.events.makeAsyncIterator()
        _ = await bank.result(of: Bank.ListAccounts())
        let first = try #require(await events.next())
        var record = CommandRecord(id: 1, first, began: Date())
        for _ in 0..<500 { record.note(first) }
        #expect(record.events.count == CommandRecord.eventLimit)
        #expect(record.droppedEvents == 401)
        #expect(record.events.last?.id == 501)
        #expect(record.report.contains("401 earlier events are not kept"))
    }

    @Test func nothingSecretIsKept() async throws {
        let history = CommandHistory(isRecording: true)
        let bank = bank(history, Self.accounts)
        _ = await bank.result(of: Bank.ListAccounts())
        _ = await bank.result(of: Bank.LogIn(user: "user-canary", password: "password-canary"))
        var text = history.report
        dump(history, to: &text)
        dump(history.records, to: &text)
        #expect(text.contains("listAccounts"))
        #expect(!text.contains("canary"), "\(text)")
    }

    @Test func aReleaseBuildKeepsNothingByItself() async throws {
        let history = CommandHistory(isRecording: false)
        _ = await bank(history, Self.accounts).result(of: Bank.ListAccounts())
        #expect(history.records.isEmpty)
        // The tests are compiled with optimization, too.
        #if DEBUG
        #expect(CommandHistory().isRecording)
        #else
        #expect(!CommandHistory().isRecording)
        #endif
    }

    @Test func aReaderHearsOfEachChange() async throws {
        let history = CommandHistory(isRecording: true)
        let changes = history.changes
        _ = await bank(history, Self.accounts).result(of: Bank.ListAccounts())
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        #expect(history.records.first?.state == .succeeded)
    }
}
