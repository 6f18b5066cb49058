import ErrandRuntime
import ErrandStubs
import ErrandTesting
import EverythingClient
import Foundation
import Testing

/// Generated streams, without a server and with a simulated one.
@Suite(.timeLimit(.minutes(1))) struct StreamStubTests {
    private static func client(_ dispatcher: Dispatcher) -> Everything {
        Everything(.fixed, on: dispatcher, common: .init(xDevice: UUID(), apiKey: "k"), secretKey: "s")
    }

    @Test func aStubGivesItsElements() async throws {
        let nowhere = ScriptedTransport { _, _ in .json("", status: 500) }
        let client = Self.client(Dispatcher(transport: nowhere)).stubbed {
            $0.on(Everything.FollowMarks.self) { _ in .elements([Decimal(1), Decimal(2)]) }
        }
        var marks: [Decimal] = []
        for try await mark in client.followMarks() { marks.append(mark) }
        #expect(marks == [1, 2])
        #expect(nowhere.requests.isEmpty)
    }

    @Test func generatedReadersReadTheElements() async throws {
        let transport = ScriptedTransport { _, number in
            TransportResponse(
                status: 200, headers: ["Content-Type": "text/event-stream"],
                body: Array("event: a\ndata: {\"row\":1}\n\ndata: {\"row\":2,\"name\":\"x\"}\n\ndata: [DONE]\n\n".utf8))
        }
        let client = Self.client(Dispatcher(transport: transport))
        var rows: [Int] = []
        var names: [String?] = []
        await client.binding.session.begin(SessionTokens(access: "token"))
        for try await row in client.watchRows() {
            rows.append(contentsOf: row.event.map { [$0.row] } ?? [])
            names.append(row.event?.name)
        }
        #expect(rows == [1, 2])
        #expect(names == [nil, "x"])
    }

    /// A stream that is opened again at any price says where elements may be missing. With an id, the server goes on after it.
    @Test(arguments: [false, true]) func aStreamWithoutIdsTellsOfGaps(hasIDs: Bool) async throws {
        let transport = ScriptedTransport { request, number in
            let id = hasIDs ? "id: \(number)\n" : ""
            return TransportResponse(
                status: 200, headers: ["Content-Type": "text/event-stream"],
                body: Array("\(id)data: {\"row\":\(number)}\n\n\(number == 2 ? "data: [DONE]\n\n" : "")".utf8))
        }
        let client = Self.client(Dispatcher(transport: transport))
        await client.binding.session.begin(SessionTokens(access: "token"))
        var rows: [Int?] = []
        for try await row in client.watchRows() { rows.append(row.event?.row) }
        #expect(rows == (hasIDs ? [1, 2] : [1, nil, 2]))
        #expect(transport.requests.last?.headers["Last-Event-ID"] == (hasIDs ? "1" : nil))
    }

    @Test func theSimulatedServerPlaysAStream() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run(seeds: 20) { simulation in
            let client = Self.client(simulation.dispatcher)
            try simulation.server.next(Everything.FollowMarks.self, .carriedOutThenCut)
            var count = 0
            for try await _ in client.followMarks() { count += 1 }
            #expect(count == 3, "\(simulation)")
            #expect(simulation.server.received(Everything.FollowMarks.self).count == 2, "\(simulation)")
        }
    }
}
