import Diagnostics

/// One contract file, decoded but not yet resolved: names may point nowhere, defaults are not merged in.
///
/// Architecture invariant: only `Resolve/` reads this; every later stage takes a ``ResolvedContract``.
package struct Contract: Sendable {
    /// The path of the file as shown to the reader.
    package var file: String
    /// The service's name, which is also the Swift name of the client: `Bank`.
    package var service: Located<String>
    /// The version's text exactly as written: `1.10` is not `1.1`.
    package var version: Located<String>?
    package var stability: Stability = .stable
    package var doc: String?
    /// Relative paths of other contracts whose types, errors and envelopes are used here.
    package var imports: [Located<String>] = []
    /// The places where the service runs; the first is the default.
    package var servers: [ServerDefinition] = []
    /// The public keys that servers may have.
    package var trust: [TrustDefinition] = []
    /// The programs that pass requests on to servers.
    package var gateways: [GatewayDefinition] = []
    /// What requests to the other origins of a server have in common with those to its `url`.
    package var roles: [ServerRoleDefinition] = []
    package var common = CommonParameters()
    package var connection: ConnectionDefinition?
    package var session: SessionDefinition?
    /// What the app gives once, and some requests carry.
    package var credentials: [CredentialDefinition] = []
    package var signing: SigningDefinition?
    package var rateLimit: RateLimitDefinition?
    package var envelopes: [EnvelopeDefinition] = []
    package var errors: [ErrorDefinition] = []
    package var types: [TypeDefinition] = []
    /// What an app finds under one property of the client.
    package var groups: [GroupDefinition] = []
    package var defaults = EndpointDefaults()
    package var endpoints: [EndpointDefinition] = []
    package var events: [EventDefinition] = []
    /// The names of definitions that are there and could not be read: a reference to one is not at fault.
    package var unreadableNames: Set<String> = []

    package init(file: String, service: Located<String>) {
        self.file = file
        self.service = service
    }
}

/// The promises that a version of the contract may still break.
package enum Stability: String, Sendable, CaseIterable {
    case draft, beta, stable
}

/// One place where the service runs.
package struct ServerDefinition: Sendable {
    package var name: Located<String>
    /// The base URL, cut into fixed text and variables.
    package var url: [Part]
    /// The base URLs of the endpoints with a `server`, by its name.
    package var roles: [(name: Located<String>, url: [Part])] = []

    package enum Part: Sendable, Equatable {
        case text(String)
        /// `{port=8080}`: filled in by the app, with a default.
        case variable(name: String, default: String)
    }

    package init(name: Located<String>, url: [Part]) {
        self.name = name
        self.url = url
    }

    /// All of its base URLs, that of `url` first.
    package var urls: [[Part]] { [url] + roles.map(\.url) }

    /// The base URL of a role; nil for a role that the server does not have.
    package func url(of role: String) -> [Part]? { roles.first { $0.name.value == role }?.url }
}

/// One entry of `roles`: an origin that each server has beside its `url`, and that some endpoints are sent to.
package struct ServerRoleDefinition: Sendable {
    /// The parts of a request that belong to the service, and that another origin gets only if the contract says so.
    package enum Content: String, Sendable, CaseIterable { case session, common, credentials, signature }

    package var name: Located<String>
    package var sends: [Located<Content>]

    package init(name: Located<String>, sends: [Located<Content>] = []) {
        self.name = name
        self.sends = sends
    }

    package func sends(_ content: Content) -> Bool { sends.contains { $0.value == content } }
}

extension [ServerDefinition.Part] {
    /// The text that was cut, with the variables in braces.
    package var text: String { joined { name, _ in "{\(name)}" } }

    /// The URL as a contract has it.
    package var spelling: String { joined { name, value in "{\(name)=\(value)}" } }

    /// Whether it is a URL with TLS.
    package var isSecure: Bool { filled.hasPrefix("https://") || filled.hasPrefix("wss://") }

    /// The URL with the defaults of its variables.
    package var filled: String { joined { _, value in value } }

    private func joined(_ variable: (_ name: String, _ value: String) -> String) -> String {
        map { part in
            switch part {
            case .text(let text): text
            case .variable(let name, let value): variable(name, value)
            }
        }.joined()
    }

    /// Whether it is a URL of WebSocket.
    package var isWebSocket: Bool {
        let text = filled
        return text.hasPrefix("ws://") || text.hasPrefix("wss://")
    }
}

/// The parameters of every request of the service.
package struct CommonParameters: Sendable {
    package var query: [CommonParameter] = []
    package var headers: [CommonParameter] = []
    /// Placed in the query for GET, HEAD and DELETE, in the body otherwise.
    package var parameters: [CommonParameter] = []

    package init() {}

    package var all: [CommonParameter] { query + headers + parameters }
}

/// One value that is sent with every request.
package struct CommonParameter: Sendable {
    package enum Source: Sendable, Equatable {
        /// The app supplies it once, when it makes the client.
        case app
        /// Always this text.
        case constant(String)
        /// Made anew for each request.
        case each(Generated)
    }

    package enum Generated: String, Sendable, CaseIterable {
        /// The current time; the field's type says in which form, RFC 3339 by default.
        case timestamp
        /// A random UUID.
        case uuid

        /// Whether a value of it can be sent as the type.
        func fits(_ type: TypeReference) -> Bool {
            switch (self, type) {
            case (.timestamp, .primitive(.timestamp)), (.timestamp, .primitive(.timestampUnix)),
                (.timestamp, .primitive(.timestampMilliseconds)), (.uuid, .primitive(.uuid)):
                true
            default: false
            }
        }
    }

    package var field: FieldDefinition
    package var source: Source

    package init(field: FieldDefinition, source: Source) {
        self.field = field
        self.source = source
    }
}
