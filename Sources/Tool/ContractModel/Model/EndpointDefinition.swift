import Diagnostics

package enum HTTPMethod: String, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, query

    package var effect: Effect {
        switch self {
        case .get, .head, .query: .read
        case .put, .delete: .idempotent
        case .post, .patch: .once
        }
    }

    /// Whether parameters without a place of their own go into the query.
    package var sendsParametersInQuery: Bool { self == .get || self == .head || self == .delete }
}

/// The idempotency key's settings from the long form of `effect: keyed`.
package struct IdempotencyKeyDefinition: Sendable {
    /// Where the key travels.
    package enum Place: Sendable {
        case header(Located<String>)
        /// A field of the body, by its name on the wire.
        case field(Located<String>)
    }

    /// The header that carries the key if the contract names no other place.
    package static let standardHeader = "Idempotency-Key"

    /// `nil` for the standard header.
    package var place: Place?
    /// How long the server remembers a key, in milliseconds.
    package var lifetime: Located<Int>?

    package init(place: Place? = nil, lifetime: Located<Int>? = nil) {
        self.place = place
        self.lifetime = lifetime
    }
}

/// How long one attempt may take, in milliseconds.
package struct TimeoutDefinition: Sendable, Equatable {
    package var any: Int
    /// Over networks that are expensive or constrained; `nil` for ordinary networks.
    package var constrained: Int?

    package init(_ any: Int, constrained: Int? = nil) {
        self.any = any
        self.constrained = constrained
    }
}

/// How long a command may wait for the network, a login or a person.
package enum WaitLimit: Sendable, Equatable {
    /// In milliseconds.
    case upTo(Int)
    case forever
}

/// How the body of a request is compressed.
package enum CompressionDefinition: Sendable, Equatable {
    /// The words of the short form.
    package enum Word: String, Sendable, CaseIterable { case none, gzip }

    /// The content codings.
    package enum Coding: String, Sendable, CaseIterable { case gzip }

    case none
    /// With the size in bytes from which on; `nil` leaves the runtime's.
    case gzip(minimumSize: Int?)
}

/// Where a response states the checksum of its bytes.
package struct ChecksumDefinition: Sendable, Equatable {
    package enum Algorithm: String, Sendable, CaseIterable { case sha256, sha512, sha1, md5 }

    /// How a header of the service's own spells the checksum.
    package enum Encoding: String, Sendable, CaseIterable { case hex, base64 }

    package var algorithm: Algorithm
    /// A header of the service's own, and how it spells the checksum; nil for `Repr-Digest` (RFC 9530).
    package var header: Header?

    package struct Header: Sendable, Equatable {
        package var name: String
        package var encoding: Encoding
    }
}

package enum Delivery: String, Sendable, CaseIterable { case reply, none, stream }

/// How the elements of a streamed response come.
package struct StreamDefinition: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable { case events, lines, frames }

    /// When a stream that has ended is opened again.
    package enum Reopening: String, Sendable, CaseIterable { case never, resume, always }

    package var format = Format.events
    /// The data, the line, or the kind of the frame, after which no element comes.
    package var end: String?
    /// The names of events whose data says what went wrong.
    package var failures: [Located<String>] = []
    /// The member of an element that is the event's name, on the wire.
    package var name: String?
    /// How long the server may be silent, in milliseconds.
    package var idle: Int?
    package var reopening = Reopening.resume
    /// The field of an element that has its place among the elements, and the input that sends the last place back.
    package var position: Located<String>?
    package var resume: Located<String>?
    /// The kind of the frame that ends the elements early.
    package var cancel: Located<String>?

    package init() {}
}

/// How fields are read that do not say it themselves.
package enum Reading: String, Sendable, CaseIterable {
    case strict
    /// A wrong value of an optional is nil, and a wrong list is empty.
    case lenient
}

/// How a field's wire name is made from its name.
package enum WireNaming: String, Sendable, CaseIterable {
    case asWritten
    case snakeCase = "snake_case"
    case camelCase
    case kebabCase = "kebab-case"
    case pascalCase = "PascalCase"
}

/// How an outbox keeps a command (`durable`).
package struct DurableDefinition: Sendable, Equatable {
    /// False for `durable: false`, which holds anyway.
    package var isKept = true
    /// How long after its submission the command may be sent, in milliseconds; nil for the runtime's value.
    package var lifetime: Located<Int>?
    /// The lane whose commands are sent in order; nil for a command that waits for no other.
    package var lane: String?

    package init() {}
}

