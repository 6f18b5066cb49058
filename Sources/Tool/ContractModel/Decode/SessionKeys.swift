import Diagnostics
import YAMLTree

/// The keys of `session`, as written.
package struct SessionKeys: Sendable {
    fileprivate var header: Located<String>?
    fileprivate var format: Located<String>?
    fileprivate var parameter: Located<String>?
    fileprivate var login: Located<String>?
    fileprivate var token: Located<FieldPath>?
    fileprivate var expiresIn: Located<FieldPath>?
    fileprivate var refreshToken: Located<FieldPath>?
    fileprivate var refresh: Located<String>?
    fileprivate var logout: Located<String>?
    fileprivate var attach: Located<String>?
    fileprivate var identity: Located<SessionDefinition.Identity>?
    fileprivate var from: Located<String>?

    private let range: SourceRange

    init(range: SourceRange) { self.range = range }

    fileprivate init(_ session: SessionDefinition) {
        range = session.range
        (login, token, expiresIn) = (session.login, session.token, session.expiresIn)
        (refresh, refreshToken, logout) = (session.refresh, session.refreshToken, session.logout)
        attach = session.attach
        (identity, from) = (session.identity, session.from)
        guard let placement = session.placement else { return }
        switch placement.value {
        case .parameter(let name): parameter = placement.map { _ in name }
        case .attached: break
        case .header(let name, let prefix, let suffix):
            header = placement.map { _ in name }
            if !prefix.isEmpty || !suffix.isEmpty { format = placement.map { _ in "\(prefix){token}\(suffix)" } }
        }
    }

    var definition: SessionDefinition {
        var session = SessionDefinition(range: range)
        (session.login, session.token, session.expiresIn) = (login, token, expiresIn)
        (session.refresh, session.refreshToken, session.logout) = (refresh, refreshToken, logout)
        (session.identity, session.from) = (identity, from)
        session.attach = attach
        if let attach {
            session.placement = attach.map { _ in .attached }
        } else if let parameter {
            session.placement = parameter.map { .parameter($0) }
        } else if let header, let (prefix, suffix) = formatParts {
            session.placement = header.map { .header(name: $0, prefix: prefix, suffix: suffix) }
        }
        return session
    }

    /// The format cut around `{token}`; nil after it was reported.
    private var formatParts: (prefix: String, suffix: String)? {
        guard let format else { return ("", "") }
        guard let token = format.value.firstRange(of: "{token}") else { return nil }
        return (String(format.value[..<token.lowerBound]), String(format.value[token.upperBound...]))
    }

    /// The keys of a session that was resolved. They have `range` as their place.
    package init(_ session: ResolvedSession, at range: SourceRange) {
        self.range = range
        func located<Value>(_ value: Value?) -> Located<Value>? { value.map { Located($0, at: range) } }
        login = located(session.login)
        token = located(session.token)
        expiresIn = located(session.expiresIn)
        refreshToken = located(session.refreshToken)
        refresh = located(session.refresh)
        logout = located(session.logout)
        attach = located(session.attach)
        identity = located(session.identity)
    }

    // MARK: The table

    private typealias Key = LanguageKey<SessionKeys>

    package static let mapping = LanguageMapping<SessionKeys>(
        "session", "`session`",
        [
            headerKey, formatKey, parameterKey, loginKey, tokenKey, expiresInKey, refreshTokenKey, refreshKey,
            logoutKey, attachKey, identityKey, fromKey,
        ],
        rules: [
            .atMostOne(["header", "parameter", "attach"]).explained(remove: "a token travels in one place"),
            .atLeastOne(["header", "parameter", "attach", "from"]).explained(
                missing: "`session` does not name a place for the token",
                add:
                    "write `header: Authorization` with `format: \"Bearer {token}\"`, or `parameter: token`; over a connection also `attach: NAME`"
            ),
            .excludes("parameter", ["format"]).explained(
                conflict: "`format` is only valid with `header`",
                remove: "remove `format`; a parameter carries only the token"),
            .needs("login", "token").explained(
                missing: "`session` has a login, but not the path of the token in its response",
                add: "write `token: token`, the path of the token in the login's response"),
        ]
            + ["token", "expiresIn", "refreshToken", "refresh", "identity"].map {
                .onlyWith($0, "login").explained(
                    conflict: "`\($0)` is only valid with `login`",
                    remove: "add `login: NAME`, or remove the key")
            })

    private static let headerKey = Key(
        "header", \.header, .headerName, "name of the header that carries the token", hasKeyword: true)
    private static let formatKey = Key(
        "format", \.format, .tokenFormat, "the header's value, with `{token}` for the token", hasKeyword: true)
    private static let parameterKey = Key(
        "parameter", \.parameter, .text, "name of the parameter that carries the token, in place of a header",
        hasKeyword: true)
    private static let loginKey = Key("login", \.login, .text, "endpoint that starts a session").referring(
        to: .name(.endpoint))
    private static let tokenKey = Key("token", \.token, .path, "path of the token in the login's response")
    private static let expiresInKey = Key("expiresIn", \.expiresIn, .path, "path of the token's lifetime in seconds")
    private static let refreshTokenKey = Key("refreshToken", \.refreshToken, .path, "path of the refresh token")
    private static let refreshKey = Key(
        "refresh", \.refresh, .text, "endpoint that renews a session by its refresh token"
    ).referring(to: .name(.endpoint))
    private static let logoutKey = Key("logout", \.logout, .text, "endpoint that ends a session").referring(
        to: .name(.endpoint))
    private static let attachKey = Key(
        "attach", \.attach, .text,
        "endpoint that presents the token on each new connection, in place of a header of the handshake"
    ).referring(to: .name(.endpoint))
    private static let identityKey = Key(
        "identity", \.identity, .identity,
        "path of the user's name or number in the login's response, `{claim: sub}` of a JSON Web Token, or `{from: getMe, at: id}`"
    )
    private static let fromKey = Key(
        "from", \.from, .text, "relative path of the contract whose session this contract shares",
        hasKeyword: true
    ).referring(to: .contract)

    static let identitySource = LanguageMapping<IdentityKeys>(
        "identity", "`identity`", [IdentityKeys.claimKey, IdentityKeys.fromKey, IdentityKeys.atKey],
        rules: [
            .atMostOne(["claim", "from"]).explained(remove: "a user is named in one place"),
            .atLeastOne(["claim", "from"]).explained(
                missing: "`identity` does not say what names the user",
                add: "write `claim: sub`, or `from: ENDPOINT` with `at: id`"),
            .needs("from", "at").explained(
                missing: "`identity` has an endpoint, but not the path of the user in its response",
                add: "write `at: id`, the path of the user's name or number"),
            .onlyWith("at", "from").explained(
                conflict: "`at` is only valid with `from`", remove: "add `from: ENDPOINT`, or write the path alone"),
        ])
}

