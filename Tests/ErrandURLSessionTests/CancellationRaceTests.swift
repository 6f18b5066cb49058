import ErrandRuntime
import ErrandTransportConformance
import Foundation
import Testing

@testable import ErrandURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server's redirect and the caller's cancellation reach the transport on two threads.
///
/// FoundationNetworking ends the process if the delegate answers a redirect of a task that is canceled already, so a
/// failure of this test is the end of the whole run.
@Suite(.serialized) struct CancellationRaceTests {
    @Test func aCanceledCommandThatIsRedirectedEndsOnce() async throws {
        let seed =
            ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap(UInt64.init) ?? .random(in: 1...999_999_999)
        print("seed \(seed)")
        var chance = SeededGenerator(seed: seed)
        let server = try RawServer(keepsRequests: false) { connection, _ in
            while connection.readRequest() != nil { connection.respond("302 Found", "Location: /again\r\n") }
        }
        let transport = URLSessionTransport()
        var ends: [String: Int] = [:]
        for _ in 0..<80 {
            await withTaskGroup(of: String.self) { group in
                for _ in 0..<32 {
                    let delay = Duration.microseconds(
                        Int.random(in: 0..<1 << Int.random(in: 8...15, using: &chance), using: &chance))
                    let request = TransportRequest(method: .get, url: server.url)
                    group.addTask {
                        let task = Task {
                            do throws(TransportFault) {
                                return "status \(try await transport.send(request).status)"
                            } catch {
                                return "\(error.kind)"
                            }
                        }
                        try? await Task.sleep(for: delay)
                        task.cancel()
                        return await task.value
                    }
                }
                for await end in group { ends[end, default: 0] += 1 }
            }
        }
        #expect(Set(ends.keys).isSubset(of: ["cancelled", "status 302"]), "seed \(seed): \(ends)")
        #expect(ends["cancelled", default: 0] > 0, "seed \(seed): \(ends)")
    }

    #if canImport(FoundationNetworking)
    /// The race itself may not happen, so this shows what prevents the end of the process.
    @Test func aRedirectOfACanceledTaskIsNotAnswered() throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let redirect = try #require(
            HTTPURLResponse(url: url, statusCode: 302, httpVersion: "HTTP/1.1", headerFields: ["Location": "/again"]))
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: url)
        let delegate = ExchangeDelegate()
        // A canceled task has no exchange any more.
        delegate.stop(task, TransportFault(.cancelled, evidence: .notSent))
        delegate.urlSession(
            session, task: task, willPerformHTTPRedirection: redirect, newRequest: URLRequest(url: url)
        ) { _ in
            Issue.record("the redirect was answered")
        }
    }
    #endif
}
