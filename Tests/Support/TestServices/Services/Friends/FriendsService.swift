/// Plays `friends.contract.yaml` for users with a session of `auth`. There are 45 users; 2 and 3
/// are friends of the person from the start, 40 answers requests late.
public actor FriendsService: TestService {
    public static let deviceID = "device-1"

    public nonisolated let host: ServiceHost
    private let auth: AuthService
    var friends: [Int: Int] = [2: 2, 3: 3]
    var profile = FriendsProfile()
    public private(set) var hasBadUsers = false
    public internal(set) var friendshipsMade = 0
    public internal(set) var photo: [UInt8]?

    public static func start(auth: AuthService) async throws -> FriendsService {
        let service = FriendsService(host: try await ServiceHost(basePath: ""), auth: auth)
        await service.host.serve { [weak service] in await service?.answer($0) ?? .hangUp }
        return service
    }

    init(host: ServiceHost, auth: AuthService) {
        self.host = host
        self.auth = auth
    }

    /// Puts users that break the contract between the good ones.
    public func setBadUsers(_ bad: Bool) { hasBadUsers = bad }

    private func answer(_ request: ReceivedRequest) async -> ServedAnswer {
        for (name, value) in [("api", "3"), ("device_id", Self.deviceID)] where request.parameter(name) != value {
            await complain(request, "\(name) should be \(value), is \(request.parameter(name) ?? "missing")")
        }
        if request.parameter("locale") == nil { await complain(request, "no locale") }
        if !request.carriesParametersInQuery, !request.query.isEmpty {
            await complain(request, "parameters in the query of a \(request.method)")
        }
        let person = await auth.person(of: request.parameter("token"))
        if case "GET /people" = request {
            if person == nil, request.parameter("token") != nil { return Self.failure(401, "who are you?") }
            return search(request)
        }
        guard person != nil else { return Self.failure(401, "who are you?") }
        switch request {
        case "GET /users": return await list(request)
        case "POST /friendships": return await befriend(request)
        case "PATCH /profile": return await changeProfile(request)
        case "POST /profile/photo": return await changePhoto(request)
        case "GET /birthdays":
            guard let month = request.queryValue("month").flatMap({ Int($0) }) else {
                return Self.failure(422, "month")
            }
            return .json(.object(FriendsPeople.birthdays(in: month).map { .init($0.key, .string($0.value)) }))
        default: return await answerAboutUser(request)
        }
    }

    private func list(_ request: ReceivedRequest) async -> ServedAnswer {
        guard let page = request.queryValue("page").flatMap({ Int($0) }),
            let size = request.queryValue("size").flatMap({ Int($0) })
        else {
            await complain(request, "no page or size")
            return Self.failure(422, "page or size")
        }
        var users = FriendsPeople.ids.dropFirst((page - 1) * size).prefix(size).map(FriendsPeople.user)
        if hasBadUsers { users.insert(contentsOf: FriendsPeople.badUsers, at: min(1, users.count)) }
        return .json(.array(users))
    }

    private func search(_ request: ReceivedRequest) -> ServedAnswer {
        guard let text = request.queryValue("q")?.lowercased() else { return Self.failure(422, "q") }
        let found = FriendsPeople.ids.filter { FriendsPeople.name(of: $0).lowercased().contains(text) }
        return .json(["people": .array(found.prefix(10).map(FriendsPeople.user)), "total": .number(found.count)])
    }

    private func befriend(_ request: ReceivedRequest) async -> ServedAnswer {
        guard request.form != nil, let id = request.parameter("user_id").flatMap({ Int($0) }),
            let closeness = request.parameter("closeness").flatMap({ Int($0) })
        else {
            await complain(request, "no form with user_id and closeness: \(request.bodyText)")
            return Self.failure(422, "user_id or closeness")
        }
        guard FriendsPeople.ids.contains(id) else { return Self.failure(404, "no such user") }
        if friends[id] != nil { return Self.failure(409, "friends already") }
        if id == 40 { return .json(["askedAt": "2026-03-01T09:30:00Z"], status: 202) }
        friends[id] = closeness
        friendshipsMade += 1
        return .json(FriendsPeople.friendship(with: id, closeness: closeness), status: 201)
    }

    private func answerAboutUser(_ request: ReceivedRequest) async -> ServedAnswer {
        guard request.segments.count > 1, let id = Int(request.segments[1]), FriendsPeople.ids.contains(id) else {
            return Self.failure(404, "no such user")
        }
        switch request {
        case "GET /users/*": return .json(FriendsPeople.user(id))
        case "GET /users/*/account":
            return .json(AuthService.person(id, handle: "user\(id)", name: FriendsPeople.name(of: id)))
        case "GET /users/*/friends":
            let wanted = request.queryValue("closeness").flatMap { Int($0) }
            let shown = friends.filter { wanted == nil || $0.value == wanted }.sorted { $0.key < $1.key }
            return .json(.array(shown.map { FriendsPeople.friendship(with: $0.key, closeness: $0.value) }))
        case "PUT /friendships/*":
            guard let closeness = request.json?["closeness"]?.integer else {
                await complain(request, "no closeness: \(request.bodyText)")
                return Self.failure(422, "closeness")
            }
            friends[id] = closeness
            return .json(FriendsPeople.friendship(with: id, closeness: closeness))
        case "DELETE /friendships/*":
            guard friends.removeValue(forKey: id) != nil else { return Self.failure(404, "no such friend") }
            return ServedAnswer(204)
        default: return ServedAnswer(404)
        }
    }

    static func failure(_ status: Int, _ message: String) -> ServedAnswer {
        .json(["message": .string(message)], status: status)
    }
}
