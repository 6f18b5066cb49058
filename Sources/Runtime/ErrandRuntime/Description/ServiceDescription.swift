/// A contract's description of its service as a whole. Generated code creates one, as a constant.
public final class ServiceDescription: Sendable {
    /// The service's name in the contract: `Bank`.
    public let name: String
    /// The contract's version, as it is written there.
    public let version: String
    /// Where a request carries the session's token; nil if the service knows no session.
    public let session: SessionPlacement?
    /// Where a request carries the credentials that the app gave the client, by their names in the contract.
    public let credentials: [String: CredentialPlacement]
    /// All errors that the contract declares, in its order.
    public let errors: [ErrorDescription]
    private let errorsByName: [DeclaredName: ErrorDescription]
    /// Built-in errors that the contract declares anew, by their name.
    public let redeclared: [ErrorDescription]
    /// How requests are signed; nil if they are not.
    public let signing: SigningRule?
    /// The header that says when the rate limit ends; nil if the service has none of its own.
    public let rateLimit: RateLimitRule?
    /// The connection that all commands of the service travel over; nil for a service over HTTP.
    public let connection: ConnectionDescription?
    /// The form of the connection's frames. It is made here, once, because its table of names is never freed.
    package let frameFormat: FrameFormat?
    /// Makes the command (`AttachCommand`) that presents the session's access token on a new connection; nil if the service has none.
    public let attach: (@Sendable (_ token: String) -> any Sendable)?
    /// Makes the command (`IdentityCommand`) that says who is logged in; nil if nothing has to be asked for that.
    public let identification: (@Sendable () -> any Sendable)?
    /// The names on the wire of the session's tokens and of all fields that the contract calls `sensitive`. Reports about a
    /// response don't show the values of these fields.
    public let sensitive: Set<String>
    /// All names on the wire that the contract knows. Reports about a response show no other name. Nil for a service without
    /// such a list, whose reports show all keys.
    let declaredKeys: Set<String>?

    public init(
        name: String, version: String, session: SessionPlacement? = nil,
        credentials: [String: CredentialPlacement] = [:],
        errors: [ErrorDescription] = [], redeclared: [ErrorDescription] = [],
        signing: SigningRule? = nil, rateLimit: RateLimitRule? = nil, sensitive: Set<String> = [],
        declaredKeys: Set<String>? = nil, connection: ConnectionDescription? = nil,
        attach: (@Sendable (_ token: String) -> any Sendable)? = nil,
        identification: (@Sendable () -> any Sendable)? = nil
    ) {
        self.connection = connection
        frameFormat = connection.map(FrameFormat.init)
        self.attach = attach
        self.identification = identification
        self.rateLimit = rateLimit
        self.name = name
        self.version = version
        self.session = session
        self.credentials = credentials
        self.errors = errors
        errorsByName = Dictionary(errors.map { ($0.declaredName, $0) }) { first, _ in first }
        self.redeclared = redeclared
        self.signing = signing
        self.sensitive = sensitive
        self.declaredKeys = declaredKeys
    }

    /// The contract's description of an error that it declares.
    func error(_ name: DeclaredName) -> ErrorDescription? { errorsByName[name] }
}

/// Where a request carries the session's token.
public struct SessionPlacement: Sendable {
    package enum Place: Sendable {
        case header(name: String, prefix: String, suffix: String)
        case parameter(name: String)
    }

    package let place: Place

    /// In a header, with the contract's format around it: `Bearer {token}` is the prefix `Bearer `.
    public init(header: String, prefix: String = "", suffix: String = "") {
        place = .header(name: header, prefix: prefix, suffix: suffix)
    }

    /// In a parameter: of the query for GET, HEAD and DELETE, of the body otherwise.
    public init(parameter: String) {
        place = .parameter(name: parameter)
    }
}

/// A contract's description of one error.
public struct ErrorDescription: Sendable {
    /// The error's name in the contract: `insufficientFunds`.
    public var name: String { declaredName.description }
    package let declaredName: DeclaredName
    /// The action that the error calls for.
    public let category: ErrorCategory
    /// Whether a request that failed with it may have been carried out, if the contract says so; nil if each row of a decision
    /// table, or the built-in error, says it.
    public let applied: Applied?
    /// The text for people; nil if the contract has none. `{name}` stands for a member of the error's data.
    public let message: String?
    /// The members of the data that the text shows: their keys on the wire, by their names in the text.
    public let placeholders: [String: String]
    /// How a failure with this error is retried; nil leaves it to the endpoint.
    public let retry: RetryRule?
    /// Whether this error, of category `requiresLogout`, may start a login. False: the user is barred.
    public let renew: Bool
    /// When the error says that the command was done already, so that the command succeeds without a payload; nil for never.
    public let settles: SettlingRule?
    /// Whether the contract's defaults list it, so that any command may fail with it.
    public let isShared: Bool

    public init(
        _ name: DeclaredName, _ category: ErrorCategory, applied: Applied? = nil, message: String? = nil,
        placeholders: [String: String] = [:], retry: RetryRule? = nil, renew: Bool = true,
        settles: SettlingRule? = nil, shared isShared: Bool = false
    ) {
        declaredName = name
        self.category = category
        self.applied = applied
        self.message = message
        self.placeholders = placeholders
        self.retry = retry
        self.renew = renew
        self.settles = settles
        self.isShared = isShared
    }
}
