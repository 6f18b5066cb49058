import Diagnostics
import YAMLTree

// The parts of a contract as YAML has them. The keys of endpoints, errors and settings print themselves (`LanguageKey.write`).

typealias PrintedPairs = [(key: String, value: PrintedNode)]

extension Contract {
    /// The sections of the contract, in their usual order.
    var printed: PrintedPairs {
        let parts = PrintedParts(types)
        var pairs: PrintedPairs = [("errand", .plain("1")), ("service", .text(service.value))]
        if let version { pairs.append(("version", .text(version.value))) }
        if stability != .stable { pairs.append(("stability", .text(stability.rawValue))) }
        if let doc { pairs.append(("doc", .text(doc))) }
        if !imports.isEmpty { pairs.append(("imports", .list(imports.map { .text($0.value) }))) }
        func section(_ key: String, _ entries: PrintedPairs) {
            if !entries.isEmpty { pairs.append((key, .mapping(entries))) }
        }
        section("servers", servers.map { ($0.name.value, .text($0.url.template)) })
        section(
            "common",
            [("query", common.query), ("headers", common.headers), ("parameters", common.parameters)].compactMap {
                key, fields in
                fields.isEmpty ? nil : (key, .mapping(fields.map { ($0.field.name.value, parts.common($0)) }))
            })
        if let session { section("session", printedPairs(SessionKeys.mapping.pairs(of: SessionKeys(session)))) }
        if let signing { section("signing", printedPairs(SigningKeys.mapping.pairs(of: signing))) }
        if let rateLimit { section("rateLimit", printedPairs(ServiceKeys.rateLimit.pairs(of: rateLimit))) }
        section("envelopes", envelopes.map { ($0.name.value, .mapping(printedPairs(ServiceKeys.envelope.pairs(of: $0)))) })
        section("errors", errors.map { ($0.name.value, .mapping(parts.error($0))) })
        section("defaults", printedPairs(SettingsKeys.defaults.pairs(of: defaults)))
        section("types", types.filter { $0.inline == nil }.map { ($0.name.value, .mapping(parts.type($0))) })
        pairs.append(("endpoints", .mapping(endpoints.map { ($0.name.value, .mapping(parts.endpoint($0))) })))
        return pairs
    }
}

private func printedPairs(_ pairs: [(key: String, value: ReportValue)]) -> PrintedPairs {
    pairs.map { ($0.key, PrintedNode($0.value)) }
}

extension [ServerDefinition.Part] {
    /// The base URL as a contract has it.
    fileprivate var template: String {
        map { part in
            switch part {
            case .text(let text): text
            case .variable(let name, let value): "{\(name)=\(value)}"
            }
        }.joined()
    }
}

/// The parts that name types, some of which are the inside of a field.
private struct PrintedParts {
    private let inline: [String: [FieldDefinition]]

    init(_ types: [TypeDefinition]) {
        let inside = types.filter { $0.inline != nil }.compactMap { type -> (String, [FieldDefinition])? in
            guard case .structure(let fields) = type.form else { return nil }
            return (type.name.value, fields)
        }
        inline = Dictionary(inside) { first, _ in first }
    }

    // MARK: Types

    /// A type in its place, with the fields of the structure inside of it.
    private func spelled(_ type: TypeReference) -> (text: String, fields: [FieldDefinition]?) {
        guard !inline.isEmpty, let name = type.names.first?.value, let fields = inline[name] else {
            return (type.spelling, nil)
        }
        return (type.replacing(name, by: "fields").spelling, fields)
    }

    private func value(_ type: TypeReference) -> PrintedNode { .type(type.spelling) }

