import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// How long a response asks to wait: `Retry-After` and the fields of rate limits.
@Suite(.timeLimit(.minutes(1))) struct RateLimitTests {
    private static let now: Int64 = 784_111_777

    /// One response: its status, its fields, and the pause.
    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        let fields: [(String, String)]
        let pause: Duration?
        var rule: RateLimitRule?
        var testDescription: String { "\(status) \(fields.map { "\($0): \($1)" }.joined(separator: ", "))" }

        init(_ status: Int, _ fields: [(String, String)], _ pause: Duration?, _ rule: RateLimitRule? = nil) {
            (self.status, self.fields, self.pause, self.rule) = (status, fields, pause, rule)
        }
    }

    static let cases: [Case] = [
        // The draft's list of items.
        Case(429, [("RateLimit", "\"default\";r=0;t=30")], .seconds(30)),
        Case(503, [("RateLimit", "\"default\";r=0;t=30")], .seconds(30)),
        Case(503, [("RateLimit", "\"default\";r=1;t=30")], nil),
        Case(429, [("RateLimit", "\"default\";r=1;t=30")], .seconds(30)),
        Case(429, [("RateLimit", "\"a,b;r=9\";r=0;t=30, day;r=4; t=80000")], .seconds(30)),
        Case(503, [("RateLimit", "\"a\";r=0;t=30"), ("RateLimit", "\"b\";r=0;t=40")], .seconds(40)),
        Case(429, [("RateLimit", "\"a\";r=7;t=30,\"b\";r=3;t=50")], .seconds(50)),
        Case(429, [("RateLimit", "\"default\";r=0")], nil),
        Case(429, [("RateLimit", "\"default\";r=0;t=soon")], nil),
        Case(429, [("RateLimit", "nonsense")], nil),
        // Its older dictionary.
        Case(429, [("RateLimit", "limit=10, remaining=0, reset=5")], .seconds(5)),
        Case(503, [("RateLimit", "limit=10, remaining=0, reset=5")], .seconds(5)),
        Case(503, [("RateLimit", "limit=10, remaining=2, reset=5")], nil),
        // Separate fields.
        Case(503, [("RateLimit-Remaining", "0"), ("RateLimit-Reset", "12")], .seconds(12)),
        Case(503, [("RateLimit-Remaining", "1"), ("RateLimit-Reset", "12")], nil),
        Case(503, [("RateLimit-Reset", "12")], nil),
        Case(429, [("RateLimit-Reset", "12")], .seconds(12)),
        Case(429, [("X-RateLimit-Reset", "12")], .seconds(12)),
        Case(429, [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "0.25")], .milliseconds(250)),
        Case(403, [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "784111807")], .seconds(30)),
        Case(429, [("X-RateLimit-Reset", "784111807000")], .seconds(30)),
        Case(429, [("X-RateLimit-Reset", "784111700")], .zero),
        Case(
            429, [("X-RateLimit-Reset", "784200020"), ("Date", "Mon, 07 Nov 1994 09:00:00 GMT")], .seconds(1_220)),
        Case(429, [("X-RateLimit-Reset", "Sun, 06 Nov 1994 08:49:47 GMT")], .seconds(10)),
        Case(429, [("X-Rate-Limit-Reset", "7")], .seconds(7)),
        // Without a clear unit.
        Case(429, [("X-RateLimit-Reset", "5000000")], nil),
        Case(429, [("X-RateLimit-Reset", "684111777")], nil),
        Case(429, [("X-RateLimit-Reset", "99999999999999999999")], nil),
        Case(429, [("X-RateLimit-Reset", "1s")], nil),
        Case(429, [("X-RateLimit-Reset", "-1")], nil),
        Case(429, [("X-RateLimit-Reset", "1e3")], nil),
        Case(429, [("X-RateLimit-Reset", "nan")], nil),
        Case(429, [("X-RateLimit-Reset", "")], nil),
        // Milliseconds.
        Case(503, [("retry-after-ms", "350")], .milliseconds(350)),
        Case(503, [("Retry-After-Ms", "350.5")], .milliseconds(351)),
        Case(503, [("retry-after-ms", "soon")], nil),
        // quart-rate-limiter 0.12.1 sends the field twice, and some transports join its values.
        Case(429, [("Retry-After", "2, 2"), ("RateLimit-Remaining", "0"), ("RateLimit-Reset", "6")], .seconds(2)),
        Case(503, [("Retry-After", "2,5")], .seconds(5)),
        Case(503, [("Retry-After", "2, ")], nil),
        // Several.
        Case(503, [("Retry-After", "2"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "9")], .seconds(9)),
        Case(429, [("Retry-After", "2"), ("X-RateLimit-Remaining", "5"), ("X-RateLimit-Reset", "9")], .seconds(2)),
        Case(429, [("Retry-After", "1"), ("retry-after-ms", "350")], .seconds(1)),
        // The next request may come in 2 s, and the bucket is full in 6: quart-rate-limiter 0.12.1.
        Case(429, [("Retry-After", "2"), ("RateLimit-Remaining", "0"), ("RateLimit-Reset", "6")], .seconds(2)),
        // The end of a limit of which requests are left, as limiters add it to every response: slowapi 0.1.10, Flask-Limiter 4.1.1.
        Case(
            503,
            [
                ("retry-after", "60"), ("x-ratelimit-limit", "3"), ("x-ratelimit-remaining", "2"),
                ("x-ratelimit-reset", "784111838.5078275"),
            ], nil),
        Case(
            503, [("Retry-After", "3600"), ("X-RateLimit-Remaining", "999"), ("X-RateLimit-Reset", "784115378")], nil),
        Case(503, [("Retry-After", "60"), ("RateLimit", "\"default\";r=2;t=60")], nil),
        Case(
            429, [("Retry-After", "60"), ("X-RateLimit-Remaining", "2"), ("X-RateLimit-Reset", "784111837")],
            .seconds(60)),
        Case(
            503, [("Retry-After", "60"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "784111837")],
            .seconds(60)),
        Case(503, [("Retry-After", "20"), ("X-RateLimit-Remaining", "2"), ("X-RateLimit-Reset", "60")], .seconds(20)),
        Case(503, [("Retry-After", "60"), ("X-RateLimit-Reset", "60")], .seconds(60)),
        // The contract's header.
        Case(429, [("X-Reset", "12")], nil),
        Case(429, [("X-Reset", "12")], .seconds(12), RateLimitRule(reset: "x-reset", unit: .seconds)),
        Case(503, [("X-Reset", "12")], nil, RateLimitRule(reset: "X-Reset", unit: .seconds)),
        Case(
            503, [("X-Reset", "12"), ("X-Left", "0")], .milliseconds(12),
            RateLimitRule(reset: "X-Reset", unit: .milliseconds, remaining: "X-Left")),
        Case(
            503, [("X-Reset", "12"), ("X-RateLimit-Remaining", "0")], .seconds(12),
            RateLimitRule(reset: "X-Reset", unit: .seconds)),
        Case(429, [("X-Reset", "784111807")], .seconds(30), RateLimitRule(reset: "X-Reset", unit: .timestamp)),
        Case(429, [("X-Reset", "784111807")], .seconds(784_111_807), RateLimitRule(reset: "X-Reset", unit: .seconds)),
        Case(
            429, [("X-RateLimit-Reset", "9000")], .seconds(9),
            RateLimitRule(reset: "X-RateLimit-Reset", unit: .milliseconds)),
        Case(503, [("Retry-After", "9000")], nil, RateLimitRule(reset: "Retry-After", unit: .milliseconds)),
        Case(429, [("Retry-After", "9000")], .seconds(9), RateLimitRule(reset: "Retry-After", unit: .milliseconds)),
    ]

    @Test(arguments: cases)
    func aResponseAsksForAPause(_ test: Case) {
        let headers = HTTPHeaders(test.fields.map { .init($0.0, $0.1) })
        let pause = RequestedPause.duration(
            status: test.status, headers, test.rule, now: { Date(timeIntervalSince1970: Double(Self.now)) })
        #expect(pause == test.pause)
    }

    /// Text from a server is bounded, and never traps.
    @Test func anyTextIsRead() {
        var random = SeededGenerator(seed: .random(in: 0 ... .max))
        let pieces = ["\"", "\\", ";", ",", "=", "r", "t", "r=0", "t=9", "reset", "0", "9", ".", " ", "\t", "é", "-"]
        for _ in 0..<5_000 {
            let text = (0..<(random.next() % 12)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            for name in ["RateLimit", "X-RateLimit-Reset", "retry-after-ms", "RateLimit-Remaining"] {
                let pause = RequestedPause.duration(
                    status: 429, HTTPHeaders([.init(name, text)]), nil, now: { .distantFuture })
                #expect(pause.map { $0 >= .zero } ?? true, "\(name): \(text)")
            }
        }
        let long = String(repeating: "\"a\";r=0;t=1,", count: 100_000)
        #expect(RequestedPause.duration(status: 429, ["RateLimit": long], nil, now: { .distantPast }) == nil)
    }

    // MARK: Commands

    private func order(
        _ response: TransportResponse, clock: InstantClock = InstantClock(advances: true)
    ) async -> (requests: Int, failure: Bank.TransferFundsFailure?) {
        var limited = response
        // The client's clock may be wrong: the server's time counts.
        limited.headers.append("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
        let first = limited
        let transport = ScriptedTransport { _, number in number == 1 ? first : .json(200, transferred) }
        let result = await Bank.scripted(transport, clock: clock).result(
            of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500))
        if case .failure(let failure) = result { return (transport.requests.count, failure) }
        return (transport.requests.count, nil)
    }

    @Test(arguments: [
        ("RateLimit", "\"default\";r=0;t=9"), ("X-RateLimit-Reset", "9"), ("X-RateLimit-Reset", "784111786"),
        ("retry-after-ms", "9000"), ("Retry-After", "9"),
    ])
    func aKeyedOrderWaits(name: String, value: String) async {
        let clock = InstantClock(advances: true)
        let (requests, failure) = await order(.json(429, "", [name: value]), clock: clock)
        #expect(requests == 2 && failure == nil)
        #expect(await clock.sleeps == [.seconds(9)])
    }

    @Test(arguments: [
        ("RateLimit", "\"default\";r=0;t=61"), ("X-RateLimit-Reset", "61"), ("X-RateLimit-Reset", "784111838"),
        ("retry-after-ms", "61000"), ("Retry-After", "61"),
    ])
    func oneThatIsTooLateFailsAtOnce(name: String, value: String) async {
        let (requests, failure) = await order(.json(429, "", [name: value]))
        #expect(requests == 1 && failure?.context.name == "throttled")
        #expect(failure?.context.retryAfter == .seconds(61))
    }

    /// However long the deadline is.
    @Test(arguments: ["Retry-After", "X-RateLimit-Reset"], [(3_600, 2), (3_601, 1)])
    func anHourIsTheLongestPause(name: String, _ limit: (seconds: Int, requests: Int)) async {
        let transport = ScriptedTransport { _, number in
            number == 1 ? .json(429, "", [name: "\(limit.seconds)"]) : .json(200, noAccounts)
        }
        let clock = InstantClock(forever: .seconds(20_000), advances: true)
        let bank = Bank.scripted(transport, clock: clock).with {
            $0.deadline = .seconds(100_000)
            $0.timeout = .seconds(50_000)
        }
        _ = await bank.result(of: Bank.ListAccounts())
        #expect(transport.requests.count == limit.requests)
    }
}
