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

    /// Subscriptions of eight clients, whose server is away for 24 s of their time.
    @Test(.timeLimit(.minutes(2))) func aServerMayBeAwayForAWhile() async throws {
        let servers = try PresenceServers()
        try await servers.ask("say 1 3")
        let readers = try (0..<8).map { _ in PositionReader(try servers.makeClient(), room: 1) }
        for reader in readers { #expect(await comesTrue { await reader.positions == [1, 2, 3] }) }
        servers.kill()
        try await Task.sleep(for: .seconds(3))
        let successor = try servers.startAgain()
        try await successor.ask("say 1 6")
        for reader in readers {
            #expect(await comesTrue { await reader.positions == Array(1...6) })
            #expect(await reader.failure == nil)
        }
        // The new process knows no token, but gives out the same ones as the old process: each client logs in once, or has one of them.
        let effects = try await successor.effects()
        #expect((1...8).contains(effects["login ada"] ?? 0), "\(effects)")
        #expect(try await successor.complaints() == [])
    }

    /// A connection that loses everything, and stays open. A read goes over it once, and what must not be sent twice ends as
    /// unconfirmed.
    @Test(.timeLimit(.minutes(2))) func aConnectionMayDie() async throws {
        let servers = try PresenceServers()
        let presence = try servers.makeClient(servers.swallowing, haste: 4)
        #expect(try await presence.queryInfo(of: 1).user == 1)
        #expect(try await servers.ask("swallow") as? Int == 1)
        let start = ContinuousClock.now
        async let poke = presence.result(of: Presence.Poke(user: 1))
        #expect(try await presence.queryInfo(of: 2).user == 2)
        print("| a read over a dead connection | \((ContinuousClock.now - start) * 4) of the contract's time |")
        guard case .failure(.unconfirmed) = await poke else {
            Issue.record("it was sent again")
            return
        }
        // What the dead connection has swallowed never arrived, and one other connection was enough.
        #expect(try await servers.effects()["poke 1"] == nil)
        #expect(try await servers.ask("swallow") as? Int == 2)
        #expect(try await servers.complaints() == [])
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
