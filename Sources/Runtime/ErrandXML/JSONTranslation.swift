import ErrandJSON
import ErrandRuntime

/// Writes a document as the JSON that the generated code of a contract reads.
///
/// What a shape does not name is written as well, in one way for all documents, because the contract's conditions and paths may
/// lead there: an attribute under `@name`, an element with neither attributes nor elements as its text, and several elements of
/// one name as an array.
struct JSONTranslation: ~Copyable {
    private typealias Node = DocumentTree.Node

    private let tree: DocumentTree
    private let types: XMLTypes
    private var places = PlaceCache()
    private var json = JSONWriter()
    /// The longest JSON, in bytes. The members of a type can be much longer than its elements.
    private let limit: Int
    /// How many values are open. A type can lead to itself without an element between.
    private var depth = 0

    init(_ tree: DocumentTree, _ types: XMLTypes, limit: Int) {
        self.tree = tree
        self.types = types
        self.limit = limit
    }

    consuming func bytes(as shape: XMLShape) throws(JSONError) -> [UInt8] {
        try write(0, as: shape)
        return try json.finish()
    }

    // MARK: Values

    private mutating func write(_ node: Node, as shape: XMLShape) throws(JSONError) {
        if json.count >= limit {
            throw JSONError(
                code: .refused("a document whose JSON is too long"), byteOffset: 0, expectation: "\(limit) bytes")
        }
        depth += 1
        defer { depth -= 1 }
        if depth > 2 * SystemXML.maximumDepth { throw JSONError(code: .tooDeep, byteOffset: 0) }
        if tree.isNull(node) { return json.writeNull() }
        let shape = types.resolved(shape)
        switch shape {
        case .text, .token, .bytes, .number, .bool:
            write(tree.text(node), as: shape, isAttribute: false)
        case .any, .type: try writeAny(node)
        case .object(let members): try writeObject(node, members)
        case .list(let element): try writeArray(tree.children(node), as: element)
        case .map(let value):
            json.beginObject()
            for (name, nodes) in groups(of: tree.children(node)) {
                json.key(dynamic: name)
                try write(nodes, as: value)
            }
            json.endObject()
        case .union(let key, let cases):
            let known = value(of: key.name, in: node).flatMap { cases[$0] }
            let shape = (known ?? cases[XMLShape.others]).map(types.resolved)
            if case .object(let members)? = shape {
                // The reader wants the value that identifies the case, whether or not the case has it as a member.
                let hasKey = members.contains { $0.name == key.name }
                try writeObject(node, hasKey ? members : members + [key])
            } else {
                try write(node, as: shape ?? .object([key]))
            }
        case .choice(let members):
            let member = members.first { hasValue($0.name, in: node) }
            try write(node, as: member?.shape ?? .any)
        }
    }

    /// Elements of one name that are the value of a member.
    private mutating func write(_ nodes: [Node], as shape: XMLShape) throws(JSONError) {
        if case .list(let element) = types.resolved(shape) { return try writeArray(nodes, as: element) }
        // Several elements where one is expected are an array, so that the reader says what it has found.
        if nodes.count == 1 { try write(nodes[0], as: shape) } else { try writeArray(nodes, as: shape) }
    }

    private mutating func writeArray(_ nodes: [Node], as element: XMLShape) throws(JSONError) {
        json.beginArray()
        for node in nodes { try write(node, as: element) }
        json.endArray()
    }

    // MARK: Objects

    private mutating func writeObject(_ node: Node, _ members: [XMLMember]) throws(JSONError) {
        json.beginObject()
        let children = tree.children(node)
        // What members of the shape have is not written a second time.
        var written: Set<String> = []
        var used: Set<Node> = []
        var usedAttributes: Set<Int32> = []
        // An element of a stated namespace belongs to the member that states it, and to no other.
        let places = members.map { self.places.place(of: $0.name) }
        var claimed: [XMLName: Int] = [:]
        for (index, place) in places.enumerated() {
            if case .element(let name)? = place, name.namespace != nil { claimed[name] = index }
        }
        var rest: [String: [Node]] = [:]
        var stated: [Int: [Node]] = [:]
        for child in children {
            let name = tree.name(child)
            if let index = claimed[name] {
                stated[index, default: []].append(child)
            } else {
                rest[name.local, default: []].append(child)
            }
        }
        for (index, member) in members.enumerated() {
            guard let place = places[index] else { continue }
            switch place {
            case .text:
                json.key(dynamic: member.name)
                write(tree.text(node), as: types.resolved(member.shape), isAttribute: false)
            case .attribute(let name):
                guard let attribute = attribute(name, of: node) else { continue }
                usedAttributes.insert(attribute.name)
                json.key(dynamic: member.name)
                write(attribute.value, as: types.resolved(member.shape), isAttribute: true)
            case .element(let name):
                let found = stated[index] ?? (name.namespace == nil ? rest[name.local] : nil) ?? []
                used.formUnion(found)
                guard !found.isEmpty || isList(member) && !member.isOptional else { continue }
                json.key(dynamic: member.name)
                try write(found, as: member.shape)
            case .wrapped(let wrapper, let item):
                let wrappers = children.filter { wrapper.matches(tree.name($0)) }
                guard !wrappers.isEmpty, case .list(let element) = types.resolved(member.shape) else { continue }
                used.formUnion(wrappers)
                json.key(dynamic: member.name)
                if wrappers.allSatisfy({ tree.isNull($0) }) {
                    json.writeNull()
                } else {
                    let items = wrappers.flatMap { tree.children($0) }.filter { item.matches(tree.name($0)) }
                    try writeArray(items, as: element)
                }
            }
            written.insert(member.name)
        }
        let attributes = tree.attributes(node).filter { !usedAttributes.contains($0.name) }
        try writeOthers(attributes, children.filter { !used.contains($0) }, without: written)
        json.endObject()
    }

