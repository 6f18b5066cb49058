import Diagnostics
import YAMLTree

// The functions that read values for every part of the decoder. Each one returns nil after it has reported the reason.
extension ContractDecoder {
    mutating func report(
        _ rule: FindingKind, _ message: String, at range: SourceRange, notes: [DiagnosticNote] = [],
        help: String? = nil, fix: Fix? = nil
    ) {
        findings.add(Diagnostic(rule: rule, message: message, at: range, notes: notes, help: help, fix: fix))
    }

    // MARK: Mappings

    /// A mapping whose keys are those of `description`; an unknown or missing key is reported.
    mutating func open(_ node: YAMLNode, as description: MappingDescription) -> YAMLMapping? {
        guard let mapping = node.mapping else {
            if node.kind != .unreadable {
                report(
                    .wrongKind, "\(description.subject) must be a mapping, and is \(node.kindName)", at: node.range,
                    help: "its keys are \(description.names.map { "`\($0)`" }.joined(separator: ", "))")
            }
            return nil
        }
        var isComplete = true
        for position in mapping.indices {
            guard let key = mapping[position].key.text, !description.allows(key) else { continue }
            unknownKey(key, position, of: mapping, in: description)
            isComplete = false
        }
        for key in description.requiredKeys where pair(mapping, key.name) == nil {
            let place = mapping.first?.key.range ?? node.range
            report(
                key.missingRule, "\(description.subject) needs `\(key.name)`", at: place,
                help: "`\(key.name)`: \(key.meaning)")
        }
        check(mapping, node, against: description, isComplete: isComplete)
        return mapping
    }

    private mutating func unknownKey(
        _ key: String, _ position: Int, of mapping: YAMLMapping, in description: MappingDescription
    ) {
        let pair = mapping[position]
        if reportKeyTrap(key, pair) { return }
        let near = NearSpelling(of: key, among: description.names)
        let help =
            near.map { "did you mean `\($0.candidate)`?" } ?? ForeignKeyNames.help(for: key, in: description)
            ?? "the keys are \(description.names.map { "`\($0)`" }.joined(separator: ", "))"
        var fix: Fix?
        if let near, mapping.pair(forKey: near.candidate) == nil,
            corrections[mapping.range.start.offset, default: [:]][near.candidate, default: position] == position
        {
            corrections[mapping.range.start.offset, default: [:]][near.candidate] = position
            fix = near.fix(at: pair.key.range)
        }
        report(
            .unknownKey, "\(description.subject) has no key \(quoted(key))", at: pair.key.range, help: help, fix: fix)
    }

    /// The pair of a key, or the pair whose key is a misspelling of it. The misspelled key was reported, so a second report of a
    /// missing value would add nothing.
    func pair(_ mapping: YAMLMapping, _ key: String) -> YAMLPair? {
        if let pair = mapping.pair(forKey: key) { return pair }
        return corrections.isEmpty ? nil : corrections[mapping.range.start.offset]?[key].map { mapping[$0] }
    }

