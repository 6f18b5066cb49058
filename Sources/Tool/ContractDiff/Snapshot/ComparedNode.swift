import ContractModel

/// A part of a contract as it is compared. A value that the language lets people write in two ways has one form here.
indirect enum ComparedNode: Equatable, Sendable {
    /// A value without parts, as a contract has it on one line.
    case value(String)
    /// A mapping of the language, with its keys.
    case keys(of: String, [Entry])
    /// Parts under names that the contract chooses.
    case entries([Entry])
    /// A list whose order has no meaning.
    case elements([String])

    struct Entry: Equatable, Sendable {
        var key: String
        var node: ComparedNode
    }

    /// The value under a key of the language.
    subscript(key: String) -> ComparedNode? {
        guard case .keys(_, let entries) = self else { return nil }
        return entries.first { $0.key == key }?.node
    }

    /// The text of a value without parts.
    var text: String? {
        if case .value(let text) = self { text } else { nil }
    }

    /// What a report shows: a value, or the type of a field. Nil for a whole definition.
    var shown: String? {
        switch self {
        case .value(let text): Self.bounded(text)
        case .elements(let elements): Self.bounded(elements.joined(separator: ", "))
        case .keys("field", _), .keys("commonField", _): self["type"]?.shown
        case .keys("timeout", _): self["any"]?.shown
        case .keys("effect", _): "keyed"
        case .keys("union", _): self["by"].map { "by: \($0.text ?? "")" } ?? (self["keys"] == nil ? "kinds" : "keys")
        case .keys, .entries: nil
        }
    }

    /// Whether ``shown`` says everything that the consequences of a change depend on.
    var isShownWhole: Bool {
        switch self {
        case .value(let text): Self.bounded(text) == text
        case .elements(let elements): Self.bounded(elements.joined(separator: ", ")) == elements.joined(separator: ", ")
        case .keys("union", _): false
        case .keys, .entries: shown != nil
        }
    }

    private static let forPeople: Set<String> = ["doc", "deprecated", "example"]

    /// Everything that the node contains, except for what only people read.
    var content: String {
        switch self {
        case .value(let text): text
        case .elements(let elements): elements.joined(separator: ",")
        case .keys(let name, let entries):
            name + "{"
                + entries.filter { !Self.forPeople.contains($0.key) }.map { "\($0.key):\($0.node.content)" }
                .joined(separator: ",") + "}"
        case .entries(let entries):
            "{" + entries.map { "\($0.key):\($0.node.content)" }.sorted().joined(separator: ",") + "}"
        }
    }

    /// How many values, keys and elements the node has.
    var partCount: Int {
        switch self {
        case .value: 1
        case .elements(let elements): 1 + elements.count
        case .keys(_, let entries), .entries(let entries): entries.reduce(1) { $0 + $1.node.partCount }
        }
    }

    private static func bounded(_ text: String) -> String {
        let line = text.split(separator: "\n", omittingEmptySubsequences: true).first.map(String.init) ?? ""
        return line.count > 80 || line.count < text.count ? line.prefix(80) + "…" : line
    }
}

extension ComparedNode {
    /// A whole contract.
    init(_ contract: Contract) {
        self = Self.keys(LanguageKeys.contract, contract.printed)
    }

    /// The values of `defaults`.
    init(_ defaults: EndpointDefaults) {
        self = Self.keys(LanguageKeys.defaults, SettingsKeys.defaults.pairs(of: defaults))
    }

