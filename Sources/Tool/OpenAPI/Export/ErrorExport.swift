import ContractModel
import Diagnostics

/// Errors and outcomes as responses by status, and their definitions in the contract's own spelling.
struct ErrorExport {
    typealias Pairs = OpenAPIExport.Pairs

    private let contract: ResolvedContract
    private let schemas: SchemaExport

    init(_ contract: ResolvedContract) {
        self.contract = contract
        schemas = SchemaExport(contract)
    }

    // MARK: Definitions

    func definition(of error: ErrorDefinition) -> ReportValue {
        var keywords: [String: ReportValue] = [:]
        if !error.conditions.isEmpty { keywords["when"] = Self.conditions(error.conditions) }
        if let data = error.data { keywords["data"] = schema(of: data) }
        return .object(
            ErrorKeys.error.extensions(of: error, keywords: keywords) + SchemaExport.deprecation(error.deprecated))
    }

    func definition(of outcome: OutcomeDefinition) -> ReportValue {
        var keywords = ["when": Self.conditions(outcome.conditions)]
        if let data = outcome.data { keywords["data"] = schema(of: data) }
        return .object(ErrorKeys.outcome.extensions(of: outcome, keywords: keywords))
    }

    func definition(of event: EventDefinition) -> ReportValue {
        var keywords: [String: ReportValue] = [:]
        if let data = event.data { keywords["data"] = schema(of: data) }
        return .object(ConnectionKeys.event.extensions(of: event, keywords: keywords))
    }

    private func schema(of data: ErrorData) -> ReportValue {
        switch data {
        case .fields(let fields): .object(schemas.object(fields))
        case .type(let type, _): schemas.schema(of: type)
        }
    }

    private static func conditions(_ conditions: [Condition]) -> ReportValue {
        .list(conditions.map { ConditionKeys.condition.json(of: $0) })
    }

    // MARK: Responses

    /// Something that a response can be.
    private struct Meaning {
        var name: String
        var line: String
        var data: ErrorData?
        var codes: [String]
    }

    /// The responses that errors and outcomes of an endpoint name, in the order of their statuses. Those that are known by
    /// nothing but the body can come with any status, and are under `default`.
    func responses(of endpoint: ResolvedEndpoint) -> Pairs {
        var meanings: [String: [Meaning]] = [:]
        for row in endpoint.table.rows where row.row.isAboutResponse {
            let meaning = meaning(of: row, endpoint)
            for key in Self.keys(row.condition)
            where meanings[key]?.contains(where: { $0.name == meaning.name }) != true {
                meanings[key, default: []].append(meaning)
            }
        }
        return meanings.keys.sorted().map { key in (key, response(meanings[key] ?? [], endpoint)) }
    }

    /// The status keys of a response: `404`, `5XX` or `default`.
    private static func keys(_ condition: Condition) -> [String] {
        guard !condition.statuses.isEmpty else { return [defaultKey] }
        var keys: [String] = []
        for range in condition.statuses.map(\.value) {
            let range = range.clamped(to: 100...599)
            for hundred in 1...5 {
                let stretch = (hundred * 100)...(hundred * 100 + 99)
                guard range.overlaps(stretch) else { continue }
                let part = range.clamped(to: stretch)
                // A response for each status of a long stretch would hide the rest of the document.
                keys += part.count > 20 ? ["\(hundred)XX"] : part.map { "\($0)" }
            }
        }
        return keys.isEmpty ? [defaultKey] : keys
    }

    private func meaning(of row: ResolvedRow, _ endpoint: ResolvedEndpoint) -> Meaning {
        let codes = row.condition.codes.map(\.value.spelling)
        let name = row.verdict.name
        switch row.verdict {
        case .error:
            let error = contract.error(named: name)
            let text = error?.doc ?? error?.message?.value ?? "An error of the service."
            return Meaning(
                name: name, line: "`\(name)` (\(error?.category.value.rawValue ?? "nonRetryable")): \(text)",
                data: error?.data, codes: codes)
        case .outcome:
            let outcome = endpoint.outcomes.first { $0.name.value == name }
            return Meaning(
                name: name, line: "`\(name)`: \(outcome?.doc ?? "Another successful result.")", data: outcome?.data,
                codes: codes)
        }
    }

    private func response(_ meanings: [Meaning], _ endpoint: ResolvedEndpoint) -> ReportValue {
        var pairs: Pairs = [("description", .text(meanings.map(\.line).joined(separator: "\n")))]
        let envelope = endpoint.envelope.flatMap { contract.envelope(named: $0) }
        let bodies = meanings.map { body(of: $0, envelope) }.filter { !$0.isEmpty }
        if endpoint.method != .head, let first = bodies.first {
            let schema: ReportValue =
                bodies.count == 1 ? .object(first) : .object([("anyOf", .list(bodies.map { .object($0) }))])
            pairs.append(("content", .object([(Self.json, .object([("schema", schema)]))])))
        }
        pairs.append(("x-errand-means", .list(meanings.map { .text($0.name) })))
        return .object(pairs)
    }

