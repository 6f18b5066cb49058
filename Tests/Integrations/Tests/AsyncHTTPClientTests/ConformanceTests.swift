import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTransportConformance
import NIOCore
import NIOPosix
import Testing

/// The transport over AsyncHTTPClient holds what any transport has to hold, without exception.
@Suite(.serialized) struct ConformanceTests {
    @Test(arguments: TransportConformance.checks)
    func itConforms(_ check: TransportConformance.Check) async {
        for violation in await check.run(on: AsyncHTTPClientTransport()) { Issue.record("\(violation)") }
    }

    /// No check takes a connection over which nothing comes for a request: a pool may open more than it needs.
    @Test(arguments: TransportConformance.checks)
    func connectionsAheadOfNeedAreNoMistake(_ check: TransportConformance.Check) async {
        for violation in await check.run(on: HastyTransport()) { Issue.record("\(violation)") }
    }
}

/// Opens a connection before each request, and closes it without a word while that is under way.
private struct HastyTransport: Transport {
    private let base = AsyncHTTPClientTransport()

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let port = Origin(request.url)?.port ?? 0
        let spare = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port).get()
        let closing = Task {
            try? await Task.sleep(for: .milliseconds(5))
            try? await spare?.close()
        }
        defer { closing.cancel() }
        return try await base.send(request)
    }
}
