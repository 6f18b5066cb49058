import ContractModel
import YAMLTree

/// A contract's values as they are compared: people write the same value in several ways, and a change of it is a change of its
/// parts.
extension MergeNode {
    /// The text of a contract as the printer spells it, so that only differences of values are left. Nil for a text with errors.
    static func printed(_ document: YAMLDocument) -> MergeNode? {
        let decoded = ContractDecoder.decode(document)
        guard !decoded.diagnostics.contains(where: { $0.severity == .error }), let contract = decoded.contract else {
            return nil
        }
        let text = ContractPrinter.text(of: contract)
        return YAMLParser().parse(Array(text.utf8), file: document.file).document.map { MergeNode($0.root, lines: []) }
    }

    /// The value with the pairs that its short forms stand for, as the language's table of keys has them.
    func normal(at place: LanguagePlace = .top, depth: Int = 0) -> MergeNode {
        guard depth < 200 else { return self }
        switch self {
        case .mapping(let pairs):
            let node = MergeNode.mapping(
                pairs.map { pair in
                    var pair = pair
                    let below = place.below(pair.key, pair.value.pairs?.map(\.key) ?? [])
                    pair.value = pair.value.normal(at: below, depth: depth + 1)
                    return pair
                })
            return place.areFieldsAlone ? .short(node, as: [Pair(key: "fields", value: node, isInLines: true)]) : node
        case .list:
            if let texts, place.meaning == .name(.error) || place.isEnumeration {
                // The order of errors has no meaning. A value of an enum is its own name.
                let isEnumeration = place.isEnumeration
                return .short(self, as: texts.map { Pair(key: $0, value: .scalar(isEnumeration ? $0 : "")) })
            }
            return typeText.map { long($0, at: place) } ?? self
        case .scalar(let text):
            if place.meaning == .name(.error), place.isList {
                return .short(.list([self]), as: [Pair(key: text, value: .scalar(""))])
            }
            return long(text, at: place)
        case .short: return self
        }
    }

    /// The key that a text alone is the value of: `int = 3` is `{type: int, default: 3}`.
    private func long(_ text: String, at place: LanguagePlace) -> MergeNode {
        guard text != "true", text != "false", let (key, hasDefault) = place.keyOfText else { return self }
        var pairs = [Pair(key: key, value: .scalar(text))]
        if hasDefault, let sign = text.firstIndex(of: "=") {
            pairs = [
                Pair(key: key, value: .scalar(text[..<sign].trimmingSpaces())),
                Pair(key: "default", value: .scalar(text[text.index(after: sign)...].trimmingSpaces())),
            ]
        }
        return .short(self, as: pairs)
    }

    /// Its content on one line, which is the same for the same value, however it is written.
    var identity: String {
        if let pairs {
            return "{" + pairs.map { "\($0.key): \($0.value.identity)" }.sorted().joined(separator: ", ") + "}"
        }
        switch self {
        case .scalar(let text): return text
        case .list(let elements): return typeText ?? "[" + elements.map(\.identity).joined(separator: ", ") + "]"
        case .mapping, .short: return ""
        }
    }

    /// The same value with the comments and the layout of the text that it was printed from.
    func withComments(of written: MergeNode) -> MergeNode {
        guard case .mapping(let pairs) = self, let others = written.pairs else { return self }
        let byKey = Dictionary(others.map { ($0.key, $0) }) { first, _ in first }
        return .mapping(
            pairs.map { pair in
                guard let other = byKey[pair.key] else { return pair }
                return Pair(
                    key: pair.key, value: pair.value.withComments(of: other.value), comments: other.comments,
                    isInLines: other.isInLines)
            })
    }
}
