/// The form of a value's text on the wire.
package enum ScalarForm {
    package static func fits(_ text: String, isQuoted: Bool, _ primitive: Primitive, coerces: Bool) -> Bool {
        if coerces, primitive != .uuid, primitive != .date { return true }
        switch primitive {
        case .string, .json, .file: return true
        case .bool: return !isQuoted && (text == "true" || text == "false")
        case .int, .int64: return !isQuoted && Int64(text) != nil
        case .int32: return !isQuoted && Int32(text) != nil
        case .uint: return !isQuoted && UInt64(text) != nil
        case .double, .float, .decimal: return !isQuoted && isNumber(text)
        case .timestampUnix, .timestampMilliseconds: return !isQuoted && isNumber(text)
        case .timestamp: return matches(text, "0000-00-00T00:00:00") && hasZone(text.dropFirst(19))
        case .date: return text.utf8.count == 10 && matches(text, "0000-00-00")
        case .dateOrTimestamp:
            return [.date, .timestamp].contains { fits(text, isQuoted: isQuoted, $0, coerces: false) }
        case .uuid: return isUUID(text)
        case .url: return !text.isEmpty && !text.contains(" ")
        case .bytes: return text.utf8.count % 4 == 0 && text.utf8.allSatisfy { base64.contains($0) }
        }
    }

    package static func fits(_ text: String, isQuoted: Bool, _ form: TimestampForm) -> Bool {
        if case .pattern(let format) = form { return format.fits(text) }
        return form.primitive.map { fits(text, isQuoted: isQuoted, $0, coerces: false) } ?? false
    }

    package static func sample(of form: TimestampForm) -> String {
        if case .pattern(let format) = form { return format.sample }
        return form.primitive.map(sample) ?? ""
    }

    static func sample(of primitive: Primitive) -> String {
        switch primitive {
        case .string, .json, .file: "text"
        case .bool: "true"
        case .int, .int32, .int64, .uint: "42"
        case .double, .float, .decimal: "12.50"
        case .timestamp: "\"2026-11-21T08:00:00Z\""
        case .timestampUnix: "1795248000"
        case .timestampMilliseconds: "1795248000000"
        case .date, .dateOrTimestamp: "2026-11-21"
        case .uuid: "6f1c9a52-0d3e-4a77-9b55-2f0c8e1d7a10"
        case .url: "https://example.com/a"
        case .bytes: "aGVsbG8="
        }
    }

    /// The alphabet of RFC 4648, section 4, with its padding.
    private static let base64 = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)

    private static func isNumber(_ text: String) -> Bool {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            return false
        }
        return Double(text)?.isFinite == true
    }

    /// Whether text begins like a pattern in which `0` matches any digit.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard text.utf8.count >= pattern.utf8.count else { return false }
        return zip(text.utf8, pattern.utf8).allSatisfy {
            $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1
        }
    }

    /// A fraction or none, then `Z` or an offset (RFC 3339, section 5.6).
    private static func hasZone(_ rest: Substring) -> Bool {
        var rest = rest
        if rest.first == "." { rest = rest.dropFirst().drop { $0.isNumber } }
        if rest == "Z" || rest == "z" { return true }
        return rest.utf8.count == 6 && (rest.first == "+" || rest.first == "-")
            && matches(String(rest.dropFirst()), "00:00")
    }

    private static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }
}
