import ContractModel
import Diagnostics

/// The parts that belong to the whole service: servers, common parameters, the session, and the extensions at the
/// document's root.
struct ServiceExport {
    typealias Pairs = OpenAPIExport.Pairs

    static let sessionName = "session"
    private let contract: ResolvedContract
    private let schemas: SchemaExport

    init(_ contract: ResolvedContract) {
        self.contract = contract
        schemas = SchemaExport(contract)
    }

    // MARK: Servers

    /// A server; with a role, the origin that it has for the role.
    func server(_ server: ServerDefinition, _ role: String? = nil) -> ReportValue {
        var url = ""
        var variables: Pairs = []
        for part in role.map({ server.url(of: $0) ?? [] }) ?? server.url {
            switch part {
            case .text(let text): url += text
            case .variable(let name, let value):
                url += "{\(name)}"
                variables.append((name, .object([("default", .text(value))])))
            }
        }
        var pairs: Pairs = [("url", .text(url)), ("x-errand-name", .text(server.name.value))]
        if !variables.isEmpty { pairs.append(("variables", .object(variables))) }
        if role == nil, !server.roles.isEmpty {
            let roles = server.roles.map { ($0.name.value, ReportValue.text($0.url.spelling)) }
            pairs.append(("x-errand-roles", .object(roles)))
        }
        return .object(pairs)
    }

    // MARK: Common parameters

    /// Those that have a place of their own, as components.
    var commonParameters: Pairs {
        contract.common.query.map { ($0.field.name.value, parameter($0, in: "query")) }
            + contract.common.headers.map { ($0.field.name.value, parameter($0, in: "header")) }
            + contract.common.parameters.map { ($0.field.name.value, parameter($0, in: "query", moves: true)) }
    }

    /// References to the common parameters of an operation.
    func commonParameters(of endpoint: ResolvedEndpoint) -> [ReportValue] {
        guard sendsCommon(endpoint) else { return [] }
        let moving = Self.hasParametersInBody(endpoint) ? [] : contract.common.parameters
        return (contract.common.query + contract.common.headers + moving).map {
            .object([("$ref", .text("#/components/parameters/\($0.field.name.value)"))])
        }
    }

    /// The common parameters that are in the body of a request. A body of one type or of bytes cannot hold them.
    func commonFields(of endpoint: ResolvedEndpoint) -> [CommonParameter] {
        sendsCommon(endpoint) && Self.hasParametersInBody(endpoint) ? contract.common.parameters : []
    }

    private func sendsCommon(_ endpoint: ResolvedEndpoint) -> Bool {
        endpoint.server.flatMap { contract.role(named: $0.value) }?.sends(.common) ?? true
    }

    private static func hasParametersInBody(_ endpoint: ResolvedEndpoint) -> Bool {
        guard case .fields? = endpoint.body?.content else { return false }
        return endpoint.method?.sendsParametersInQuery == false
    }

    /// The schema of a common parameter. A constant is its only value.
    func schema(of parameter: CommonParameter) -> ReportValue {
        let schema = schemas.schema(of: parameter.field)
        guard case .constant(let text) = parameter.source else { return schema }
        return .object(schema.pairs + [("const", constant(text, parameter.field.type))])
    }

    private func parameter(_ parameter: CommonParameter, in place: String, moves: Bool = false) -> ReportValue {
        let source: ReportValue =
            switch parameter.source {
            case .app: .text("app")
            case .constant(let text): .object([("const", .text(text))])
            case .each(let generated): .object([("each", .text(generated.rawValue))])
            }
        var pairs: Pairs = [
            ("name", .text(parameter.field.wireName)), ("in", .text(place)),
            ("required", .flag(parameter.field.isRequired)), ("schema", schema(of: parameter)),
            ("x-errand-common", source),
        ]
        if moves { pairs.append(("x-errand-place", .text("parameters"))) }
        return .object(pairs)
    }

    /// The constant as a value of its type.
    private func constant(_ text: String, _ type: TypeReference) -> ReportValue {
        let primitive = contract.expanded(type.unwrapped).type.primitive
        if primitive == .bool, text == "true" || text == "false" { return .flag(text == "true") }
        return primitive?.isNumber == true ? .numeral(text) : .text(text)
    }

    // MARK: Session

