import ErrandRuntime
import ErrandTesting
import PresenceClient
import TestServices
import Testing

/// A server on a socket that replies in another order than it was asked, or with the ids of other requests.
@Suite(.timeLimit(.minutes(2))) struct MixedReplyTests {
    private func withService(_ body: (PresenceService, Presence) async throws -> Void) async throws {
        let service = try await PresenceService.start()
        let dispatcher = Dispatcher(
            transport: ScriptedTransport { _, _ in TransportResponse(status: 500) },
            settings: DispatcherSettings(messageTransport: SocketTransport()))
        let presence = Presence(Presence.Server(url: service.url), on: dispatcher, session: Session())
        _ = try await presence.logIn(user: "ada", password: "lovelace")
        try await body(service, presence)
        #expect(await service.openings == 1)
        #expect(await service.violations.isEmpty)
        await service.stop()
    }

    /// Sends commands one after the other, before any of them has its reply.
    private func begin<Value: Sendable>(
        _ kind: String, at service: PresenceService, _ command: @escaping @Sendable () async throws -> Value
    ) async -> Task<Value, any Error> {
        let before = await service.frames(of: kind)
        let task = Task { try await command() }
        while await service.frames(of: kind) == before, !Task.isCancelled { await Task.yield() }
        return task
    }

    /// The reply of the last command comes first. The commands have payloads of four types, and two of them the same.
    @Test func repliesInAnotherOrderReachTheirCommands() async throws {
        try await withService { service, presence in
            await service.mixReplies(5, .reversed)
            let first = await begin("info.query", at: service) { try await presence.queryInfo(of: 3) }
            let second = await begin("info.query", at: service) { try await presence.queryInfo(of: 4) }
            let sent = await begin("message.send", at: service) {
                try await presence.sendMessage(room: 2, text: "Hello")
            }
            let poked = await begin("poke", at: service) { try await presence.poke(user: 5) }
            let set = await begin("status.set", at: service) {
                try await presence.setStatus(status: .busy, text: "in a meeting")
            }
            #expect(try await first.value.name == "Person 3")
            #expect(try await second.value.name == "Person 4")
            #expect(try await sent.value.text == "Hello")
            guard case .completed(let reply) = try await poked.value else {
                _ = Issue.record("another outcome")
                return
            }
            #expect(reply.pokes == 1)
            try await set.value
            for kind in ["message.send", "poke", "status.set"] { #expect(await service.frames(of: kind) == 1) }
        }
    }

    /// Each reply has the id of the other command. Neither of the two takes what is meant for the other, and the connection goes on.
    @Test func repliesWithSwappedIDsReachNoCommand() async throws {
        try await withService { service, presence in
            await service.mixReplies(2, .swappedIDs)
            let asked = await begin("info.query", at: service) { try await presence.queryInfo(of: 3) }
            let sent = await begin("message.send", at: service) {
                try await presence.sendMessage(room: 2, text: "Hello")
            }
            let names = [
                await #expect(throws: Presence.QueryInfoFailure.self) { try await asked.value }?.context.name,
                await #expect(throws: Presence.SendMessageFailure.self) { try await sent.value }?.context.name,
            ]
            #expect(names == ["malformed", "unconfirmed"])
            let info = try await presence.queryInfo(of: 4)
            #expect(info.name == "Person 4")
        }
    }
}
