/// Where a value is in an element of an XML document, as a wire name says it.
///
/// `@id` is an attribute, `.` is the text of the element, `title` is an element inside it, and `books/book` are the elements
/// `book` inside an element `books`. A name is a local name, which matches in any namespace, or `{namespace}name`.
package enum XMLPlace: Sendable, Hashable {
    case text
    case attribute(XMLName)
    case element(XMLName)
    /// Elements inside an element that contains only them.
    case wrapped(XMLName, item: XMLName)

    /// Nil if the text is not such a name.
    package init?(_ wire: String) {
        if wire == "." {
            self = .text
            return
        }
        if wire.utf8.first == UInt8(ascii: "@") {
            // Declarations of namespaces aren't attributes for their readers.
            guard let name = XMLName(wire.dropFirst()), name.local != "xmlns" else { return nil }
            self = .attribute(name)
            return
        }
        let parts = Self.parts(of: wire)
        switch parts.count {
        case 1:
            guard let name = XMLName(parts[0]) else { return nil }
            self = .element(name)
        case 2:
            guard let wrapper = XMLName(parts[0]), let item = XMLName(parts[1]) else { return nil }
            self = .wrapped(wrapper, item: item)
        default: return nil
        }
    }

    /// The names that a value has here in the text of a document, and in its translation by the shape of another response.
    package var keys: [String] {
        switch self {
        case .attribute(let name): [name.local, "@" + name.local]
        case .element(let name): [name.local]
        case .wrapped(let wrapper, let item): [wrapper.local, item.local]
        case .text: []
        }
    }

    /// The parts between slashes, of which those inside of a namespace are none.
    private static func parts(of wire: String) -> [Substring] {
        var isInNamespace = false
        return wire.split(omittingEmptySubsequences: false) { character in
            if character == "{" { isInNamespace = true }
            if character == "}" { isInNamespace = false }
            return character == "/" && !isInNamespace
        }
    }
}

/// The name of an element or of an attribute.
package struct XMLName: Sendable, Hashable {
    /// Nil for any namespace, empty for none.
    package let namespace: String?
    package let local: String

    package init(namespace: String? = nil, local: String) {
        self.namespace = namespace
        self.local = local
    }

    /// From `name` or `{namespace}name`; nil if the name isn't one (Namespaces in XML 1.0, `NCName`).
    package init?(_ text: some StringProtocol) {
        var local = text[...]
        var namespace: String?
        if text.utf8.first == UInt8(ascii: "{") {
            guard let end = text.firstIndex(of: "}") else { return nil }
            namespace = String(text[text.index(after: text.startIndex)..<end])
            local = text[text.index(after: end)...]
        }
        guard Self.isName(local.unicodeScalars) else { return nil }
        self.init(namespace: namespace, local: String(local))
    }

    /// Whether an element or an attribute can have this name, without a prefix.
    package static func isName(_ text: some Sequence<Unicode.Scalar>) -> Bool {
        var isEmpty = true
        for scalar in text {
            guard isStart(scalar.value) || !isEmpty && isRest(scalar.value) else { return false }
            isEmpty = false
        }
        return !isEmpty
    }

    /// `NameStartChar` of XML 1.0 without the colon.
    private static func isStart(_ value: UInt32) -> Bool {
        switch value {
        case 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF,
            0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
            0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// What `NameChar` of XML 1.0 adds to it.
    private static func isRest(_ value: UInt32) -> Bool {
        switch value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: false
        }
    }
}
