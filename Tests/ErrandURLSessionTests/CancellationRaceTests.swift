import ErrandRuntime
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import Testing

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
}
