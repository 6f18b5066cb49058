import Diagnostics
import YAMLTree

// What every part of the decoder reads values with: each returns nil after having said why.
extension ContractDecoder {
    mutating func report(
        _ rule: FindingKind, _ message: String, at range: SourceRange, notes: [DiagnosticNote] = [], help: String? = nil
    ) {
        findings.add(Diagnostic(rule: rule, message: message, at: range, notes: notes, help: help))
    }

    // MARK: Mappings

    /// A mapping whose keys are those of `description`; an unknown or missing key is reported.
    mutating func open(_ node: YAMLNode, as description: MappingDescription) -> YAMLMapping? {
        guard let mapping = node.mapping else {
            if node.kind != .unreadable {
                report(
                    .wrongKind, "\(description.subject) is a mapping, and this is \(node.kindName)", at: node.range,
                    help: "its keys are \(description.names.map { "`\($0)`" }.joined(separator: ", "))")
            }
            return nil
        }
        for position in mapping.indices {
            let pair = mapping[position]
            guard let key = pair.key.text, !description.allows(key) else { continue }
            unknownKey(key, pair, in: description)
        }
        for key in description.requiredKeys where mapping[key.name] == nil {
            let place = mapping.first?.key.range ?? node.range
            report(
                key.missingRule, "\(description.subject) needs `\(key.name)`", at: place,
                help: "`\(key.name)`: \(key.meaning)")
        }
        return mapping
    }

    private mutating func unknownKey(_ key: String, _ pair: YAMLPair, in description: MappingDescription) {
        if reportKeyTrap(key, pair) { return }
        let help =
            nearestSpelling(of: key, among: description.names).map { "did you mean `\($0)`?" }
            ?? "the keys are \(description.names.map { "`\($0)`" }.joined(separator: ", "))"
        report(.unknownKey, "\(description.subject) has no key \(quoted(key))", at: pair.key.range, help: help)
    }

    /// The pairs of a mapping whose keys are names that the contract chooses.
    mutating func entries(_ node: YAMLNode, of what: String) -> [(name: Located<String>, node: YAMLNode)] {
        guard let mapping = node.mapping else {
            if node.kind != .unreadable {
                report(
                    .wrongKind, "`\(what)` is a mapping of names, and this is \(node.kindName)", at: node.range,
                    help: "write one `name: …` for each")
            }
            return []
        }
        var seen = Set<String>()
        let canRepeat = mapping.canRepeatKeys
        var result: [(name: Located<String>, node: YAMLNode)] = []
        result.reserveCapacity(mapping.count)
        for position in mapping.indices {
            let pair = mapping[position]
            // A key that stands twice was reported with the tree; the first one counts.
            guard let key = pair.key.text, !canRepeat || seen.insert(key).inserted, !reportKeyTrap(key, pair) else {
                continue
            }
            guard !key.isEmpty else {
                report(
                    .invalidName, "a name in `\(what)` is empty", at: pair.key.range,
                    help: "write a name before the colon")
                continue
            }
            guard !isMissing(pair) else { continue }
            result.append((Located(key, at: pair.key.range), pair.value))
        }
        return result
    }

    /// The value of a key; one that is absent (`key:` and nothing behind it) is reported.
    mutating func value(_ mapping: YAMLMapping, _ key: String) -> YAMLNode? {
        guard let pair = mapping.pair(forKey: key), pair.value.kind != .unreadable, !isMissing(pair) else { return nil }
        return pair.value
    }

    private mutating func isMissing(_ pair: YAMLPair) -> Bool {
        guard pair.value.kind != .unreadable else { return true }
        guard pair.value.isAbsent else { return false }
        reportAbsence(of: pair)
        return true
    }

    // MARK: Scalars

    mutating func text(_ mapping: YAMLMapping, _ key: String) -> Located<String>? {
        value(mapping, key).flatMap { text($0, "`\(key)`") }
    }

    /// A scalar's text. `what` is what a message calls it.
    mutating func text(_ node: YAMLNode, _ what: @autoclosure () -> String) -> Located<String>? {
        guard let scalar = node.scalar else {
            if node.kind != .unreadable { reportNoText(node, what()) }
            return nil
        }
        return Located(scalar.value, at: node.range)
    }

    /// A text, or a list of texts.
    mutating func textList(_ mapping: YAMLMapping, _ key: String) -> [Located<String>] {
        guard let node = value(mapping, key) else { return [] }
        guard let sequence = node.sequence else { return text(node, "`\(key)`").map { [$0] } ?? [] }
        return sequence.compactMap { element in
            guard element.isAbsent else { return text(element, "an element of `\(key)`") }
            report(
                .missingValue, "an element of `\(key)` is empty", at: element.range,
                help: "write it, or remove its dash or comma")
            return nil
        }
    }