    /// The node of a printed value of this shape.
    ///
    /// - Parameter slot: the key that has the value, after the name of its mapping: `endpoint.errors`.
    init(_ node: PrintedNode, _ shape: ValueShape, slot: String) {
        switch shape {
        case .mapping(let mapping): self = Self.mapping(node, mapping())
        case .either(_, .longForm(let form)): self = Self.longForm(node, form)
        case .longForm(let form): self = Self.longForm(node, form)
        case .either(_, .mapping(let mapping)): self = Self.either(node, mapping())
        case .either(let short, let long):
            if case .mapping = node {
                self.init(node, long, slot: slot)
            } else if case .namedExcept = long {
                self = .entries([Entry(key: "url", node: .value(ContractPrinter.flow(node)))])
            } else {
                self.init(node, short, slot: slot)
            }
        case .named(let shape, _, _): self = Self.named(node, slot) { _ in shape }
        case .namedExcept(let names, let some, let others, _):
            self = Self.named(node, slot) { names.contains($0) ? some : others }
        case .oneOrMore(let shape, _): self = Self.list(node, shape, slot)
        case .enumeration: self = Self.enumeration(node)
        // Without the quotation marks that YAML needs around some types.
        case .type where node.scalar != nil: self = .value(node.scalar ?? "")
        case .form(.numberBounds): self = .value(NumberSpelling.bounds(ContractPrinter.flow(node)))
        case .literal:
            if case .plain(let text) = node {
                self = .value(NumberSpelling.number(text))
            } else {
                self = .value(ContractPrinter.flow(node))
            }
        case .type, .text, .form, .words, .flag, .integer, .definition, .anything:
            self = .value(ContractPrinter.flow(node))
        }
    }

    // MARK: Mappings

    private static func keys(
        _ description: MappingDescription, _ pairs: [(key: String, value: PrintedNode)]
    ) -> ComparedNode {
        var entries: [Entry] = []
        entries.reserveCapacity(pairs.count)
        for (key, value) in pairs {
            let isMapping = if case .mapping = value { true } else { false }
            if description.name == "endpoint", LanguageSlots.isTarget(key, isMapping: isMapping) {
                entries.append(
                    Entry(
                        key: LanguageSlots.target,
                        node: .value("\(key) \(value.scalar ?? ContractPrinter.flow(value))")))
                continue
            }
            guard let known = description.keys.first(where: { $0.name == key }) else { continue }
            let slot = "\(description.name).\(key)"
            let node = Self(value, known.shape, slot: slot)
            if !LanguageDefaults.isUsual(node, at: slot) { entries.append(Entry(key: key, node: node)) }
        }
        return .keys(of: description.name, entries)
    }

    private static func mapping(_ node: PrintedNode, _ description: MappingDescription) -> ComparedNode {
        guard case .mapping(let pairs) = node else { return .value(ContractPrinter.flow(node)) }
        return keys(description, description.name.isField ? withDefault(pairs) : pairs)
    }

    /// A mapping, or a short form of it.
    private static func either(_ node: PrintedNode, _ description: MappingDescription) -> ComparedNode {
        if case .mapping = node { return mapping(node, description) }
        let text = ContractPrinter.flow(node)
        switch description.name {
        case let name where name.isField: return keys(description, withDefault([("type", node)]))
        case "effect" where text == "keyed":
            return .keys(of: "effect", [Entry(key: "keyed", node: .keys(of: "idempotencyKey", []))])
        case "durable" where text == "true": return .keys(of: "durable", [])
        case "compression" where text == "none": return .value(text)
        case "cache" where text == "http":
            return .keys(of: "cache", [Entry(key: "http", node: .value("true"))])
        default:
            guard let key = description.short else { return .value(text) }
            return .keys(of: description.name, [Entry(key: key, node: .value(text))])
        }
    }

    /// The keys of a field, with its type, and the default after `=` under a key of its own.
    private static func withDefault(_ pairs: [(key: String, value: PrintedNode)]) -> [(key: String, value: PrintedNode)]
    {
        // The type of a structure inside of a field is `fields`, also if the contract does not write it.
        if !pairs.contains(where: { $0.key == "type" }), pairs.contains(where: { $0.key == "fields" }) {
            return [("type", .type("fields"))] + pairs
        }
        guard let first = pairs.first, first.key == "type", case .text(let text) = first.value,
            let equals = text.firstRange(of: " = ")
        else { return pairs }
        return [
            ("type", .type(String(text[..<equals.lowerBound]))),
            ("default", .plain(String(text[equals.upperBound...]))),
        ] + pairs.dropFirst()
    }

