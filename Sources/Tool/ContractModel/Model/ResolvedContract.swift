/// A contract in which every name points somewhere, every default is merged in and every decision table is unambiguous.
///
/// Architecture invariant: it exists only if the contract and its imports have no error, and Swift is generated only from it.
/// Checks examine a ``ContractExamination``. Lists are in the order of the contract, followed by imported definitions.
package struct ResolvedContract: Sendable {
    package var file: String
    package var service: Located<String>
    /// `0` if the contract names no version.
    package var version: String
    package var stability: Stability
    package var doc: String?
    package var servers: [ServerDefinition]
    /// The public keys that servers may have; none for most servers.
    package var trust: [TrustDefinition] = []
    /// The programs that pass requests on to servers.
    package var gateways: [GatewayDefinition] = []
    /// The other origins that each server has.
    package var roles: [ServerRoleDefinition] = [] {
        didSet { roleIndex = Self.index(roles.map(\.name)) }
    }
    package var common: CommonParameters
    /// The connection that carries all endpoints; nil for HTTP.
    package var connection: ConnectionDefinition?
    package var session: ResolvedSession?
    package var credentials: [CredentialDefinition] = []
    package var groups: [GroupDefinition] = []
    package var signing: SigningDefinition?
    package var rateLimit: RateLimitDefinition?
    /// Only those that an endpoint uses.
    package var envelopes: [EnvelopeDefinition]
    /// The declared errors that an endpoint uses, each once; redeclared built-in errors are not among them.
    package var errors: [ErrorDefinition]
    /// The names of the errors that the defaults list, in their order, so that any endpoint may fail with them.
    package var sharedErrors: [String] = []
    /// The built-in errors that the contract redeclares.
    package var redeclared: [ErrorDefinition]
    /// The contract's own types and the imported ones that it uses, transitively.
    package var types: [TypeDefinition]
    package var endpoints: [ResolvedEndpoint]
    /// The frames that the server sends without a request.
    package var events: [EventDefinition] = []
    /// The files that it was read from, its own first.
    package var sources: [String]

    private var typeIndex: [String: Int]
    private var errorIndex: [String: Int]
    private var envelopeIndex: [String: Int]
    private var roleIndex: [String: Int] = [:]
    private var aliases: AliasExpansion

    package init(
        file: String, service: Located<String>, version: String, stability: Stability, doc: String?,
        servers: [ServerDefinition], common: CommonParameters, session: ResolvedSession?,
        signing: SigningDefinition?, envelopes: [EnvelopeDefinition], errors: [ErrorDefinition],
        redeclared: [ErrorDefinition], types: [TypeDefinition], endpoints: [ResolvedEndpoint], sources: [String]
    ) {
        self.file = file
        self.service = service
        self.version = version
        self.stability = stability
        self.doc = doc
        self.servers = servers
        self.common = common
        self.session = session
        self.signing = signing
        self.envelopes = envelopes
        self.errors = errors
        self.redeclared = redeclared
        self.types = types
        self.endpoints = endpoints
        self.sources = sources
        typeIndex = Self.index(types.map(\.name))
        errorIndex = Self.index(errors.map(\.name))
        envelopeIndex = Self.index(envelopes.map(\.name))
        aliases = AliasExpansion(types)
    }

    package func type(named name: String) -> TypeDefinition? { typeIndex[name].map { types[$0] } }

    package func error(named name: String) -> ErrorDefinition? { errorIndex[name].map { errors[$0] } }

    /// The public keys that a server may have; nil for any.
    package func trust(in server: ServerDefinition) -> TrustDefinition? {
        trust.first { $0.server.value == server.name.value }
    }

    /// The programs that pass requests on to a server; nil if the contract names none.
    package func gateways(of server: ServerDefinition) -> GatewayDefinition? {
        gateways.first { $0.server.value == server.name.value }
    }

    package func role(named name: String) -> ServerRoleDefinition? { roleIndex[name].map { roles[$0] } }

    package func envelope(named name: String) -> EnvelopeDefinition? { envelopeIndex[name].map { envelopes[$0] } }

    /// The members of an error's data that its text shows, by the names of its placeholders.
    package func placeholders(of error: ErrorDefinition) -> [(name: String, field: FieldDefinition)] {
        guard let message = error.message, let data = error.data else { return [] }
        let names = MessageTemplate(message.value).names
        if names.isEmpty { return [] }
        var fields: [FieldDefinition] = []
        switch data {
        case .fields(let own): fields = own
        case .type(let type, _): fields = structure(type)?.fields ?? []
        }
        return names.compactMap { name in fields.first { $0.name.value == name }.map { (name, $0) } }
    }

    /// The position of each name, of equal ones that of the first.
    private static func index(_ names: [Located<String>]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($1.value, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The type with all aliases resolved, and the constraints that they add.
    package func expanded(_ type: TypeReference) -> (type: TypeReference, constraints: [Constraints]) {
        (aliases.target(of: type) ?? type, aliases.constraints(of: type))
    }

    /// The structure that a type is, with aliases and `?` resolved; nil for any other type.
    package func structure(_ type: TypeReference) -> (name: String, fields: [FieldDefinition])? {
        guard case .named(let name) = expanded(type.unwrapped).type.unwrapped,
            case .structure(let fields)? = self.type(named: name.value)?.form
        else { return nil }
        return (name.value, fields)
    }
}

/// An endpoint with everything that `defaults` and the method say merged in.
@dynamicMemberLookup
package struct ResolvedEndpoint: Sendable {
    /// The endpoint with names resolved, wire names set, and the settings of `defaults` taken over.
    package var definition: EndpointDefinition
    /// The declared errors that it can fail with, the defaults' last.
    package var errors: [String]
    /// Whether it declares an error of its own, beyond the defaults.
    package var declaresOwnErrors: Bool
    /// Endpoints with the same number have the same table; nil if the endpoint has outcomes, or an unknown error.
    package var sharedTable: Int?
    package var table: ResolvedTable

    package init(_ definition: EndpointDefinition, errors: [String], declaresOwnErrors: Bool, table: ResolvedTable) {
        self.definition = definition
        self.errors = errors
        self.declaresOwnErrors = declaresOwnErrors
        self.table = table
        let effect = definition.effect
        self.definition.declaredEffect = definition.declaredEffect ?? Located(effect, at: definition.name.range)
        // Nothing that isn't sent is compressed.
        if definition.body == nil || definition.settings.compression == CompressionDefinition.none {
            self.definition.settings.compression = nil
        }
        if definition.delivery?.value == .stream, definition.stream == nil {
            self.definition.stream = definition.usualStream
        }
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<EndpointDefinition, Value>) -> Value {
        get { definition[keyPath: path] }
        set { definition[keyPath: path] = newValue }
    }

    /// The definition without what holds anyway.
    package var concise: EndpointDefinition {
        var concise = definition
        if definition.effect == definition.method?.effect { concise.declaredEffect = nil }
        if let key = definition.idempotencyKey, key.place == nil, key.lifetime == nil { concise.idempotencyKey = nil }
        if delivery == .reply { concise.delivery = nil }
        if durable == nil { concise.durable = nil }
        if !isShared { concise.share = nil }
        if cache == nil { concise.cache = nil }
        if definition.stream == definition.usualStream { concise.stream = nil }
        return concise
    }

    // What every check asks for. A key path copies the whole endpoint to read a part of it.
    package var name: Located<String> { definition.name }
    package var target: EndpointDefinition.Target { definition.target }
    package var query: [FieldDefinition] { definition.query }
    package var headers: [FieldDefinition] { definition.headers }
    package var cookies: [FieldDefinition] { definition.cookies }
    package var body: BodyDefinition? { definition.body }
    package var response: Located<ResponseDefinition> { definition.response }
    package var responseHeaders: [FieldDefinition] { definition.responseHeaders }
    /// Whether a success is a document in XML.
    package var isXMLResponse: Bool { definition.xmlResponse != nil }
    /// Whether the endpoint receives or sends XML.
    package var usesXML: Bool { isXMLResponse || definition.body?.encoding == .xml }
    /// Whether a stream is opened again after its loss.
    package var isReopened: Bool {
        delivery == .stream && effect != .once && definition.stream?.reopening != .never
    }
    package var outcomes: [OutcomeDefinition] { definition.outcomes }
    package var effect: Effect { definition.effect }
    package var request: RequestKind { definition.request }
    package var method: HTTPMethod? { definition.method }
    package var frame: FrameTarget? { definition.frame }

    /// `nil` if the whole body is the payload.
    package var envelope: String? { definition.settings.envelope?.value }
    package var session: SessionUse { definition.settings.session?.value ?? .optional }
    /// The credentials of which a request carries the first that the app has given; empty if it carries none.
    package var credentials: [CredentialAlternative] { definition.settings.credentials.map(\.value) }
    /// Where the key of a `keyed` endpoint travels; `nil` for the standard header.
    package var keyPlace: IdempotencyKeyDefinition.Place? { definition.idempotencyKey?.place }
    /// How long the server remembers the key of a `keyed` endpoint, in milliseconds; `nil` if the contract does not say.
    package var keyLifetime: Int? { definition.idempotencyKey?.lifetime?.value }
    /// A `nil` member keeps the runtime's value.
    package var timeout: TimeoutDefinition? { definition.settings.timeout?.value }
    /// In milliseconds.
    package var deadline: Int? { definition.settings.deadline?.value }
    package var patience: WaitLimit? { definition.settings.patience?.value }
    package var retry: RetryDefinition? { definition.settings.retry?.value }
    package var delivery: Delivery { definition.delivery?.value ?? .reply }
    /// How an outbox keeps the command; nil for a command that ends with the process.
    package var durable: DurableDefinition? { definition.durable.flatMap { $0.value.isKept ? $0.value : nil } }
    /// Whether equal reads that are under way at the same time share one request.
    package var isShared: Bool { definition.share?.value ?? false }
    /// How responses are cached; nil if they are not.
    package var cache: CacheDefinition? { definition.cache.flatMap { $0.value.isHTTP ? $0.value : nil } }
    package var priority: Priority { definition.settings.priority ?? .normal }
    /// The compression of the body; `nil` for an uncompressed body, or without a body.
    package var compression: CompressionDefinition? { definition.settings.compression }

    package var path: PathTemplate? {
        if case .http(_, let path) = definition.target { return path.value }
        return nil
    }

    /// The inputs outside of the body, which travel as text: path, query, headers, cookies.
    package var textInputs: [FieldDefinition] {
        let inputs = (path?.parameters ?? []) + definition.query + definition.headers
        return inputs + definition.cookies
    }

    /// The app's inputs for one command, in the order of the generated initializer: those outside of the body, and the body's.
    package var inputs: [FieldDefinition] {
        guard case .fields(let fields)? = definition.body?.content else { return textInputs }
        return textInputs + fields
    }
}

/// A session with its endpoints found and its paths checked against their responses.
package struct ResolvedSession: Sendable {
    package var placement: SessionDefinition.Placement
    /// The endpoints of this contract; `nil` if the session is that of another contract, or if there is no session.
    package var login: String?
    package var refresh: String?
    package var logout: String?
    /// The endpoint that presents the token on a new connection, and its input that takes the token.
    package var attach: String?
    package var attachInput: String?
    /// Paths of fields of the login's (and refresh's) response.
    package var token: FieldPath?
    package var expiresIn: FieldPath?
    package var refreshToken: FieldPath?
    /// Who is logged in: a path of these responses, or a claim of the access token.
    package var identity: SessionDefinition.Identity?
    /// The input of the refresh endpoint that takes the refresh token.
    package var refreshInput: String?

    package init(placement: SessionDefinition.Placement) {
        self.placement = placement
    }
}

extension ResolvedSession {
    /// The endpoints that begin, renew, end and present it.
    package var endpoints: [String] { [login, refresh, logout, attach].compactMap { $0 } }

    /// The endpoint that says who is logged in.
    package var identification: String? {
        if case .endpoint(let question)? = identity { question.endpoint.value } else { nil }
    }
}
