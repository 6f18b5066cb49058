import ErrandRuntime
import EverythingClient
import Foundation

/// The results of a generated model and its twin for one document.
struct Difference: CustomStringConvertible {
    enum Kind { case onlyHere, onlyThere, value }
    var kind: Kind
    var detail: String
    /// Why it is refused here.
    var fault: JSONError?

    var description: String { "\(kind) (\(detail))" }
}

/// Where the verdict differs from Foundation's, and why that is meant.
enum KnownDifference: CaseIterable {
    /// Foundation takes trailing commas, against RFC 8259 sections 4 and 5.
    case trailingComma
    /// Foundation looks into strings and numbers only where a caller asks for them; what is skipped here is validated.
    case unreadIsNotValidated
    /// RFC 8259 section 4 leaves open which of two equal keys counts. Here it is the last, and where a union is told apart
    /// the first.
    case duplicateKey
    /// Foundation refuses a number that no `Double` holds; here a `json` field keeps its text.
    case tooLarge
    /// Foundation refuses a number that is nearer to zero than any `Double`; here it is zero.
    case tooSmall
    /// Foundation reads an integer that has a fraction or an exponent, or many digits, through `Double`, and takes what
    /// it is rounded to; here it is exact or refused.
    case rounded
    /// Base64 may go without padding here (RFC 4648 section 3.2), and bits left over must be zero (section 3.5).
    case base64
    /// Foundation takes a space or a sign in the place of a UUID's hexadecimal digit, against RFC 9562 section 4.
    case uuid

    func explains(_ difference: Difference, _ document: [UInt8]) -> Bool {
        let fault = difference.fault
        let value = try? JSONValue(parsing: document)
        func has(_ test: (JSONNumber) -> Bool) -> Bool { value.map { Self.has($0, test) } == true }
        switch self {
        case .trailingComma:
            return fault?.isMalformed == true && (try? JSONValue(parsing: Self.withoutTrailingCommas(document))) != nil
        case .unreadIsNotValidated:
            // The reported place need not be the malformed one: a value of another type may come first, or contain it.
            return difference.kind == .onlyThere && value == nil
                && (try? JSONSerialization.jsonObject(with: Data(document))) == nil
        case .duplicateKey:
            return (try? JSON.scan(document, Self.hasDuplicate)) == true
        case .tooLarge:
            return difference.kind == .onlyHere && has { $0.double == nil }
        case .tooSmall:
            return difference.kind == .onlyHere && has { $0.double == 0 && $0 != JSONNumber(0) }
        case .rounded:
            guard has({ $0.double.flatMap(JSONNumber.init) != $0 }) else { return false }
            return difference.kind == .value || fault?.code == .typeMismatch(found: .number)
                || fault?.code == .numberOutOfRange
        case .base64:
            if fault?.code == .malformedText { return fault?.expectation == "base64" }
            return difference.kind == .onlyHere
                && document.split(separator: UInt8(ascii: "\"")).contains { text in
                    text.count % 4 > 1 && text.allSatisfy { Self.letters.contains($0) }
                }
        case .uuid:
            return fault?.code == .malformedText && fault?.expectation == "UUID"
        }
    }

    private static let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/\\".utf8)

    private static func has(_ value: JSONValue, _ test: (JSONNumber) -> Bool) -> Bool {
        switch value {
        case .number(let number): test(number)
        case .array(let list): list.contains { has($0, test) }
        case .object(let object): object.contains { has($0.value, test) }
        default: false
        }
    }

    private static func hasDuplicate(_ reader: inout JSONReader) -> Bool? {
        switch reader.peekKind() {
        case .object:
            var fields = reader.beginObject()
            var keys: Set<String> = []
            var isFound = false
            while let key = reader.nextKey(&fields) {
                if !keys.insert(key).inserted { isFound = true }
                if hasDuplicate(&reader) == true { isFound = true }
            }
            return isFound
        case .array:
            return reader.readArray { hasDuplicate(&$0) }.contains(true)
        default:
            reader.skipValue()
            return false
        }
    }

    private static func withoutTrailingCommas(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                while let last = kept.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { kept.removeLast() }
                if kept.last == UInt8(ascii: ",") { kept.removeLast() }
            }
            kept.append(byte)
        }
        return kept
    }
}
