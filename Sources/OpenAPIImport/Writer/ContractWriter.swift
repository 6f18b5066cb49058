import ContractModel
import YAMLTree

/// Prints a plan as a contract, laid out as people write one.
struct ContractWriter {
    let plan: ContractPlan
    private let names: [Int: String]
    private let naming: WireNaming
    private var text = ""
    static let width = 118

    static func text(of plan: ContractPlan, naming: WireNaming) -> String {
        var writer = ContractWriter(plan, naming)
        writer.write()
        return writer.text
    }

    private init(_ plan: ContractPlan, _ naming: WireNaming) {
        self.plan = plan
        self.naming = naming
        names = Dictionary(plan.types.map { ($0.number, $0.name) }) { first, _ in first }
    }

    // MARK: Lines

    mutating func line(_ depth: Int, _ content: String) {
        for _ in 0..<depth { text += "  " }
        text += content
        text += "\n"
    }

    mutating func comment(_ depth: Int, _ content: String) {
        for part in DocText.lines(content) { line(depth, part.isEmpty ? "#" : "# \(part)") }
    }

    mutating func section(_ name: String) {
        text += "\n"
        line(0, name + ":")
    }

    private mutating func doc(_ depth: Int, _ doc: String?) {
        guard let doc else { return }
        let lines = DocText.lines(doc.trimmingSpaces())
        guard let first = lines.first else { return }
        if lines.count == 1 { return line(depth, "doc: " + YAMLText.value(first)) }
        line(depth, "doc: |")
        for part in lines {
            if part.isEmpty { text += "\n" } else { line(depth + 1, part) }
        }
    }

    // MARK: The contract

    private mutating func write() {
        line(0, "errand: 1")
        line(0, "service: \(plan.service)")
        if let version = plan.version { line(0, "version: " + YAMLText.plain(version)) }
        doc(0, plan.doc)
        for note in plan.notes { comment(0, note) }
        if !plan.servers.isEmpty {
            section("servers")
            for server in plan.servers { line(1, "\(server.name): " + YAMLText.plain(server.url)) }
        }
        writeCommon()
        writeSession()
        writeEnvelopes()
        writeErrors()
        writeDefaults()
        writeTypes()
        section("endpoints")
        if plan.endpoints.isEmpty {
            text.removeLast(2)
            text += ": {}\n"
        }
        writeEndpoints()
    }

    private mutating func writeCommon() {
        guard !plan.commonHeaders.isEmpty || !plan.commonQuery.isEmpty else { return }
        section("common")
        for (name, fields) in [("query", plan.commonQuery), ("headers", plan.commonHeaders)] where !fields.isEmpty {
            line(1, name + ":")
            for field in fields { writeCommon(field, name == "headers" ? .asWritten : naming) }
        }
    }

    private mutating func writeCommon(_ field: PlannedField, _ naming: WireNaming) {
        guard field.isConstant, case .text? = field.defaultValue else { return write(field, 2, naming) }
        let options = options(field, naming, default: "const").map(\.flow)
        line(2, "\(YAMLText.plain(field.name)): {\(options.joined(separator: ", "))}")
    }

    private mutating func writeSession() {
        guard let session = plan.session else { return }
        text += "\n"
        for note in session.notes { comment(0, note) }
        line(0, "session:")
        comment(1, "errand:review the document does not say which endpoint starts a session: add `login` and `token`")
        if let header = session.header { line(1, "header: " + YAMLText.value(header)) }
        if let format = session.format { line(1, "format: " + YAMLText.quoted(format)) }
        if let parameter = session.parameter { line(1, "parameter: " + YAMLText.value(parameter)) }
    }

