import ErrandRuntime
import ErrandTesting
import PresenceClient

/// The service of a connection that knows whose each token is, and what each request asks for, so that a reply shows which request it
/// answers.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
final class PresenceWorld: Sendable {
    private struct State: Sendable {
        var chance: SeededGenerator
        var issued = 0
        var strangers: [String] = []
        var requests = 0
    }

    let simulation: Simulation
    private let state: LockedState<State>

    /// - Parameter isNamed: whether each request carries its user (promise 11).
    init(_ simulation: Simulation, isNamed: Bool = false) {
        self.simulation = simulation
        let seed = simulation.seed
        state = LockedState { State(chance: SeededGenerator(seed: seed ^ 0x00C0_FFEE)) }
        let server = simulation.server
        server.on(Presence.QueryInfo.self) { [self] call in
            let user = call.json?["of"]?.number?.text ?? "0"
            if isNamed { note(user, call) }
            return .json(#"{"user": \#(user), "name": "ada", "status": "online"}"#)
        }
        server.on(Presence.SendMessage.self) { [self] call in
            let (room, text) = (call.json?["room"]?.number?.text ?? "0", call.json?["text"]?.string ?? "")
            if isNamed { note(room, call) }
            return .json(#"{"number": \#(call.number), "room": \#(room), "user": 1, "text": "\#(text)"}"#)
        }
        server.on(Presence.Poke.self) { [self] call in
            let user = call.json?["user"]?.number?.text ?? "0"
            if isNamed { note(user, call) }
            return .json(#"{"pokes": \#(user)}"#)
        }
        guard isNamed else { return }
        server.on(Presence.LogIn.self) { [self] call in
            let user = call.json?["user"]?.string ?? "0"
            return .json(#"{"token": "\#(issue(to: user))", "user": \#(user)}"#)
        }
        server.on(Presence.Follow.self) { [self] call in
            let user = call.json?["room"]?.number?.text ?? "0"
            note(user, call)
            let elements = (1...3).map { #"{"seq": \#($0), "user": \#(user), "kind": "entered"}"# }
            return .json(elements.joined(separator: "\n"))
        }
    }

    func random(below bound: Int) -> Int { state.withLock { Int.random(in: 0..<bound, using: &$0.chance) } }

    /// The requests that came over a connection of another user's session.
    var strangers: [String] { state.withLock { $0.strangers } }
    var requests: Int { state.withLock { $0.requests } }

    /// A token that says whose it is.
    func issue(to user: String) -> String {
        let number = state.withLock { state in
            state.issued += 1
            return state.issued
        }
        let token = "token-of-\(user)-\(number);"
        simulation.server.accept(token: token)
        return token
    }

    private func note(_ user: String, _ call: SimulatedCall) {
        let token = call.request.headers["Authorization"] ?? "none"
        state.withLock { state in
            state.requests += 1
            if !token.contains("token-of-\(user)-") {
                state.strangers.append("\(call.request.endpoint) of \(user) with \(token)")
            }
        }
    }

    // MARK: Weather

    /// Connections end in every way, sessions expire, and the network comes and goes.
    func storm(losesNetwork: Bool = true) async {
        let server = simulation.server
        while !Task.isCancelled {
            await simulation.sleep(for: .milliseconds(200 + random(below: 2_000)))
            switch random(below: 8) {
            case 0: server.cut()
            case 1: server.cut(.restart)
            case 2: server.fallSilent()
            case 3: server.expireSessions()
            case 4:
                server.refuseConnections(status: [401, 429, 500, 503][random(below: 4)], times: 1 + random(below: 2))
            case 5: if losesNetwork { simulation.network.goAway() }
            case 6: try? server.send(Presence.Notice.self)
            default: simulation.network.comeBack()
            }
        }
        simulation.network.comeBack()
        server.acceptConnections()
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension Simulation {
    /// A client over a connection whose session logs in by itself.
    func makePresence(on dispatcher: Dispatcher? = nil, user: Int = 1) -> Presence {
        Presence(
            on: dispatcher ?? self.dispatcher,
            session: Session { Presence.LogIn(user: "\(user)", password: "lovelace") })
    }

    /// The same, logged in.
    func makeLoggedInPresence(on dispatcher: Dispatcher? = nil) async throws -> Presence {
        let presence = makePresence(on: dispatcher)
        _ = try await presence.logIn(user: "1", password: "lovelace")
        return presence
    }
}