/// The keys of `identity` in its long form.
struct IdentityKeys: Sendable {
    fileprivate var claim: String?
    fileprivate var from: Located<String>?
    fileprivate var at: Located<FieldPath>?

    fileprivate init() {}

    fileprivate init(_ identity: SessionDefinition.Identity) {
        switch identity {
        case .path: break
        case .claim(let name): claim = name
        case .endpoint(let question): (from, at) = (question.endpoint, question.path)
        }
    }

    fileprivate var identity: SessionDefinition.Identity? {
        if let claim { return .claim(claim) }
        guard let from, let at else { return nil }
        return .endpoint(SessionDefinition.IdentityQuestion(endpoint: from, path: at))
    }

    fileprivate static let claimKey = LanguageKey<IdentityKeys>(
        "claim", \.claim, .nonEmpty(like: "sub"), "claim of the access token that names the user: `sub`")
    fileprivate static let fromKey = LanguageKey<IdentityKeys>(
        "from", \.from, .text, "endpoint that says with the new token who is logged in", hasKeyword: true
    ).referring(to: .name(.endpoint))
    fileprivate static let atKey = LanguageKey<IdentityKeys>(
        "at", \.at, .path, "path of the user's name or number in its response", hasKeyword: true)
}

extension Codec where Value == SessionDefinition {
    static var session: Codec {
        .mapping(
            { SessionKeys.mapping }, empty: { SessionKeys(range: $0) }, value: { $1.definition },
            keys: { session, _ in SessionKeys(session) })
    }
}

extension Codec where Value == String {
    /// A header's value with `{token}` in it once.
    static var tokenFormat: Codec {
        Codec(
            scalar: .form(.tokenFormat),
            read: { decoder, format, _ in
                guard decoder.isHeaderValue(format) else { return nil }
                let count = format.value.ranges(of: "{token}").count
                if count == 1 { return format }
                decoder.report(
                    .invalidValue,
                    "\(quoted(format.value)) \(count == 0 ? "does not contain `{token}`" : "contains `{token}` twice")",
                    at: format.range,
                    help: count == 0 ? "write `format: \"Bearer {token}\"`" : "write `{token}` once")
                // The place of the token is known, and no finding that it is missing would help.
                return format
            }, write: { .text($0) })
    }
}

extension Codec where Value == SessionDefinition.Identity {
    /// A path, `{claim: sub}`, or `{from: ENDPOINT, at: id}`.
    fileprivate static var identity: Codec {
        .either(
            Codec<FieldPath>.path.map(
                to: { .path($0) },
                from: { if case .path(let path) = $0 { path } else { FieldPath([]) } }),
            .mapping(
                { SessionKeys.identitySource }, empty: { _ in IdentityKeys() }, value: { $1.identity },
                keys: { identity, _ in IdentityKeys(identity) }),
            isShort: { if case .path = $0 { true } else { false } })
    }
}