    private func isList(_ member: XMLMember) -> Bool {
        if case .list = types.resolved(member.shape) { true } else { false }
    }

    private func attribute(_ name: XMLName, of node: Node) -> DocumentTree.Attribute? {
        // The plain name comes before one of a foreign namespace.
        let found = tree.attributes(node).filter { name.matches(tree.names[Int($0.name)]) }
        return found.first { tree.names[Int($0.name)].namespace == "" } ?? found.first
    }

    /// The text at a discriminator's place.
    private mutating func value(of key: String, in node: Node) -> String? {
        switch places.place(of: key) {
        case .attribute(let name)?: attribute(name, of: node).map { Self.trimmed($0.value) }
        case .element(let name)?:
            tree.children(node).first { name.matches(tree.name($0)) }.map { Self.trimmed(tree.text($0)) }
        case .text?: Self.trimmed(tree.text(node))
        case .wrapped?, nil: nil
        }
    }

    /// Whether an element has something at the place of a name.
    private mutating func hasValue(_ key: String, in node: Node) -> Bool {
        switch places.place(of: key) {
        case .attribute(let name)?: attribute(name, of: node) != nil
        case .element(let name)?, .wrapped(let name, item: _)?:
            tree.children(node).contains { name.matches(tree.name($0)) }
        case .text?: !Self.trimmed(tree.text(node)).isEmpty
        case nil: false
        }
    }

    // MARK: What no shape names

    private mutating func writeAny(_ node: Node) throws(JSONError) {
        let children = tree.children(node)
        if children.isEmpty, tree.attributes(node).isEmpty { return json.write(tree.text(node)) }
        json.beginObject()
        try writeOthers(Array(tree.attributes(node)), children, without: [])
        let text = tree.ownText(node)
        if !Self.trimmed(text).isEmpty {
            json.key(dynamic: ".")
            json.write(text)
        }
        json.endObject()
    }

    private mutating func writeOthers(
        _ attributes: [DocumentTree.Attribute], _ children: [Node], without written: Set<String>
    ) throws(JSONError) {
        var written = written
        for attribute in attributes {
            let name = "@" + tree.names[Int(attribute.name)].local
            guard written.insert(name).inserted else { continue }
            json.key(dynamic: name)
            json.write(attribute.value)
        }
        for (name, nodes) in groups(of: children) where !written.contains(name) {
            json.key(dynamic: name)
            try write(nodes, as: .any)
        }
    }

    /// Elements by their local name, in the order of the first of each.
    private func groups(of children: [Node]) -> [(name: String, nodes: [Node])] {
        var groups: [(name: String, nodes: [Node])] = []
        var places: [String: Int] = [:]
        for child in children {
            let name = tree.name(child).local
            if let place = places[name] {
                groups[place].nodes.append(child)
            } else {
                places[name] = groups.count
                groups.append((name, [child]))
            }
        }
        return groups
    }

    // MARK: Scalars

    private mutating func write(_ text: String, as shape: XMLShape, isAttribute: Bool) {
        switch shape {
        case .token, .bytes, .number, .bool:
            let token = Self.trimmed(text)
            // An empty element has no number. An empty attribute is a wrong one.
            if token.isEmpty, !isAttribute { return json.writeNull() }
            switch (shape, token) {
            // XML Schema part 2, 3.2.2; and what Python's renderers make of its `True`.
            case (.bool, "true"), (.bool, "1"), (.bool, "True"): json.write(true)
            case (.bool, "false"), (.bool, "0"), (.bool, "False"): json.write(false)
            case (.number, _):
                if let number = Self.number(token) { json.write(JSONValue.number(number)) } else { json.write(token) }
            case (.bytes, _): json.write(token.filter { !$0.isWhitespace })
            default: json.write(token)
            }
        default: json.write(text)
        }
    }

    /// A number in JSON's grammar, which knows no plus sign and no zeros in front; nil for something else.
    private static func number(_ token: String) -> JSONNumber? {
        var digits = token[...]
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits = digits.dropFirst() }
        guard let first = digits.utf8.first, first == UInt8(ascii: ".") || (0x30...0x39).contains(first) else {
            return nil
        }
        digits = digits.drop { $0 == "0" }
        let start = digits.utf8.first.map { (0x30...0x39).contains($0) } == true ? "" : "0"
        let text = (isNegative ? "-" : "") + start + digits
        return JSONNumber(text: text)
    }

    static func trimmed(_ text: String) -> String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !isSpace($0) }),
            let end = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[start...end])
    }
}

/// The places of wire names, each read once.
struct PlaceCache {
    private var places: [String: XMLPlace?] = [:]

    mutating func place(of name: String) -> XMLPlace? {
        if let place = places[name] { return place }
        let place = XMLPlace(name)
        places[name] = .some(place)
        return place
    }
}