/// How the responses of a read are cached (`cache`).
package struct CacheDefinition: Sendable, Equatable {
    /// The words of the short form.
    package enum Word: String, Sendable, CaseIterable { case http }

    /// Whether their headers say for how long (RFC 9111). False for `{http: false}`, which holds anyway.
    package var isHTTP: Bool
    /// For how long a stale one is shown without a network, in milliseconds; nil for not at all.
    package var offline: Located<Int>?

    package init(isHTTP: Bool = true) { self.isHTTP = isHTTP }
}

/// What `defaults` says for every endpoint, and an endpoint may say for itself.
package struct EndpointSettings: Sendable {
    @Indirect package var envelope: Located<String>?
    @Indirect package var timeout: Located<TimeoutDefinition>?
    /// In milliseconds.
    @Indirect package var deadline: Located<Int>?
    @Indirect package var patience: Located<WaitLimit>?
    @Indirect package var session: Located<SessionUse>?
    /// The alternatives, of which a request carries the first that the app has given. Empty if nothing is said.
    package var credentials: [Located<CredentialAlternative>] = []
    @Indirect package var retry: Located<RetryDefinition>?
    package var priority: Priority?
    @Indirect package var compression: CompressionDefinition?
    /// How many redirects an attempt follows.
    package var redirects: Int?

    package init() {}

    /// Takes over what it does not say itself.
    mutating func inherit(_ defaults: EndpointSettings) {
        envelope = envelope ?? defaults.envelope
        timeout = timeout ?? defaults.timeout
        deadline = deadline ?? defaults.deadline
        patience = patience ?? defaults.patience
        session = session ?? defaults.session
        if credentials.isEmpty { credentials = defaults.credentials }
        retry = retry ?? defaults.retry
        priority = priority ?? defaults.priority
        compression = compression ?? defaults.compression
        redirects = redirects ?? defaults.redirects
    }
}

/// The section `defaults`.
@dynamicMemberLookup
package struct EndpointDefaults: Sendable {
    package var settings = EndpointSettings()
    package var errors: [Located<String>] = []
    package var naming: WireNaming = .asWritten
    package var reading: Reading = .strict

    package init() {}

    package subscript<Value>(dynamicMember path: WritableKeyPath<EndpointSettings, Value>) -> Value {
        get { settings[keyPath: path] }
        set { settings[keyPath: path] = newValue }
    }
}

/// One entry of `endpoints`, as written.
@dynamicMemberLookup
package struct EndpointDefinition: Sendable {
    package var name: Located<String>
    package var target: Target
    /// The role of the origin that it is sent to; nil for the server's `url`.
    @Indirect package var server: Located<String>?
    /// The group that an app finds it in; nil for none.
    @Indirect package var group: Located<String>?
    package var query: [FieldDefinition] = []
    package var headers: [FieldDefinition] = []
    package var cookies: [FieldDefinition] = []
    @Indirect package var body: BodyDefinition?
    package var response: Located<ResponseDefinition>
    /// The headers of the response that a client reads.
    package var responseHeaders: [FieldDefinition] = []
    /// Whether the contract says what comes back.
    package var hasResponse = false
    /// Where the contract says that the response is a document in XML; nil for JSON.
    @Indirect package var xmlResponse: SourceRange?
    /// The status of a usual success, if the contract says it.
    @Indirect package var status: Located<Int>?
    package var settings = EndpointSettings()
    @Indirect package var declaredEffect: Located<Effect>?
    /// The key's settings in the long form of `effect`, for a `keyed` endpoint.
    @Indirect package var idempotencyKey: IdempotencyKeyDefinition?
    @Indirect package var confirm: ConfirmDefinition?
    package var errors: [Located<String>] = []
    package var outcomes: [OutcomeDefinition] = []
    @Indirect package var delivery: Located<Delivery>?
    /// The settings of a stream.
    @Indirect package var stream: StreamDefinition?
    @Indirect package var durable: Located<DurableDefinition>?
    /// Whether equal reads that are under way at the same time share one request.
    @Indirect package var share: Located<Bool>?
    @Indirect package var cache: Located<CacheDefinition>?
    /// The endpoints whose cached responses may be out of date after the command.
    package var clears: [Located<String>] = []
    package var network: NetworkUse = .any
    @Indirect package var checksum: ChecksumDefinition?
    @Indirect package var pagination: Located<PaginationDefinition>?
    package var examples: [ExampleDefinition] = []
    package var doc: String?
    @Indirect package var deprecated: Deprecation?
    @Indirect package var swiftName: Located<String>?

    /// The destination of the request.
    package enum Target: Sendable {
        case http(HTTPMethod, Located<PathTemplate>)
        /// A frame of the contract's connection.
        case frame(FrameTarget)
    }

    package init(name: Located<String>, target: Target, response: Located<ResponseDefinition>) {
        self.name = name
        self.target = target
        self.response = response
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<EndpointSettings, Value>) -> Value {
        get { settings[keyPath: path] }
        set { settings[keyPath: path] = newValue }
    }

    package var method: HTTPMethod? {
        if case .http(let method, _) = target { return method }
        return nil
    }

    package var frame: FrameTarget? {
        if case .frame(let frame) = target { return frame }
        return nil
    }

    /// What `delivery: stream` means without further keys.
    package var usualStream: StreamDefinition {
        var stream = StreamDefinition()
        if frame != nil { stream.format = .frames }
        return stream
    }

    /// Whether the response consists of its declared headers.
    package var isResponseOfHeaders: Bool {
        if case .none = response.value { !responseHeaders.isEmpty } else { false }
    }

    /// As declared; otherwise the method's, and `once` for a frame.
    package var effect: Effect { declaredEffect?.value ?? method?.effect ?? .once }

    /// What decides whether a request that has failed may have been carried out.
    package var request: RequestKind { RequestKind(effect, method: (method ?? .post).rawValue.uppercased()) }
}

