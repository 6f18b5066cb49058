import Foundation
import PresenceClient
import Testing

@testable import ErrandRuntime

/// The generated client against servers that others wrote.
@Suite(.enabled(if: PresenceServers.isAvailable), .serialized) struct PresenceTests {
    @Test(.timeLimit(.minutes(2)), arguments: ["websockets", "websockets with TLS", "aiohttp", "aiohttp with TLS"])
    func aSessionGoesWell(_ name: String) async throws {
        let servers = try PresenceServers()
        let url = try #require(servers.all[name])
        let course = try await PresenceCourse(1, of: servers.makeClient(url), on: servers)
        #expect(course.steps.allSatisfy { $0.ending == .success }, "\(course.steps)")
        #expect(course.positions == [1, 2, 3] && course.subscriptionFailure == nil)
        #expect(try await course.violations(servers.effects(), events: servers.events(of: 1)).isEmpty)
        #expect(try await servers.effects()["login ada"] == 1)
        #expect(try await servers.complaints() == [])
    }

    /// A proxy ends each connection after 2 s without a byte. A subscription misses nothing.
    @Test(.timeLimit(.minutes(2))) func aProxyMayCloseUnusedConnections() async throws {
        let servers = try PresenceServers()
        let presence = try servers.makeClient(servers.impatient, haste: 1)
        try await servers.ask("say 1 1")
        let reader = PositionReader(presence, room: 1)
        #expect(await comesTrue { await reader.positions == [1] })
        for round in 1...2 {
            #expect(await comesTrue { (try? await servers.connections()) == 0 })
            try await servers.ask("say 1 1")
            #expect(try await presence.queryInfo(of: round).user == round)
            #expect(await comesTrue { await reader.positions == Array(1...(round + 1)) })
        }
        try await servers.ask("finish 1")
        #expect(await comesTrue { await reader.isOver })
        #expect(await reader.failure == nil)
        // The token was presented on each new connection, and no login was needed.
        #expect(try await servers.effects()["login ada"] == 1)
    }

    /// Commands at once, and their server ends and comes back, as a process.
    @Test(.timeLimit(.minutes(2))) func aServerMayBeKilled() async throws {
        let servers = try PresenceServers()
        let presence = try servers.makeClient(haste: 4)
        #expect(try await presence.queryInfo(of: 1).user == 1)
        let successor = try servers.startAgain()
        // It replies to none of the commands before it ends, so its successor carries each of them out.
        servers.freeze()
        let commands = (1...20).map { number in
            Task { try await presence.sendMessage(room: 1, text: "\(number)").text }
        }
        servers.kill()
        for (index, command) in commands.enumerated() { #expect(try await command.value == "\(index + 1)") }
        let effects = try await successor.effects()
        #expect((1...20).allSatisfy { effects["message \($0)"] == 1 }, "\(effects)")
        // The new process does not know the token: one login for all of them.
        #expect(effects["login ada"] == 1)
        #expect(try await successor.complaints() == [])
    }

    @Test(.timeLimit(.minutes(2))) func everyFollowerHearsNotices() async throws {
        let servers = try PresenceServers()
        let presence = try servers.makeClient()
        let heard = LockedState<[String]> { [] }
        let followers = (1...3).map { number in
            Task {
                for await element in presence.events(of: Presence.Notice.self) {
                    heard.withLock { $0.append("\(number) \(element.event?.text ?? "gap")") }
                }
            }
        }
        defer { for follower in followers { follower.cancel() } }
        #expect(await comesTrue { (try? await servers.connections()) == 1 })
        try await servers.ask("notice first")
        #expect(await comesTrue { heard.withLock { Set($0) == ["1 first", "2 first", "3 first"] } })
        try await servers.ask("cut")
        #expect(await comesTrue { heard.withLock { $0.count { $0.hasSuffix("gap") } == 3 } })
        #expect(await comesTrue { (try? await servers.connections()) == 1 })
        try await servers.ask("notice second")
        #expect(await comesTrue { heard.withLock { $0.count { $0.hasSuffix("second") } == 3 } })
    }
}
