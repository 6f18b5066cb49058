import ContractModel
import Testing

@testable import ContractChecks

// What `errand explain SERVICE ENDPOINT` says of times.
extension ExplanationTests {
    @Test func theTimelineEndsAtTheDeadline() {
        let examination = examine(
            """
            errand: 1
            service: Sample
            endpoints:
              ask: {get: /a, response: string, timeout: 20s, deadline: 50s, retry: {attempts: 5, base: 4s, cap: 6s}}
            """)
        let endpoint = examination.endpoints[0].resolved
        let timeline = AttemptTimeline(endpoint)
        #expect(timeline.steps == [.init(start: 0, end: 20_000), .init(start: 24_000, end: 44_000)])
        #expect(timeline.begun == 2 && timeline.attempts == 5)
        let never = AttemptTimeline(endpoint, rule: .never)
        #expect(never.steps == [.init(start: 0, end: 20_000)])
    }

    /// A contract may say how the service spells a header that clients read anyway.
    @Test(arguments: [
        ("", "`Retry-After` and `RateLimit`"),
        (
            "rateLimit: {reset: X-Reset, unit: timestamp}",
            "`X-Reset` (in seconds since 1970), `Retry-After` and `RateLimit`"
        ),
        ("rateLimit: {reset: retry-after, unit: milliseconds}", "`retry-after` (in milliseconds) and `RateLimit`"),
        ("rateLimit: {reset: RateLimit, unit: seconds}", "`RateLimit` (in seconds) and `Retry-After`"),
    ])
    func eachHeaderOfAPauseIsNamedOnce(_ rule: String, _ names: String) throws {
        let contract = try #require(
            examine("errand: 1\nservice: Sample\n\(rule)\nendpoints: {ask: {get: /a, response: string}}").resolved)
        let explanation = try #require(EndpointExplanation("ask", in: contract))
        #expect(
            explanation.rateLimit == "it pauses for as long as \(names) say, and fails at once for more than an hour")
    }
}
