import ErrandRuntime
import ErrandTransport
import ErrandTransportConformance
import Foundation
import Testing

/// A client whose commands go over a real socket.
private struct Clock: ServiceClient {
    var binding: ServiceBinding
    static let service = ServiceDescription(
        name: "Clock", version: "1", session: SessionPlacement(header: "Authorization", prefix: "Bearer "))

    struct Read: ErrandRuntime.Command {
        typealias Service = Clock
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Clock.service, "read", .get, effect: .read, session: .optional, timeout: .seconds(30),
            deadline: .seconds(60), retry: RetryRule(attempts: 2, base: .milliseconds(10)),
            response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/time") }
    }

    /// The same with a short time limit.
    struct Glance: ErrandRuntime.Command {
        typealias Service = Clock
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Clock.service, "glance", .get, effect: .read, session: .optional, timeout: .seconds(1),
            deadline: .seconds(60), retry: RetryRule(attempts: 2, base: .milliseconds(10)),
            response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/time") }
    }

    init(_ server: RawServer) {
        binding = ServiceBinding(
            Self.service, server: server.url, on: Dispatcher(), session: Session())
    }
}

@Suite(.serialized) struct CommandTests {
    @Test func aDroppedConnectionIsRetried() async throws {
        let server = try RawServer { connection, number in
            _ = connection.readRequest()
            if number == 1 { connection.reset() } else { connection.respond("200 OK", "", "12:00") }
        }
        #expect(try await Clock(server).send(Clock.Read()) == Array("12:00".utf8))
        #expect(server.requests.count == 2)
    }

    @Test func silenceEndsInTime() async throws {
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            _ = connection.isClosedByClient(within: 30)
        }
        let start = ContinuousClock.now
        let result = await Clock(server).result(of: Clock.Glance())
        guard case .failure(let fault) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .timedOut)
        #expect(fault.context.attempts == 2)
        #expect(ContinuousClock.now - start < .seconds(25))
    }

    @Test func cancellingIsSeenByTheServer() async throws {
        let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
        let (closed, close) = AsyncStream.makeStream(of: Bool.self)
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            arrive.finish()
            close.yield(connection.isClosedByClient(within: 20))
            close.finish()
        }
        let task = Task { await Clock(server).result(of: Clock.Read()) }
        for await _ in arrived {}
        task.cancel()
        guard case .failure(let fault) = await task.value else {
            Issue.record("?")
            return
        }
        #expect(fault.kind == .cancelled)
        for await isClosed in closed { #expect(isClosed) }
    }
}
