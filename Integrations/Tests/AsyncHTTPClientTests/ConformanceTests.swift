import ErrandAsyncHTTPClient
import ErrandTesting
import Testing

/// The transport over AsyncHTTPClient holds what any transport has to hold, without exception.
@Suite(.serialized) struct ConformanceTests {
    @Test(arguments: TransportConformance.checks)
    func itConforms(_ check: TransportConformance.Check) async {
        for violation in await check.run(on: AsyncHTTPClientTransport()) { Issue.record("\(violation)") }
    }
}
