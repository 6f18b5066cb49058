#if canImport(Glibc) && arch(x86_64)
import Foundation
import Glibc
import PresenceClient
import Testing

@testable import ErrandRuntime

/// Clients that an app drops without a word, on sockets.
@Suite(.enabled(if: PresenceServers.isAvailable), .serialized) struct DroppedClientTests {
    private static let round = 100
    /// The contract's longest time, five minutes, passes in five seconds. Swift 6.3 frees the memory of a sleep that is cancelled, 600 bytes,
    /// only when the sleep would have ended.
    private static let haste = 60

    /// What the C library counts grows by some hundred bytes for each client that comes and goes, of which 13 are those of an object that is
    /// never freed. A table for each connection, and tasks that slept for minutes, were 6,400.
    @Test(.timeLimit(.minutes(5))) func aDroppedClientLeavesNothing() async throws {
        let servers = try PresenceServers()
        // One transport, as an app has it. The first rounds fill what the process keeps: pools, caches, arenas.
        let transport = try servers.makeTransport()
        for _ in 0..<10 { try await Self.useAndDrop(servers, transport) }
        let (before, rounds) = (try Self.bytesInUse(), 10)
        for _ in 0..<rounds { try await Self.useAndDrop(servers, transport) }
        let each = (try Self.bytesInUse() - before) / (rounds * Self.round)
        print("each of \(rounds * Self.round) dropped clients leaves \(each) bytes")
        #expect(each < 1_500)
    }

    /// Opens a connection for each of some clients, gets a reply over each, and drops them all.
    private static func useAndDrop(_ servers: PresenceServers, _ transport: any MessageTransport) async throws {
        var clients: [Presence] = []
        for _ in 0..<round { clients.append(try servers.makeClient(haste: haste, over: transport)) }
        for client in clients { _ = try await client.logIn(user: "ada", password: "lovelace") }
        clients = []
        #expect(await comesTrue(within: .seconds(60)) { (try? await servers.connections()) == 0 })
    }

    /// The bytes that the process has allocated and not freed, as the C library counts them (mallinfo(3)).
    private static func bytesInUse() throws -> Int {
        // Swift's module of the C library lacks the function. Its result is ten numbers, which are written where the caller says.
        typealias Report = @convention(c) (UnsafeMutablePointer<Int>) -> UnsafeMutableRawPointer
        let report = unsafeBitCast(try #require(dlsym(nil, "mallinfo2")), to: Report.self)
        var numbers = [Int](repeating: 0, count: 10)
        _ = report(&numbers)
        let (mapped, used) = (numbers[4], numbers[7])
        return mapped + used
    }
}
#endif
