import ContractModel
import Diagnostics
import YAMLTree

/// One node of a document, with its way from the root of its file.
struct Element {
    let node: YAMLNode
    private let way: Way

    /// The root of a file.
    ///
    /// - Parameter hasMerges: whether the file has merge keys (`<<`), which documents may have and contracts may not.
    init(root: YAMLNode, file: Int, hasMerges: Bool = false) {
        node = root
        way = Way(
            parent: nil, token: "",
            marks: ReadingMarks(root: root, file: file, hasMerges: hasMerges))
    }

    private init(_ node: YAMLNode, of parent: Element, at token: String) {
        self.node = node
        way = Way(parent: parent.way, token: token, marks: parent.way.marks)
    }

    /// The steps from the root. Elements below the same element share them.
    private final class Way {
        let parent: Way?
        let token: String
        let marks: ReadingMarks

        init(parent: Way?, token: String, marks: ReadingMarks) {
            self.parent = parent
            self.token = token
            self.marks = marks
        }
    }

    var file: Int { way.marks.file }
    private var hasMerges: Bool { way.marks.hasMerges }

    /// What the import has done with it. See ``DocumentAccount``.
    var mark: ReadingMarks.Mark { way.marks[node] }

    /// Notes what the import has done with it.
    func note(_ mark: ReadingMarks.Mark) { way.marks.note(mark, node) }

    /// Notes that the import has dealt with it and all that is below it, although it read nothing more of it.
    func settle() { note(.settled) }

    /// The steps from the root.
    var tokens: [String] {
        var tokens: [String] = []
        var step: Way? = way
        while let current = step, current.parent != nil {
            tokens.append(current.token)
            step = current.parent
        }
        return tokens.reversed()
    }

    /// That it should no longer be used. Others write `x-sunset` for the day, too: oasdiff compares it.
    var deprecation: Deprecation? {
        let message = text("x-errand-deprecated")
        let sunset = self["x-sunset"].flatMap { day in
            day.text.flatMap { CalendarDay(String($0.prefix(10))) }.map { Located($0, at: day.range) }
        }
        guard message != nil || sunset != nil || flag("deprecated") else { return nil }
        return Deprecation(message: message, sunset: sunset)
    }

    /// Whether it is a schema that the document gives a name.
    var isNamedSchema: Bool { Self.isNamedSchema(tokens) }

    /// Whether it is the schema of a parameter that the document gives a name.
    var isSchemaOfParameter: Bool {
        let tokens = tokens
        return tokens.count == 4 && tokens[1] == "parameters" && tokens[3] == "schema"
    }

    static func isNamedSchema(_ tokens: [String]) -> Bool {
        tokens.count == 3 && tokens[1] == "schemas" || tokens.count == 2 && tokens[0] == "definitions"
    }

    /// The JSON pointer (RFC 6901) as a fragment: `#/paths/~1users/get`.
    var pointer: String {
        "#" + tokens.map { "/" + Self.escaped($0) }.joined()
    }

    private static func escaped(_ token: String) -> String {
        // Searching a text for another one costs much more than examining its bytes, which most tokens do not need escaped.
        let isPlain = token.utf8.allSatisfy { $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "/") }
        return isPlain ? token : token.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// The last step of the pointer: the name of a component.
    var name: String { way.token }

    var range: SourceRange { node.range }

    /// Identifies the node among all of the run.
    var key: ElementKey { ElementKey(file: file, owner: node.owner, offset: node.startOffset) }

    // MARK: Down

    /// The value of a key; `nil` if the key or its value is missing.
    subscript(_ key: String) -> Element? {
        guard let value = value(of: key), !value.isAbsent else { return nil }
        return Element(value, of: self, at: key)
    }

    private func value(of key: String) -> YAMLNode? {
        guard let mapping = node.mapping,
            let value = mapping[key] ?? (hasMerges ? entries.first { $0.name == key }?.value.node : nil)
        else { return nil }
        way.marks.note(.read, value)
        return value
    }

    /// The pairs of a mapping, followed by those of its merge keys. An earlier key wins.
    private func merged(_ mapping: YAMLMapping, depth: Int, _ seen: inout Set<String>) -> [YAMLPair] {
        guard depth < Self.deepestMerge else { return [] }
        var pairs: [YAMLPair] = []
        var sources: [YAMLNode] = []
        for pair in mapping {
            guard let key = pair.key.text else { continue }
            if key == "<<", pair.key.scalar?.isPlain == true {
                sources += pair.value.sequence.map(Array.init) ?? [pair.value]
            } else if seen.insert(key).inserted {
                pairs.append(pair)
            }
        }
        for source in sources {
            if let inner = source.mapping { pairs += merged(inner, depth: depth + 1, &seen) }
        }
        return pairs
    }