    /// One of the words of an enum.
    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ mapping: YAMLMapping, _ key: String, of type: Word.Type
    ) -> Located<Word>? where Word.RawValue == String {
        guard let text = text(mapping, key) else { return nil }
        return word(text, "`\(key)`", of: type)
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ text: Located<String>, _ what: @autoclosure () -> String, of type: Word.Type
    ) -> Located<Word>? where Word.RawValue == String {
        if let word = Word(rawValue: text.value) { return Located(word, at: text.range) }
        let words = Word.allCases.map(\.rawValue)
        let list = words.map { "`\($0)`" }.joined(separator: ", ")
        let near = nearestSpelling(of: text.value, among: words).map { "did you mean `\($0)`? " } ?? ""
        report(
            .unknownValue, "\(what()) cannot be \(quoted(text.value))", at: text.range,
            help: "\(near)It is one of \(list)")
        return nil
    }

    mutating func flag(_ mapping: YAMLMapping, _ key: String) -> Located<Bool>? {
        guard let text = text(mapping, key) else { return nil }
        switch text.value {
        case "true": return Located(true, at: text.range)
        case "false": return Located(false, at: text.range)
        default:
            report(
                .unknownValue, "`\(key)` cannot be \(quoted(text.value))", at: text.range,
                help: "write `true` or `false`")
            return nil
        }
    }

    mutating func integer(_ mapping: YAMLMapping, _ key: String, in bounds: ClosedRange<Int>) -> Located<Int>? {
        guard let text = text(mapping, key) else { return nil }
        guard let number = NumberText.integer(text.value), bounds.contains(number) else {
            report(
                .invalidValue,
                "`\(key)` is a whole number from \(bounds.lowerBound) to \(bounds.upperBound), and this is \(quoted(text.value))",
                at: text.range)
            return nil
        }
        return Located(number, at: text.range)
    }

    private static let timeUnits: [(suffix: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// A time such as `20s`, in milliseconds.
    mutating func duration(_ mapping: YAMLMapping, _ key: String) -> Located<Int>? {
        guard let text = text(mapping, key) else { return nil }
        if let time = Self.milliseconds(text.value), time > 0 { return Located(time, at: text.range) }
        let example =
            NumberText.integer(text.value).map { "write `\($0)s` for \($0) seconds" }
            ?? "write a whole number above 0 and a unit: `500ms`, `20s`, `2m` or `1h`, at most a year"
        report(.invalidValue, "`\(key)` is a time, and \(quoted(text.value)) is not", at: text.range, help: example)
        return nil
    }

    /// `20s`, or `{any: 20s, constrained: 60s}`.
    mutating func timeout(_ mapping: YAMLMapping) -> Located<TimeoutDefinition>? {
        guard let node = value(mapping, "timeout") else { return nil }
        guard node.mapping != nil else { return duration(mapping, "timeout")?.map { TimeoutDefinition($0) } }
        guard let inner = open(node, as: LanguageKeys.timeout) else { return nil }
        let constrained = duration(inner, "constrained")
        guard let any = duration(inner, "any"), let constrained else { return nil }
        return Located(TimeoutDefinition(any.value, constrained: constrained.value), at: node.range)
    }

    /// How long a command may wait: a time such as `20s`, `0s`, or `forever`.
    mutating func patience(_ mapping: YAMLMapping) -> Located<Patience>? {
        guard let text = text(mapping, "patience") else { return nil }
        if text.value == "forever" { return Located(.forever, at: text.range) }
        if let time = Self.milliseconds(text.value) { return Located(.upTo(time), at: text.range) }
        let near = nearestSpelling(of: text.value, among: ["forever"]).map { "did you mean `\($0)`?" }
        let example =
            NumberText.integer(text.value).map { "write `\($0)s` for \($0) seconds" } ?? near
            ?? "write a whole number and a unit: `500ms`, `20s`, `2m` or `1h`, at most a year; `0s` waits for nothing, and `forever` has no bound"
        report(
            .invalidValue, "`patience` is a time or `forever`, and \(quoted(text.value)) is neither", at: text.range,
            help: example)
        return nil
    }

    /// A whole number from 0 with its unit, at most a year.
    private static func milliseconds(_ text: String) -> Int? {
        guard let unit = timeUnits.first(where: { text.hasSuffix($0.suffix) }),
            let number = NumberText.integer(String(text.dropLast(unit.suffix.count))), number >= 0
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
        return overflow || product > 366 * 86_400_000 ? nil : product
    }

    /// A path of keys: `error.code`.
    mutating func path(_ mapping: YAMLMapping, _ key: String) -> Located<FieldPath>? {
        text(mapping, key).flatMap { path($0) }
    }

    mutating func path(_ text: Located<String>) -> Located<FieldPath>? {
        let keys = text.value.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.allSatisfy({ !$0.isEmpty && !$0.contains("[") && !$0.contains(" ") }), keys.count <= 16 else {
            report(
                .invalidValue, "\(quoted(text.value)) is not a path", at: text.range,
                help: "write keys with dots between them: `error.code`; there are no indexes")
            return nil
        }
        return text.map { _ in FieldPath(keys) }
    }

    mutating func deprecation(_ mapping: YAMLMapping) -> Deprecation? {
        guard let text = text(mapping, "deprecated"), text.value != "false" else { return nil }
        return Deprecation(message: text.value == "true" ? nil : text.value)
    }
}

/// A text in a message: cut where it is long, with control characters shown.
func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map { scalar -> String in
        scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
    return "`\(shown)\(text.unicodeScalars.count > 60 ? "…" : "")`"
}
