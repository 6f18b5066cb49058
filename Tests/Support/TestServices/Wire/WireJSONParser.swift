import Foundation

extension WireJSON {
    /// Nil if the bytes are not one JSON text and nothing else.
    public init?(parsing bytes: [UInt8]) {
        guard let text = String(bytes: bytes, encoding: .utf8) else { return nil }
        var parser = Parser(rest: text.unicodeScalars[...])
        guard let value = parser.value(depth: 0) else { return nil }
        parser.skipBlanks()
        guard parser.rest.isEmpty else { return nil }
        self = value
    }
}

/// Strict and slow: RFC 8259, nothing else.
private struct Parser {
    var rest: Substring.UnicodeScalarView

    mutating func skipBlanks() {
        rest = rest.drop { $0 == " " || $0 == "\n" || $0 == "\r" || $0 == "\t" }
    }

    mutating func value(depth: Int) -> WireJSON? {
        guard depth < 200 else { return nil }
        skipBlanks()
        switch rest.first {
        case "{": return object(depth: depth)
        case "[": return array(depth: depth)
        case "\"": return string().map(WireJSON.string)
        case "t": return take("true") ? .bool(true) : nil
        case "f": return take("false") ? .bool(false) : nil
        case "n": return take("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> WireJSON? {
        var members: [WireJSON.Member] = []
        rest.removeFirst()
        skipBlanks()
        if take("}") { return .object([]) }
        while true {
            skipBlanks()
            guard rest.first == "\"", let name = string() else { return nil }
            skipBlanks()
            guard take(":"), let value = value(depth: depth + 1) else { return nil }
            members.append(.init(name, value))
            skipBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { return nil }
        }
    }

    private mutating func array(depth: Int) -> WireJSON? {
        var elements: [WireJSON] = []
        rest.removeFirst()
        skipBlanks()
        if take("]") { return .array([]) }
        while true {
            guard let value = value(depth: depth + 1) else { return nil }
            elements.append(value)
            skipBlanks()
            if take("]") { return .array(elements) }
            guard take(",") else { return nil }
        }
    }

    private mutating func string() -> String? {
        var result = ""
        rest.removeFirst()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return result
            case "\\":
                guard let escaped = escape() else { return nil }
                result.unicodeScalars.append(escaped)
            case "\u{0}"..<" ": return nil
            default: result.unicodeScalars.append(scalar)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "\"": return "\""
        case "\\": return "\\"
        case "/": return "/"
        case "b": return "\u{8}"
        case "f": return "\u{c}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            guard let high = fourDigits() else { return nil }
            guard (0xd800..<0xdc00).contains(high) else { return Unicode.Scalar(high) }
            guard take("\\u"), let low = fourDigits(), (0xdc00..<0xe000).contains(low) else { return nil }
            return Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
        default: return nil
        }
    }

    private mutating func fourDigits() -> UInt32? {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character($0).hexDigitValue != nil }) else { return nil }
        rest = rest.dropFirst(4)
        return UInt32(String(digits), radix: 16)
    }

    private mutating func number() -> WireJSON? {
        var text = ""
        while let scalar = rest.first, "+-.eE0123456789".unicodeScalars.contains(scalar) {
            text.unicodeScalars.append(scalar)
            rest.removeFirst()
        }
        guard text.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil else { return nil }
        return .number(text)
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }
}