    /// The responses, and the one for every failure that the contract does not name: a wrong request gets 400 from most services. Its
    /// body is that of the envelope, with any code.
    func withDefault(_ responses: Pairs, of endpoint: ResolvedEndpoint) -> Pairs {
        let envelope = endpoint.envelope.flatMap { contract.envelope(named: $0) }
        let open = envelope.map { Self.wrapped(nil, $0) } ?? []
        guard let known = responses.first(where: { $0.key == Self.defaultKey })?.value else {
            var pairs: Pairs = [("description", .text("A failure that the contract does not name."))]
            if endpoint.method != .head, !open.isEmpty {
                pairs.append(("content", .object([(Self.json, .object([("schema", .object(open))]))])))
            }
            return responses + [(Self.defaultKey, .object(pairs + [("x-errand-means", .list([]))]))]
        }
        guard let schema = known["content"]?[Self.json]?["schema"] else { return responses }
        let alternatives = (schema["anyOf"]?.items ?? [schema]) + [.object(open)]
        let content = ReportValue.object([
            (Self.json, .object([("schema", .object([("anyOf", .list(alternatives))]))]))
        ])
        return responses.map { $0.key == Self.defaultKey ? ($0.key, known.replacing("content", with: content)) : $0 }
    }

    private static let defaultKey = "default"
    private static let json = "application/json"

    private func body(of meaning: Meaning, _ envelope: EnvelopeDefinition?) -> Pairs {
        let data = meaning.data.map(schema)
        guard let envelope else {
            guard case .object(let pairs)? = data else { return [] }
            return pairs
        }
        return Self.wrapped(data, code: meaning.codes, envelope)
    }

    // MARK: Envelopes

    /// The schema of a success whose payload is wrapped.
    static func success(_ payload: ReportValue?, isList: Bool, _ envelope: EnvelopeDefinition) -> Pairs {
        var envelope = envelope
        // If the code identifies a success, every response has one.
        if envelope.success.isEmpty { (envelope.code, envelope.message) = (nil, nil) }
        return wrapped(payload, code: envelope.success.map(\.value.spelling), isList: isList, envelope)
    }

    /// The schema of a failure that has the status of a success, because the envelope's code tells them apart. Nil for other envelopes.
    static func failureWithStatusOfSuccess(_ envelope: EnvelopeDefinition) -> Pairs? {
        guard !envelope.isDecidedByStatus, !envelope.success.isEmpty, let path = envelope.code?.value else {
            return nil
        }
        let codes = envelope.success.map(\.value.spelling)
        var tree = ObjectTree()
        var code: Pairs = [("type", .list([.text("string"), .text("integer")]))]
        if !codes.contains(where: { $0.contains("..") }) {
            code.append(("not", .object([("enum", .list(codes.flatMap(spellings)))])))
        }
        tree.add(path.keys, .object(code))
        if let path = envelope.message?.value {
            tree.add(path.keys, .object([("type", .list([.text("string"), .text("null")]))]))
        }
        return tree.pairs + [("required", .list([.text(path.keys[0])]))]
    }

    /// Where the payload is in the body; `nil` if it is the body.
    static func payloadPath(isList: Bool, _ envelope: EnvelopeDefinition) -> FieldPath? {
        isList ? envelope.list?.value ?? envelope.data?.value : envelope.data?.value
    }

    /// The schema of a whole body whose payload is wrapped.
    private static func wrapped(
        _ payload: ReportValue?, code: [String] = [], isList: Bool = false, _ envelope: EnvelopeDefinition
    ) -> Pairs {
        var tree = ObjectTree()
        if let path = envelope.code?.value {
            let texts: Pairs =
                code.isEmpty || code.contains { $0.contains("..") } ? [] : [("enum", .list(code.flatMap(spellings)))]
            tree.add(path.keys, .object([("type", .list([.text("string"), .text("integer")]))] + texts))
        }
        if let path = envelope.message?.value {
            tree.add(path.keys, .object([("type", .list([.text("string"), .text("null")]))]))
        }
        if let payload {
            guard let path = payloadPath(isList: isList, envelope) else {
                if case .object(let pairs) = payload { return pairs }
                return []
            }
            tree.add(path.keys, payload)
        }
        return tree.pairs
    }

    /// Codes compare as text, so a number may come as one or as the other.
    private static func spellings(_ code: String) -> [ReportValue] {
        guard let number = Int(code), String(number) == code else { return [.text(code)] }
        return [.number(number), .text(code)]
    }
}

/// Schemas at paths, which become one schema of objects in objects.
private struct ObjectTree {
    private var leaf: ReportValue?
    private var children: [(key: String, tree: ObjectTree)] = []

    mutating func add(_ path: [String], _ schema: ReportValue) {
        guard let key = path.first else {
            leaf = schema
            return
        }
        let rest = Array(path.dropFirst())
        if let index = children.firstIndex(where: { $0.key == key }) {
            children[index].tree.add(rest, schema)
        } else {
            var tree = ObjectTree()
            tree.add(rest, schema)
            children.append((key, tree))
        }
    }

    var pairs: OpenAPIExport.Pairs {
        if children.isEmpty, case .object(let pairs)? = leaf { return pairs }
        return [
            ("type", .text("object")), ("properties", .object(children.map { ($0.key, .object($0.tree.pairs)) })),
        ]
    }
}
