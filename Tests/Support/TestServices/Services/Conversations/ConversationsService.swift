/// Plays `conversations.contract.yaml`. `ada` (`lovelace`) may log in and is participant 1.
///
/// The conversation `known` has four messages, and `closed` takes no new ones. Participant 3 takes no messages, and more than
/// three members are too many.
public actor ConversationsService: TestService {
    public static let known = ConversationStore.known
    public static let closed = ConversationStore.closed

    public nonisolated let host: ServiceHost
    var store = ConversationStore()
    var keyed = KeyedAnswers()
    private var tokens = Tokens(prefix: "messages")
    public private(set) var hasBadMessages = false
    /// The texts of the messages that were really said, in order.
    public internal(set) var said: [String] = []
    public internal(set) var pictures: [String: [UInt8]] = [:]
    public internal(set) var readMarkers: [String] = []
    public internal(set) var conversationsStarted = 0

    public static func start() async throws -> ConversationsService {
        let service = ConversationsService(host: try await ServiceHost(basePath: "/api"))
        await service.host.serve { [weak service] in await service?.answer($0) ?? .hangUp }
        return service
    }

    init(host: ServiceHost) { self.host = host }

    public var logins: Int { tokens.count }
    public func expireSessions() { tokens.revokeAll() }
    /// Puts messages that break the contract between the good ones.
    public func setBadMessages(_ bad: Bool) { hasBadMessages = bad }
    /// Lets the next requests fail with one of the messenger's own codes, or with a kind of error.
    public func fail(
        code: String, kind: String? = nil, status: Int = 200, times: Int = 1, on pattern: RequestPattern = "*"
    ) async {
        await script(.answer(Self.failure(code, status: status, kind: kind)), times: times, on: pattern)
    }

    private func answer(_ request: ReceivedRequest) async -> ServedAnswer {
        if request.header("X-Device-ID")?.count != 36 { await complain(request, "no device id") }
        if request.header("Accept-Language") == nil { await complain(request, "no language") }
        if case "POST /sessions" = request { return await logIn(request) }
        let token = request.header("X-Session")
        guard tokens.owner(of: token) != nil else { return Self.failure("no_session", status: 401) }
        switch request {
        case "DELETE /sessions":
            tokens.revoke(token)
            return Self.success(.null)
        case "GET /conversations": return await list(request)
        case "POST /conversations": return await start(request)
        case "PUT /images/*": return await keepPicture(request)
        default: break
        }
        guard request.segments.first == "conversations", request.segments.count > 1,
            let conversation = store[request.segments[1]]
        else { return Self.failure("not_found", status: 404) }
        return await answer(request, about: conversation)
    }

    private func logIn(_ request: ReceivedRequest) async -> ServedAnswer {
        if request.header("X-Session") != nil { await complain(request, "a login carries a session") }
        guard let body = request.json, body["user_name"]?.text == "ada", body["password"]?.text == "lovelace" else {
            return Self.failure("wrong_password", status: 403)
        }
        return Self.success(["token": .string(tokens.make(for: 1)), "member": ConversationStore.participant(1)])
    }

    private func list(_ request: ReceivedRequest) async -> ServedAnswer {
        guard let size = request.queryValue("page_size").flatMap({ Int($0) }),
            let page = request.queryValue("page").flatMap({ Int($0) })
        else {
            await complain(request, "no page or page_size")
            return ServedAnswer(400)
        }
        let all = store.conversations.values.sorted { $0.id > $1.id }
        return Self.success(.array(all.dropFirst((page - 1) * size).prefix(size).map(ConversationStore.json)))
    }

    private func start(_ request: ReceivedRequest) async -> ServedAnswer {
        if request.header("Idempotency-Key") != nil { await complain(request, "an unknown key") }
        guard let members = request.json?["member_ids"]?.elements?.compactMap(\.integer), !members.isEmpty else {
            await complain(request, "no members: \(request.bodyText)")
            return ServedAnswer(400)
        }
        if members.count > 3 { return Self.failure("too_many_members", status: 422, data: ["limit": 3]) }
        if members.contains(3) { return Self.failure("recipient_blocked", status: 403) }
        if let known = store.conversation(of: members + [1]) {
            let data: WireJSON = ["conversation": ConversationStore.json(of: known)]
            return Self.failure("conversation_exists", status: 200, data: data)
        }
        conversationsStarted += 1
        let id = "00000000-0000-4000-8000-0000000001\(conversationsStarted < 10 ? "0" : "")\(conversationsStarted)"
        let started = ConversationStore.Stored(id: id, title: request.json?["title"]?.text, members: [1] + members)
        store[id] = started
        return Self.success(ConversationStore.json(of: started), status: 201)
    }

    private func keepPicture(_ request: ReceivedRequest) async -> ServedAnswer {
        if request.mediaType == "application/json" { await complain(request, "bytes that say they are JSON") }
        if request.header("X-Media-Type") == nil { await complain(request, "no media type") }
        pictures[request.segments[1].lowercased()] = request.body
        let url = "https://images.example/\(request.segments[1])"
        return Self.success(["image_url": .string(url), "width": 640, "height": 480])
    }

    // MARK: Answers

    static func success(_ data: WireJSON, status: Int = 200) -> ServedAnswer {
        .json(["data": data], status: status)
    }

    static func failure(_ code: String, status: Int, kind: String? = nil, data: WireJSON = .null) -> ServedAnswer {
        var error: [WireJSON.Member] = [
            .init("code", .string(code)), .init("text", .string("the server says \(code)")),
        ]
        if let kind { error.append(.init("kind", .string(kind))) }
        return .json(["error": .object(error), "data": data], status: status)
    }
}
