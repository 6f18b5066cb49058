import ContractChecks
import ContractModel
import Diagnostics
import Pipeline

/// The explanation of a name, a key or a rule at a place.
extension LanguageServer {
    func hover(_ parameters: PositionParameters) -> Hover? {
        let own = spot(parameters.textDocument, parameters.position).flatMap { spot in
            hoverText(spot).map { (text: $0.0, range: spot.text.range($0.1, client.encoding)) }
        }
        let found = findings(parameters.textDocument, at: parameters.position)
        guard let range = own?.range ?? found.first?.range else { return nil }
        var seen = Set<String>()
        let pages = found.filter { seen.insert($0.code).inserted }.compactMap { FindingPages.page(of: $0.code)?.shown }
        let texts = [own?.text].compactMap { $0 } + pages
        return texts.isEmpty ? nil : Hover(contents: marked(texts.joined(separator: "\n\n---\n\n")), range: range)
    }

    /// The published findings at a place. A client shows the message of a finding, and the hover shows the rest.
    private func findings(_ document: DocumentReference, at position: ClientPosition) -> [ClientDiagnostic] {
        let all = published[DocumentAddress.path(of: document.uri)]?.diagnostics ?? []
        return all.filter { $0.range.start <= position && position <= $0.range.end }
    }

    /// Markdown, or what a client that shows none makes of it as it is.
    func marked(_ text: String) -> MarkedText {
        MarkedText(kind: client.showsMarkdown ? "markdown" : "plaintext", value: text)
    }

    private func hoverText(_ spot: Spot) -> (String, Range<Int>)? {
        if spot.cursor.role == .comment { return rule(spot) }
        if let name = spot.name {
            let whole = spot.project.wholeLook(at: spot.path)
            if let text = HoverText(spot.look, spot.project).of(name.name, name.kind, whole: whole) {
                return (text, name.bytes)
            }
        }
        switch spot.cursor.role {
        case .key, .undecided: return key(spot.word, in: spot.place).map { ($0, spot.wordBytes) }
        case .value:
            guard !spot.place.words.isEmpty, !spot.cursor.word.isEmpty, let last = spot.cursor.keys.last else {
                return nil
            }
            let place = LanguagePlace(spot.cursor.keys.dropLast(), in: spot.look.examination.document)
            return key(last, in: place).map { ($0, spot.wordBytes) }
        case .comment: return nil
        }
    }

    private func key(_ name: String, in place: LanguagePlace) -> String? {
        guard let key = place.key(name) else { return nil }
        return "**\(key.name)**\(key.isRequired ? " (required)" : "")\n\n\(key.meaning)"
    }

    /// The page of the rule that a comment ignores.
    private func rule(_ spot: Spot) -> (String, Range<Int>)? {
        guard let bytes = IgnoreComment.rule(at: spot),
            let page = FindingPages.page(of: String(decoding: spot.text.bytes[bytes], as: UTF8.self))
        else { return nil }
        return (page.shown, bytes)
    }
}

extension FindingPage {
    /// The page under its id.
    fileprivate var shown: String { "**\(name)** (\(severity.rawValue))\n\n\(page)" }
}

/// The text of a definition, for a person who looks at a use of it.
private struct HoverText {
    private let look: ContractLook
    private let project: Project

    init(_ look: ContractLook, _ project: Project) {
        self.look = look
        self.project = project
    }

    /// - Parameter whole: the contract when it last had no error, which the table of an endpoint needs.
    func of(_ name: String, _ kind: NameKind, whole: ContractLook?) -> String? {
        if kind == .endpoint { return endpoint(name, whole) }
        guard let (place, contract) = look.examination.definition(of: name, kind) else {
            return kind == .error ? BuiltInError(rawValue: name).map(builtIn) : nil
        }
        switch kind {
        case .type: return contract.types.first { $0.name.value == name }.map(type)
        case .error: return contract.errors.first { $0.name.value == name }.map(error)
        case .envelope: return contract.envelopes.first { $0.name.value == name }.map(envelope)
        case .role: return role(place, contract)
        case .server: return contract.servers.first { $0.name.value == name }.map { server($0, contract) }
        case .group:
            return contract.groups.first { $0.name.value == name }.map { head($0.name, "group", $0.doc, nil) }
        case .credential:
            return contract.credentials.first { $0.name.value == name }.map {
                [head(place, "credential", nil, nil), "carried in the \($0.placement.place)"].joined(separator: "\n\n")
            }
        case .endpoint: return nil
        }
    }

    // MARK: Roles

    private func role(_ place: Located<String>, _ contract: Contract) -> String {
        let name = place.value
        let sends = contract.roles.first { $0.name.value == name }?.sends.map { "`\($0.value.rawValue)`" } ?? []
        let urls = contract.servers.compactMap { server in
            server.url(of: name).map { "- `\(server.name.value)`: \($0.spelling)" }
        }
        return [
            head(place, "role of servers", nil, nil),
            sends.isEmpty ? "sends nothing that belongs to the service" : "sends " + sends.joined(separator: ", "),
            urls.joined(separator: "\n"),
        ].joined(separator: "\n\n")
    }

