#if os(Linux)
import ErrandCurl
import ErrandTransportConformance
import Testing

/// What any transport has to hold, as far as libcurl lets it.
@Suite(.serialized) struct CurlConformanceTests {
    /// What fails, each with the reason. A check that passes is an issue: the limit is gone.
    static let limits = [
        "cut-coding": "libcurl does not look whether a coded body has its end, where the message is whole",
        "streamed-coding": "libcurl does not look whether a coded body has its end, where the message is whole",
    ]

    /// What other checks disturb is a suite of its own.
    @Test(arguments: TransportConformance.checks.filter { !$0.measuresMemory })
    func itConforms(_ check: TransportConformance.Check) async {
        let violations = await check.run(on: CurlTransport())
        if let reason = Self.limits[check.name] {
            withKnownIssue("known limit: \(reason)") { for violation in violations { Issue.record("\(violation)") } }
        } else {
            for violation in violations { Issue.record("\(violation)") }
        }
    }

    @Test func whatIsLeftOutIsThere() {
        #expect(Set(Self.limits.keys).isSubset(of: TransportConformance.checks.map(\.name)))
    }
}

/// Answers that are made to fill the memory end as oversized, and do not fill it.
@Suite(.serialized) struct CurlMemoryTests {
    @Test(arguments: TransportConformance.checks.filter(\.measuresMemory))
    func itIsBounded(_ check: TransportConformance.Check) async {
        for violation in await check.run(on: CurlTransport()) { Issue.record("\(violation)") }
    }
}
#endif
