#if os(Linux)
import ErrandTesting
import Foundation
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
        let server = ScriptedMessages { _, _ in }
        let hall = ConnectionLoadTests.Hall(server)
        // None is ended before both were measured: its memory would be used again.
        var asks: [Task<Void, Never>] = []
        func measure(
            _ ask: @escaping @Sendable () async -> Void, _ arrived: @escaping @Sendable () -> Int
        ) async -> Int {
            asks += (0..<1_000).map { _ in Task { await ask() } }
            #expect(await eventually(within: .seconds(60)) { arrived() == 1_000 })
            let before = Self.residentSize
            asks += (0..<count).map { _ in Task { await ask() } }
            #expect(await eventually(within: .seconds(60)) { arrived() == 1_000 + count })
            return (Self.residentSize - before) / count
        }
        let overHTTP = await measure({ _ = await plain.result(of: Plain.Ask()) }, { waiting.withLock { $0 } })
        let overConnection = await measure(
            { _ = await hall.result(of: ConnectionLoadTests.Hall.Ask()) }, { server.frames.count })
        for ask in asks { ask.cancel() }
        for ask in asks { await ask.value }
        print("a pending command: \(overHTTP) bytes over HTTP, \(overConnection) over a connection")
        // The server that the test plays keeps each frame, and the transport each request.
        #expect(overConnection - overHTTP <= 1_024)
    }

    /// How much memory the process has, in bytes.
    private static var residentSize: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}
#endif