    var securityScheme: ReportValue? {
        guard let session = contract.session else { return nil }
        var pairs: Pairs =
            switch session.placement {
            case .header("Authorization", "Bearer ", ""): [("type", .text("http")), ("scheme", .text("bearer"))]
            case .header(let name, let prefix, let suffix):
                [("type", .text("apiKey")), ("in", .text("header")), ("name", .text(name))]
                    + (prefix.isEmpty && suffix.isEmpty
                        ? [] : [("x-errand-format", .text("\(prefix){token}\(suffix)"))])
            case .parameter(let name):
                [
                    ("type", .text("apiKey")), ("in", .text("query")), ("name", .text(name)),
                    ("x-errand-place", .text("parameters")),
                ]
            case .attached:
                [
                    ("type", .text("http")), ("scheme", .text("bearer")),
                    ("description", .text("A command presents the token on each new connection.")),
                ]
            }
        let details = SessionKeys.mapping.extensions(of: SessionKeys(session, at: contract.service.range))
        if !details.isEmpty { pairs.append(("x-errand-session", .object(details))) }
        return .object(pairs)
    }

    // MARK: Credentials

    /// The schemes of the session and of the credentials, by name.
    var securitySchemes: Pairs {
        (securityScheme.map { [(Self.sessionName, $0)] } ?? [])
            + contract.credentials.map { ($0.name.value, Self.scheme(of: $0.placement)) }
    }

    private static func scheme(of placement: CredentialDefinition.Placement) -> ReportValue {
        var pairs: Pairs
        switch placement {
        case .bearer: pairs = [("type", .text("http")), ("scheme", .text("bearer"))]
        case .basic: pairs = [("type", .text("http")), ("scheme", .text("basic"))]
        case .header(let name, let prefix, let suffix):
            pairs = [("type", .text("apiKey")), ("in", .text("header")), ("name", .text(name))]
            if !prefix.isEmpty || !suffix.isEmpty {
                pairs.append(("x-errand-format", .text("\(prefix){token}\(suffix)")))
            }
        case .query(let name): pairs = [("type", .text("apiKey")), ("in", .text("query")), ("name", .text(name))]
        case .cookie(let name): pairs = [("type", .text("apiKey")), ("in", .text("cookie")), ("name", .text(name))]
        }
        return .object(pairs + [("x-errand-credential", .flag(true))])
    }

    // MARK: Extensions

    /// The parts of a contract without a keyword of OpenAPI.
    var extensions: Pairs {
        var pairs: Pairs = [("x-errand-contract", .number(1))]
        // The servers have the roles that say nothing.
        let roles = contract.roles.filter { !$0.sends.isEmpty || contract.servers.isEmpty }
        if !roles.isEmpty {
            pairs.append(("x-errand-roles", .object(roles.map { ($0.name.value, ServiceKeys.role.json(of: $0)) })))
        }
        let errors = ErrorExport(contract)
        if !contract.errors.isEmpty || !contract.redeclared.isEmpty {
            let all = contract.errors + contract.redeclared
            pairs.append(("x-errand-errors", .object(all.map { ($0.name.value, errors.definition(of: $0)) })))
        }
        let shared = contract.sharedErrors.filter { contract.error(named: $0) != nil }
        if !shared.isEmpty {
            pairs.append(("x-errand-defaults", .object([("errors", .list(shared.map { .text($0) }))])))
        }
        if !contract.envelopes.isEmpty {
            pairs.append(
                (
                    "x-errand-envelopes",
                    .object(contract.envelopes.map { ($0.name.value, ServiceKeys.envelope.json(of: $0)) })
                ))
        }
        if let signing = contract.signing {
            pairs.append(("x-errand-signing", SigningKeys.mapping.json(of: signing)))
        }
        if !contract.trust.isEmpty {
            pairs.append(
                ("x-errand-trust", .object(contract.trust.map { ($0.server.value, ServiceKeys.trust.json(of: $0)) })))
        }
        if !contract.gateways.isEmpty {
            pairs.append(
                (
                    "x-errand-gateways",
                    .object(contract.gateways.map { ($0.server.value, ServiceKeys.gateway.json(of: $0)) })
                ))
        }
        if let limit = contract.rateLimit {
            pairs.append(("x-errand-rate-limit", ServiceKeys.rateLimit.json(of: limit)))
        }
        if let connection = contract.connection {
            pairs.append(("x-errand-connection", ConnectionKeys.connection.json(of: connection)))
        }
        if !contract.events.isEmpty {
            pairs.append(
                ("x-errand-events", .object(contract.events.map { ($0.name.value, errors.definition(of: $0)) })))
        }
        return pairs
    }
}
