import Diagnostics

/// A part of a contract as a codec writes it. A printer decides the layout.
package indirect enum PrintedNode: Sendable {
    /// A text, in quotation marks only if YAML requires them.
    case text(String)
    /// A scalar without quotation marks, which would change its meaning: a number, a flag, or the word of an example.
    case plain(String)
    /// A text in quotation marks, without which it would be a number or another word.
    case quoted(String)
    /// A type. The brackets of lists and maps need no quotation marks.
    case type(String)
    case list([PrintedNode])
    case mapping([(key: String, value: PrintedNode)])

    static func flag(_ flag: Bool) -> PrintedNode { .plain(flag ? "true" : "false") }

    static func number(_ number: Int) -> PrintedNode { .plain("\(number)") }

    /// The same in JSON, which codecs read back.
    package var json: ReportValue {
        switch self {
        case .text(let text), .quoted(let text), .type(let text): .text(text)
        case .plain(let text): Self.json(text)
        case .list(let elements): .list(elements.map(\.json))
        case .mapping(let pairs): .object(pairs.map { ($0.key, $0.value.json) })
        }
    }

    /// A scalar without quotes, as what JSON has for it.
    private static func json(_ text: String) -> ReportValue {
        switch text {
        case "true": .flag(true)
        case "false": .flag(false)
        case "null", "~", "": .numeral("null")
        default: isNumber(text) ? .numeral(text) : .text(text)
        }
    }

    /// Whether JSON has the text as a number (RFC 8259, section 6).
    private static func isNumber(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole == 1 || whole > 1 && !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}

/// What a part of a contract needs of the whole to be printed.
package struct PrintScope: Sendable {
    /// The structures that are the inside of a field, by the names that references have.
    private let structures: [String: [FieldDefinition]]

    /// For parts without fields.
    static let none = PrintScope(types: [])

    /// - Parameter types: the types of the contract, with those inside of fields.
    package init(types: [TypeDefinition]) {
        let inside = types.lazy.filter { $0.inline != nil }.compactMap { type -> (String, [FieldDefinition])? in
            guard case .structure(let fields) = type.form else { return nil }
            return (type.name.value, fields)
        }
        structures = Dictionary(inside) { first, _ in first }
    }

    /// The fields inside of a field of the type, and the type with the word `fields` for them.
    func inside(of type: TypeReference) -> (type: TypeReference, fields: [FieldDefinition])? {
        guard !structures.isEmpty, let name = type.names.first, let fields = structures[name.value] else { return nil }
        return (type.replacing(name.value, by: "fields"), fields)
    }
}
