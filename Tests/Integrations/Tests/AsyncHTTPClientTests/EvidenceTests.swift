import AsyncHTTPClient
import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import Testing

/// `notSent` where the server has read anything would make a payment twice; `sent` where nothing was would leave one open
/// that need not be. Over many interleavings of cancelling, closing and writing.
@Suite(.serialized) struct EvidenceTests {
    /// Requests that are cancelled, or run out of time, at any moment of their way, on connections that are kept, dead,
    /// or new; on a client of the transport's own, where they wait for connections, too.
    @Test(arguments: [true, false])
    func whatIsNotSentWasNotRead(isOwner: Bool) async throws {
        let seed =
            ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap(UInt64.init) ?? .random(in: 1...999_999_999)
        var chance = SeededGenerator(seed: seed)
        let server = try RawServer { connection, number in
            while let request = connection.readRequest() {
                if request.contains("-drop ") { return }
                usleep(UInt32(number % 3) * 500)
                connection.respond("200 OK", "", "x")
            }
        }
        let client = HTTPClient()
        let transport = isOwner ? AsyncHTTPClientTransport() : AsyncHTTPClientTransport(client: client)
        var counts: [String: Int] = [:]
        var unsent: Set<String> = []
        for round in 0..<60 {
            await withTaskGroup(of: (String, TransportFault?).self) { group in
                for number in 0..<16 {
                    let isDropped = Int.random(in: 0..<6, using: &chance) == 0
                    let path = "/\(round)-\(number)-\(isDropped ? "drop" : "keep")"
                    // From what is over before anything was written to what is not, on a machine that is slow.
                    let delay = Duration.microseconds(
                        Int.random(in: 0..<1 << Int.random(in: 7...17, using: &chance), using: &chance))
                    let isTimed = Bool.random(using: &chance)
                    let request = TransportRequest(
                        method: .post, url: server.url + path, body: [1], timeout: isTimed ? delay : .seconds(5),
                        isRepeatable: false)
                    group.addTask {
                        let task = Task { await transport.fault(of: request) }
                        if !isTimed {
                            try? await Task.sleep(for: delay)
                            task.cancel()
                        }
                        return (path, await task.value)
                    }
                }
                for await (path, fault) in group {
                    counts["\(fault.map(\.description) ?? "answered")", default: 0] += 1
                    if fault?.evidence == .notSent { unsent.insert(path) }
                }
            }
        }
        // One of each, in addition to the random ones.
        for (path, isCancelled) in [("/end-keep", false), ("/end-drop", false), ("/end-cancelled", true)] {
            let request = TransportRequest(method: .post, url: server.url + path, body: [1], isRepeatable: false)
            let task = Task {
                while isCancelled, !Task.isCancelled { await Task.yield() }
                return await transport.fault(of: request)
            }
            if isCancelled { task.cancel() }
            let fault = await task.value
            counts["\(fault.map(\.description) ?? "answered")", default: 0] += 1
            if fault?.evidence == .notSent { unsent.insert(path) }
        }
        try await client.shutdown()
        try await Task.sleep(for: .milliseconds(200))
        let read = server.requests
        var paths: [String: Int] = [:]
        for request in read { paths[String(request.split(separator: " ")[1]), default: 0] += 1 }
        #expect(unsent.filter { paths[$0] != nil } == [], "called not sent, and read; seed \(seed)")
        #expect(paths.filter { $0.value > 1 } == [:], "read twice; seed \(seed)")
        print("seed \(seed): \(counts.sorted { $0.key < $1.key }), \(read.count) read")
        // A run in which nothing was cut at an interesting moment would prove nothing.
        #expect(
            counts["answered", default: 0] > 0 && counts.keys.contains { $0.hasSuffix("notSent") },
            "seed \(seed): \(counts)"
        )
        #expect(counts.keys.contains { $0.hasSuffix("lost, sent") }, "seed \(seed): \(counts)")
    }
}
