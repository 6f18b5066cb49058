import ErrandTransportConformance
import ErrandURLSession
import Testing

/// What any transport has to hold, as far as `URLSession` lets it.
@Suite(.serialized) struct ConformanceTests {
    #if canImport(FoundationNetworking)
    /// What ends the process there, and cannot be tried.
    static let fatal: Set<String> = ["end-in-header", "trailers", "enormous-length"]
    /// What fails there, each with the reason. A check that passes is an issue: the limit is gone.
    static let limits = [
        "body-of-challenge": "a task that gets no credentials is cancelled, and what came of the body is lost",
        "cancelled-beside-a-process": "its connections are open in each process that the program starts",
        "closed-handshake": "libcurl says the same as of a connection that ends later, so that it counts as sent",
        "cut-coding": "libcurl does not look whether a coded body has its end, where the message is whole",
        "old-tls": "its TLS library takes the old versions, and there is no setting for that",
        "streamed-coding": "libcurl does not look whether a coded body has its end, where the message is whole",
    ]
    #else
    static let fatal: Set<String> = []
    static let limits: [String: String] = [:]
    #endif

    /// What other checks disturb is a suite of its own.
    @Test(arguments: TransportConformance.checks.filter { !fatal.contains($0.name) && !$0.measuresMemory })
    func itConforms(_ check: TransportConformance.Check) async {
        await Self.run(check)
    }

    @Test func whatIsLeftOutIsThere() {
        let names = TransportConformance.checks.map(\.name)
        #expect(Set(names).count == names.count, "two checks have one name")
        #expect(Self.fatal.union(Self.limits.keys).isSubset(of: names))
    }

    static func run(_ check: TransportConformance.Check) async {
        let violations = await check.run(on: URLSessionTransport())
        if let reason = limits[check.name] {
            withKnownIssue("known limit: \(reason)") { for violation in violations { Issue.record("\(violation)") } }
        } else {
            for violation in violations { Issue.record("\(violation)") }
        }
    }
}

/// Answers that are made to fill the memory end as oversized, and do not fill it.
@Suite(.serialized) struct MemoryLimitTests {
    @Test(arguments: TransportConformance.checks.filter(\.measuresMemory))
    func itIsBounded(_ check: TransportConformance.Check) async { await ConformanceTests.run(check) }
}
