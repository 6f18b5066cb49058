/// Plays `live.contract.yaml`. A login with the code `1234` succeeds; the rooms are 1 to 45.
///
/// Room 404 is closed, room 7 is full and has a line. A gift costs ten coins times its id, and there
/// are a hundred.
public actor LiveService: TestService {
    /// Where the service puts the elements of a list.
    public enum ListShape: Sendable { case inList, plainArray, singleObject, null }

    public static let privateKey = "k3y"

    public nonisolated let host: ServiceHost
    private var tokens = Tokens(prefix: "live")
    private var requestIDs: Set<String> = []
    public private(set) var listShape = ListShape.inList
    public private(set) var codesAreText = true
    public private(set) var codeIsLast = false
    public private(set) var hasBadRooms = false
    public private(set) var notice: WireJSON = .null
    public internal(set) var coins = 100
    public internal(set) var giftsSent = 0
    public internal(set) var cover: [UInt8]?

    public static func start() async throws -> LiveService {
        let service = LiveService(host: try await ServiceHost(basePath: "/app"))
        await service.host.serve { [weak service] in await service?.answer($0) ?? .hangUp }
        return service
    }

    init(host: ServiceHost) { self.host = host }

    public var logins: Int { tokens.count }
    public func expireSessions() { tokens.revokeAll() }
    public func setListShape(_ shape: ListShape) { listShape = shape }
    public func setCodesAreText(_ text: Bool) { codesAreText = text }
    /// Sends `data` before `code` and `msg`.
    public func setCodeIsLast(_ last: Bool) { codeIsLast = last }
    public func setBadRooms(_ bad: Bool) { hasBadRooms = bad }
    public func setNotice(_ notice: WireJSON) { self.notice = notice }
    /// Lets the next requests fail with one of the service's own codes.
    public func fail(
        code: Int, message: String = "scripted", data: WireJSON = .null, times: Int = 1,
        on pattern: RequestPattern = "*"
    ) async {
        await script(.answer(envelope(code, message, data)), times: times, on: pattern)
    }

    private func answer(_ request: ReceivedRequest) async -> ServedAnswer {
        if let breach = breach(of: request) {
            await complain(request, breach)
            return envelope(4030, breach, .null)
        }
        if case "POST /sessions" = request { return await logIn(request) }
        let token = request.parameter("token")
        let person = tokens.owner(of: token)
        if token != nil, person == nil { return envelope(4010, "token expired", .null) }
        if let open = await answerToAnybody(request) { return open }
        guard person != nil else { return envelope(4010, "no token", .null) }
        switch request {
        case "DELETE /sessions":
            tokens.revoke(token)
            return success(.null)
        case "PUT /hosts/*/follower": return success(.null, message: "Now you follow host \(request.segments[1])!")
        case "POST /covers": return await keepCover(request)
        case "POST /room/*/viewers": return await enter(request)
        case "POST /room/*/gifts": return await takeGift(request)
        default: return ServedAnswer(404)
        }
    }

    /// The problem of the parameters that every request has.
    private func breach(of request: ReceivedRequest) -> String? {
        if request.parameter("platform") != "ios" { return "platform" }
        if request.parameter("appVersion")?.isEmpty != false { return "appVersion" }
        if request.parameter("channel") == nil { return "channel" }
        if request.parameter("time") == nil { return "time" }
        guard let id = request.parameter("requestID"), id.count == 36 else { return "requestID" }
        guard requestIDs.insert(id).inserted else { return "a requestID for the second time" }
        if !request.carriesParametersInQuery, request.query.contains(where: { $0.name != "sign" }) {
            return "parameters in the query of a \(request.method)"
        }
        let rule = Signature.Rule(
            algorithm: .md5, key: Self.privateKey, append: "&privateKey={key}", skipsEmpty: true, trims: true,
            encodesValues: true)
        let wanted = Signature.of(request.parameters.filter { $0.name != "sign" }, by: rule)
        let given = request.queryValue("sign")
        return given == wanted ? nil : "signature \(given ?? "missing"), should be \(wanted)"
    }

    private func logIn(_ request: ReceivedRequest) async -> ServedAnswer {
        if request.parameter("token") != nil { await complain(request, "a login carries a session") }
        if request.form == nil { await complain(request, "no form, but \(request.mediaType ?? "nothing")") }
        guard request.parameter("code") == "1234", request.parameter("phone") != nil else {
            return envelope(4001, "wrong code", .null)
        }
        return success(["token": .string(tokens.make(for: 1)), "host": LiveRooms.host(1)])
    }

    private func answerToAnybody(_ request: ReceivedRequest) async -> ServedAnswer? {
        switch request {
        case "GET /rooms": return success(rooms(request))
        case "GET /room-matches":
            let text = request.queryValue("keyword") ?? ""
            let found = LiveRooms.ids.filter { LiveRooms.title(of: $0).contains(text) }
            return success([
                "list": .array(found.prefix(5).map(LiveRooms.room)), "total": .string("\(found.count)"), "page": 1,
            ])
        case "GET /room/*":
            guard let id = Int(request.segments[1]), LiveRooms.ids.contains(id) else {
                return envelope(4040, "closed", .null)
            }
            return success(LiveRooms.room(id))
        case "GET /ranking": return success(shaped((1...3).map(LiveRooms.rank)))
        case "GET /notice": return success(notice)
        default: return nil
        }
    }

    private func rooms(_ request: ReceivedRequest) -> WireJSON {
        let size = request.queryValue("size").flatMap { Int($0) } ?? 0
        let page = request.queryValue("page").flatMap { Int($0) } ?? 1
        var rooms = LiveRooms.ids.dropFirst((page - 1) * size).prefix(size).map(LiveRooms.room)
        if hasBadRooms { rooms.insert(contentsOf: LiveRooms.badRooms, at: min(1, rooms.count)) }
        return shaped(rooms)
    }

    private func shaped(_ elements: [WireJSON]) -> WireJSON {
        switch listShape {
        case .inList: ["total": .number(elements.count), "list": .array(elements)]
        case .plainArray: .array(elements)
        case .singleObject: ["list": elements.first ?? .null]
        case .null: .null
        }
    }

    // MARK: Answers

    func success(_ data: WireJSON, message: String = "OK") -> ServedAnswer { envelope(100, message, data) }

    func envelope(_ code: Int, _ message: String, _ data: WireJSON) -> ServedAnswer {
        let head: [WireJSON.Member] = [
            .init("code", codesAreText ? .string("\(code)") : .number(code)), .init("msg", .string(message)),
        ]
        let data: [WireJSON.Member] = [.init("data", data)]
        return .json(.object(codeIsLast ? data + head : head + data))
    }
}
