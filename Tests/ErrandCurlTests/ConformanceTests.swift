#if os(Linux)
import ErrandCurl
import ErrandTesting
import Testing

/// What any transport has to hold, without an exception.
@Suite(.serialized) struct CurlConformanceTests {
    /// What other checks disturb is a suite of its own.
    @Test(arguments: TransportConformance.checks.filter { !$0.measuresMemory })
    func itConforms(_ check: TransportConformance.Check) async {
        for violation in await check.run(on: CurlTransport()) { Issue.record("\(violation)") }
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
