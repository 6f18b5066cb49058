import BankClient
import Testing

@testable import ErrandRuntime

/// Streams that are read late, in part, or never.
@Suite(.timeLimit(.minutes(1))) struct EventFollowersTests {
    private func followers(_ limit: Int) -> EventFollowers<String> {
        EventFollowers(limit: limit) { count, next in ["dropped \(count)", next] }
    }

    @Test func aSlowReaderIsToldHowMuchItHasMissed() async {
        let followers = followers(3)
        var reader = followers.stream().makeAsyncIterator()
        for number in 1...10 { followers.tell("\(number)") }
        var read: [String?] = []
        for _ in 1...4 { read.append(await reader.next()) }
        followers.tell("11")
        read.append(await reader.next())
        followers.finish()
        read.append(await reader.next())
        #expect(read == ["dropped 7", "8", "9", "10", "11", nil])
    }

    @Test func anEventThatWasTakenOrDroppedIsNotKept() async {
        let followers = EventFollowers<Large>(limit: 8, maximumSize: 1)
        let stream = followers.stream()
        var reader = stream.makeAsyncIterator()
        weak var dropped: Large?
        do {
            let first = Large()
            dropped = first
            followers.tell(first, size: 1)
        }
        #expect(dropped != nil)
        followers.tell(Large(), size: 1)
        #expect(dropped == nil)
        weak var taken: Large?
        do { taken = await reader.next() }
        #expect(taken == nil && !followers.isEmpty)
    }

    private final class Large: Sendable {}

    @Test func whatItBeginsWithComesFirst() async {
        let followers = followers(1)
        followers.tell("before")
        var reader = followers.stream { "now" }.makeAsyncIterator()
        #expect(await reader.next() == "now")
        followers.tell("later")
        #expect(await reader.next() == "later")
    }

    @Test func aStreamThatIsLetGoOfCostsNothing() {
        let followers = followers(3)
        do { _ = followers.stream() }
        followers.tell("gone")
        #expect(followers.isEmpty)
    }

    @Test func aCancelledReaderEnds() async {
        let followers = followers(3)
        let stream = followers.stream()
        let task = Task { () -> [String] in
            var all: [String] = []
            for await event in stream { all.append(event) }
            return all
        }
        followers.tell("1")
        task.cancel()
        #expect(await task.value.count <= 1)
        followers.tell("2")
        #expect(followers.isEmpty)
    }

    @Test func completionsSayHowManyWereDropped() async {
        let completions = CompletionFollowers()
        var reader = completions.stream(of: Bank.ListAccounts.self).makeAsyncIterator()
        for page in 1...300 { completions.tell(Bank.ListAccounts(page: page), .success(Reply(value: []))) }
        let first = await reader.next()
        #expect(first?.command.page == 45)
        #expect(first?.dropped == 44)
        #expect(await reader.next()?.dropped == 0)
    }
}
