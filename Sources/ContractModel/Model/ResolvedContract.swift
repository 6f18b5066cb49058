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
    package var common: CommonParameters
    package var session: ResolvedSession?
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
    /// The files that it was read from, its own first.
    package var sources: [String]

    private var typeIndex: [String: Int]
    private var errorIndex: [String: Int]
    private var envelopeIndex: [String: Int]
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
        typeIndex = Dictionary(types.enumerated().map { ($1.name.value, $0) }, uniquingKeysWith: { first, _ in first })
        errorIndex = Dictionary(
            errors.enumerated().map { ($1.name.value, $0) }, uniquingKeysWith: { first, _ in first })
        envelopeIndex = Dictionary(
            envelopes.enumerated().map { ($1.name.value, $0) }, uniquingKeysWith: { first, _ in first })
        aliases = AliasExpansion(types)
    }

    package func type(named name: String) -> TypeDefinition? { typeIndex[name].map { types[$0] } }

    package func error(named name: String) -> ErrorDefinition? { errorIndex[name].map { errors[$0] } }

    package func envelope(named name: String) -> EnvelopeDefinition? { envelopeIndex[name].map { envelopes[$0] } }

    /// The type with all aliases resolved, and the constraints that they add.
    package func expanded(_ type: TypeReference) -> (type: TypeReference, constraints: [Constraints]) {
        (aliases.target(of: type) ?? type, aliases.constraints(of: type))
    }
}

/// An endpoint with everything that `defaults` and the method say merged in.
package struct ResolvedEndpoint: Sendable {
    package var name: Located<String>
    package var target: EndpointDefinition.Target
    package var query: [FieldDefinition]
    package var headers: [FieldDefinition]
    @Indirect package var body: BodyDefinition?
    package var response: Located<ResponseDefinition>
    /// `nil` if the whole body is the payload.
    package var envelope: String?
    package var session: SessionNeed
    package var effect: Effect
    /// Where the key of a `keyed` endpoint travels; `nil` for the standard header.
    @Indirect package var keyPlace: IdempotencyKeyDefinition.Place?
    /// How long the server remembers the key of a `keyed` endpoint, in milliseconds; `nil` if the contract does not say.
    package var keyLifetime: Int?
    @Indirect package var confirm: ConfirmDefinition?
    /// A `nil` member keeps the runtime's value.
    package var timeout: TimeoutDefinition?
    /// In milliseconds.
    package var deadline: Int?
    package var patience: Patience?
    @Indirect package var retry: RetryDefinition?
    /// The declared errors that it can fail with, the defaults' last.
    package var errors: [String]
    /// Whether it declares an error of its own, beyond the defaults.
    package var declaresOwnErrors: Bool
    /// Endpoints with the same number have the same table; nil if the endpoint has outcomes, or an unknown error.
    package var sharedTable: Int?
    package var outcomes: [OutcomeDefinition]
    package var delivery: Delivery
    /// How elements come, with `delivery: stream`.
    @Indirect package var stream: StreamDefinition?
    package var isDurable: Bool
    package var priority: Priority
    package var network: NetworkNeed
    /// The compression of the body; `nil` for an uncompressed body, or without a body.
    @Indirect package var compression: CompressionDefinition?
    /// Where the response states the checksum of its bytes; `nil` if it doesn't have to.
    @Indirect package var checksum: ChecksumDefinition?
    @Indirect package var pagination: Located<PaginationDefinition>?
    package var examples: [ExampleDefinition]
    package var doc: String?
    @Indirect package var deprecated: Deprecation?
    @Indirect package var swiftName: Located<String>?
    package var table: DecisionTable

    package init(_ definition: EndpointDefinition, errors: [String], declaresOwnErrors: Bool, table: DecisionTable) {
        name = definition.name
        target = definition.target
        query = definition.query
        headers = definition.headers
        body = definition.body
        response = definition.response
        envelope = definition.envelope?.value
        session = definition.session?.value ?? .optional
        confirm = definition.confirm
        timeout = definition.timeout?.value
        deadline = definition.deadline?.value
        patience = definition.patience?.value
        retry = definition.retry?.value
        outcomes = definition.outcomes
        delivery = definition.delivery?.value ?? .reply
        stream = delivery == .stream ? definition.stream ?? StreamDefinition() : nil
        isDurable = definition.durable?.value ?? false
        priority = definition.priority ?? .normal
        network = definition.network
        let isSentAsItIs = definition.body == nil || definition.compression == CompressionDefinition.none
        compression = isSentAsItIs ? nil : definition.compression
        checksum = definition.checksum
        pagination = definition.pagination
        examples = definition.examples
        doc = definition.doc
        deprecated = definition.deprecated
        swiftName = definition.swiftName
        effect = definition.effect
        keyPlace = definition.idempotencyKey?.place
        keyLifetime = definition.idempotencyKey?.lifetime?.value
        self.errors = errors
        self.declaresOwnErrors = declaresOwnErrors
        self.table = table
    }

    package var method: HTTPMethod? {
        if case .http(let method, _) = target { return method }
        return nil
    }

    package var path: PathTemplate? {
        if case .http(_, let path) = target { return path.value }
        return nil
    }
}

/// A session with its endpoints found and its paths checked against their responses.
package struct ResolvedSession: Sendable {
    package var placement: SessionDefinition.Placement
    /// The endpoints of this contract; `nil` if the session is that of another contract, or if there is no session.
    package var login: String?
    package var refresh: String?
    package var logout: String?
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
