import ContractChecks
import ContractModel

/// Fields as rows of tables, and types as text with links.
struct FieldRows {
    let links: SiteLinks
    let limits: PageLimits

    private var prose: Prose { Prose(limits: limits) }

    /// Nil without fields.
    func table(_ caption: String, _ fields: [(field: FieldDefinition, place: String?)]) -> FieldTable? {
        if fields.isEmpty { return nil }
        var rows = fields.prefix(limits.rows).map { row($0.field, place: $0.place) }
        if fields.count > rows.count {
            rows.append(
                FieldRow(
                    name: "…", type: [], isRequired: false,
                    meaning: [.text("The contract has \(fields.count - rows.count) more.")]))
        }
        return FieldTable(caption: caption, fields: rows)
    }

    func table(_ caption: String, _ fields: [FieldDefinition]) -> FieldTable? {
        table(caption, fields.map { ($0, nil) })
    }

    func row(_ field: FieldDefinition, place: String? = nil) -> FieldRow {
        FieldRow(
            name: field.holdsOtherMembers ? "any other name" : field.wireName, place: place, type: type(field.type),
            isRequired: field.isRequired, meaning: meaning(of: field))
    }

    private func meaning(of field: FieldDefinition) -> [Run] {
        var runs = field.doc.map(prose.line) ?? []
        var facts = Self.facts(field.constraints)
        if field.wireName != field.name.value, !field.holdsOtherMembers {
            facts.append([.text("In the contract: "), .code(field.name.value), .text(".")])
        }
        if let value = field.defaultValue.flatMap({ Self.text($0.value) }) {
            facts.append([.text("Default: "), .code(value), .text(".")])
        }
        if let example = field.example, !field.isSensitive {
            facts.append([.text("Example: "), .code(Prose.bounded(example.spelling, limits.text)), .text(".")])
        }
        if field.writesNull || field.distinguishesNull { facts.append([.text("May be "), .code("null"), .text(".")]) }
        if field.isLenient { facts.append([.text("A wrong value counts as absent.")]) }
        if field.isSensitive { facts.append([.text("Sensitive: logs do not show it.")]) }
        facts += prose.deprecation(field.deprecated).map(\.runs)
        for fact in facts {
            if !runs.isEmpty { runs.append(.text(" ")) }
            runs += fact
        }
        return runs
    }

    private static func text(_ value: DefaultValue) -> String? {
        switch value {
        case .text(let text, _), .string(let text): text.isEmpty ? "\"\"" : text
        case .number(let text), .enumCase(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .emptyList: "[]"
        case .emptyMap: "{}"
        }
    }

    /// Sentences about the values that a type allows.
    static func facts(_ constraints: Constraints) -> [[Run]] {
        var facts: [[Run]] = []
        if let range = constraints.range?.value { facts.append([.text("\(words(range)).")]) }
        if let length = constraints.length?.value { facts.append([.text("Length: \(words(length, isInside: true)).")]) }
        if let items = constraints.items?.value { facts.append([.text("Elements: \(words(items, isInside: true)).")]) }
        if let pattern = constraints.pattern?.value {
            facts.append([.text("Matches "), .code(pattern), .text(".")])
        }
        if let form = constraints.format?.value.first {
            facts.append([.text("Written as "), .code(ScalarForm.sample(of: form)), .text(".")])
        }
        return facts
    }

    private static func words(_ bounds: Constraints.Bounds, isInside: Bool = false) -> String {
        let text =
            switch (bounds.lower, bounds.upper) {
            case (let lower?, let upper?): lower == upper ? "exactly \(lower)" : "from \(lower) to \(upper)"
            case (let lower?, nil): "at least \(lower)"
            case (nil, let upper?): "at most \(upper)"
            case (nil, nil): "any"
            }
        return isInside ? text : text.prefix(1).uppercased() + text.dropFirst()
    }

    // MARK: Types

    /// A type as contracts spell it. Each type of the contract is a link.
    func type(_ type: TypeReference) -> [Run] {
        switch type {
        case .primitive(let primitive): [.code(primitive.spelling)]
        case .named(let name): [.code(Self.title(name.value), href: links.href(ofType: name.value))]
        case .optional(let inner): self.type(inner) + [.code("?")]
        case .list(let inner): [.code("[")] + self.type(inner) + [.code("]")]
        case .map(let inner): [.code("[string: ")] + self.type(inner) + [.code("]")]
        }
    }

    /// The name of a type for people. That of a structure inside a field has a slash after the endpoint.
    static func title(_ name: String) -> String { name.replacing("/", with: " ") }
}
