#if os(Linux)
import ErrandCurl
import ErrandRuntime
import Foundation
import Testing

/// Many requests at once to a server without a connection.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: HTTP2Server.isAvailable, "`scripts/install-python-tools` installs Hypercorn; openssl is needed too"))
struct ColdStartTests {
    private static func asked(_ count: Int, _ url: String, _ transport: CurlTransport) async throws -> [Asked] {
        try await withThrowingTaskGroup(of: Asked.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try Asked(
                        try await transport.send(TransportRequest(method: .get, url: url, timeout: .seconds(30))))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func aHundredRequestsOpenOneConnection() async throws {
        let server = try HTTP2Server()
        for _ in 0..<3 {
            let (transport, start) = (try server.makeTransport(), ContinuousClock.now)
            let asked = try await Self.asked(100, server.url, transport)
            let connections = Set(asked.map(\.port)).count
            print("100 requests at a cold start: \(connections) connections, \(ContinuousClock.now - start)")
            #expect(asked.allSatisfy { $0.version == "2" })
            // On a busy machine, the handshake can take longer than the others wait.
            #expect(connections <= 3)
        }
    }

    /// Requests over HTTP/1.1 do not wait for each other, neither at first nor when the server is known.
    @Test func aServerWithoutHTTP2GetsItsConnectionsAtOnce() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        for _ in 0..<2 {
            let asked = try await Self.asked(20, server.single + "/wait", transport)
            #expect(asked.allSatisfy { $0.version == "1.1" })
            #expect(Set(asked.map(\.port)).count == 20)
        }
        let most = try await Self.asked(1, server.single, transport)[0].most
        #expect(most >= 15, "\(most) requests at a time")
    }

    /// A first connection that never answers delays the others for a moment.
    @Test func aSilentFirstConnectionDoesNotHoldTheOthersUp() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let start = ContinuousClock.now
        let asked = try await withThrowingTaskGroup(of: Asked.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try Asked(
                        try await transport.send(
                            TransportRequest(method: .get, url: server.holding, timeout: .seconds(100))))
                }
            }
            var asked: [Asked] = []
            while asked.count < 19, let next = try await group.next() { asked.append(next) }
            group.cancelAll()
            return asked
        }
        #expect(asked.count == 19)
        #expect(Set(asked.map(\.port)).count <= 4)
        #expect(ContinuousClock.now - start < .seconds(30))
        print("19 requests beside a silent connection took \(ContinuousClock.now - start)")
    }

    /// The time limits of waiting requests hold, and a waiting request can be cancelled.
    @Test func aWaitingRequestEndsInTime() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let faults = await withTaskGroup(of: TransportFault?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do throws(TransportFault) {
                        _ = try await transport.send(
                            TransportRequest(method: .get, url: server.holding, timeout: .milliseconds(100)))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [TransportFault?]()) { $0.append($1) }
        }
        #expect(faults.allSatisfy { $0?.kind == .timeout && $0?.evidence == .notSent }, "\(faults)")
    }

    /// A first request that is cancelled hands its place on.
    @Test func aCancelledFirstRequestHandsItsPlaceOn() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let first = Task {
            try await transport.send(TransportRequest(method: .get, url: server.holding, timeout: .seconds(100)))
        }
        let observer = try server.makeTransport()
        while try await Self.asked(1, server.url, observer)[0].held == 0 {}
        async let others = Self.asked(10, server.holding, transport)
        first.cancel()
        let asked = try await others
        #expect(asked.count == 10 && Set(asked.map(\.port)).count <= 3)
        _ = await first.result
    }

    /// A refused connection ends all requests that wait for it.
    @Test func aRefusedFirstConnectionEndsAll() async throws {
        let transport = CurlTransport()
        let faults = await withTaskGroup(of: TransportFault?.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    do throws(TransportFault) {
                        _ = try await transport.send(TransportRequest(method: .get, url: "https://127.0.0.1:1/"))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [TransportFault?]()) { $0.append($1) }
        }
        #expect(faults.allSatisfy { $0?.kind == .refused && $0?.evidence == .notSent }, "\(faults)")
    }
}
#endif