    // MARK: Servers

    private func server(_ server: ServerDefinition, _ contract: Contract) -> String {
        let trust = contract.trust.first { $0.server.value == server.name.value }
        let end = trust?.until.map { ", until \($0.value.text)" } ?? ""
        let keys = trust.map { "the keys that it may have\(end):\n" + $0.pins.map { "\n- `\($0.value)`" }.joined() }
        let urls = server.urls.map { "- \($0.spelling)" }.joined(separator: "\n")
        let entry = contract.gateways.first { $0.server.value == server.name.value }
        let names = entry?.lists.joined().map { $0 }.uniqued.map { "`\($0.rawValue)`" } ?? []
        let gateways = names.isEmpty ? nil : "behind " + names.joined(separator: ", ")
        return [head(server.name, "server", nil, nil), urls, keys, gateways].compactMap { $0 }.joined(separator: "\n\n")
    }

    // MARK: Types

    private func type(_ type: TypeDefinition) -> String {
        var lines = [head(type.name, "type", type.doc, type.deprecated)]
        switch type.form {
        case .structure(let fields): lines.append(table(fields))
        case .alias(let target, let constraints):
            lines.append("is `\(target.spelling)`" + suffix(constraintTexts(constraints)))
        case .union(let union):
            lines.append(
                union.discriminator.map { "one of these, by \(union.hasNumbers ? "the number " : "")`\($0.value)`:" }
                    ?? "one of these, by the \(union.isByKind ? "kind of the value" : "key that is present"):")
            lines.append(union.cases.map { "- `\($0.name.value)`: `\($0.type.spelling)`" }.joined(separator: "\n"))
        case .enumeration(let enumeration):
            lines.append("\(enumeration.isClosed ? "closed " : "")enum of")
            lines.append(
                enumeration.cases.map { item in
                    let (name, wire) = (item.name.value, item.wireValue.value)
                    let others = item.otherValues.map { "`\($0.value)`" }.joined(separator: ", ")
                    return (name == wire ? "- `\(name)`" : "- `\(name)`, on the wire `\(wire)`")
                        + (others.isEmpty ? "" : ", also read from \(others)")
                }.joined(separator: "\n"))
        }
        return lines.joined(separator: "\n\n")
    }

    private func table(_ fields: [FieldDefinition]) -> String {
        guard !fields.isEmpty else { return "no fields" }
        let rows = fields.map { field in
            var notes = constraintTexts(field.constraints)
            if let wire = field.declaredWireName { notes.append("on the wire `\(wire.value)`") }
            if let value = field.defaultValue { notes.append("default `\(source(value.range))`") }
            if field.isSensitive { notes.append("sensitive") }
            if field.deprecated != nil { notes.append("deprecated") }
            if let doc = field.doc { notes.append(doc) }
            return "| `\(field.name.value)` | `\(field.type.spelling)` | \(cell(notes.joined(separator: ", "))) |"
        }
        return (["| field | type | |", "|---|---|---|"] + rows).joined(separator: "\n")
    }

    private func constraintTexts(_ constraints: Constraints) -> [String] {
        let bounds = [("range", constraints.range), ("length", constraints.length), ("items", constraints.items)]
        var texts = bounds.compactMap { name, bounds in bounds.map { "\(name) `\(source($0.range))`" } }
        if let pattern = constraints.pattern { texts.append("pattern `\(pattern.value)`") }
        if let format = constraints.format {
            texts.append("format " + format.value.map { "`\($0.spelling)`" }.joined(separator: " or "))
        }
        return texts
    }

    // MARK: Errors and envelopes

    private func error(_ error: ErrorDefinition) -> String {
        var facts = ["**\(error.category.value.rawValue)**"]
        if let applied = error.declaredApplied {
            facts.append("applied `\(applied.value.rawValue)`")
        } else if let builtIn = error.builtIn {
            facts.append("applied \(applied(builtIn))")
        }
        if !error.renewsSession { facts.append("does not start a login") }
        switch error.settles?.value {
        case .afterOpenAttempt?: facts.append("success of a repeated command that was done already")
        case .always?: facts.append("success of a command that was done already")
        case .payload?: facts.append("success of a repeated command that was done already, with its payload")
        case nil: break
        }
        if let retry = error.retry { facts.append("retry `\(source(retry.range))`") }
        var lines = [head(error.name, "error", error.doc, error.deprecated), facts.joined(separator: " · ")]
        if error.builtIn != nil {
            lines.append("built in, and declared again here")
        } else {
            lines.append(
                "recognized by\n\n"
                    + error.conditions.map { condition in
                        let applied = error.declaredApplied == nil ? ", applied \(applied(condition))" : ""
                        return "- `\(oneLine(source(condition.range)))`\(applied)"
                    }.joined(separator: "\n"))
        }
        if let message = error.message { lines.append("> \(oneLine(message.value))") }
        switch error.data {
        case .fields(let fields)?: lines.append(table(fields))
        case .type(let type, _)?: lines.append("with `\(type.spelling)`")
        case nil: break
        }
        lines.append(listing(error.name.value))
        return lines.joined(separator: "\n\n")
    }

