import ContractModel
import Diagnostics

/// Reads the parts of an exported document that belong to the whole service.
struct ExportedService {
    let root: Element
    let types: ExportedTypes
    let findings: ImportFindings

    /// Reads everything but errors, types and endpoints.
    func read(into contract: inout Contract, _ reader: inout ExtensionReader) {
        let info = root["info"]
        contract.version = info?.text("version").map { Located($0, at: root.range) }
        contract.doc = info?.text("description")
        if let word = info?.text("x-errand-stability") { contract.stability = Stability(rawValue: word) ?? .stable }
        contract.servers = servers
        contract.roles = root["x-errand-roles"].flatMap { reader.roles($0.node) } ?? []
        addCommon(to: &contract.common)
        contract.session = session(&reader)
        contract.credentials = credentials
        contract.groups = (root["tags"]?.items ?? []).map { tag in
            GroupDefinition(
                name: Located(tag.text("name") ?? "", at: tag.range), doc: tag.text("description") ?? "")
        }
        contract.signing = root["x-errand-signing"].flatMap { reader.signing($0.node) }
        contract.connection = root["x-errand-connection"].flatMap { reader.connection($0.node) }
        contract.trust = root["x-errand-trust"].flatMap { reader.trust($0.node) } ?? []
        contract.gateways = root["x-errand-gateways"].flatMap { reader.gateways($0.node) } ?? []
        contract.rateLimit = root["x-errand-rate-limit"].flatMap { reader.rateLimit($0.node) }
        contract.envelopes = (root["x-errand-envelopes"]?.entries ?? []).compactMap {
            reader.envelope($0.name, $0.value.node)
        }
    }

    private var servers: [ServerDefinition] {
        (root["servers"]?.items ?? []).enumerated().compactMap { position, server in
            guard var url = server.text("url") else { return nil }
            for (name, variable) in server["variables"]?.entries ?? [] {
                url = url.replacing("{\(name)}", with: "{\(name)=\(variable.text("default") ?? "")}")
            }
            let name = server.text("x-errand-name") ?? "server\(position + 1)"
            var definition = ServerDefinition(
                name: Located(name, at: server.range), url: ServerDefinition.parts(of: url))
            definition.roles = (server["x-errand-roles"]?.entries ?? []).map { name, url in
                (Located(name, at: url.range), ServerDefinition.parts(of: url.text ?? ""))
            }
            return definition
        }
    }

    private func addCommon(to common: inout CommonParameters) {
        for (name, parameter) in root["components"]?["parameters"]?.entries ?? [] {
            guard let source = parameter["x-errand-common"], let wire = parameter.text("name"),
                let schema = parameter["schema"]
            else {
                findings.add(
                    .openAPIParameterLost, "the parameter `\(name)` is not part of every request",
                    at: parameter, help: "write it at the operations that have it")
                continue
            }
            if let constant = schema["const"], constant.text != source.text("const") {
                findings.add(
                    .openAPISchemaLost, "`x-errand-common` says the constant of `\(name)`", at: constant,
                    help: "write it there too: `const`")
            }
            let isHeader = parameter.text("in") == "header" && parameter["x-errand-place"] == nil
            let each = source.text("each").flatMap(CommonParameter.Generated.init(rawValue:))
            let all = CommonParameter(
                field: types.field(wire, schema, isHeader: isHeader),
                source: each.map { .each($0) } ?? source.text("const").map { .constant($0) } ?? .app)
            if parameter["x-errand-place"] != nil {
                common.parameters.append(all)
            } else if isHeader {
                common.headers.append(all)
            } else {
                common.query.append(all)
            }
        }
    }

    private var credentials: [CredentialDefinition] {
        (root["components"]?["securitySchemes"]?.entries ?? []).compactMap { name, scheme in
            guard scheme.flag("x-errand-credential") else { return nil }
            let wire = scheme.text("name") ?? ""
            let placement: CredentialDefinition.Placement
            switch (scheme.text("type"), scheme.text("in")) {
            case ("apiKey", "header"):
                let (prefix, suffix) = Self.ends(of: scheme)
                placement = .header(name: wire, prefix: prefix, suffix: suffix)
            case ("apiKey", "query"): placement = .query(wire)
            case ("apiKey", "cookie"): placement = .cookie(wire)
            case ("http", _) where scheme.text("scheme") == "basic": placement = .basic
            default: placement = .bearer
            }
            return CredentialDefinition(name: Located(name, at: scheme.range), placement: placement)
        }
    }

