import ErrandRuntime
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import Testing

/// A client whose reads the server keeps waiting.
private struct Slow: ServiceClient {
    var binding: ServiceBinding
    static let service = ServiceDescription(name: "Slow", version: "1")

    struct Read: ErrandRuntime.Command {
        typealias Service = Slow
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Slow.service, "read", .get, effect: .read, session: .none, timeout: .seconds(20), deadline: .seconds(20),
            retry: RetryRule(attempts: 1), response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/") }
    }

    init(_ server: RawServer, over transport: URLSessionTransport = URLSessionTransport()) {
        binding = ServiceBinding(
            Self.service, server: server.url, on: Dispatcher(transport: transport), session: Session())
    }
}

/// The dispatcher and the session agree on how many requests to a host are under way.
@Suite(.serialized) struct ConnectionLimitTests {
    /// The server responds to the first read when the last one has arrived. With fewer connections than reads, none ends.
    @Test func asManyReadsAreUnderWayAsTheDispatcherLetsThrough() async throws {
        let arrived = LockedState { 0 }
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil {
                arrived.withLock { $0 += 1 }
                while arrived.withLock({ $0 }) < 32 {
                    guard !connection.hears(within: 5) else { return }
                }
                connection.respond("200 OK", "", "x")
            }
        }
        let slow = Slow(server)
        let results = await withTaskGroup(of: Result<[UInt8], CommandFault>.self) { group in
            for _ in 0..<32 { group.addTask { await slow.result(of: Slow.Read()) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for result in results { #expect(try result.get() == Array("x".utf8)) }
    }

    /// With two connections, the other reads wait at the dispatcher's gate, where it is known that they were not sent.
    @Test func aReadWithoutAConnectionWasNotSent() async throws {
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            _ = connection.isClosedByClient(within: 20)
        }
        let slow = Slow(server, over: URLSessionTransport { $0.httpMaximumConnectionsPerHost = 2 })
        let sent = (0..<2).map { _ in Task { await slow.result(of: Slow.Read()) } }
        while server.requests.count < 2 { await Task.yield() }
        let waiting = (0..<6).map { _ in Task { await slow.result(of: Slow.Read()) } }
        while slow.binding.dispatcher.waitingCount < 6 { await Task.yield() }
        // First those that wait, since a place that is given back would be theirs.
        for (tasks, evidence) in [(waiting, Evidence.notSent), (sent, .sent)] {
            for task in tasks { task.cancel() }
            for task in tasks {
                guard case .failure(let fault) = await task.value else {
                    Issue.record("it succeeded")
                    continue
                }
                #expect(fault.context.evidence == evidence)
            }
        }
        #expect(server.requests.count == 2)
    }
}