    private static let deepestMerge = 20

    /// The pairs of a mapping, in the order of the text.
    var entries: [(name: String, value: Element)] {
        guard let mapping = node.mapping else { return [] }
        guard hasMerges else {
            return mapping.compactMap { pair in
                pair.key.text.map { ($0, Element(pair.value, of: self, at: $0)) }
            }
        }
        var seen = Set<String>()
        return merged(mapping, depth: 0, &seen).compactMap { pair in
            pair.key.text.map { ($0, Element(pair.value, of: self, at: $0)) }
        }
    }

    /// The same content, with the pairs of merge keys in place of these keys.
    var withoutMerges: YAMLNode {
        guard hasMerges else { return node }
        switch node.kind {
        case .mapping:
            guard let mapping = node.mapping else { return node }
            var seen = Set<String>()
            let pairs = merged(mapping, depth: 0, &seen)
            let values = pairs.map { Element($0.value, of: self, at: "").withoutMerges }
            return node.withPairs(zip(pairs, values).map { YAMLPair(key: $0.key, value: $1) })
        case .sequence: return node.withElements(items.map(\.withoutMerges))
        case .scalar, .unreadable: return node
        }
    }

    /// The pairs of a mapping without extensions.
    var named: [(name: String, value: Element)] { entries.filter { !$0.name.hasPrefix("x-") } }

    /// The elements of a list.
    var items: [Element] {
        guard let sequence = node.sequence else { return [] }
        return sequence.enumerated().map { Element($1, of: self, at: String($0)) }
    }

    /// The element of a list at a place.
    func item(_ index: Int) -> Element? {
        guard let sequence = node.sequence, sequence.indices.contains(index) else { return nil }
        return Element(sequence[index], of: self, at: String(index))
    }

    // MARK: Values

    var isMapping: Bool { node.kind == .mapping }

    /// Whether it stands for another element. A `$ref` that is no text refers to nothing.
    var isReference: Bool { self["$ref"]?.text != nil }
    var text: String? { node.text }

    /// The text of a key, if its value is a text.
    func text(_ key: String) -> String? {
        guard let value = value(of: key), !value.isAbsent else { return nil }
        return value.text
    }

    /// Whether a key says `true`.
    func flag(_ key: String) -> Bool { value(of: key)?.text == "true" }

    /// The number of a key as its text, where it is one and not a text in quotes.
    func number(_ key: String) -> String? {
        guard let scalar = value(of: key)?.scalar, scalar.isPlain else { return nil }
        return Double(scalar.value) == nil ? nil : scalar.value
    }

    var isNull: Bool { node.isNullLiteral }

    /// The JSON type of the scalar.
    var scalarKind: ScalarKind? {
        node.scalar.map(Self.kind(of:))
    }

    static func kind(of scalar: YAMLScalar) -> ScalarKind {
        guard scalar.isPlain else { return .text }
        if scalar.isNullLiteral { return .null }
        let value = scalar.value
        if value == "true" || value == "false" { return .bool }
        guard let first = value.utf8.first, first < UInt8(ascii: ":"), Double(value) != nil else { return .text }
        return Int(value) == nil ? .fraction : .whole
    }

    /// Whether a scalar is a text, or the number, the boolean or the null that another text spells.
    static func isEqual(_ scalar: YAMLScalar, to value: String, isText: Bool) -> Bool {
        let kind = kind(of: scalar)
        switch kind {
        case .text: return isText && scalar.value == value
        case .null: return !isText && value == "null"
        case .bool: return !isText && scalar.value == value
        case .whole, .fraction: return !isText && Double(scalar.value) == Double(value)
        }
    }

    enum ScalarKind {
        case text
        case whole
        case fraction
        case bool
        case null
    }
}

extension Element {
    /// A schema's content, without its descriptions.
    func fingerprint(depth: Int) -> String {
        guard depth < 40 else { return "\(key)" }
        switch node.kind {
        case .scalar: return text ?? ""
        case .sequence: return "[" + items.map { $0.fingerprint(depth: depth + 1) }.joined(separator: ",") + "]"
        case .mapping:
            let parts = named.filter {
                !["description", "title", "example", "examples", "default"].contains($0.name)
                    || depth == 0 && $0.name == "default"
            }
            let texts = parts.map { name, value in
                name == "$ref" ? "\(file):\(value.text ?? "")" : "\(name):\(value.fingerprint(depth: depth + 1))"
            }
            return "{" + texts.sorted().joined(separator: ",") + "}"
        case .unreadable: return ""
        }
    }
}

/// The place of a node, which no other node of its kind shares. The texts of overlays have places of their own.
struct ElementKey: Hashable, Sendable {
    let file: Int
    let owner: ObjectIdentifier
    let offset: Int
}