    private func session(_ reader: inout ExtensionReader) -> SessionDefinition? {
        let schemes = (root["components"]?["securitySchemes"]?.entries ?? []).filter {
            !$0.value.flag("x-errand-credential")
        }
        for (name, scheme) in schemes.dropFirst() {
            findings.add(
                .openAPISecurityLost, "the security scheme `\(name)` is left out, because a contract has one session",
                at: scheme)
        }
        guard let scheme = schemes.first?.value else { return nil }
        let name = scheme.text("name") ?? ""
        let placement: SessionDefinition.Placement
        switch (scheme.text("type"), scheme.text("in")) {
        case ("apiKey", "header"):
            let (prefix, suffix) = Self.ends(of: scheme)
            placement = .header(name: name, prefix: prefix, suffix: suffix)
        case ("apiKey", "query"): placement = .parameter(name)
        default: placement = .header(name: "Authorization", prefix: "Bearer ", suffix: "")
        }
        return reader.session(scheme["x-errand-session"]?.node, placement: Located(placement, at: scheme.range))
    }

    /// The texts before and after the token in a header's value.
    private static func ends(of scheme: Element) -> (prefix: String, suffix: String) {
        let ends = (scheme.text("x-errand-format") ?? "{token}").split(
            separator: "{token}", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(ends[0]), ends.count > 1 ? String(ends[1]) : "")
    }
}

/// Reads errors and outcomes of an exported document.
struct ExportedErrors {
    let types: ExportedTypes

    /// The errors that every endpoint has.
    var shared: [String] { types.root["x-errand-defaults"]?["errors"]?.items.compactMap(\.text) ?? [] }

    /// The errors; with `isPart`, those that the endpoints have.
    func all(of endpoints: [ExportedEndpoint], isPart: Bool, _ reader: inout ExtensionReader) -> [ErrorDefinition] {
        let used = Set(endpoints.flatMap(\.errors) + shared)
        var errors: [ErrorDefinition] = []
        for (name, element) in types.root["x-errand-errors"]?.entries ?? []
        where !isPart || used.contains(name) || element["when"] == nil {
            types.owner = .error(name)
            var error = ErrorDefinition(
                name: Located(name, at: element.range), category: Located(.nonRetryable, at: element.range))
            reader.read(element.node, as: ErrorKeys.error, others: Self.others, into: &error)
            error.conditions = element["when"].map { reader.conditions($0.node) } ?? []
            error.data = element["data"].map(data)
            error.deprecated = ExportedTypes.Description(element).deprecated
            errors.append(error)
        }
        return errors
    }

    var events: [(name: String, value: Element)] { types.root["x-errand-events"]?.entries ?? [] }

    func event(_ name: String, _ element: Element, _ reader: inout ExtensionReader) -> EventDefinition {
        types.owner = .event(name)
        let place = Located(name, at: element.range)
        var event = EventDefinition(name: place, frame: place)
        reader.read(element.node, as: ConnectionKeys.event, others: ["data"], into: &event)
        event.data = element["data"].map(data)
        return event
    }

    func outcome(_ name: String, _ element: Element, _ reader: inout ExtensionReader) -> OutcomeDefinition {
        let conditions = element["when"].map { reader.conditions($0.node) } ?? []
        var outcome = OutcomeDefinition(name: Located(name, at: element.range), conditions: conditions)
        reader.read(element.node, as: ErrorKeys.outcome, others: Self.others, into: &outcome)
        outcome.data = element["data"].map(data)
        return outcome
    }

    private static let others = Set(["when", "data"]).union(
        ExportedTypes.Description.keys)

    private func data(_ schema: Element) -> ErrorData {
        types.payloadFields(of: schema).map { .fields($0) } ?? .type(types.type(of: schema), schema.range)
    }
}
