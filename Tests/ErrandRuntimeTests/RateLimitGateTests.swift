import BankClient
import ErrandTesting
import Testing

@testable import ErrandRuntime

/// Requests that wait for a rate limit that responses have announced.
@Suite(.timeLimit(.minutes(1))) struct RateLimitGateTests {
    private static let host = Origin("https://a.example")!
    private static let identity = SessionIdentity()

    private func key(_ endpoint: EndpointDescription = Bank.ListAccounts.endpoint, _ epoch: CommandEpoch = .none)
        -> RateLimitKey
    {
        RateLimitKey(endpoint, at: Self.host, session: Self.identity, epoch)
    }

    private func window(_ remaining: Int64?, _ seconds: Int?) -> RateLimitWindow {
        RateLimitWindow(remaining: remaining, reset: seconds.map { .seconds($0) })
    }

    @Test func nothingIsHeldWithoutALimit() {
        var windows = RateLimitWindows<Int>()
        #expect(windows.pause(key(), others: 0, at: .zero) == nil)
        for announced in [[], [window(nil, 9)], [window(0, nil)]] {
            #expect(windows.note(announced, key(), others: 0, at: .zero).isEmpty)
        }
        #expect(windows.isEmpty)
    }

    @Test func asManyGoAsAreLeft() {
        var windows = RateLimitWindows<Int>()
        // Two are left, of which another request may have used one.
        _ = windows.note([window(2, 10)], key(), others: 1, at: .seconds(1))
        #expect(windows.pause(key(), others: 0, at: .seconds(2)) == nil)
        #expect(windows.pause(key(), others: 0, at: .seconds(2)) == .seconds(9))
        // An earlier response that comes late takes nothing back.
        _ = windows.note([window(5, 9)], key(), others: 0, at: .seconds(2))
        #expect(windows.pause(key(), others: 0, at: .seconds(3)) == .seconds(8))
        #expect(windows.pause(key(Bank.LogIn.endpoint), others: 0, at: .seconds(3)) == nil)
    }

    /// Of the next window, nothing is known but what the last ones took.
    @Test func theNextWindowIsTakenToBeLikeTheLast() {
        var windows = RateLimitWindows<Int>()
        _ = windows.note([window(3, 10)], key(), others: 0, at: .zero)
        _ = windows.note([window(0, 4)], key(), others: 0, at: .seconds(6))
        let pauses = (1...5).map { _ in windows.pause(key(), others: 1, at: .seconds(10)) }
        #expect(pauses == [nil, nil, nil, .seconds(10), .seconds(10)])
        #expect(windows.join(key(), .submitted(1), 1) != nil)
        // Its first response says more.
        #expect(windows.note([window(6, 9)], key(), others: 2, at: .seconds(11)) == [1])
        #expect((1...5).map { _ in windows.pause(key(), others: 0, at: .seconds(11)) }.filter { $0 == nil }.count == 4)
        // With many under way, one goes all the same, or nothing would say what is left.
        #expect(windows.pause(key(), others: 100, at: .seconds(60)) == nil)
        #expect(windows.pause(key(), others: 100, at: .seconds(60)) == .seconds(10))
    }

    @Test func theTightestOfSeveralLimitsCounts() {
        var windows = RateLimitWindows<Int>()
        _ = windows.note([window(9, 1), window(0, 60), window(0, 30), window(nil, 99)], key(), others: 0, at: .zero)
        #expect(windows.pause(key(), others: 0, at: .zero) == .seconds(60))
    }

    @Test func theMostUrgentGoFirstAndWhoLeavesIsPassedOver() throws {
        var windows = RateLimitWindows<Int>()
        _ = windows.note([window(0, 10)], key(), others: 0, at: .zero)
        var tickets: [Int] = []
        for (number, urgency) in [3, 1, 2, 1].enumerated() {
            let order = WaitingOrder(urgency: urgency, number: number)
            let ticket = windows.join(key(), order, number)
            tickets.append(try #require(ticket))
        }
        windows.leave(key(), tickets[1])
        #expect(windows.note([window(2, 10)], key(), others: 0, at: .seconds(20)) == [3, 2])
        #expect(windows.join(key(), .submitted(9), 9) == nil)
        #expect(windows.noteNoLimit(key(), isSuccess: false).isEmpty)
        #expect(windows.noteNoLimit(key(), isSuccess: true) == [0])
        #expect(windows.isEmpty)
    }

    /// A limiter that says only how long to wait, as Django REST framework, django-ninja and asgi-ratelimit do.
    @Test func aRefusalHoldsTheOthersAndThenOneGoesFirst() {
        var windows = RateLimitWindows<Int>()
        windows.noteRefusal(.seconds(5), key(), at: .zero)
        #expect(windows.pause(key(), others: 0, at: .seconds(1)) == .seconds(4))
        #expect(windows.join(key(), .submitted(1), 1) != nil)
        // One that was let through before the refusal says nothing of it.
        #expect(windows.noteNoLimit(key(), isSuccess: true).isEmpty && windows.noteNothing(key()) == nil)
        #expect(windows.pause(key(), others: 9, at: .seconds(5)) == nil)
        #expect(windows.pause(key(), others: 9, at: .seconds(5)) == .seconds(5))
        // What is refused for another reason has passed the limit.
        #expect(windows.noteNoLimit(key(), isSuccess: false) == [1])
        #expect(windows.isEmpty)
    }

    /// A lost connection or a gateway's 503 shows nothing, and the next one goes at once.
    @Test func whenTheFirstShowsNothingTheNextGoes() {
        var windows = RateLimitWindows<Int>()
        windows.noteRefusal(.seconds(5), key(), at: .zero)
        _ = windows.join(key(), .submitted(1), 1)
        _ = windows.join(key(), .submitted(2), 2)
        #expect(windows.pause(key(), others: 0, at: .seconds(6)) == nil)
        #expect(windows.noteNothing(key()) == 1)
        #expect(windows.pause(key(), others: 0, at: .seconds(7)) == nil)
        #expect(windows.pause(key(), others: 0, at: .seconds(7)) == .seconds(4))
        #expect(windows.noteNothing(key()) == 2)
        #expect(windows.noteNothing(key()) == nil, "the place is free already")
    }

    /// quart-rate-limiter: the next request may come in 2 s, and the bucket is full in 6.
    @Test func afterARefusalOneGoesFirstHoweverManyTheLimitTakes() {
        var windows = RateLimitWindows<Int>()
        _ = windows.note([window(3, 6)], key(), others: 0, at: .zero)
        windows.noteRefusal(.seconds(2), key(), at: .seconds(1))
        // The response to an earlier request opens nothing.
        #expect(windows.note([window(2, 1)], key(), others: 0, at: .seconds(2)).isEmpty)
        #expect(windows.pause(key(), others: 0, at: .seconds(2)) == .seconds(1))
        #expect(windows.pause(key(), others: 0, at: .seconds(3)) == nil)
        #expect(windows.pause(key(), others: 0, at: .seconds(3)) == .seconds(6))
        _ = windows.join(key(), .submitted(1), 1)
        #expect(windows.note([window(2, 6)], key(), others: 0, at: .seconds(4)) == [1])
        // It is a limit that responses announce, as before.
        #expect(windows.noteNoLimit(key(), isSuccess: false).isEmpty && !windows.isEmpty)
    }

    /// django-smart-ratelimit asks for the rest of a minute, and counts the requests of the last 60 s.
    @Test func aWaitThatWasExactAndInVainIsDoubled() {
        var windows = RateLimitWindows<Int>()
        windows.noteRefusal(.seconds(2), key(), at: .zero)
        for (sent, held) in [(2, 4), (6, 8), (14, 16)] {
            #expect(windows.pause(key(), others: 0, at: .seconds(sent)) == nil)
            windows.noteRefusal(.seconds(2), key(), at: .seconds(sent))
            #expect(windows.pause(key(), others: 0, at: .seconds(sent)) == .seconds(held))
        }
        // A limiter that asks for more is believed, and none holds anybody for longer than an hour.
        _ = windows.pause(key(), others: 0, at: .seconds(30))
        windows.noteRefusal(.seconds(3_000), key(), at: .seconds(30))
        #expect(windows.pause(key(), others: 0, at: .seconds(30)) == .seconds(3_000))
        _ = windows.pause(key(), others: 0, at: .seconds(3_030))
        windows.noteRefusal(.seconds(2), key(), at: .seconds(3_030))
        #expect(windows.pause(key(), others: 0, at: .seconds(3_030)) == .seconds(3_600))
        // A refusal much later has nothing to do with these.
        _ = windows.pause(key(), others: 0, at: .seconds(20_000))
        windows.noteRefusal(.seconds(2), key(), at: .seconds(20_000))
        #expect(windows.pause(key(), others: 0, at: .seconds(20_000)) == .seconds(2))
    }

    @Test func windowsAreBounded() {
        var windows = RateLimitWindows<Int>()
        let most = RateLimitWindows<Int>.most
        func note(_ number: Int, at now: Duration) {
            let key = RateLimitKey(
                Bank.ListAccounts.endpoint, at: Origin("https://h\(number).example")!, session: Self.identity, .none)
            _ = windows.note([window(.max, 10)], key, others: .max, at: now)
        }
        for number in 0..<(2 * most) { note(number, at: .zero) }
        #expect(windows.count == most)
        // What is over makes room.
        note(2 * most, at: .seconds(11))
        #expect(windows.count == 1)
    }

    // MARK: Commands

    /// A response with what is left of a limit.
    private func limited(_ remaining: Int, _ seconds: Int) -> TransportResponse {
        .json(200, noAccounts, ["RateLimit-Remaining": "\(remaining)", "RateLimit-Reset": "\(seconds)"])
    }

    @Test func aCommandWaitsBeforeItIsRefused() async throws {
        let clock = InstantClock(advances: true)
        let transport = ScriptedTransport { _, number in limited(1 - number % 2, 5) }
        let bank = Bank.scripted(transport, clock: clock)
        for _ in 1...4 { _ = try await bank.listAccounts() }
        #expect(transport.requests.count == 4)
        // The first response leaves none. Later windows are taken to allow one request, until a response leaves one more.
        #expect(await clock.sleeps == [.seconds(5), .seconds(5)])
    }

    /// One that would have less than its timeout afterwards is sent, since the service says best why it refuses it.
    @Test(arguments: [41, 3_000]) func aCommandWithoutTheTimeGoes(_ seconds: Int) async throws {
        let clock = InstantClock(advances: true)
        let transport = ScriptedTransport { _, _ in limited(0, seconds) }
        let bank = Bank.scripted(transport, clock: clock)
        for _ in 1...3 { _ = try await bank.listAccounts() }
        #expect(transport.requests.count == 3)
        #expect(await clock.sleeps.isEmpty)
    }

    @Test func anAppMayDoWithoutIt() async throws {
        let clock = InstantClock(advances: true)
        let transport = ScriptedTransport { _, _ in limited(0, 5) }
        let bank = Bank.scripted(transport, clock: clock, settings: DispatcherSettings(waitsForRateLimits: false))
        for _ in 1...3 { _ = try await bank.listAccounts() }
        #expect(await clock.sleeps.isEmpty)
    }

    /// The second command is not refused, although no response has said how many requests are left.
    @Test(arguments: ["Retry-After", "retry-after-ms"]) func aRefusedCommandHoldsTheNext(_ name: String) async throws {
        let clock = InstantClock(advances: true)
        let transport = ScriptedTransport { _, number in
            number == 1 ? .json(429, "", [name: name == "Retry-After" ? "5" : "5000"]) : .json(200, noAccounts)
        }
        let bank = Bank.scripted(transport, clock: clock)
        _ = try? await bank.with { $0.attempts = 1 }.listAccounts()
        #expect(await clock.sleeps.isEmpty)
        for _ in 1...3 { _ = try await bank.listAccounts() }
        #expect(transport.requests.count == 4)
        #expect(await clock.sleeps == [.seconds(5)])
    }

    /// The refused command itself waits so, too.
    @Test func aCommandWaitsTwiceAsLongAfterAnExactWait() async throws {
        let clock = InstantClock(advances: true)
        let transport = ScriptedTransport { _, number in
            number < 3 ? .json(429, "", ["Retry-After": "2"]) : .json(200, noAccounts)
        }
        _ = try await Bank.scripted(transport, clock: clock).listAccounts()
        #expect(transport.requests.count == 3)
        #expect(await clock.sleeps.reduce(.zero, +) == .seconds(6))
    }

    /// Each success has fields that say too little to count requests by. They end no limit, and begin none.
    @Test(arguments: [["X-RateLimit-Limit": "60"], ["X-RateLimit-Remaining": "7"]] as [HTTPHeaders])
    func fieldsThatSayTooLittleHoldNothing(_ fields: HTTPHeaders) async throws {
        let clock = InstantClock(advances: true)
        let transport = ScriptedTransport { _, number in
            number == 2 ? .json(429, "", ["Retry-After": "5"]) : .json(200, noAccounts, fields)
        }
        let bank = Bank.scripted(transport, clock: clock)
        for _ in 1...6 { _ = try await bank.listAccounts() }
        #expect(transport.requests.count == 7)
        #expect(await clock.sleeps == [.seconds(5)])
    }

    /// A day is not waited for: each command is told at once.
    @Test func aRefusalForLongHoldsNobody() async throws {
        let clock = InstantClock(forever: .seconds(200_000), advances: true)
        let transport = ScriptedTransport { _, _ in .json(429, "", ["Retry-After": "86400"]) }
        let bank = Bank.scripted(transport, clock: clock).with { $0.deadline = .seconds(100_000) }
        for _ in 1...2 { _ = try? await bank.listAccounts() }
        #expect(transport.requests.count == 2)
        #expect(await clock.sleeps.isEmpty)
    }

    /// A response without a limit ends what earlier ones have announced.
    @Test func aLimitThatIsGoneHoldsNothing() async throws {
        let clock = InstantClock(advances: true)
        let transport = ScriptedTransport { _, number in number == 1 ? limited(0, 5) : .json(200, noAccounts) }
        let bank = Bank.scripted(transport, clock: clock)
        for _ in 1...4 { _ = try await bank.listAccounts() }
        #expect(await clock.sleeps == [.seconds(5)])
    }

    @Test func aWaitingCommandCanBeCancelled() async throws {
        let transport = ScriptedTransport { _, _ in limited(0, 20) }
        let bank = Bank.scripted(transport)
        _ = try await bank.listAccounts()
        let waiting = Task { await bank.result(of: Bank.ListAccounts()) }
        await until { bank.binding.dispatcher.waitingCount == 1 }
        #expect(bank.binding.dispatcher.waiting.first?.place == .host)
        #expect(
            bank.binding.dispatcher.waiting.first?.reason
                == "the rate limit of https://api.bank.example takes no more requests")
        waiting.cancel()
        guard case .failure(.fault(let fault)) = await waiting.value else {
            Issue.record("the command has a response")
            return
        }
        #expect(fault.kind == .cancelled)
        #expect(transport.requests.count == 1)
    }
}
