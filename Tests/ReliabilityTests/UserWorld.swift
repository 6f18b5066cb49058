import BankClient
import ErrandRuntime
import ErrandTesting

/// A server that knows the user of each token, and records each user's requests. Its users come one after the other, on one
/// device.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
final class UserWorld: Sendable {
    struct State: Sendable {
        var chance: SeededGenerator
        /// The user at the device.
        var user = 1
        /// Whether the current user is known: while one user logs in in another's place, it is not.
        var isSettled = true
        var owners: [String: Int] = [:]
        var expired: Set<String> = []
        var requests = 0
        var strangers: [String] = []
    }

    let simulation: Simulation
    let state: LockedState<State>

    init(_ simulation: Simulation) {
        self.simulation = simulation
        let seed = simulation.seed
        state = LockedState { State(chance: SeededGenerator(seed: seed ^ 0x1DE1)) }
    }

    func random(below bound: Int) -> Int { state.withLock { Int.random(in: 0..<bound, using: &$0.chance) } }
    var user: Int { state.withLock { $0.user } }
    /// The user who may currently submit a command.
    var submitter: Int? { state.withLock { $0.isSettled ? $0.user : nil } }

    /// Tokens that the server takes for a user's.
    ///
    /// - Parameter isNamed: whether the tokens say whose they are.
    func issue(to user: Int, isNamed: Bool = true) -> SessionTokens {
        let token = state.withLock { state in
            let token = "t\(user)-\(state.owners.count)"
            state.owners[token] = user
            return token
        }
        return SessionTokens(access: token, identity: isNamed ? "\(user)" : nil)
    }

    /// The user to whom the server gave tokens.
    func owner(of tokens: SessionTokens) -> Int? { state.withLock { $0.owners[tokens.access] } }

    /// Whether the server takes a token.
    func isGood(_ token: String) -> Bool {
        state.withLock { $0.owners[token] != nil && !$0.expired.contains(token) }
    }

    /// The session that there is ends on the server.
    func expireAll() { state.withLock { $0.expired = Set($0.owners.keys) } }

    func answer(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        guard simulation.network.current.isSatisfied else { throw TransportFault(.offline, evidence: .notSent) }
        await simulation.sleep(for: .milliseconds(1 + random(below: 400)))
        if Task.isCancelled { throw TransportFault(.cancelled, evidence: .sent) }
        let path = request.url.split(separator: "?")[0]
        let parts = path.split(separator: "/").suffix(2).map(String.init)
        guard parts.count == 2, let user = Int(parts[1]) else { return TransportResponse(status: 404) }
        if random(below: 10) == 0 { throw TransportFault(.lost, evidence: .sent) }
        if parts[0] == "login" {
            return TransportResponse(status: 200, body: Array("\"\(issue(to: user).access)\"".utf8))
        }
        let token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) } ?? ""
        let (owner, isGood) = state.withLock { state in
            state.requests += 1
            let owner = state.owners[token]
            if let owner, owner != user { state.strangers.append("\(parts[0]) of \(user) with the token of \(owner)") }
            return (owner, owner != nil && !state.expired.contains(token))
        }
        if owner == nil || !isGood { return TransportResponse(status: 401) }
        switch random(below: 12) {
        case 0: return TransportResponse(status: 503, headers: ["Retry-After": "\(random(below: 4))"])
        case 1: return TransportResponse(status: 429, headers: ["Retry-After": "\(random(below: 3))"])
        case 2: return TransportResponse(status: 504)
        default: break
        }
        switch parts[0] {
        case "walks": return TransportResponse(status: 200, body: Array("[\(user)]".utf8))
        case "watches":
            return TransportResponse(
                status: 200, headers: ["Content-Type": "text/event-stream"], stream: events(for: user))
        default: return TransportResponse(status: 200)
        }
    }

    /// Events for a user, until the connection is lost.
    private func events(for user: Int) -> StreamedBody {
        StreamedBody { [self] () async throws(TransportFault) -> [UInt8]? in
            await simulation.sleep(for: .milliseconds(100 + random(below: 1_000)))
            if Task.isCancelled || random(below: 3) == 0 { throw TransportFault(.lost, evidence: .sent) }
            return Array("id: 7\ndata: \(user)\n\n".utf8)
        }
    }
}

/// Something that a user does.
struct Deed: Command {
    var user: Int
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "deed", .post, effect: .once, session: .required, response: .none)
    func encode(into request: inout RequestEncoder) {
        request.path("/deeds/")
        request.segment(user)
    }
}

/// Something that a user looks at.
struct Look: Command {
    var user: Int
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "look", .get, effect: .read, session: .required, response: .none)
    func encode(into request: inout RequestEncoder) {
        request.path("/looks/")
        request.segment(user)
    }
}

/// A user logs out.
struct Leave: LogoutCommand {
    var user: Int
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "leave", .delete, effect: .idempotent, session: .required, response: .none)
    func encode(into request: inout RequestEncoder) {
        request.path("/leave/")
        request.segment(user)
    }
}

/// A user logs in, and the contract identifies the user.
struct Enter: LoginCommand {
    var user: Int
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = String
    static let endpoint = EndpointDescription(Bank.service, "enter", .post, effect: .idempotent)
    func encode(into request: inout RequestEncoder) {
        request.path("/login/")
        request.segment(user)
    }
    static func load(from reader: inout JSONReader) -> String? { reader.readString() }
    static func tokens(from response: String) -> SessionTokens {
        SessionTokens(access: response, identity: response.dropFirst().split(separator: "-").first.map(String.init))
    }
}
