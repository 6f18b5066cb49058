#if canImport(Glibc)
import ErrandTesting
import Foundation
import Glibc
import Testing

@testable import ErrandRuntime

/// What a command needs that waits for a reply over a connection.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConnectionMemoryTests {
    private struct Plain: ServiceClient {
        var binding: ServiceBinding
        static let service = ServiceDescription(name: "Plain", version: "1")

        struct Ask: ErrandRuntime.Command {
            typealias Service = Plain
            typealias Failure = Parlor.Failure
            typealias Response = Void
            static let endpoint = EndpointDescription(
                Plain.service, "ask", .post, effect: .read, timeout: .seconds(100), deadline: .seconds(200),
                response: .none)
            func encode(into request: inout RequestEncoder) {}
        }
    }

    @Test func aPendingCommandNeedsAtMostAKilobyteMoreThanOverHTTP() async throws {
        let count = 4_000
        let waiting = LockedState { 0 }
        let transport = ScriptedTransport { _, _ in
            waiting.withLock { $0 += 1 }
            let end = Suspension<Void>()
            await end.value(ifCancelled: ())
            return TransportResponse(status: 500)
        }
        let plain = Plain(
            binding: ServiceBinding(
                Plain.service, server: "http://plain.example",
                on: Dispatcher(
                    transport: transport, settings: DispatcherSettings(maximumRequestsPerHost: 16_384)),
                session: Session()))
        let overHTTP = try await Self.memory(count, { waiting.withLock { $0 } == count }) {
            _ = await plain.result(of: Plain.Ask())
        }
        let server = ScriptedMessages { _, _ in }
        let hall = ConnectionLoadTests.Hall(server)
        let overConnection = try await Self.memory(count, { server.frames.count == count }) {
            _ = await hall.result(of: ConnectionLoadTests.Hall.Ask())
        }
        print("a pending command: \(overHTTP) bytes over HTTP, \(overConnection) over a connection")
        // The server that the test plays keeps each frame, and the transport each request.
        #expect(overConnection - overHTTP <= 1_024)
    }

    /// The bytes that one of so many waiting commands needs.
    private static func memory(
        _ count: Int, _ areWaiting: @escaping @Sendable () -> Bool, _ ask: @escaping @Sendable () async -> Void
    ) async throws -> Int {
        let warm = Task { await ask() }
        try await Task.sleep(for: .milliseconds(20))
        warm.cancel()
        await warm.value
        let before = Int(mallinfo2().uordblks)
        let asks = (1..<count).map { _ in Task { await ask() } }
        #expect(await eventually(within: .seconds(60), areWaiting))
        let after = Int(mallinfo2().uordblks)
        for ask in asks { ask.cancel() }
        for ask in asks { await ask.value }
        return (after - before) / count
    }
}
#endif
