import Foundation
import PresenceClient
import Testing

@testable import ErrandRuntime
@testable import ErrandWebSocket

/// The generated client against a server that breaks the protocol, or means harm. Each command ends, as `docs/connections.md` says.
@Suite(.enabled(if: AnsweringProgram.isAvailable), .serialized) struct HostileServerTests {
    /// What the client does.
    enum Use: Sendable {
        /// A read, after a login.
        case query
        /// A command that is never sent again.
        case poke
        /// A command whose reply has no payload.
        case status
        /// A subscription, of which it takes five elements at most.
        case follow
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let use: Use
        /// How the use ends: `success`, the name of an error, or the positions of a subscription and its end.
        let ending: String
        /// How many connections the use may open.
        var openings = 1
        /// How many seconds of the contract pass in one: many where the client waits for a limit. A busy machine may stop a client for
        /// some seconds, so a use that must not reach its limit has few.
        var haste = 4

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "login-null", use: .query, ending: "malformed"),
        Case(name: "login-list", use: .query, ending: "malformed"),
        Case(name: "login-number", use: .query, ending: "malformed"),
        Case(name: "login-long", use: .query, ending: "success"),
        Case(name: "login-silent", use: .query, ending: "timedOut", openings: 3, haste: 20),
        Case(name: "login-twice", use: .query, ending: "success"),
        Case(name: "deep", use: .query, ending: "success"),
        Case(name: "deep-whole", use: .query, ending: "timedOut", haste: 20),
        Case(name: "id-huge", use: .query, ending: "success"),
        Case(name: "id-exponent", use: .query, ending: "success"),
        Case(name: "id-negative", use: .query, ending: "success"),
        Case(name: "id-true", use: .query, ending: "success"),
        Case(name: "id-list", use: .query, ending: "success"),
        Case(name: "id-object", use: .query, ending: "success"),
        Case(name: "id-number", use: .query, ending: "success"),
        Case(name: "keys-escaped", use: .query, ending: "success"),
        Case(name: "keys-twice", use: .query, ending: "success"),
        Case(name: "byte-order-mark", use: .query, ending: "success"),
        Case(name: "blanks", use: .query, ending: "success"),
        Case(name: "data-text", use: .query, ending: "malformed"),
        Case(name: "data-missing", use: .query, ending: "malformed"),
        Case(name: "kind-null", use: .query, ending: "success"),
        Case(name: "kind-long", use: .query, ending: "success"),
        Case(name: "two-documents", use: .query, ending: "success"),
        Case(name: "large", use: .query, ending: "success"),
        Case(name: "too-large", use: .query, ending: "malformed"),
        Case(name: "half", use: .query, ending: "timedOut", openings: 3, haste: 20),
        Case(name: "strays", use: .query, ending: "malformed"),
        Case(name: "strays-always", use: .query, ending: "malformed"),
        Case(name: "early", use: .query, ending: "malformed"),
        Case(name: "drip", use: .query, ending: "success"),
        Case(name: "fragments", use: .query, ending: "success"),
        Case(name: "close-and-more", use: .query, ending: "success", openings: 2),
        Case(name: "close-silent", use: .query, ending: "success", openings: 2),
        Case(name: "close-reason", use: .query, ending: "success", openings: 2),
        Case(name: "close-empty", use: .query, ending: "success", openings: 2),
        Case(name: "reset", use: .query, ending: "success", openings: 2),
        Case(name: "reset-always", use: .query, ending: "connectionLost", openings: 3),
        // It sends no pong either, so the connection is given up after the first timeout.
        Case(name: "silent", use: .query, ending: "timedOut", openings: 3, haste: 20),
        Case(name: "silent", use: .poke, ending: "unconfirmed", openings: 2, haste: 20),
        Case(name: "events", use: .query, ending: "success"),
        Case(name: "unknown-events", use: .query, ending: "success"),
        Case(name: "pongs", use: .query, ending: "success"),
        Case(name: "late", use: .query, ending: "success"),
        Case(name: "expired-always", use: .query, ending: "sessionExpired"),
        Case(name: "attach-silent", use: .query, ending: "timedOut", openings: 9, haste: 20),
        Case(name: "attach-refused", use: .query, ending: "success", openings: 2),
        Case(name: "attach-of-another-kind", use: .query, ending: "timedOut", openings: 9, haste: 20),
        Case(name: "positions-repeated", use: .follow, ending: "1 2 3 end"),
        Case(name: "positions-huge", use: .follow, ending: "1 9223372036854775807 malformed"),
        Case(name: "end-first", use: .follow, ending: "end"),
        Case(name: "after-end", use: .follow, ending: "1 end"),
        Case(name: "element-null", use: .follow, ending: "malformed"),
        Case(name: "failure-null", use: .follow, ending: "rejected"),
        Case(name: "slow", use: .follow, ending: "1 end"),
        Case(name: "endless", use: .follow, ending: "1 2 3 4 5"),
        Case(name: "handshake-200", use: .query, ending: "malformed"),
        Case(name: "handshake-200", use: .status, ending: "malformed"),
        Case(name: "handshake-200", use: .follow, ending: "malformed"),
        Case(name: "handshake-302", use: .query, ending: "malformed"),
        Case(name: "handshake-401", use: .query, ending: "rejected"),
        Case(name: "handshake-429", use: .query, ending: "throttled"),
        Case(name: "handshake-503", use: .query, ending: "success", openings: 2),
        Case(name: "handshake-100", use: .query, ending: "success"),
        Case(name: "handshake-without-subprotocol", use: .query, ending: "malformed"),
        Case(name: "handshake-headers", use: .query, ending: "malformed"),
        Case(name: "handshake-silent", use: .query, ending: "timedOut", openings: 2, haste: 20),
        Case(name: "handshake-drip", use: .query, ending: "malformed"),
        Case(name: "handshake-reset", use: .query, ending: "connectionLost", openings: 3),
    ]

    @Test(.timeLimit(.minutes(3))) func eachCommandEnds() async throws {
        let program = try AnsweringProgram("hostile_server.py", [])
        let port = program.firstLine
        let start = ContinuousClock.now
        // They are kept, because a client that nothing refers to closes its connection.
        let clients = try Self.cases.map {
            try Self.makeClient($0, "ws://127.0.0.1:\(port)/\($0.name)/\($0.use)/v1")
        }
        let endings = await withTaskGroup(of: (Int, String).self) { group in
            var rest = Array(Self.cases.enumerated())[...]
            func add() {
                guard let (index, trial) = rest.popFirst() else { return }
                group.addTask { (index, await Self.ending(of: trial.use, clients[index])) }
            }
            for _ in 0..<8 { add() }
            var endings: [Int: String] = [:]
            for await (index, ending) in group {
                endings[index] = ending
                add()
            }
            return endings
        }
        for (index, trial) in Self.cases.enumerated() {
            #expect(endings[index] == trial.ending, "\(trial.name), \(trial.use)")
            let openings = Int(try await program.ask("openings \(trial.name)/\(trial.use)")) ?? 0
            #expect((1...trial.openings).contains(openings), "\(trial.name), \(trial.use): \(openings) connections")
        }
        // A reader that leaves a stream without end tells the server so. A session that always ends asks for few logins.
        #expect(await comesTrue { (try? await program.ask("frames endless/follow room.unfollow")) == "1" })
        let logins = Int(try await program.ask("frames expired-always/query login"))
        #expect((1...3).contains(logins ?? 0), "\(logins ?? -1) logins")
        print("| hostile servers | \(Self.cases.count) cases | \(ContinuousClock.now - start) |")
    }

    private static func makeClient(_ trial: Case, _ url: String) throws -> Presence {
        let settings = DispatcherSettings(messageTransport: try WebSocketTransport())
        let dispatcher = Dispatcher(
            network: AlwaysSatisfiedPath(), settings: settings,
            environment: DispatcherEnvironment(clock: FastClock(factor: trial.haste)))
        return Presence(
            Presence.Server(url: url), on: dispatcher,
            session: Session { Presence.LogIn(user: "ada", password: "lovelace") })
    }

    private static func ending(of use: Use, _ presence: Presence) async -> String {
        switch use {
        case .query: name(await presence.result(of: Presence.QueryInfo(of: 1)))
        case .poke: name(await presence.result(of: Presence.Poke(user: 2)))
        case .status: name(await presence.result(of: Presence.SetStatus(status: .away, text: nil)))
        case .follow: await elements(of: presence)
        }
    }

    private static func name<Response, Failure: CommandFailure>(_ result: Result<Response, Failure>) -> String {
        switch result {
        case .success: "success"
        case .failure(let failure): failure.context.name
        }
    }

    private static func elements(of presence: Presence) async -> String {
        var words: [String] = []
        do {
            for try await event in presence.follow(room: 1) {
                words.append("\(event.seq)")
                if words.count == 5 { return words.joined(separator: " ") }
            }
            words.append("end")
        } catch {
            words.append(error.context.name)
        }
        return words.joined(separator: " ")
    }
}
