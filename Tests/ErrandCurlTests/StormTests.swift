#if os(Linux)
import ErrandCurl
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import Testing

/// Many requests on one thread of libcurl, each with an end of its own.
@Suite(.serialized) struct StormTests {
    @Test func aThousandRequestsAreAnsweredEach() async throws {
        let server = try RawServer(keepsRequests: false) { connection, _ in
            while let request = connection.readRequest() {
                let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                connection.respond("200 OK", "", path)
            }
        }
        let transport = CurlTransport(maximumRequestsPerHost: 32)
        #expect(transport.maximumRequestsPerHost == 32)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let request = TransportRequest(
                        method: .post, url: "\(server.url)/\(number)", body: [1, 2, 3], timeout: .seconds(60))
                    do throws(TransportFault) {
                        let response = try await transport.send(request)
                        #expect(response.body == Array("/\(number)".utf8))
                    } catch {
                        Issue.record("\(number): \(error)")
                    }
                }
            }
        }
    }

    /// The end of a task and the response to its request meet at every moment. A request that was read is never reported as
    /// `notSent`.
    @Test func cancellationEndsEachRequestOnce() async throws {
        let seed =
            ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap(UInt64.init) ?? .random(in: 1...999_999_999)
        print("seed \(seed)")
        var chance = SeededGenerator(seed: seed)
        let read = LockedState<Set<String>> { [] }
        let server = try RawServer(keepsRequests: false) { connection, _ in
            while let request = connection.readRequest() {
                let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                read.withLock { _ = $0.insert(path) }
                connection.respond("200 OK", "", "x")
            }
        }
        let transport = CurlTransport()
        var ends: [String: Int] = [:]
        for round in 0..<100 {
            await withTaskGroup(of: (String, TransportFault?).self) { group in
                for number in 0..<32 {
                    let delay = Duration.microseconds(
                        Int.random(in: 0..<1 << Int.random(in: 4...12, using: &chance), using: &chance))
                    let path = "/\(round)-\(number)"
                    let request = TransportRequest(
                        method: .post, url: server.url + path, body: [1], isRepeatable: false)
                    group.addTask {
                        let task = Task { () -> TransportFault? in
                            do throws(TransportFault) {
                                _ = try await transport.send(request)
                                return nil
                            } catch {
                                return error
                            }
                        }
                        try? await Task.sleep(for: delay)
                        task.cancel()
                        return (path, await task.value)
                    }
                }
                for await (path, fault) in group {
                    ends[fault.map { "\($0.kind) \($0.evidence)" } ?? "answer", default: 0] += 1
                    if fault?.evidence == .notSent {
                        #expect(!read.withLock { $0.contains(path) }, "seed \(seed): \(path) was read")
                    }
                }
            }
        }
        #expect(
            Set(ends.keys).isSubset(of: ["answer", "cancelled sent", "cancelled notSent"]), "seed \(seed): \(ends)")
        #expect(ends.count > 1, "seed \(seed): \(ends)")
    }

    /// Its thread and its connections go with the transport.
    @Test func nothingIsLeftOfATransport() async throws {
        let (closed, close) = AsyncStream.makeStream(of: Bool.self)
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.respond("200 OK", "", "x")
            close.yield(connection.isClosedByClient(within: 20))
            close.finish()
        }
        var transport: CurlTransport? = CurlTransport()
        _ = try await transport?.send(TransportRequest(method: .get, url: server.url))
        transport = nil
        for await isClosed in closed { #expect(isClosed) }
    }

    /// A header that would become two headers is refused.
    @Test(arguments: [("X-A", "b\r\nX-B: c"), ("X A", "b"), ("X-A:", "b"), ("", "b"), ("X-A", "b\u{0}")])
    func aHeaderCannotSmuggleAnother(name: String, value: String) async throws {
        let request = TransportRequest(method: .get, url: "http://127.0.0.1:1/", headers: [name: value])
        do throws(TransportFault) {
            _ = try await CurlTransport().send(request)
            Issue.record("it was sent")
        } catch {
            #expect(error.kind == .unreadable && error.evidence == .notSent)
        }
    }
}
#endif
