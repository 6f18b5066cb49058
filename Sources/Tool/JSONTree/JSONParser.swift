/// Reads JSON that others wrote. Its depth is bounded, so that no text exhausts the stack.
package struct JSONParser {
    package struct Failure: Error, Equatable {
        package let message: String
        /// The number of bytes before the fault.
        package let offset: Int
        /// Whether the text has more values than the reader takes.
        package var isTooLarge = false
    }

    package static let deepest = 64

    private let bytes: [UInt8]
    private var position = 0
    /// How many values may follow.
    private var room: Int
    private let replacesHalfPairs: Bool

    private init(_ bytes: [UInt8], _ room: Int, _ replacesHalfPairs: Bool) {
        self.bytes = bytes
        self.room = room
        self.replacesHalfPairs = replacesHalfPairs
    }

    /// The value that is all of the text.
    ///
    /// - Parameters:
    ///   - most: how many values the text may have. A value takes far more memory than its text.
    ///   - replacesHalfPairs: whether half of a surrogate pair is read as U+FFFD, as browsers write it for bytes that are no text.
    package static func parse(
        _ bytes: [UInt8], atMost most: Int = .max, replacingHalfPairs replacesHalfPairs: Bool = false
    ) throws(Failure) -> JSONNode {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Failure(message: "the text is not UTF-8", offset: 0)
        }
        var parser = JSONParser(bytes, most, replacesHalfPairs)
        let value = try parser.value(depth: 0)
        parser.skipBlanks()
        guard parser.position == bytes.count else { throw parser.failure("more text follows the value") }
        return value
    }

    private func failure(_ message: String) -> Failure { Failure(message: message, offset: position) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONNode {
        guard depth < Self.deepest else { throw failure("the values are nested deeper than \(Self.deepest)") }
        guard room > 0 else {
            throw Failure(message: "the text has too many values", offset: position, isTooLarge: true)
        }
        room -= 1
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw failure("a value is missing")
        default: return try number()
        }
    }

    private mutating func object(_ depth: Int) throws(Failure) -> JSONNode {
        position += 1
        var members: [JSONNode.Member] = []
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw failure("the name of a member is missing") }
            let name = try string()
            guard take(UInt8(ascii: ":")) else { throw failure("`:` is missing") }
            members.append(JSONNode.Member(name, try value(depth: depth + 1)))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw failure("`}` is missing") }
        return .object(members)
    }

    private mutating func array(_ depth: Int) throws(Failure) -> JSONNode {
        position += 1
        var elements: [JSONNode] = []
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat { elements.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw failure("`]` is missing") }
        return .array(elements)
    }

    private mutating func word(_ word: String, _ value: JSONNode) throws(Failure) -> JSONNode {
        guard bytes[position...].starts(with: word.utf8) else { throw failure("this is not a value") }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws(Failure) -> JSONNode {
        let start = position
        func digits() -> Int {
            let from = position
            while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
            return position - from
        }
        if next == UInt8(ascii: "-") { position += 1 }
        let first = next
        let whole = digits()
        guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { throw failure("this is not a value") }
        if next == UInt8(ascii: ".") {
            position += 1
            guard digits() > 0 else { throw failure("a digit is missing after `.`") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            guard digits() > 0 else { throw failure("a digit is missing in the exponent") }
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func string() throws(Failure) -> String {
        position += 1
        var text: [UInt8] = []
        while true {
            let start = position
            while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                position += 1
            }
            guard let byte = next else { throw failure("the end of a string is missing") }
            let plain = bytes[start..<position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                if text.isEmpty { return String(decoding: plain, as: UTF8.self) }
                return String(decoding: text + plain, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += plain
                try escape(into: &text)
            default: throw failure("a control character is not escaped")
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(Failure) {
        guard let byte = next else { throw failure("the end of a string is missing") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var unit = try hexadecimal()
            if (0xD800..<0xDC00).contains(unit), bytes[position...].starts(with: "\\u".utf8) {
                position += 2
                let low = try hexadecimal()
                if (0xDC00..<0xE000).contains(low) {
                    unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
                } else if replacesHalfPairs {
                    // What follows is read as an escape of its own.
                    position -= 6
                } else {
                    throw failure("half of a surrogate pair is missing")
                }
            }
            guard let scalar = Unicode.Scalar(unit) ?? (replacesHalfPairs ? "\u{FFFD}" : nil) else {
                throw failure("half of a surrogate pair is missing")
            }
            text += Array(String(Character(scalar)).utf8)
        default: throw failure("this escape does not exist")
        }
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw failure("four hexadecimal digits are missing") }
        position += 4
        return unit
    }
}

extension JSONNode {
    /// The value that is all of a text. Nil if the text is not JSON.
    package static func parsed(_ bytes: [UInt8]) -> JSONNode? { try? JSONParser.parse(bytes) }

    /// Whether a text is a number of JSON.
    package static func isNumber(_ text: String) -> Bool {
        guard !text.contains(where: \.isWhitespace), case .number? = parsed(Array(text.utf8)) else { return false }
        return true
    }
}
