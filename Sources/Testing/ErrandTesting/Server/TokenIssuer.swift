import ErrandJSON
import ErrandRuntime
import ErrandService

/// The sessions of a simulated server, with the places that its tokens have in requests and responses.
struct TokenIssuer: Sendable {
    private var desk = SessionDesk<String>()
    /// The tokens that are none of its own texts.
    private var foreign: Set<String> = []

    /// How long a token lasts if the contract tells the client; in virtual time.
    var lifetime = Duration.seconds(3600)
    /// The user who logs in, if the contract tells the client.
    var user = 1

    private static let accessMark = "simulated-access-"
    private static let refreshMark = "simulated-refresh-"

    /// Takes a token that it has not given out itself.
    mutating func accept(_ token: String) { issue(token, until: nil) }

    private mutating func issue(_ token: String, until end: Duration?) {
        if !token.hasPrefix(Self.accessMark) { foreign.insert(token) }
        desk.issue(access: token, to: user, until: end)
    }

    /// Whether a request contains a valid access token.
    func hasSession(_ request: TransportRequest, at now: Duration) -> Bool {
        accessToken(in: request).map { desk.takes($0, at: now) } ?? false
    }

    /// The access token that a request carries, whether it is good or not; nil if it carries none.
    func accessToken(in request: TransportRequest) -> String? {
        let texts = Self.texts(of: request)
        if let token = Self.token(Self.accessMark, in: texts) { return token }
        return foreign.sorted().first { token in texts.contains { $0.contains(token) } }
    }

    /// Whether a request contains a valid refresh token. One stays good when a new one is given out: what a test finds when a response
    /// is lost depends on the client alone.
    mutating func hasRefresh(_ request: TransportRequest) -> Bool {
        let token = Self.token(Self.refreshMark, in: Self.texts(of: request))
        return token.flatMap { desk.user(ofRefresh: $0, isUsedUp: false) } != nil
    }

    mutating func revoke(_ token: String) { desk.revoke(token) }

    mutating func revokeAll(refreshTokens: Bool) { desk.expireAll(refreshTokens: refreshTokens) }

    /// Puts new tokens into the response of a login, at the paths that the command reads, and accepts them from now on.
    mutating func issue<C: LoginCommand>(_ type: C.Type, in payload: JSONValue, at now: Duration) -> JSONValue {
        var payload = payload
        // A mark that closes the token, so that it can be found again in any request.
        let number = desk.nextNumber()
        let accessToken = "\(Self.accessMark)\(number)-"
        let refreshToken = "\(Self.refreshMark)\(number)-"
        func places(_ fits: (SessionTokens) -> Bool, _ value: JSONValue, _ all: [[JSONLocation.Step]]) -> [JSONLocation
            .Step]?
        {
            all.first { steps in
                var trial = payload
                trial.put(value, at: steps[...])
                return Self.tokens(type, in: trial).map(fits) ?? false
            }
        }
        if let (steps, value) = identityPlace(in: payload, { Self.tokens(type, in: $0)?.identity }) {
            payload.put(value, at: steps[...])
        }
        var end: Duration?
        if let steps = places({ $0.access == accessToken }, .string(accessToken), payload.textPlaces()) {
            payload.put(.string(accessToken), at: steps[...])
        }
        if let steps = places({ $0.refresh == refreshToken }, .string(refreshToken), payload.textPlaces()) {
            payload.put(.string(refreshToken), at: steps[...])
            desk.issue(refresh: refreshToken, to: user)
        }
        if let given = Self.tokens(type, in: payload), given.expiresIn != nil {
            let seconds = Int(lifetime.components.seconds)
            let number = JSONValue.number(JSONNumber(seconds))
            if let steps = places({ $0.expiresIn == seconds }, number, payload.numberPlaces()) {
                payload.put(number, at: steps[...])
                end = now + lifetime
            }
        }
        // If the token isn't a text of its own, the server accepts any value that the client reads there.
        issue(Self.tokens(type, in: payload)?.access ?? accessToken, until: end)
        return payload
    }

    /// Puts the user into the response of the command that says who is logged in.
    func name<C: IdentityCommand>(_ type: C.Type, in payload: JSONValue) -> JSONValue {
        var payload = payload
        let place = identityPlace(in: payload) { trial in
            let response = try? JSON.scan(Array(trial.description.utf8)) { reader in C.load(from: &reader) }
            return response.flatMap(C.identity(in:))
        }
        if let (steps, value) = place { payload.put(value, at: steps[...]) }
        return payload
    }

    /// The place of the user's identity in a response, and its value: a number, or a text in one of two forms.
    private func identityPlace(
        in payload: JSONValue, _ identity: (JSONValue) -> String?
    ) -> (steps: [JSONLocation.Step], value: JSONValue)? {
        let digits = String(user)
        let forms = [digits, ListPage.uuid(endingIn: digits)].map(JSONValue.string)
        let texts = payload.textPlaces().flatMap { steps in forms.map { (steps, $0) } }
        let numbers = payload.numberPlaces().map { ($0, JSONValue.number(JSONNumber(user))) }
        return (numbers + texts).first { steps, value in
            var trial = payload
            trial.put(value, at: steps[...])
            let found = identity(trial)
            return found != nil && found == (value.string ?? digits)
        }
    }

    private static func tokens<C: LoginCommand>(_ type: C.Type, in payload: JSONValue) -> SessionTokens? {
        let response = try? JSON.scan(Array(payload.description.utf8)) { reader in C.load(from: &reader) }
        return response.map(C.tokens(from:))
    }

    /// The texts of a request that may contain a token: all of them, as the contract allows.
    private static func texts(of request: TransportRequest) -> [String] {
        request.headers.fields.map(\.value) + [request.url, String(decoding: request.body ?? [], as: UTF8.self)]
    }

    private static func token(_ mark: String, in texts: [String]) -> String? {
        for text in texts {
            guard let start = text.firstRange(of: mark) else { continue }
            let digits = text[start.upperBound...].prefix(while: \.isNumber)
            return mark + digits + "-"
        }
        return nil
    }
}

extension JSONValue {
    /// All places that hold a number, in the document's order.
    func numberPlaces(below steps: [JSONLocation.Step] = []) -> [[JSONLocation.Step]] {
        switch self {
        case .number: [steps]
        case .array(let list): list.enumerated().flatMap { $1.numberPlaces(below: steps + [.index($0)]) }
        case .object(let object): object.flatMap { $0.value.numberPlaces(below: steps + [.key($0.key)]) }
        case .null, .bool, .string: []
        }
    }
}
