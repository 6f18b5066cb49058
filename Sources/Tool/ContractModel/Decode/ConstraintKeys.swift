import Diagnostics
import ErrandPatterns
import YAMLTree

/// The keys that restrict the values of a field, or of an alias.
enum ConstraintKeys {
    static let range = LanguageKey<Constraints>(
        "range", \.range, .bounds(.numberBounds, of: "numbers") { NumberText.isDecimal($0) },
        "minimum and maximum: `1..500`, `0..`")
    static let length = LanguageKey<Constraints>(
        "length", \.length, .counts, "minimum and maximum number of characters: `8..64`")
    static let pattern = LanguageKey<Constraints>(
        "pattern", \.pattern, .pattern, "regular expression for the whole text")
    static let items = LanguageKey<Constraints>("items", \.items, .counts, "minimum and maximum number of elements")

    /// `format` with its `zone`.
    static let format = LanguageKey<Constraints>(
        group: [
            .optional(
                "format", .oneOrMore(.text, atLeast: 1),
                "format of a `timestamp`: `yyyy-MM-dd HH:mm:ss`, or a list of formats: each is read, and the first is written"
            ),
            .optional("zone", .form(.zone), "zone of a `format` without an offset: `UTC` (default) or `+08:00`"),
        ],
        read: { decoder, mapping, constraints in
            constraints.format = decoder.format(mapping)
            return constraints.format != nil
        },
        write: { constraints, _ in
            guard let forms = constraints.format?.value, let first = forms.first else { return [] }
            let offset = forms.offset
            let zone: [(key: String, value: PrintedNode)] =
                offset == 0 ? [] : [("zone", .text(TimestampFormat.zone(ofOffset: offset)))]
            let texts = forms.map { PrintedNode.text($0.spelling) }
            return [("format", forms.count == 1 ? .text(first.spelling) : .list(texts))] + zone
        })

    static let all = [range, length, pattern, items, format]

    static let zoneNeedsFormat = KeyRule.needs("zone", "format").explained(
        missing: "`zone` is only valid with `format`",
        add: "add a format, such as `format: yyyy-MM-dd HH:mm:ss`")
}

extension Codec where Value == Constraints.Bounds {
    fileprivate static var counts: Codec {
        .bounds(.countBounds, of: "integers") { (NumberText.integer($0) ?? -1) >= 0 }
    }

    /// `1..500`, `0..`, `..100`, or one number for both ends.
    fileprivate static func bounds(
        _ form: TextForm, of what: String, isValid: @escaping @Sendable (String) -> Bool
    ) -> Codec {
        Codec(
            scalar: .form(form), read: { $0.bounds($1, $2, of: what, isValid: isValid) },
            write: { .text($0.spelling) })
    }
}

extension Codec where Value == String {
    /// A pattern that the runtime can match. Of any other, the first mistake is reported at its place in the pattern.
    fileprivate static var pattern: Codec {
        Codec(
            .text,
            read: { decoder, node, name in
                guard let text = decoder.text(node, name.text) else { return nil }
                do throws(PatternError) {
                    _ = try RegularPattern(text.value)
                    return text
                } catch {
                    decoder.report(
                        error.kind == .unsupported ? .unsupportedPattern : .invalidPattern, error.message,
                        at: node.scalar?.range(ofValue: error.range) ?? text.range, help: error.help)
                    return nil
                }
            }, write: { .text($0) })
    }
}

extension TimestampFormat {
    /// An offset from UTC in seconds as text: `+05:30`.
    package static func zone(ofOffset offset: Int) -> String {
        let minutes = abs(offset) / 60
        func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(offset < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    }

    /// The seconds east of UTC of `UTC` or `+08:00`; nil for any other text.
    package static func offset(ofZone text: String) -> Int? {
        if text == "UTC" { return 0 }
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes[3] == UInt8(ascii: ":")
        else { return nil }
        let digits = [1, 2, 4, 5].map { Int(bytes[$0]) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hour < 24, minute < 60 else { return nil }
        return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hour * 3600 + minute * 60)
    }
}

extension ContractDecoder {
    fileprivate mutating func bounds(
        _ text: Located<String>, _ key: String, of what: String, isValid: (String) -> Bool
    ) -> Located<Constraints.Bounds>? {
        let ends = NumberText.ends(of: text.value.filter { $0 != " " })
        let parts = [ends[0], ends[ends.count - 1]]
        guard parts.contains(where: { !$0.isEmpty }), parts.allSatisfy({ $0.isEmpty || isValid($0) }) else {
            report(
                .invalidValue, "`\(key)` must be a range of \(what), and is \(quoted(text.value))", at: text.range,
                help: "write a range, such as `\(key): 1..500`, `0..` or `..100`")
            return nil
        }
        if let lower = Double(parts[0]), let upper = Double(parts[1]), lower > upper {
            report(
                .invalidValue, "the range \(quoted(text.value)) is empty, because it begins above its end",
                at: text.range,
                help: "write the smaller number first")
            return nil
        }
        return text.map { _ in
            Constraints.Bounds(lower: parts[0].isEmpty ? nil : parts[0], upper: parts[1].isEmpty ? nil : parts[1])
        }
    }
}
