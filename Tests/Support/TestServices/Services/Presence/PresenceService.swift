/// Plays `presence.contract.yaml`. `ada` (`lovelace`) is person 1, `grace` (`hopper`) person 2.
///
/// The persons are 1 to 9, and person 7 wants no pokes. Every room from 1 to 99 exists, and room 13 is full.
public actor PresenceService: MessageService {
    public static let subprotocol = "presence.v1"

    public nonisolated let host: ServiceHost
    private var tokens = Tokens(prefix: "presence")
    var rooms: [Int: [WireJSON]] = [:]
    var followers: [Follower] = []
    var messages: [String: WireJSON] = [:]
    private var peers: [ObjectIdentifier: MessagePeer] = [:]
    private var people: [ObjectIdentifier: Int] = [:]
    private var isSilent = false
    private var mixing: Mixing?
    private var kinds: [String: Int] = [:]
    /// How many connections were opened.
    public private(set) var openings = 0
    /// How many tokens were presented, the refused ones included.
    public private(set) var presentations = 0
    /// How often each person was poked.
    public internal(set) var pokes: [Int: Int] = [:]
    /// The texts that were really stored, in order.
    public internal(set) var stored: [String] = []
    public internal(set) var statuses: [WireJSON] = []

    /// How replies are mixed up that come together.
    public enum Order: Sendable {
        /// The last one first.
        case reversed
        /// In their order, each with the id of the one after it, and the last one with that of the first.
        case swappedIDs
    }

    /// Replies that wait until there are enough of them.
    private struct Mixing {
        let order: Order
        let count: Int
        var replies: [Reply] = []

        struct Reply {
            let peer: MessagePeer
            let kind: String
            let correlation: String
            let data: WireJSON?
        }
    }

    /// Who follows what.
    struct Follower {
        enum Subject: Equatable {
            case room(Int)
            case typing(Int)
        }
        let peer: MessagePeer
        let correlation: String
        let subject: Subject
    }

    public static func start() async throws -> PresenceService {
        let service = PresenceService(host: try await ServiceHost(basePath: "/v1"))
        await service.host.serveMessages(subprotocol) { [weak service] in await service?.accept($0) }
        return service
    }

    init(host: ServiceHost) { self.host = host }

    /// The server's URL for a client.
    public nonisolated var url: String { "ws://127.0.0.1:\(host.port)\(host.basePath)" }

    // MARK: What a test asks

    public var logins: Int { tokens.count }
    public var connections: Int { peers.count }
    /// How many frames of a kind have arrived.
    public func frames(of kind: String) -> Int { kinds[kind] ?? 0 }
    public func expireSessions() { tokens.revokeAll() }
    /// Ends all connections, with a close frame.
    public func close(_ code: UInt16) async { for peer in peers.values { await peer.close(code) } }
    /// Ends all connections, without one.
    public func cut() async { for peer in peers.values { await peer.cut() } }
    /// Keeps all connections, also later ones, and sends nothing over them.
    public func setSilent(_ silent: Bool) async {
        isSilent = silent
        if silent { for peer in peers.values { await peer.fallSilent() } }
    }
    /// Holds the next replies to commands of a person until there are so many, and sends them in another order.
    public func mixReplies(_ count: Int, _ order: Order) { mixing = Mixing(order: order, count: count) }
    /// Sends a notice to all connections.
    public func announce(_ text: String) async {
        for peer in peers.values { await peer.send(Self.frame("notice", nil, ["text": .string(text)])) }
    }
    /// Sends a text as it is to all connections.
    public func sendText(_ text: String) async { for peer in peers.values { await peer.send(text) } }
    /// Something happens in a room, also without connections.
    public func happen(in room: Int, _ text: String, by user: Int = 2) async {
        let sequence = (rooms[room]?.count ?? 0) + 1
        let event: WireJSON = [
            "seq": .number(sequence), "user": .number(user), "kind": "message", "text": .string(text),
        ]
        rooms[room, default: []].append(event)
        for follower in followers where follower.subject == .room(room) {
            await follower.peer.send(Self.frame("room.event", follower.correlation, event))
        }
    }
    /// Ends the subscriptions of a room.
    public func closeRoom(_ room: Int) async {
        let gone = followers.filter { $0.subject == .room(room) }
        followers.removeAll { $0.subject == .room(room) }
        for follower in gone { await follower.peer.send(Self.frame("room.closed", follower.correlation, nil)) }
    }
    /// How many follow a room.
    public func followers(of room: Int) -> Int { followers.count { $0.subject == .room(room) } }
    /// A person writes in a room.
    public func type(in room: Int, user: Int, isTyping: Bool = true) async {
        for follower in followers where follower.subject == .typing(room) {
            await follower.peer.send(
                Self.frame("typing", follower.correlation, ["user": .number(user), "isTyping": .bool(isTyping)]))
        }
    }

    // MARK: Connections

    private func accept(_ request: ReceivedRequest) async -> PeerReader {
        let peer = MessagePeer(request)
        openings += 1
        peers[ObjectIdentifier(peer)] = peer
        if isSilent { await peer.fallSilent() }
        return PeerReader(peer: peer, service: self)
    }

    func lose(_ peer: MessagePeer) {
        peers[ObjectIdentifier(peer)] = nil
        people[ObjectIdentifier(peer)] = nil
        followers.removeAll { $0.peer === peer }
    }

    func receive(_ message: String, from peer: MessagePeer) async {
        guard let frame = WireJSON(parsing: Array(message.utf8)), let kind = frame["type"]?.text else {
            return await host.complain("no frame: \(message)")
        }
        kinds[kind, default: 0] += 1
        let data = frame["data"] ?? [:]
        guard let correlation = frame["id"]?.text else { return await host.complain("no id: \(message)") }
        if let extra = frame.members?.first(where: { !["type", "id", "data"].contains($0.name) }) {
            await host.complain("\(kind): a member \(extra.name)")
        }
        switch kind {
        case "login": return await logIn(peer, correlation, data)
        case "attach":
            presentations += 1
            guard let person = tokens.owner(of: data["token"]?.text) else {
                return await fail(peer, correlation, "session_expired")
            }
            if people[ObjectIdentifier(peer)] != nil { await host.complain("a second token on a connection") }
            people[ObjectIdentifier(peer)] = person
            return await peer.send(Self.frame(kind, correlation, nil))
        case "room.unfollow", "typing.unwatch":
            return followers.removeAll { $0.peer === peer && $0.correlation == correlation }
        case "room.list":
            return await peer.send(Self.frame("room.all", correlation, .array(rooms.keys.sorted().map { .number($0) })))
        case "logout":
            people[ObjectIdentifier(peer)] = nil
            return
        default: break
        }
        guard let person = people[ObjectIdentifier(peer)] else {
            await host.complain("\(kind): before a token")
            return await fail(peer, correlation, "session_expired")
        }
        await answer(kind, correlation, data, from: peer, of: person)
    }

    private func logIn(_ peer: MessagePeer, _ correlation: String, _ data: WireJSON) async {
        let names = ["ada": ("lovelace", 1), "grace": ("hopper", 2)]
        guard let name = data["user"]?.text, let (password, person) = names[name], data["password"]?.text == password
        else { return await fail(peer, correlation, "wrong_password") }
        people[ObjectIdentifier(peer)] = person
        let session: WireJSON = ["token": .string(tokens.make(for: person)), "user": .number(person)]
        await peer.send(Self.frame("login", correlation, session))
    }

    // MARK: Frames

    /// Replies to a command of a person.
    func reply(_ kind: String, _ correlation: String, _ data: WireJSON?, to peer: MessagePeer) async {
        guard var mixed = mixing else { return await peer.send(Self.frame(kind, correlation, data)) }
        mixed.replies.append(.init(peer: peer, kind: kind, correlation: correlation, data: data))
        mixing = mixed.replies.count < mixed.count ? mixed : nil
        guard mixing == nil else { return }
        let replies = mixed.order == .reversed ? mixed.replies.reversed() : mixed.replies
        for (position, reply) in replies.enumerated() {
            let other = mixed.order == .swappedIDs ? replies[(position + 1) % replies.count] : reply
            await reply.peer.send(Self.frame(reply.kind, other.correlation, reply.data))
        }
    }

    static func frame(_ kind: String, _ correlation: String?, _ data: WireJSON?) -> WireJSON {
        var members = [WireJSON.Member("type", .string(kind))]
        if let correlation { members.append(.init("id", .string(correlation))) }
        if let data { members.append(.init("data", data)) }
        return .object(members)
    }

    func fail(_ peer: MessagePeer, _ correlation: String, _ code: String, _ data: [WireJSON.Member] = []) async {
        let error: [WireJSON.Member] = [.init("code", .string(code)), .init("message", .string("scripted"))]
        await peer.send(Self.frame("error", correlation, .object(error + data)))
    }
}