    func type(_ type: TypeDefinition) -> PrintedPairs {
        var pairs: PrintedPairs = []
        if let doc = type.doc { pairs.append(("doc", .text(doc))) }
        if let deprecated = type.deprecated { pairs.append(("deprecated", PrintedNode(Codec<Deprecation>.deprecation.write(deprecated)))) }
        if let name = type.swiftName { pairs.append(("swift", .text(name.value))) }
        switch type.form {
        case .structure(let fields):
            let marks: Set<String> = ["fields", "enum", "union", "alias", "doc", "deprecated", "swift"]
            let isLong = !pairs.isEmpty || fields.isEmpty || fields.contains { marks.contains($0.name.value) }
            if isLong { pairs.append(("fields", self.fields(fields))) } else { pairs = entries(fields) }
        case .enumeration(let definition):
            pairs.append(("enum", enumeration(definition)))
            if definition.isClosed { pairs.append(("closed", .plain("true"))) }
        case .union(let union):
            let cases = PrintedNode.mapping(union.cases.map { ($0.name.value, value($0.type)) })
            let keys: PrintedPairs =
                union.discriminator.map { [("by", .text($0.value)), ("cases", cases)] } ?? [("keys", cases)]
            pairs.append(("union", .mapping(keys)))
        case .alias(let target, let constraints): pairs += [("alias", value(target))] + self.constraints(constraints)
        }
        return pairs
    }

    private func enumeration(_ definition: EnumDefinition) -> PrintedNode {
        let isNumeric = definition.wireKind == .int
        if !isNumeric, definition.cases.allSatisfy({ $0.name == $0.wireValue }) {
            return .list(definition.cases.map { .exact($0.wireValue.value) })
        }
        return .mapping(
            definition.cases.map {
                ($0.name.value, isNumeric ? .plain($0.wireValue.value) : .exact($0.wireValue.value))
            })
    }

    // MARK: Fields

    private func fields(_ fields: [FieldDefinition]) -> PrintedNode { .mapping(entries(fields)) }

    private func entries(_ fields: [FieldDefinition]) -> PrintedPairs { fields.map { ($0.name.value, field($0)) } }

    private func field(_ field: FieldDefinition) -> PrintedNode {
        let (type, inner) = spelled(field.type)
        guard field.hasOptions || inner != nil else { return .type(type) }
        let options = options(field)
        if inner == nil, options.isEmpty { return .type(type) }
        if inner == nil, options.count == 1, let short = short(field.defaultValue), !type.hasPrefix("[") {
            return .text("\(type) = \(short)")
        }
        var pairs: PrintedPairs = inner != nil && type == "fields" ? [] : [("type", .type(type))]
        if let inner { pairs.append(("fields", fields(inner))) }
        return .mapping(pairs + options)
    }