    /// Fields alone, one type, or the long form.
    private static func longForm(_ node: PrintedNode, _ form: LongForm) -> ComparedNode {
        let description = form.mapping()
        let json: [(key: String, value: PrintedNode)] =
            description.name == "body" ? [("encoding", .text("json"))] : []
        if case .mapping(let pairs) = node {
            let isLong = pairs.contains { form.marks.contains($0.key) }
            return keys(description, isLong ? pairs : json + [("fields", node)])
        }
        switch ContractPrinter.flow(node) {
        case "none": return keys(description, [])
        case "bytes": return keys(description, [("encoding", .text("bytes"))])
        default: return keys(description, json + [("type", node)])
        }
    }

    // MARK: Names and lists

    private static func named(
        _ node: PrintedNode, _ slot: String, shape: (String) -> ValueShape
    ) -> ComparedNode {
        guard case .mapping(let pairs) = node else { return .value(ContractPrinter.flow(node)) }
        return .entries(
            pairs.map { key, value in
                var part = Self(value, shape(key), slot: slot + ".*")
                if case .keys(let name, var entries) = part, name.isField,
                    !entries.contains(where: { $0.key == "wire" })
                {
                    entries.append(Entry(key: "wire", node: .value(key)))
                    part = .keys(of: name, entries)
                }
                return Entry(key: key, node: part)
            })
    }

    private static func list(_ node: PrintedNode, _ shape: ValueShape, _ slot: String) -> ComparedNode {
        let nodes = if case .list(let nodes) = node { nodes } else { [node] }
        if LanguageSlots.ordered.contains(slot) {
            return .value(nodes.map { ContractPrinter.flow($0) }.joined(separator: ", "))
        }
        let isOfHeaders = slot == "signing.headers"
        let texts = nodes.map { ContractPrinter.flow(sorted($0)) }.map { isOfHeaders ? $0.lowercased() : $0 }.sorted()
        if case .mapping = shape { return .value(texts.joined(separator: ", ")) }
        if LanguageSlots.whole.contains(slot) { return .value(texts.joined(separator: ", ")) }
        return .elements(texts)
    }

    /// A condition whose lists, which have no order, are in one order and have each element once.
    private static func sorted(_ node: PrintedNode) -> PrintedNode {
        switch node {
        case .mapping(let pairs): .mapping(pairs.map { ($0.key, sorted($0.value)) })
        case .list(let nodes): set(of: nodes)
        case .text, .plain, .quoted, .type: node
        }
    }

    private static func set(of nodes: [PrintedNode]) -> PrintedNode {
        let byText = Dictionary(nodes.map { (ContractPrinter.flow($0), $0) }) { first, _ in first }
        let nodes = byText.sorted { $0.key < $1.key }.map(\.value)
        return nodes.count == 1 ? nodes[0] : .list(nodes)
    }

    private static func enumeration(_ node: PrintedNode) -> ComparedNode {
        switch node {
        case .list(let values):
            .entries(
                values.map { value in
                    Entry(key: value.scalar ?? "", node: .value(ContractPrinter.flow(value)))
                })
        case .mapping(let pairs):
            .entries(pairs.map { Entry(key: $0.key, node: .value(ContractPrinter.flow($0.value))) })
        case .text, .plain, .quoted, .type: .value(ContractPrinter.flow(node))
        }
    }
}

extension String {
    /// Whether a mapping with this name is that of a field.
    fileprivate var isField: Bool { self == "field" || self == "commonField" }
}

extension PrintedNode {
    /// The text of a scalar, without quotation marks.
    fileprivate var scalar: String? {
        switch self {
        case .text(let text), .plain(let text), .quoted(let text), .type(let text): text
        case .list, .mapping: nil
        }
    }
}
