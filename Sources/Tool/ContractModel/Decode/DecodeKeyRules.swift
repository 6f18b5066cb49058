import Diagnostics
import YAMLTree

/// The checks between the keys of a mapping, from the table of the language.
extension ContractDecoder {
    /// Reports every rule that a mapping breaks.
    ///
    /// - Parameter isComplete: whether all of its keys are known. A key that is missing may be meant by one that is not, which
    ///   was reported.
    mutating func check(
        _ mapping: YAMLMapping, _ node: YAMLNode, against description: MappingDescription, isComplete: Bool
    ) {
        let place = mapping.first?.key.range ?? node.range
        for rule in description.rules {
            check(rule, KeyRuleMessages(), KeyRuleSubject(mapping, description.subject, place, isComplete))
        }
    }

    /// The mapping that a rule is checked against.
    private struct KeyRuleSubject {
        let mapping: YAMLMapping
        let name: String
        /// The place of a finding about a missing key.
        var place: SourceRange
        let isComplete: Bool
        /// The value of another key under which the rule holds, `encoding: json`.
        var circumstance: String?

        init(_ mapping: YAMLMapping, _ name: String, _ place: SourceRange, _ isComplete: Bool) {
            self.mapping = mapping
            self.name = name
            self.place = place
            self.isComplete = isComplete
        }
    }

    private mutating func check(_ rule: KeyRule, _ messages: KeyRuleMessages, _ subject: KeyRuleSubject) {
        switch rule {
        case .explained(let inner, let messages): check(inner, messages, subject)
        case .required(let keys):
            for key in keys where pair(subject.mapping, key) == nil { missing([key], messages, subject) }
        case .atLeastOne(let keys):
            if present(keys, subject).isEmpty { missing(keys, messages, subject) }
        case .atMostOne(let keys): refuseSeveral(keys, messages, subject)
        case .exactlyOne(let keys, let texts):
            let keys = keys.filter { !texts.contains($0) || hasText($0, subject.mapping) }
            if present(keys, subject).isEmpty { missing(keys, messages, subject) }
            refuseSeveral(keys, messages, subject)
        case .forbidden(let keys):
            for pair in present(keys, subject) {
                conflict(pair, "`\(name(pair))` is not valid with `\(subject.circumstance ?? "this")`", messages)
            }
        case .needs(let key, let other):
            guard let pair = pair(subject.mapping, key), self.pair(subject.mapping, other) == nil else { return }
            var subject = subject
            subject.place = pair.key.range
            missing([other], messages, subject, "`\(key)`")
        case .needsOne(let key, let others):
            guard let pair = pair(subject.mapping, key), present(others, subject).isEmpty else { return }
            var subject = subject
            subject.place = pair.key.range
            missing(others, messages, subject, "`\(key)`")
        case .onlyWith(let key, let other):
            guard self.pair(subject.mapping, other) == nil, let pair = pair(subject.mapping, key) else { return }
            conflict(pair, "`\(key)` is only valid with `\(other)`", messages)
        case .excludes(let key, let others):
            guard pair(subject.mapping, key) != nil else { return }
            for pair in present(others, subject) {
                conflict(pair, "`\(name(pair))` is not valid with `\(key)`", messages)
            }
        case .where(let key, let words, let rules):
            guard let value = pair(subject.mapping, key)?.value, let word = value.text, words.contains(word) else {
                return
            }
            var subject = subject
            subject.place = value.range
            subject.circumstance = "\(key): \(word)"
            for rule in rules { check(rule, messages, subject) }
        }
    }

    private func present(_ keys: [String], _ subject: KeyRuleSubject) -> [YAMLPair] {
        keys.compactMap { pair(subject.mapping, $0) }
    }

    /// Whether a key, or a misspelling of it, has a text.
    func hasText(_ key: String, _ mapping: YAMLMapping) -> Bool {
        guard let value = pair(mapping, key)?.value else { return false }
        return value.scalar != nil && !value.isAbsent
    }

    /// A key as it is written.
    private func name(_ pair: YAMLPair) -> String { pair.key.text ?? "" }

    /// If several keys exclude each other, the first one counts.
    private mutating func refuseSeveral(_ keys: [String], _ messages: KeyRuleMessages, _ subject: KeyRuleSubject) {
        let present = present(keys, subject)
        guard let first = present.first else { return }
        for pair in present.dropFirst() {
            conflict(
                pair, "`\(name(first))` and `\(name(pair))` cannot be used together", messages,
                notes: [DiagnosticNote("the other one", at: first.key.range)])
        }
    }

    private mutating func missing(
        _ keys: [String], _ messages: KeyRuleMessages, _ subject: KeyRuleSubject, _ what: String? = nil
    ) {
        guard subject.isComplete else { return }
        let names = keys.map { "`\($0)`" }.joined(separator: ", ")
        let what = what ?? subject.circumstance.map { "`\($0)`" } ?? subject.name
        report(
            messages.kind, messages.missing ?? "\(what) needs \(keys.count == 1 ? names : "one of \(names)")",
            at: subject.place, help: messages.add ?? "add \(keys.count == 1 ? "it" : "one of them")")
    }

    private mutating func conflict(
        _ pair: YAMLPair, _ message: String, _ messages: KeyRuleMessages, notes: [DiagnosticNote] = []
    ) {
        report(
            messages.refused, messages.conflict ?? message, at: pair.key.range, notes: notes,
            help: messages.remove ?? "remove it")
    }
}