    /// A default that can be written after `=`.
    private func short(_ value: Located<DefaultValue>?) -> String? {
        guard case .text(let text, let isQuoted)? = value?.value else { return nil }
        let isWord =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || [0x2D, 0x2E, 0x5F].contains(byte)
            }
        return isWord && (!isQuoted || YAMLText.value(text) == text) ? text : nil
    }

    /// The keys of a field's long form beside its type.
    private func options(_ field: FieldDefinition) -> PrintedPairs {
        guard let options = field.options else { return [] }
        var pairs: PrintedPairs = []
        func add(_ key: String, _ value: PrintedNode?) { if let value { pairs.append((key, value)) } }
        add("wire", options.declaredWireName.map { .text($0.value) })
        add("default", options.defaultValue.map { defaultValue($0.value) })
        pairs += constraints(options.constraints)
        for (key, isSet) in [
            ("coerce", options.coerces), ("skipInvalid", options.skipsInvalid), ("single", options.acceptsSingle),
        ] where isSet {
            add(key, .plain("true"))
        }
        add("nullable", options.nullable.map { .text($0.rawValue) })
        if options.isSensitive { add("sensitive", .plain("true")) }
        add("contentType", options.contentType.map { .text($0.value) })
        add("swift", options.swiftName.map { .text($0.value) })
        add("deprecated", options.deprecated.map { PrintedNode(Codec<Deprecation>.deprecation.write($0)) })
        add("doc", options.doc.map { .text($0) })
        return pairs
    }

    private func defaultValue(_ value: DefaultValue) -> PrintedNode {
        switch value {
        case .text(let text, true): .exact(text)
        case .text(let text, _): ["true", "false", "null"].contains(text) ? .plain(text) : .text(text)
        case .string(let text): .text(text)
        case .bool(let flag): .plain(flag ? "true" : "false")
        case .number(let text), .enumCase(let text): .plain(text)
        case .emptyList: .list([])
        case .emptyMap: .mapping([])
        }
    }

    private func constraints(_ constraints: Constraints) -> PrintedPairs {
        var pairs: PrintedPairs = []
        for (key, bounds) in [
            ("range", constraints.range), ("length", constraints.length), ("items", constraints.items),
        ] {
            guard let bounds = bounds?.value else { continue }
            let (lower, upper) = (bounds.lower ?? "", bounds.upper ?? "")
            pairs.append((key, .plain(lower == upper ? lower : "\(lower)..\(upper)")))
        }
        if let pattern = constraints.pattern { pairs.append(("pattern", .text(pattern.value))) }
        if let format = constraints.format?.value {
            pairs.append(("format", .text(format.pattern)))
            if format.offset != 0 { pairs.append(("zone", .text(Self.zone(format.offset)))) }
        }
        return pairs
    }

    /// An offset from UTC in seconds: `+05:30`.
    private static func zone(_ offset: Int) -> String {
        let minutes = abs(offset) / 60
        func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(offset < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    }

    func common(_ parameter: CommonParameter) -> PrintedNode {
        let field = parameter.field
        let source: (key: String, value: PrintedNode, usual: Primitive)
        switch parameter.source {
        case .app: return self.field(field)
        case .constant(let text): source = ("const", .exact(text), .string)
        case .each(.timestamp): source = ("each", .text("timestamp"), .timestamp)
        case .each(.uuid): source = ("each", .text("uuid"), .uuid)
        }
        let type: PrintedPairs = field.type == .primitive(source.usual) ? [] : [("type", value(field.type))]
        return .mapping(type + [(source.key, source.value)] + options(field))
    }

    /// The keys of a mapping. `keywords` are those that do not print themselves.
    private func keys<Owner>(
        _ mapping: LanguageMapping<Owner>, of owner: Owner, keywords: [String: PrintedNode]
    ) -> PrintedPairs {
        mapping.keys.compactMap { key in
            let name = key.description.name
            let value =
                key.hasKeyword
                ? keywords[name] : key.write(owner).map { PrintedNode($0, isExact: name == "examples") }
            return value.map { (name, $0) }
        }
    }

    // MARK: Errors

    func error(_ error: ErrorDefinition) -> PrintedPairs {
        keys(
            ErrorKeys.error, of: error,
            keywords: [
                "when": conditions(error.conditions), "data": data(error.data),
                "deprecated": error.deprecated.map { PrintedNode(Codec<Deprecation>.deprecation.write($0)) },
            ].compactMapValues { $0 })
    }

    private func outcome(_ outcome: OutcomeDefinition) -> PrintedPairs {
        keys(
            ErrorKeys.outcome, of: outcome,
            keywords: ["when": conditions(outcome.conditions), "data": data(outcome.data)].compactMapValues { $0 })
    }

    private func data(_ data: ErrorData?) -> PrintedNode? {
        switch data {
        case .fields(let fields): self.fields(fields)
        case .type(let type, _): value(type)
        case nil: nil
        }
    }

    /// One condition, or a list of them.
    private func conditions(_ conditions: [Condition]) -> PrintedNode? {
        let all = conditions.map { condition in
            PrintedNode.mapping(
                printedPairs(ConditionKeys.condition.pairs(of: condition)).map { key, value in
                    if case .list(let values) = value, values.count == 1 { (key, values[0]) } else { (key, value) }
                })
        }
        return all.count > 1 ? .list(all) : all.first
    }

    // MARK: Endpoints

    func endpoint(_ endpoint: EndpointDefinition) -> PrintedPairs {
        var keywords: [String: PrintedNode] = [:]
        switch endpoint.target {
        case .http(let method, let path): keywords[method.rawValue] = .text(template(path.value))
        case .frame(let name): keywords["frame"] = .text(name.value)
        }
        if !endpoint.query.isEmpty { keywords["query"] = fields(endpoint.query) }
        if !endpoint.headers.isEmpty { keywords["headers"] = fields(endpoint.headers) }
        keywords["body"] = endpoint.body.map(body)
        if endpoint.hasResponse { keywords["response"] = response(endpoint.response.value) }
        keywords["session"] = endpoint.session.map { .text($0.value.rawValue) }
        if !endpoint.errors.isEmpty { keywords["errors"] = .list(endpoint.errors.map { .text($0.value) }) }
        if !endpoint.outcomes.isEmpty {
            keywords["outcomes"] = .mapping(endpoint.outcomes.map { ($0.name.value, .mapping(outcome($0))) })
        }
        keywords["doc"] = endpoint.doc.map { .text($0) }
        keywords["deprecated"] = endpoint.deprecated.map { PrintedNode(Codec<Deprecation>.deprecation.write($0)) }
        return keys(EndpointKeys.mapping, of: endpoint, keywords: keywords)
    }

    private func template(_ path: PathTemplate) -> String {
        func parameter(_ field: FieldDefinition) -> String {
            field.type == .primitive(.string)
                ? "{\(field.name.value)}" : "{\(field.name.value):\(field.type.spelling)}"
        }
        switch path {
        case .wholeURL(let field): return parameter(field)
        case .path(let parts):
            return parts.map { part in
                switch part {
                case .text(let text): text
                case .parameter(let field): parameter(field)
                }
            }.joined()
        }
    }

    private func body(_ body: BodyDefinition) -> PrintedNode {
        let isPlain = body.encoding == .json && body.contentType == nil
        var pairs: PrintedPairs = [("encoding", .text(body.encoding.rawValue))]
        if let type = body.contentType { pairs.append(("contentType", .text(type))) }
        switch body.content {
        case .bytes("application/octet-stream"): return .text("bytes")
        case .bytes(let type): return .mapping(pairs + [("contentType", .text(type))])
        case .type(let type, _): return isPlain ? value(type) : .mapping(pairs + [("type", value(type))])
        case .fields(let all):
            let isShort = isPlain && !all.contains { $0.name.value == "encoding" }
            return isShort ? fields(all) : .mapping(pairs + [("fields", fields(all))])
        }
    }

    private func response(_ response: ResponseDefinition) -> PrintedNode {
        switch response {
        case .none: return .text("none")
        case .bytes: return .text("bytes")
        case .type(let type, let skipsInvalid, let acceptsSingle):
            var pairs: PrintedPairs = [("type", value(type))]
            if skipsInvalid { pairs.append(("skipInvalid", .plain("true"))) }
            if acceptsSingle { pairs.append(("single", .plain("true"))) }
            return pairs.count == 1 ? pairs[0].value : .mapping(pairs)
        case .fields(let all):
            let marks: Set<String> = ["type", "fields", "skipInvalid", "single"]
            let isLong = all.isEmpty || all.contains { marks.contains($0.name.value) }
            return isLong ? .mapping([("fields", fields(all))]) : fields(all)
        }
    }
}

extension TypeReference {
    /// The type with a word in the place of a name.
    fileprivate func replacing(_ name: String, by word: String) -> TypeReference {
        switch self {
        case .primitive: self
        case .named(let own): own.value == name ? .named(own.map { _ in word }) : self
        case .optional(let inner): .optional(inner.replacing(name, by: word))
        case .list(let inner): .list(inner.replacing(name, by: word))
        case .map(let inner): .map(inner.replacing(name, by: word))
        }
    }
}
