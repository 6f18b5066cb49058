import ErrandJSON
import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Creates the values that a reader expects: each has the expected kind, and is made from the member's name and random
/// data, so that two accounts are not the same account.
struct ExampleValues {
    private var chance: SeededGenerator

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    /// - Parameter attempt: how often something was put there already, which will not do.
    /// - Returns: nil if there is nothing else to try.
    mutating func value(for fault: JSONError, at place: JSONLocation, attempt: Int) -> JSONValue? {
        switch fault.code {
        // A union by keys treats a null key as absent. For any other value, the case's own reader checks the type.
        case .missingKey: return attempt == 0 ? .null : attempt == 1 ? .bool(true) : nil
        case .typeMismatch, .unexpectedEnd, .malformedText, .numberOutOfRange:
            if let kinds = Self.listedKinds(fault.expectation) { return value(of: kinds, at: place, attempt) }
            // Lists in lists in lists come to an end.
            if fault.expectation == "array", place.steps.count > Self.deepest { return attempt == 0 ? .array([]) : nil }
            return candidate(fault.expectation, place.name, attempt)
        case .unknownToken, .refused:
            return Self.listed(fault.code == .unknownToken ? fault.expectation : fault.reason).pick(attempt, &chance)
        // The reader wanted a value and found none without giving a reason. The value may be of any kind.
        case .noValue: return candidate(Self.kinds.indices.contains(attempt) ? Self.kinds[attempt] : "", place.name, 0)
        case .invalidSyntax, .invalidNumber, .invalidEscape, .loneSurrogate, .controlCharacter, .invalidUTF8,
            .byteOrderMark, .tooDeep, .trailingContent, .notWritable:
            return nil
        }
    }

    /// So many steps from the root of a document.
    private static let deepest = 8
    private static let kinds = ["object", "array", "string", "number", "bool"]

    /// The kinds of `one of string, object`; nil for another expectation.
    private static func listedKinds(_ expectation: String) -> [String]? {
        guard expectation.hasPrefix("one of ") else { return nil }
        return expectation.dropFirst("one of ".count).split(separator: ",").map {
            String($0.first == " " ? $0.dropFirst() : $0)
        }
    }

    /// A value of any of these kinds at first, then of one after the other. Far from the root, it has no others inside if possible.
    private mutating func value(of kinds: [String], at place: JSONLocation, _ attempt: Int) -> JSONValue? {
        let isDeep = place.steps.count > Self.deepest
        let flat = kinds.filter { $0 != "array" && $0 != "object" }
        let possible = isDeep && !flat.isEmpty ? flat : kinds
        guard attempt <= possible.count else { return nil }
        let kind = attempt == 0 ? possible.randomElement(using: &chance) ?? "" : possible[attempt - 1]
        return isDeep && kind == "array" ? .array([]) : candidate(kind, place.name, 0)
    }

    private mutating func candidate(_ expectation: String, _ name: String, _ attempt: Int) -> JSONValue? {
        let number = Int.random(in: 1...999, using: &chance)
        let all: [JSONValue] =
            switch expectation {
            case "object": [.object(JSONObject())]
            case "array": [.array(Array(repeating: .null, count: Int.random(in: 1...3, using: &chance)))]
            case "bool": [.bool(number % 2 == 0)]
            case "int", "integer", "int32", "int64", "uint", "number", "decimal", "value", "timestamp":
                [.number(JSONNumber(number)), .number(JSONNumber(1)), .number(JSONNumber(0))]
            case "RFC 3339 timestamp", "date or RFC 3339 timestamp":
                [.string("2026-\(twoDigits(12))-\(twoDigits(28))T\(twoDigits(23)):\(twoDigits(59)):00Z")]
            case "calendar date": [.string("2026-\(twoDigits(12))-\(twoDigits(28))")]
            case "UUID": [.string(uuid())]
            case "URL": [.string("https://example.com/\(number)")]
            case "base64": [.string("RXJyYW5k")]
            case "string": [.string(name.isEmpty ? "text \(number)" : "\(name) \(number)"), .string("\(number)")]
            case _ where expectation.contains("yyyy"):
                [
                    JSONText.timestamp(
                        Date(timeIntervalSince1970: Double(1_780_000_000 + number * 86_399)), pattern: expectation)
                ]
                .compactMap { $0.map(JSONValue.string) }
            default: []
            }
        return all.indices.contains(attempt) ? all[attempt] : nil
    }

    /// The words of `one of active, frozen`, as numbers if they are.
    private static func listed(_ expectation: String) -> [JSONValue] {
        let prefix = "one of "
        guard expectation.hasPrefix(prefix) else { return [] }
        return expectation.dropFirst(prefix.count).split(separator: ",").map { word in
            let text = String(word.first == " " ? word.dropFirst() : word)
            return Int(text).map { .number(JSONNumber($0)) } ?? .string(text)
        }
    }

    private mutating func twoDigits(_ most: Int) -> String {
        let number = Int.random(in: 1...most, using: &chance)
        return number < 10 ? "0\(number)" : "\(number)"
    }

    private mutating func uuid() -> String {
        var text = ""
        for length in [8, 4, 4, 4, 12] {
            if !text.isEmpty { text += "-" }
            for _ in 0..<length { text += String(Int.random(in: 0...15, using: &chance), radix: 16) }
        }
        return text
    }
}

extension JSONError {
    /// Why generated code refused a value.
    fileprivate var reason: String {
        if case .refused(let reason) = code { reason } else { "" }
    }
}

extension [JSONValue] {
    /// Any of them at first, then one after the other, first as they are, then as text.
    fileprivate func pick(_ attempt: Int, _ chance: inout SeededGenerator) -> JSONValue? {
        if attempt == 0 { return randomElement(using: &chance) }
        let texts = compactMap { value -> JSONValue? in value.number.map { .string($0.text) } }
        let all = self + texts
        return all.indices.contains(attempt - 1) ? all[attempt - 1] : nil
    }
}
