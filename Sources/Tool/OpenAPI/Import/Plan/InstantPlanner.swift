import ContractModel
import Diagnostics

// Dates and points in time, as the examples of the document have them.
extension TypePlanner {
    /// The word and the forms of a text that is a date or a point in time. What most of its examples are decides, because examples
    /// are often copied from what the service sends.
    func instant(_ view: SchemaView) -> (word: String, forms: Located<[TimestampForm]>?) {
        guard let format = view.format else { return ("string", nil) }
        let isDay = format.text == "date"
        let word = isDay ? "date" : "timestamp"
        let examples = (view.examples + evidence.values(of: format.place)).compactMap { value in
            TimeText(of: value).map { (value: value, text: $0) }
        }
        let contrary = examples.filter { $0.text != (isDay ? .day : .instant) }
        guard let first = contrary.first?.value else { return (word, nil) }
        func report(_ what: String) {
            findings.add(
                .openAPIExampleContradicts,
                "the document's example `\(first.text?.prefix(60) ?? "")` contradicts the format `\(format.text)`, \(what)",
                at: first)
        }
        guard contrary.count * 2 > examples.count else {
            report("which its other examples have")
            return (word, nil)
        }
        let texts = contrary.map(\.text)
        if texts.allSatisfy({ $0 == .day || $0 == .instant }) {
            report("so the type is `dateOrTimestamp`")
            return ("dateOrTimestamp", nil)
        }
        let forms = isDay ? [] : Self.forms(of: texts)
        guard !forms.isEmpty else {
            report("so the type is `string`")
            return ("string", nil)
        }
        report("so the client reads both forms, and writes that of the example")
        return (word, Located(Array(forms.prefix(TimestampForm.most - 1)) + [.rfc3339]))
    }

    /// The forms of most texts, in their order; empty if most texts have none, or if a text is a day only.
    private static func forms(of texts: [TimeText]) -> [TimestampForm] {
        var forms: [TimestampForm] = []
        var count = 0
        for case .form(let form) in texts {
            count += 1
            if !forms.contains(where: { $0 == form || $0.isAmbiguous(with: form) }) { forms.append(form) }
        }
        return count * 2 > texts.count && !texts.contains(.day) ? forms : []
    }
}

/// What a text says about a date or a point in time.
enum TimeText: Equatable {
    /// `2026-11-21`
    case day
    /// An instant in the form of RFC 3339.
    case instant
    /// An instant in another form.
    case form(TimestampForm)
    case other

    /// Nil for a placeholder such as `string`.
    init?(of value: Element) {
        guard let text = value.text, !value.isNull, text.utf8.contains(where: Self.isDigit) else { return nil }
        if value.scalarKind == .whole, let number = Int(text) {
            // Seconds of 1973 and later, and milliseconds of 1973 and later.
            self = number < 100_000_000 ? .other : .form(number < 100_000_000_000 ? .unix : .milliseconds)
        } else if Self.isInstant(text) {
            self = .instant
        } else if text.utf8.count == 10, Self.local?.fits(text + "T00:00:00") == true {
            self = .day
        } else {
            self = Self.known.first { $0.fits(text) }.map { .form(.pattern($0)) } ?? .other
        }
    }

    private static let local = try? TimestampFormat("yyyy-MM-dd'T'HH:mm:ss")

    /// The forms in which services write instants, besides RFC 3339.
    private static let known: [TimestampFormat] = {
        let fractions = (1...9).map { ":ss." + String(repeating: "S", count: $0) }
        var patterns = [
            "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEE, dd MMM yyyy HH:mm:ss Z", "EEE MMM dd HH:mm:ss Z yyyy",
            "EEE MMM dd HH:mm:ss 'UTC' yyyy",
        ]
        for day in ["yyyy-MM-dd", "yyyy/MM/dd"] {
            for separator in ["'T'", " "] {
                for rest in [":ss", ""] + fractions {
                    for zone in ["", "XXX", "XX", " XXX", " XX", "' UTC'"] {
                        patterns.append("\(day)\(separator)HH:mm\(rest)\(zone)")
                    }
                }
            }
        }
        return patterns.compactMap { try? TimestampFormat($0) }
    }()

    /// Whether the client reads a text as a `timestamp`. A layout of the language Go has `Z07:00` for an offset.
    private static func isInstant(_ text: String) -> Bool {
        let (head, rest) = (Array(text.utf8.prefix(19)), Array(text.utf8.dropFirst(19)))
        guard head.count == 19, [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(head[10]),
            local?.fits(String(decoding: head[..<10] + [UInt8(ascii: "T")] + head[11...], as: UTF8.self)) == true
        else { return false }
        let isFraction = rest.first == UInt8(ascii: ".")
        let zone = isFraction ? Array(rest.dropFirst().drop(while: isDigit)) : rest
        if isFraction, zone.count > rest.count - 2 { return false }
        if ["Z", "z", "Z07:00"].contains(String(decoding: zone, as: UTF8.self)) { return true }
        return zone.count == 6 && (zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"))
            && zone[3] == UInt8(ascii: ":") && [1, 2, 4, 5].allSatisfy { isDigit(zone[$0]) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension PlannedField {
    /// Leaves out the further ways to read a value, for a place where only the client writes it.
    mutating func keepWrittenForm() {
        coerces = false
        constraints.keepWrittenForm(of: &type)
    }
}

extension Constraints {
    /// Keeps the first of several forms. A number has its form by its type.
    mutating func keepWrittenForm(of type: inout PlannedType) {
        guard let first = format?.value.first else { return }
        format = first.primitive == nil ? Located([first]) : nil
        if let primitive = first.primitive { type = .word(primitive.spelling) }
    }

    /// Whether a form has no zone in its text.
    var isZoneGuessed: Bool {
        (format?.value ?? []).contains { form in
            guard case .pattern(let format) = form else { return false }
            return !format.hasOffset && !format.pattern.contains("UTC'") && !format.pattern.contains("GMT'")
        }
    }
}
