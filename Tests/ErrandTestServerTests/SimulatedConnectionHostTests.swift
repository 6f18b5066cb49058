import ErrandRuntime
import ErrandTestServer
import ErrandTesting
import PresenceClient
import TestServices
import Testing

/// The connection of a contract with frames on a socket, with a client whose transport knows nothing of the simulated server.
@Suite struct SimulatedConnectionHostTests {
    private static let commands: [any Command] = [
        Presence.LogIn(user: "", password: ""), Presence.AttachSession(token: ""), Presence.QueryInfo(of: 0),
        Presence.SendMessage(room: 0, text: ""), Presence.Follow(room: 0),
    ]

    private func withHost(
        _ body: (SimulatedServer, SimulatedHost, Presence) async throws -> Void
    ) async throws {
        let server = SimulatedServer()
        let host = try SimulatedHost(server, serving: Self.commands)
        let presence = Presence(
            Presence.Server(url: host.connectionURL),
            on: Dispatcher(
                network: ScriptedPathMonitor(), settings: DispatcherSettings(messageTransport: SocketTransport())),
            session: Session { Presence.LogIn(user: "ada", password: "lovelace") })
        do {
            try await body(server, host, presence)
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
    }

    @Test func commandsTravelOverOneConnection() async throws {
        try await withHost { server, _, presence in
            let texts = (1...200).map { "message \($0)" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for text in texts { group.addTask { _ = try await presence.sendMessage(room: 1, text: text) } }
                try await group.waitForAll()
            }
            #expect(server.carriedOut(Presence.SendMessage.self).count == texts.count)
            #expect(server.carriedOut(Presence.LogIn.self).count == 1)
            #expect(server.openedConnectionCount <= 2)
        }
    }

    /// In real time, too, what is sent first arrives first.
    @Test func elementsKeepTheirOrder() async throws {
        try await withHost { server, _, presence in
            server.keepOpen(Presence.Follow.self)
            let following = Task {
                var places: [Int] = []
                for try await event in presence.follow(room: 1, since: 0) { places.append(event.seq) }
                return places
            }
            await waitUntil { server.received(Presence.Follow.self).count == 1 }
            for place in 1...300 {
                let element = #"{"seq": \#(place), "user": 7, "kind": "entered"}"#
                try server.send(.json(element), to: Presence.Follow.self)
            }
            server.end(Presence.Follow.self)
            #expect(try await following.value == Array(1...300))
        }
    }

    @Test func eventsAndFailuresArrive() async throws {
        try await withHost { server, _, presence in
            let notices = presence.events(of: Presence.Notice.self)
            let heard = Task {
                for await next in notices {
                    if let notice = next.event { return notice.text }
                }
                return ""
            }
            try server.next(Presence.QueryInfo.self, .fails("noSuchUser"))
            await #expect(throws: Presence.QueryInfoFailure.self) { _ = try await presence.queryInfo(of: 1) }
            try server.send(Presence.Notice.self, json: #"{"text": "Good morning"}"#)
            #expect(await heard.value == "Good morning")
        }
    }

    /// A command whose reply was lost with its connection is sent again with its key.
    @Test func aClientComesBack() async throws {
        try await withHost { server, _, presence in
            _ = try await presence.queryInfo(of: 1)
            server.refuseConnections(status: 503, times: 1)
            try server.next(Presence.SendMessage.self, .carriedOutThenCut)
            _ = try await presence.sendMessage(room: 1, text: "Hello")
            #expect(server.carriedOut(Presence.SendMessage.self).count == 1)
            #expect(server.received(Presence.SendMessage.self).count == 2)
            let opened = server.openedConnectionCount
            server.cut(.restart)
            _ = try await presence.queryInfo(of: 1)
            #expect(server.openedConnectionCount == opened + 1)
        }
    }

    /// What no peer may write is what it stands for: an end without a code, or without a close frame.
    @Test(arguments: [(CloseCode.restart, 1012), (CloseCode.noStatus, 1005), (CloseCode(rawValue: 1006), nil)])
    func codesThatArePartOfNoFrameAreNotWritten(_ code: CloseCode, _ seen: Int?) async throws {
        try await withHost { server, host, _ in
            let connection = try await SocketTransport().open(
                ConnectionOpening(url: host.connectionURL, subprotocol: "presence.v1"))
            server.cut(code)
            do throws(TransportFault) {
                let end = try await connection.receive()
                #expect(seen.map { end == .closed(CloseCode(rawValue: UInt16($0))) } == true, "\(end)")
            } catch {
                #expect(seen == nil && error.kind == .lost)
            }
        }
    }

    @Test func anExpiredSessionIsRenewed() async throws {
        try await withHost { server, _, presence in
            _ = try await presence.queryInfo(of: 1)
            server.expireSessions()
            _ = try await presence.queryInfo(of: 1)
            #expect(server.carriedOut(Presence.LogIn.self).count == 2)
        }
    }

    /// Waits for the server, at most a minute.
    private func waitUntil(_ holds: () -> Bool) async {
        for _ in 0..<6_000 where !holds() {
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
        }
        #expect(holds())
    }
}