/// A path with its parameters cut out.
package enum PathTemplate: Sendable {
    case path([Part])
    /// The whole URL is a parameter; such a request never carries a session.
    case wholeURL(FieldDefinition)

    package enum Part: Sendable {
        case text(String)
        case parameter(FieldDefinition)
    }

    package var parameters: [FieldDefinition] {
        switch self {
        case .wholeURL(let field): [field]
        case .path(let parts):
            parts.compactMap { if case .parameter(let field) = $0 { field } else { nil } }
        }
    }

    /// The path without the names and types of its parameters.
    package var shape: String {
        switch self {
        case .wholeURL: "/{}"
        case .path(let parts): parts.map { if case .text(let text) = $0 { text } else { "{}" } }.joined()
        }
    }
}

/// The content of a request.
package struct BodyDefinition: Sendable {
    package enum Encoding: String, Sendable, CaseIterable { case json, xml, form, multipart, bytes }

    package enum Content: Sendable {
        case fields([FieldDefinition])
        case type(TypeReference, SourceRange)
        /// Raw bytes with their media type.
        case bytes(contentType: String)
    }

    /// How a multipart body carries lists, maps and structures.
    package enum Nesting: String, Sendable, CaseIterable { case json, brackets }

    package var encoding: Encoding
    package var content: Content
    package var nesting = Nesting.json
    /// The media type of the JSON or the XML; nil for `application/json` or `application/xml`.
    package var contentType: String?
    /// The name of the element that a document in XML is.
    package var element: Located<String>?
    package var range: SourceRange

    package init(encoding: Encoding, content: Content, range: SourceRange) {
        self.encoding = encoding
        self.content = content
        self.range = range
    }

    /// Whether the body is one document, in which values can be nested.
    package var isDocument: Bool { encoding == .json || encoding == .xml }

    /// Whether documents of a media type are XML (RFC 7303 section 4).
    package static func isXML(mediaType: String) -> Bool {
        let type = mediaType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type == "application/xml" || type == "text/xml" || type.hasSuffix("+xml") && type.contains("/")
    }

    /// Whether documents of a media type are JSON (RFC 6839 section 3.1).
    package static func isJSON(mediaType: String) -> Bool {
        let type = mediaType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type == "application/json" || type.hasSuffix("+json") && type.contains("/")
    }
}

/// The response of an endpoint.
package enum ResponseDefinition: Sendable {
    case none
    /// The body as it is.
    case bytes
    case type(TypeReference, skipsInvalid: Bool, acceptsSingle: Bool)
    case fields([FieldDefinition])
}

/// The read that settles an `unconfirmed` command.
package struct ConfirmDefinition: Sendable {
    package var endpoint: Located<String>
    /// Input of that endpoint → what of the command fills it: one of its inputs, or `idempotencyKey`.
    package var arguments: [(name: Located<String>, value: Located<String>)]
    /// The outcome for a response that finds something.
    package var found: Located<String>?

    package init(
        endpoint: Located<String>, arguments: [(name: Located<String>, value: Located<String>)], found: Located<String>?
    ) {
        self.endpoint = endpoint
        self.arguments = arguments
        self.found = found
    }
}