    /// The pairs of a mapping whose keys are names that the contract chooses.
    mutating func entries(_ node: YAMLNode, of what: String) -> [(name: Located<String>, node: YAMLNode)] {
        guard let mapping = node.mapping else {
            if node.kind != .unreadable {
                report(
                    .wrongKind, "`\(what)` must be a mapping of names, and is \(node.kindName)", at: node.range,
                    help: "write a line `name: …` for each")
            }
            return []
        }
        var seen = Set<String>()
        let canRepeat = mapping.canRepeatKeys
        var result: [(name: Located<String>, node: YAMLNode)] = []
        result.reserveCapacity(mapping.count)
        for position in mapping.indices {
            let pair = mapping[position]
            // A key that occurs twice was reported with the tree; the first one counts.
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

    /// The pair of a key whose value isn't absent.
    mutating func pairWithValue(_ mapping: YAMLMapping, _ key: String) -> YAMLPair? {
        guard let pair = pair(mapping, key), pair.value.kind != .unreadable, !isMissing(pair) else { return nil }
        return pair
    }

    private mutating func isMissing(_ pair: YAMLPair) -> Bool {
        guard pair.value.kind != .unreadable else { return true }
        guard pair.value.isAbsent else { return false }
        reportAbsence(of: pair)
        return true
    }

    // MARK: Scalars

    /// A scalar's text. `what` is its name in messages.
    mutating func text(_ node: YAMLNode, _ what: @autoclosure () -> String) -> Located<String>? {
        guard let scalar = node.scalar else {
            if node.kind != .unreadable { reportNoText(node, what()) }
            return nil
        }
        return Located(scalar.value, at: node.range)
    }

    /// The nodes of one value, or of a list of values. An element that is absent is reported.
    mutating func elements(_ node: YAMLNode, _ key: String) -> [YAMLNode] {
        guard let sequence = node.sequence else { return [node] }
        return sequence.filter { element in
            guard element.isAbsent else { return true }
            report(
                .missingValue, "an element of `\(key)` is empty", at: element.range,
                help: "write a value, or remove the dash or the comma")
            return false
        }
    }

    /// One of these words.
    mutating func word<Word: RawRepresentable>(
        _ text: Located<String>, _ what: @autoclosure () -> String, of known: [Word]
    ) -> Located<Word>? where Word.RawValue == String {
        if let word = known.first(where: { $0.rawValue == text.value }) { return Located(word, at: text.range) }
        let words = known.map(\.rawValue)
        let list = words.map { "`\($0)`" }.joined(separator: ", ")
        let near = NearSpelling(of: text.value, among: words)
        report(
            .unknownValue, "\(what()) cannot be \(quoted(text.value))", at: text.range,
            help: near.map { "did you mean `\($0.candidate)`? The values are \(list)" }
                ?? ForeignWords.help(for: text.value, among: words) ?? "the values are \(list)",
            fix: near?.fix(at: text.range))
        return nil
    }

    mutating func flag(_ text: Located<String>, _ key: String) -> Located<Bool>? {
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

    mutating func integer(_ text: Located<String>, _ key: String, in bounds: ClosedRange<Int>) -> Located<Int>? {
        guard let number = NumberText.integer(text.value), bounds.contains(number) else {
            report(
                .invalidValue,
                "`\(key)` must be an integer from \(bounds.lowerBound) to \(bounds.upperBound), and is \(quoted(text.value))",
                at: text.range)
            return nil
        }
        return Located(number, at: text.range)
    }

    private static let timeUnits: [(suffix: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// A time such as `20s`, in milliseconds. If the intended value is clear, it is used as if it had been written.
    mutating func duration(_ text: Located<String>, _ key: String) -> Located<Int>? {
        if let time = Self.milliseconds(text.value), time > 0 { return Located(time, at: text.range) }
        let meant = Self.meantTime(text.value)
        let help =
            meant.map { "write `\($0.text)` for \($0.words)" }
            ?? "write an integer above 0 and a unit: `500ms`, `20s`, `2m` or `1h`, at most a year"
        report(
            .invalidValue, "`\(key)` must be a time, and is \(quoted(text.value))", at: text.range, help: help,
            fix: meant?.fix(at: text.range))
        return meant.map { Located($0.milliseconds, at: text.range) }
    }

    /// How long a command may wait: a time such as `20s`, `0s`, or `forever`.
    mutating func patience(_ text: Located<String>, _ key: String) -> Located<WaitLimit>? {
        if text.value == "forever" { return Located(.forever, at: text.range) }
        if let time = Self.milliseconds(text.value) { return Located(.upTo(time), at: text.range) }
        let near = NearSpelling(of: text.value, among: ["forever"])
        let meant = Self.meantTime(text.value)
        let help =
            meant.map { "write `\($0.text)` for \($0.words)" } ?? near.map { "did you mean `\($0.candidate)`?" }
            ?? "write an integer and a unit, such as `500ms`, `20s`, `2m` or `1h`, at most a year; `0s` does not wait, and `forever` has no limit"
        report(
            .invalidValue, "`\(key)` must be a time or `forever`, and is \(quoted(text.value))", at: text.range,
            help: help, fix: meant?.fix(at: text.range) ?? near?.fix(at: text.range))
        return meant.map { Located(.upTo($0.milliseconds), at: text.range) }
    }

    /// The probable meaning of a time without a unit, or with a unit in other words.
    private struct MeantTime {
        var text: String
        var words: String
        var milliseconds: Int
        /// Whether the text contains the unit.
        var isCertain: Bool

        func fix(at range: SourceRange) -> Fix {
            Fix(
                title: "write `\(text)`", applicability: isCertain ? .certain : .needsALook,
                edits: [Fix.Edit(replacing: range, with: text)])
        }
    }

    private static let wordsOfUnits = [
        "ms": ("ms", "milliseconds"), "msec": ("ms", "milliseconds"), "millis": ("ms", "milliseconds"),
        "millisecond": ("ms", "milliseconds"), "milliseconds": ("ms", "milliseconds"), "s": ("s", "seconds"),
        "sec": ("s", "seconds"), "secs": ("s", "seconds"), "second": ("s", "seconds"), "seconds": ("s", "seconds"),
        "m": ("m", "minutes"), "min": ("m", "minutes"), "mins": ("m", "minutes"), "minute": ("m", "minutes"),
        "minutes": ("m", "minutes"), "h": ("h", "hours"), "hour": ("h", "hours"), "hours": ("h", "hours"),
    ]

    private static func meantTime(_ text: String) -> MeantTime? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = String(text.dropFirst(digits.count)).trimmingBlanks().lowercased()
        guard let number = NumberText.integer(String(digits)), number > 0 else { return nil }
        // A timeout of more than a thousand seconds is hardly meant.
        let known = unit.isEmpty ? (number < 1000 ? ("s", "seconds") : ("ms", "milliseconds")) : wordsOfUnits[unit]
        guard let (suffix, words) = known, let time = milliseconds("\(number)\(suffix)") else { return nil }
        return MeantTime(
            text: "\(number)\(suffix)", words: "\(number) \(words)", milliseconds: time, isCertain: !unit.isEmpty)
    }

    /// An integer from 0 with its unit, at most a year.
    private static func milliseconds(_ text: String) -> Int? {
        guard let unit = timeUnits.first(where: { text.hasSuffix($0.suffix) }),
            let number = NumberText.integer(String(text.dropLast(unit.suffix.count))), number >= 0
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
        return overflow || product > 366 * 86_400_000 ? nil : product
    }

    /// A time in milliseconds with the largest unit for an integer: `500ms`, `20s`, `2m`, `1h`. Up to two minutes, people count in
    /// seconds.
    static func duration(_ milliseconds: Int) -> String {
        let largest = milliseconds < 120_000 ? 1_000 : Int.max
        let unit =
            timeUnits.last { $0.milliseconds <= largest && milliseconds % $0.milliseconds == 0 } ?? timeUnits[0]
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }

    /// A path of keys: `error.code`.
    mutating func path(_ text: Located<String>) -> Located<FieldPath>? {
        if let meant = Self.pathOfAnotherSyntax(text.value) {
            report(
                .invalidValue,
                "\(quoted(text.value)) is not a path, because the keys of a path have only dots between them",
                at: text.range, help: "write `\(meant)`",
                fix: Fix(
                    title: "write `\(meant)`", applicability: .needsALook,
                    edits: [Fix.Edit(replacing: text.range, with: meant)]))
            return nil
        }
        let keys = text.value.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.allSatisfy({ !$0.isEmpty && !$0.contains("[") && !$0.contains(" ") }), keys.count <= 16,
            !Self.beginsLikeAnotherSyntax(text.value)
        else {
            report(
                .invalidValue, "\(quoted(text.value)) is not a path", at: text.range,
                help: "write keys with dots between them, such as `error.code`; a path has no indexes")
            return nil
        }
        return text.map { _ in FieldPath(keys) }
    }

    /// Whether it begins like a JSONPath or a JSON Pointer, as the schema has it (`TextForm.path`).
    private static func beginsLikeAnotherSyntax(_ text: String) -> Bool {
        func isLetter(after start: String) -> Bool {
            text.hasPrefix(start) && text.dropFirst(start.count).first.map { $0.isASCII && $0.isLetter } ?? false
        }
        return isLetter(after: "$.") || isLetter(after: "/")
    }

    /// The keys of a JSONPath (`$.error.code`) or of a JSON Pointer (`/error/code`), with dots between them; nil for other texts.
    private static func pathOfAnotherSyntax(_ text: String) -> String? {
        let keys: [Substring]
        if text.hasPrefix("$.") {
            keys = text.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
        } else if text.hasPrefix("/") {
            keys = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        } else {
            return nil
        }
        let isPlain = keys.allSatisfy { key in
            !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        }
        return isPlain ? keys.joined(separator: ".") : nil
    }
}

/// A text in a message: cut if it is long, with control characters shown.
func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map { scalar -> String in
        scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
    return "`\(shown)\(text.unicodeScalars.count > 60 ? "…" : "")`"
}
