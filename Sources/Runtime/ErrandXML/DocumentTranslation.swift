import ErrandJSON
import ErrandRuntime

/// Writes JSON as a document, in the order of the JSON.
///
/// An element whose name states no namespace is in that of the element around it.
struct DocumentTranslation {
    private let types: XMLTypes
    private var places = PlaceCache()
    private var text: [UInt8] = []

    init(_ types: XMLTypes) { self.types = types }

    mutating func bytes(of value: JSONValue, as body: XMLBody) throws(JSONError) -> [UInt8] {
        guard let name = XMLName(body.element) else { throw fault("an element called \(body.element)") }
        write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        try write(value, name, in: "", as: body.shape)
        return text
    }

    private func fault(_ reason: String) -> JSONError {
        JSONError(code: .notWritable, byteOffset: text.count, expectation: reason)
    }

    // MARK: Elements

    /// - Parameters:
    ///   - namespace: that of the element around it.
    ///   - items: the name of the elements of a list.
    private mutating func write(
        _ value: JSONValue, _ name: XMLName, in namespace: String, as shape: XMLShape,
        items: XMLName = DocumentTranslation.item
    ) throws(JSONError) {
        let own = name.namespace ?? namespace
        write("<\(name.local)")
        if own != namespace { try write(attribute: "xmlns", own) }
        switch (types.resolved(shape), value) {
        case (_, .null):
            write(" xmlns:xsi=\"\(TreeBuilder.instance)\" xsi:nil=\"true\"/>")
            return
        case (let shape, .object(let object)):
            try writeContent(of: object, as: shape, in: own)
        case (.list(let element), .array(let elements)):
            write(">")
            for item in elements { try write(item, items, in: own, as: element) }
        case (_, .array): throw fault("no list inside a list")
        default:
            write(">")
            try write(scalar: value)
        }
        write("</\(name.local)>")
    }

    /// The name of the elements of a document that is a list. Any name is read.
    private static let item = XMLName(local: "item")

    private mutating func writeContent(
        of object: JSONObject, as shape: XMLShape, in namespace: String
    ) throws(JSONError) {
        let mapped: XMLShape? = if case .map(let value) = shape { value } else { nil }
        let shapes = self.shapes(of: shape, object)
        var inner: [(key: String, value: JSONValue, place: XMLPlace)] = []
        var prefixes = 0
        for (key, value) in object {
            guard let place = mapped == nil ? places.place(of: key) : XMLName(plain: key).map(XMLPlace.element) else {
                throw fault("keys that are names in XML")
            }
            guard case .attribute(let name) = place else {
                inner.append((key, value, place))
                continue
            }
            // An attribute that isn't there is null.
            if value == .null { continue }
            let attribute = try attribute(name, &prefixes)
            try write(attribute: attribute, scalar(value))
        }
        write(">")
        for (key, value, place) in inner {
            let member = mapped ?? shapes[key] ?? .any
            switch place {
            case .text: if value != .null { try write(scalar: value) }
            case .element(let name):
                guard case .array(let elements) = value else {
                    // A list that is null has no elements.
                    if value == .null, case .list = types.resolved(member) { continue }
                    try write(value, name, in: namespace, as: member)
                    continue
                }
                for element in elements { try write(element, name, in: namespace, as: Self.element(member)) }
            case .wrapped(let wrapper, let item):
                switch value {
                case .array, .null:
                    try write(value, wrapper, in: namespace, as: .list(Self.element(member)), items: item)
                default: throw fault("a list")
                }
            case .attribute: break
            }
        }
    }

    /// The name of an attribute, after the declaration of its namespace.
    private mutating func attribute(_ name: XMLName, _ prefixes: inout Int) throws(JSONError) -> String {
        guard let namespace = name.namespace, !namespace.isEmpty else { return name.local }
        if namespace == TreeBuilder.xml { return "xml:" + name.local }
        prefixes += 1
        try write(attribute: "xmlns:n\(prefixes)", namespace)
        return "n\(prefixes):\(name.local)"
    }

    // MARK: Shapes

    /// The shapes of an object's members.
    private func shapes(of shape: XMLShape, _ object: JSONObject) -> [String: XMLShape] {
        switch shape {
        case .object(let members):
            return Dictionary(members.map { ($0.name, $0.shape) }, uniquingKeysWith: { first, _ in first })
        case .union(let key, let cases):
            let value = object[key.name].flatMap { try? scalar($0) }
            guard let shape = value.flatMap({ cases[$0] }) ?? cases[XMLShape.others] else { return [:] }
            return shapes(of: types.resolved(shape), object)
        case .choice(let members):
            guard let member = members.first(where: { object[$0.name] != nil }) else { return [:] }
            return shapes(of: types.resolved(member.shape), object)
        default: return [:]
        }
    }

    private static func element(_ shape: XMLShape) -> XMLShape {
        if case .list(let element) = shape { element } else { shape }
    }

    // MARK: Text

    private func scalar(_ value: JSONValue) throws(JSONError) -> String {
        switch value {
        case .string(let text): return text
        case .number(let number): return number.text
        case .bool(let bool): return bool ? "true" : "false"
        case .null: return ""
        case .array, .object: throw fault("one value for an attribute or a text")
        }
    }

    private mutating func write(scalar value: JSONValue) throws(JSONError) {
        try write(escaped: scalar(value), isAttribute: false)
    }

    private mutating func write(attribute name: String, _ value: String) throws(JSONError) {
        write(" \(name)=\"")
        try write(escaped: value, isAttribute: true)
        write("\"")
    }

    private mutating func write(_ markup: String) { text += markup.utf8 }

    private mutating func write(escaped value: String, isAttribute: Bool) throws(JSONError) {
        for scalar in value.unicodeScalars {
            switch scalar.value {
            case 0x26: write("&amp;")
            case 0x3C: write("&lt;")
            case 0x3E: write("&gt;")
            case 0x22 where isAttribute: write("&quot;")
            // A reader turns the first into a line feed, and the others in an attribute into spaces.
            case 0x0D: write("&#13;")
            case 0x09 where isAttribute: write("&#9;")
            case 0x0A where isAttribute: write("&#10;")
            case 0x00..<0x09, 0x0B, 0x0C, 0x0E..<0x20, 0xFFFE, 0xFFFF: throw fault("text without control characters")
            default: text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }
}

extension XMLName {
    /// The key of a map, which states no namespace.
    fileprivate init?(plain key: String) {
        guard XMLName.isName(key.unicodeScalars) else { return nil }
        self.init(local: key)
    }
}
