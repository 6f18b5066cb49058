/// Plays `video.contract.yaml`. `ada@example.org` with `lovelace` may log in. The feed `top` has 60
/// entries, `single` has one, sent as an object; the video `v404` is gone, `v451` is blocked.
public actor VideoService: TestService {
    /// How the service treats a request whose session is no longer good.
    public enum SessionLoss: Sendable { case status401, hangUp }

    public nonisolated let host: ServiceHost
    private var tokens = Tokens(prefix: "video")
    private var requestIDs: Set<String> = []
    private(set) var watchlist: Set<String> = []
    public private(set) var ratings: [Int] = []
    public private(set) var sessionLoss = SessionLoss.status401
    /// Puts entries that break the contract between the related videos.
    public private(set) var hasBadEntries = false

    public static func start() async throws -> VideoService {
        let service = VideoService(host: try await ServiceHost(basePath: "/v2"))
        await service.host.serve { [weak service] in await service?.answer($0) ?? .hangUp }
        return service
    }

    init(host: ServiceHost) { self.host = host }

    public var logins: Int { tokens.count }
    public func expireSessions() { tokens.revokeAll() }
    public func setSessionLoss(_ loss: SessionLoss) { sessionLoss = loss }
    public func setBadEntries(_ bad: Bool) { hasBadEntries = bad }
    /// Where `loadImage` finds a picture.
    public nonisolated func imageURL(_ name: String) -> String { "\(url)/images/\(name)" }

    private func answer(_ request: ReceivedRequest) async -> ServedAnswer {
        if case "GET /images/*" = request {
            if request.header("Authorization") != nil { await complain(request, "a whole URL carries a session") }
            return .bytes(Self.picture, contentType: "image/png")
        }
        await checkCommonHeaders(request)
        if case "POST /sessions" = request { return await logIn(request) }
        let token = request.header("Authorization").flatMap { $0.hasPrefix("Token ") ? String($0.dropFirst(6)) : nil }
        guard tokens.owner(of: token) != nil else {
            return sessionLoss == .hangUp ? .hangUp : Self.failure(401, "please log in")
        }
        switch request {
        case "DELETE /sessions":
            tokens.revoke(token)
            return ServedAnswer(204)
        case "GET /feeds/*": return await feed(request)
        case "GET /channels/*/feed", "POST /channels/*/feed": return VideoChannel.answer(request)
        case "GET /channels": return .json(["top": "Top videos", "new": "Neu & frisch"])
        case "PUT /watchlist/*":
            return watchlist.insert(request.segments[1]).inserted ? ServedAnswer(201) : ServedAnswer(200)
        case "DELETE /watchlist/*":
            watchlist.remove(request.segments[1])
            return ServedAnswer(204)
        default: return await answerAboutVideo(request)
        }
    }

    private func checkCommonHeaders(_ request: ReceivedRequest) async {
        if request.header("X-Platform") != "ios" { await complain(request, "no platform") }
        guard let id = request.header("X-Request-ID"), id.count == 36 else {
            return await complain(request, "no request id")
        }
        if !requestIDs.insert(id).inserted { await complain(request, "a request id for the second time") }
    }

    private func logIn(_ request: ReceivedRequest) async -> ServedAnswer {
        if request.header("Authorization") != nil { await complain(request, "a login carries a session") }
        guard request.form != nil else {
            await complain(request, "no form, but \(request.mediaType ?? "nothing")")
            return ServedAnswer(400)
        }
        if request.parameter("service") != "video" { await complain(request, "no service") }
        guard request.parameter("Email") == "ada@example.org", request.parameter("Passwd") == "lovelace" else {
            return Self.failure(401, "wrong password", reason: "badCredentials")
        }
        return .json(["token": .string(tokens.make(for: 1)), "viewer": .number("1")])
    }

    private func feed(_ request: ReceivedRequest) async -> ServedAnswer {
        guard let start = request.queryValue("start-index").flatMap({ Int($0) }),
            let size = request.queryValue("max-results").flatMap({ Int($0) }), request.queryValue("order") != nil
        else {
            await complain(request, "start-index, max-results or order is missing")
            return ServedAnswer(400)
        }
        let single = request.segments[1] == "single"
        let entries = (single ? 1...1 : 1...60).dropFirst(start - 1).prefix(size).map { VideoEntries.entry($0) }
        return .json([
            "feed": [
                "title": .string(request.segments[1]), "updated": "2026-03-01T12:00:00Z",
                "entry": single ? entries.first ?? .null : .array(entries), "startIndex": .number(start),
                "total": single ? "1" : 60,
            ]
        ])
    }

    private func answerAboutVideo(_ request: ReceivedRequest) async -> ServedAnswer {
        guard request.segments.first == "videos", request.segments.count > 1 else { return ServedAnswer(404) }
        let id = request.segments[1]
        if id == "v404" { return Self.failure(404, "gone") }
        if id == "v451" {
            return .json(["error": ["message": "blocked", "reason": "license", "allowed": ["DE", "AT"]]], status: 451)
        }
        switch request {
        case "GET /videos/*": return .json(VideoEntries.entry(Int(id.dropFirst()) ?? 1))
        case "HEAD /videos/*": return ServedAnswer(200)
        case "GET /videos/*/related": return .json(["feed": VideoEntries.related(to: id, bad: hasBadEntries)])
        case "GET /videos/*/preview":
            return .bytes((0..<10_000).map { UInt8(truncatingIfNeeded: $0) }, contentType: "video/mp4")
        case "GET /videos/*/comments": return .json(["comments": VideoEntries.comments, "total": 2])
        case "PUT /videos/*/rating":
            guard let stars = request.json?["stars"]?.integer, (1...5).contains(stars) else {
                await complain(request, "no stars: \(request.bodyText)")
                return ServedAnswer(400)
            }
            ratings.append(stars)
            let average = Double(ratings.reduce(0, +)) / Double(ratings.count)
            return .json(["average": .number("\(average)"), "count": .number(ratings.count)])
        default: return ServedAnswer(404)
        }
    }

    private static func failure(_ status: Int, _ message: String, reason: String = "other") -> ServedAnswer {
        .json(["error": ["message": .string(message), "reason": .string(reason)]], status: status)
    }

    /// The start of a PNG, and bytes that aren't UTF-8.
    static let picture: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff, 0xfe]
}