    /// The endpoints that can fail with it.
    private func listing(_ name: String) -> String {
        guard let written = look.examination.written else { return "" }
        let endpoints = written.endpoints.filter { $0.errors.contains { $0.value == name } }.map {
            "`\($0.name.value)`"
        }
        if written.defaults.errors.contains(where: { $0.value == name }) {
            return "listed by the defaults, for every endpoint"
        }
        return endpoints.isEmpty ? "no endpoint lists it" : "listed by " + endpoints.joined(separator: ", ")
    }

    private func builtIn(_ error: BuiltInError) -> String {
        "**\(error.rawValue)** (built-in error)\n\n**\(error.category.rawValue)** · applied \(applied(error))"
    }

    /// The applied state of a row that a condition recognizes, status by status if it differs between them.
    private func applied(_ condition: Condition) -> String {
        let usual = applied(condition.parts(of: RequestKind(.once, method: "POST")))
        let others = ["DELETE", "PUT"].compactMap { method in
            let other = applied(condition.parts(of: RequestKind(.idempotent, method: method)))
            return other == usual ? nil : ", at a \(method) \(other)"
        }
        return usual + others.joined()
    }

    private func applied(_ parts: [(condition: Condition, applied: Applied)]) -> String {
        parts.map { part in
            let statuses = part.condition.statuses.map(\.value.spelling).joined(separator: ", ")
            return "`\(part.applied.rawValue)`" + (parts.count > 1 ? " for \(statuses)" : "")
        }.joined(separator: ", ")
    }

    private func applied(_ error: BuiltInError) -> String {
        switch error {
        case .rejected: "`never`, for 404, 410 and 412 of a DELETE and for 405, 409 and 412 of a PUT `maybe`"
        case .bodyChanged, .localStorageFull, .localFault: "`maybe`, if nothing was sent `never`"
        case .sessionEnded: "`never`, unless an earlier attempt may have been carried out"
        default: "`\(error.applied(status: nil, to: RequestKind(.once, method: "POST")).rawValue)`"
        }
    }

    private func envelope(_ envelope: EnvelopeDefinition) -> String {
        let paths = [
            ("data", envelope.data), ("list", envelope.list), ("code", envelope.code), ("message", envelope.message),
            ("error", envelope.error),
        ]
        var rows = paths.compactMap { name, path in path.map { "- \(name): `\($0.value.text)`" } }
        if !envelope.success.isEmpty {
            rows.append("- success: " + envelope.success.map { "`\($0.value.spelling)`" }.joined(separator: ", "))
        }
        if envelope.isDecidedByStatus { rows.append("- success: by the status alone") }
        return [head(envelope.name, "envelope", envelope.doc, nil), rows.joined(separator: "\n")].joined(
            separator: "\n\n")
    }

    // MARK: Endpoints

    private func endpoint(_ name: String, _ whole: ContractLook?) -> String? {
        guard let contract = whole?.examination.resolved, let explanation = EndpointExplanation(name, in: contract)
        else {
            let isThere = look.examination.definition(of: name, .endpoint) != nil
            return isThere
                ? "**\(name)** (endpoint)\n\nErrand shows its decision table when the contract has no errors" : nil
        }
        let doc = contract.endpoints.first { $0.name.value == name }?.doc
        var lines = [
            "**\(name)** `\(explanation.request)`", doc ?? "", explanation.server ?? "", explanation.group ?? "",
            explanation.credentials ?? "", explanation.effect,
        ]
        let rows = explanation.rows.map { row in
            "| " + [row.answer, row.means, row.category, row.applied, row.then].map(cell).joined(separator: " | ")
                + " |"
        }
        lines.append(
            (["| response | result | category | applied | then |", "|---|---|---|---|---|"] + rows).joined(
                separator: "\n")
        )
        lines +=
            explanation.headers + [
                explanation.durable ?? "", explanation.share ?? "",
            ] + explanation.cache + [
                explanation.pages ?? "", explanation.redirects ?? "",
                explanation.reading ?? "",
            ]
        lines.append(
            "at worst:\n\n" + (explanation.timeline + [explanation.patience]).map { "- \($0)" }.joined(separator: "\n"))
        return lines.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    // MARK: Texts

    private func head(_ name: Located<String>, _ what: String, _ doc: String?, _ deprecated: Deprecation?) -> String {
        var head = "**\(name.value)** (\(what))"
        if name.range.file != look.examination.file { head += " from \(name.range.file)" }
        if let doc { head += "\n\n\(doc)" }
        if let deprecated { head += "\n\n*deprecated*" + (deprecated.sentence.map { ": \($0)" } ?? "") }
        return head
    }

    private func source(_ range: SourceRange) -> String {
        let bytes = look.texts[project.path(of: range.file)].bytes
        guard range.end.offset <= bytes.count else { return "" }
        return String(decoding: bytes[range.start.offset..<range.end.offset], as: UTF8.self)
    }

    private func suffix(_ notes: [String]) -> String { notes.isEmpty ? "" : ", " + notes.joined(separator: ", ") }

    private func cell(_ text: String) -> String { oneLine(text).replacing(scalar: "|", with: "\\|") }

    private func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }
}
