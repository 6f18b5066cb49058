import ErrandRuntime
import TestServices
import Testing

@Suite struct PresenceServiceTests {
    /// A client that writes frames by hand.
    private struct Hand {
        let connection: any MessageConnection

        init(_ service: PresenceService) async throws {
            connection = try await SocketTransport().open(
                ConnectionOpening(url: service.url, subprotocol: PresenceService.subprotocol))
        }

        func send(_ kind: String, _ id: String, _ data: WireJSON? = nil) async throws {
            var members: [WireJSON.Member] = [.init("type", .string(kind)), .init("id", .string(id))]
            if let data { members.append(.init("data", data)) }
            try await connection.send(Array(WireJSON.object(members).description.utf8))
        }

        /// The next frame.
        func frame() async throws -> WireJSON? {
            guard case .text(let bytes) = try await connection.receive() else { return nil }
            return WireJSON(parsing: bytes)
        }

        func ask(_ kind: String, _ id: String, _ data: WireJSON? = nil) async throws -> WireJSON? {
            try await send(kind, id, data)
            return try await frame()
        }

        /// How the connection ends.
        func end() async -> String {
            do throws(TransportFault) {
                while true {
                    if case .closed(let code) = try await connection.receive() { return "\(code.rawValue)" }
                }
            } catch {
                return "\(error.kind)"
            }
        }
    }

    @Test(.timeLimit(.minutes(2))) func aDayWithOthers() async throws {
        let service = try await PresenceService.start()
        let ada = try await Hand(service)
        #expect(try await ada.ask("info.query", "1", ["of": 3])?["data"]?["code"] == "session_expired")
        let wrong = try await ada.ask("login", "2", ["user": "ada", "password": "x"])
        #expect(wrong?["type"] == "error" && wrong?["id"] == "2" && wrong?["data"]?["code"] == "wrong_password")
        let session = try await ada.ask("login", "3", ["user": "ada", "password": "lovelace"])
        #expect(session?["type"] == "login" && session?["data"]?["user"] == 1)
        #expect(try await ada.ask("info.query", "4", ["of": 3])?["data"]?["name"] == "Person 3")
        #expect(try await ada.ask("poke", "5", ["user": 3])?["data"]?["pokes"] == 1)
        #expect(try await ada.ask("poke", "6", ["user": 7])?["data"]?["code"] == "muted")

        let grace = try await Hand(service)
        #expect(try await grace.ask("attach", "1", ["token": session?["data"]?["token"] ?? nil])?["type"] == "attach")
        try await grace.send("room.follow", "2", ["room": 5])
        // Frames of one connection are taken in their order, so she follows before the other connection's message is sent.
        #expect(try await grace.ask("room.list", "3")?["type"] == "room.all")
        let message: WireJSON = ["room": 5, "text": "Hello", "key": "k1"]
        #expect(try await ada.ask("message.send", "7", message)?["data"]?["number"] == 1)
        #expect(try await ada.ask("message.send", "8", message)?["data"]?["number"] == 1)
        let event = try await grace.frame()
        #expect(event?["type"] == "room.event" && event?["id"] == "2" && event?["data"]?["seq"] == 1)
        await service.happen(in: 5, "Bye")
        #expect(try await grace.frame()?["data"]?["text"] == "Bye")
        try await ada.send("room.follow", "9", ["room": 5, "since": 0])
        #expect(try await ada.frame()?["data"]?["seq"] == 1)
        #expect(try await ada.frame()?["data"]?["seq"] == 2)
        await service.closeRoom(5)
        #expect(try await grace.frame()?["type"] == "room.closed")
        await service.announce("Soon")
        #expect(try await grace.frame()?["data"]?["text"] == "Soon")
        try await grace.connection.ping()
        #expect(try await grace.connection.receive() == .pong)
        #expect(await service.stored == ["Hello"])
        #expect(await service.violations == ["info.query: before a token"])
        await service.stop()
    }

    @Test(.timeLimit(.minutes(2))) func itEndsConnectionsInEachWay() async throws {
        let service = try await PresenceService.start()
        func ends(_ end: () async throws -> Void) async throws -> String {
            let hand = try await Hand(service)
            try await end()
            return await hand.end()
        }
        #expect(try await ends { await service.cut() } == "lost")
        #expect(try await ends { await service.close(1_012) } == "1012")
        #expect(try await ends { await service.stop() } == "lost")
        await #expect(throws: OpeningFault.self) { try await Hand(service) }
        try await service.restart()
        #expect(try await ends { await service.close(4_001) } == "4001")

        await service.script(.unavailable(retryAfter: "7"))
        do {
            _ = try await Hand(service)
            Issue.record("a refused handshake was accepted")
        } catch OpeningFault.refused(let response) {
            #expect(response.status == 503 && response.headers["Retry-After"] == "7")
        }

        let quiet = try await Hand(service)
        await service.setSilent(true)
        try await quiet.send("room.list", "1")
        try await quiet.connection.ping()
        await service.setSilent(false)
        await service.sendText("unheard")
        let loud = try await Hand(service)
        #expect(try await loud.ask("room.list", "1")?["type"] == "room.all")
        await service.cut()
        #expect(await quiet.end() == "lost")
        #expect(await service.violations.isEmpty)
        await service.stop()
    }
}