    private mutating func writeErrors() {
        guard !plan.errors.isEmpty else { return }
        section("errors")
        for error in plan.errors {
            comment(1, "errand:review \(error.reason)")
            line(1, error.name + ":")
            doc(2, error.doc)
            line(2, "category: \(error.category)")
            let statuses = error.statuses.map {
                $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)"
            }
            let status = statuses.count == 1 ? statuses[0] : "[\(statuses.joined(separator: ", "))]"
            line(2, "when: " + (error.condition ?? "{status: \(status)}"))
            if error.isOpen { line(2, "applied: maybe") }
            if let data = error.data { line(2, "data: " + spelled(data)) }
        }
    }

    private mutating func writeDefaults() {
        section("defaults")
        if let envelope = plan.defaultEnvelope { line(1, "envelope: \(envelope)") }
        if let reason = plan.timeReview { comment(1, "errand:review \(reason)") }
        line(1, "timeout: 20s")
        line(1, "deadline: 60s")
        if naming != .asWritten { line(1, "naming: \(naming.rawValue)") }
        if !plan.defaultErrors.isEmpty { writeList(1, "errors", plan.defaultErrors.map { plan.errors[$0].name }) }
    }

    /// `key: [a, b]`, in lines if it is long.
    private mutating func writeList(_ depth: Int, _ key: String, _ names: [String]) {
        let flow = "\(key): [\(names.joined(separator: ", "))]"
        if flow.count + 2 * depth <= Self.width { return line(depth, flow) }
        line(depth, key + ":")
        for name in names { line(depth + 1, "- \(name)") }
    }

    // MARK: Types

    private mutating func writeTypes() {
        guard !plan.types.isEmpty else { return }
        section("types")
        for type in plan.types { write(type) }
    }

    private mutating func write(_ type: PlannedTypeEntry) {
        if case .enumeration(let definition) = type.form, definition.hasMadeNames {
            comment(1, "errand:review the document does not name these numbers")
        }
        line(1, type.name + ":")
        let isLong = type.doc != nil || type.isDeprecated
        doc(2, type.doc)
        if type.isDeprecated { line(2, "deprecated: true") }
        switch type.form {
        case .structure(let fields):
            let marks: Set<String> = ["fields", "enum", "union", "alias", "doc"]
            guard isLong || fields.isEmpty || fields.contains(where: { marks.contains($0.name) }) else {
                return write(fields, 2)
            }
            line(2, fields.isEmpty ? "fields: {}" : "fields:")
            write(fields, 3)
        case .enumeration(let definition): write(definition)
        case .union(let key, let cases):
            line(2, "union:")
            if let key { line(3, "by: " + YAMLText.value(key)) }
            line(3, key == nil ? "keys:" : "cases:")
            for (value, type) in cases { line(4, YAMLText.value(value) + ": " + spelled(type)) }
        case .alias(let target, let constraints):
            line(2, "alias: " + spelled(target))
            for part in parts(constraints, inFlow: false) { line(2, part) }
        }
    }

    private mutating func write(_ definition: PlannedEnum) {
        if definition.hasOwnNames {
            let parts = definition.cases.map {
                "\($0.name): \(definition.isNumeric ? $0.value : YAMLText.value($0.value, inFlow: true))"
            }
            let flow = "enum: {\(parts.joined(separator: ", "))}"
            if flow.count + 4 <= Self.width { return line(2, flow) }
            line(2, "enum:")
            for item in definition.cases {
                line(3, "\(item.name): " + (definition.isNumeric ? item.value : YAMLText.value(item.value)))
            }
            return
        }
        let flow = "enum: [\(definition.cases.map { YAMLText.value($0.value, inFlow: true) }.joined(separator: ", "))]"
        if flow.count + 4 <= Self.width { return line(2, flow) }
        line(2, "enum:")
        for item in definition.cases { line(3, "- " + YAMLText.value(item.value)) }
    }

    /// A type as the contract spells it, ready to be a value in YAML.
    func spelled(_ type: PlannedType, isOptional: Bool = false) -> String {
        let plain = raw(type) + (isOptional && !type.isOptional ? "?" : "")
        return plain.hasPrefix("[") && plain.contains("?") ? "\"\(plain)\"" : plain
    }

    private func raw(_ type: PlannedType) -> String {
        switch type {
        case .word(let word): word
        case .named(let number): names[number] ?? "json"
        case .list(let inner): "[\(raw(inner))]"
        case .map(let inner): "[string: \(raw(inner))]"
        case .optional(let inner): raw(inner) + "?"
        }
    }

    // MARK: Fields

    private mutating func write(_ fields: [PlannedField], _ depth: Int, naming: WireNaming? = nil) {
        for field in fields { write(field, depth, naming ?? self.naming) }
    }

    private mutating func write(_ field: PlannedField, _ depth: Int, _ naming: WireNaming) {
        let key = YAMLText.plain(field.name)
        let type = spelled(field.type, isOptional: field.isOptional)
        let options = self.options(field, naming)
        let docLines = field.doc.map { DocText.lines($0.trimmingSpaces()) } ?? []
        if options.isEmpty, docLines.isEmpty { return line(depth, "\(key): \(type)") }
        // A comment applies to the next line, which has to be that of the default.
        let note = "errand:ignore default-in-update the document allows no other value"
        if options.count == 1, docLines.isEmpty, let short = shortDefault(field), !type.hasPrefix("["),
            !type.hasPrefix("\"")
        {
            if field.isConstantOfUpdate { comment(depth, note) }
            return line(depth, "\(key): \(type) = \(short)")
        }
        if docLines.count < 2 {
            var all = ["type: \(type)"] + options.map(\.flow)
            if let doc = docLines.first { all.append("doc: " + YAMLText.value(doc, inFlow: true)) }
            let flow = "\(key): {\(all.joined(separator: ", "))}"
            if flow.count + 2 * depth <= Self.width {
                if field.isConstantOfUpdate { comment(depth, note) }
                return line(depth, flow)
            }
        }
        line(depth, key + ":")
        line(depth + 1, "type: \(type)")
        for option in options {
            if field.isConstantOfUpdate, option.block.hasPrefix("default:") { comment(depth + 1, note) }
            line(depth + 1, option.block)
        }
        doc(depth + 1, field.doc)
    }

    // MARK: Endpoints

    private mutating func writeEndpoints() {
        var tag: String?
        for (position, endpoint) in plan.endpoints.enumerated() {
            if position > 0 { text += "\n" }
            if endpoint.tag != tag, let name = endpoint.tag {
                comment(1, "MARK: \(name)")
                if let doc = plan.tagDocs[name] { comment(1, doc) }
                text += "\n"
            }
            tag = endpoint.tag
            write(endpoint)
        }
    }

    private mutating func write(_ endpoint: PlannedEndpoint) {
        for note in endpoint.notes { comment(1, note) }
        line(1, endpoint.name + ":")
        doc(2, endpoint.doc)
        if endpoint.isDeprecated { line(2, "deprecated: true") }
        line(2, "\(endpoint.method): " + YAMLText.plain(path(endpoint)))
        if let session = endpoint.session { line(2, "session: \(session)") }
        let envelope = endpoint.envelope.flatMap { wanted in plan.envelopes.first { $0.envelope == wanted }?.name }
        if envelope != plan.defaultEnvelope { line(2, "envelope: \(envelope ?? "none")") }
        if !endpoint.query.isEmpty {
            line(2, "query:")
            write(endpoint.query, 3)
        }
        if !endpoint.headers.isEmpty {
            line(2, "headers:")
            write(endpoint.headers, 3, naming: .asWritten)
        }
        if let body = endpoint.body { write(body) }
        switch endpoint.response {
        case .none: if endpoint.method != "head" { line(2, "response: none") }
        case .bytes: line(2, "response: bytes")
        case .content(.type(let type)): line(2, "response: " + spelled(type))
        case .content(.fields(let fields)):
            line(2, "response:")
            let isLong = fields.contains { ["type", "fields", "skipInvalid", "single"].contains($0.name) }
            if isLong { line(3, "fields:") }
            write(fields, isLong ? 4 : 3)
        }
        if let stream = endpoint.stream { line(2, "delivery: \(stream.text)") }
        if let pages = endpoint.pages {
            let pairs = pages.pairs.map { "\($0.key): \(YAMLText.value($0.value, inFlow: true))" }
            line(2, "paginate: {\(pairs.joined(separator: ", "))}")
        }
        if let effect = endpoint.effect { line(2, "effect: \(effect.text)") }
        if !endpoint.errors.isEmpty { writeList(2, "errors", endpoint.errors.map { plan.errors[$0].name }) }
        if !endpoint.outcomes.isEmpty {
            line(2, "outcomes:")
            for outcome in endpoint.outcomes {
                line(3, outcome.name + ":")
                doc(4, outcome.doc)
                line(4, "when: {status: \(outcome.status.lowerBound)}")
                if let data = outcome.data { line(4, "data: " + spelled(data)) }
            }
        }
        if endpoint.examples.isEmpty { return }
        line(2, "examples:")
        for example in endpoint.examples {
            line(3, example.name + ":")
            if let request = example.request { line(4, "request: " + ExampleText.flow(request)) }
            if let response = example.responseText { line(4, "response: " + response) }
        }
    }

    private mutating func write(_ body: PlannedEndpoint.Body) {
        guard let content = body.content else {
            guard let type = body.contentType, type != "application/octet-stream" else { return line(2, "body: bytes") }
            return line(2, "body: {encoding: bytes, contentType: \(YAMLText.plain(type, inFlow: true))}")
        }
        let isPlain = body.encoding == "json" && body.contentType == nil
        let mediaType = body.contentType.map { YAMLText.plain($0, inFlow: true) }
        switch content {
        case .type(let type):
            let further = mediaType.map { ", contentType: " + $0 } ?? ""
            line(
                2,
                isPlain
                    ? "body: " + spelled(type)
                    : "body: {encoding: \(body.encoding), type: \(spelled(type))\(further)}")
        case .fields(let fields):
            line(2, fields.isEmpty && isPlain ? "body: {}" : "body:")
            guard !isPlain || fields.contains(where: { $0.name == "encoding" }) else { return write(fields, 3) }
            line(3, "encoding: \(body.encoding)")
            if let mediaType { line(3, "contentType: " + mediaType) }
            line(3, fields.isEmpty ? "fields: {}" : "fields:")
            write(fields, 4)
        }
    }

    private func path(_ endpoint: PlannedEndpoint) -> String {
        var path = ""
        var rest = endpoint.path[...]
        for parameter in endpoint.pathTypes {
            guard let place = rest.firstRange(of: "{\(parameter.wire)}") else { continue }
            let type = raw(parameter.type)
            path +=
                rest[..<place.lowerBound] + (type == "string" ? "{\(parameter.name)}" : "{\(parameter.name):\(type)}")
            rest = rest[place.upperBound...]
        }
        return path + rest
    }
}

extension PlannedType {
    var isOptional: Bool { if case .optional = self { true } else { false } }
}
