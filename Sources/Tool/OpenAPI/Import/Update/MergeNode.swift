import ContractModel
import Diagnostics
import YAMLTree

/// A value of a contract that is compared and printed, wherever its text is.
indirect enum MergeNode: Equatable {
    case scalar(String)
    case list([MergeNode])
    case mapping([Pair])
    /// A short form, and the pairs of the long form that it stands for.
    case short(MergeNode, as: [Pair])

    struct Pair {
        var key: String
        var value: MergeNode
        /// The comments above it, which do not count as a difference.
        var comments: [String] = []
        /// Whether its value is a mapping in lines.
        var isInLines = false
    }

    /// The order of keys does not count.
    static func == (left: MergeNode, right: MergeNode) -> Bool {
        if let one = left.pairs, let other = right.pairs {
            guard one.count == other.count else { return false }
            let values = Dictionary(other.map { ($0.key, $0.value) }) { first, _ in first }
            return one.allSatisfy { values[$0.key] == $0.value }
        }
        switch (left, right) {
        case (.scalar(let one), .scalar(let other)): return one == other
        case (.list(let one), .list(let other)): return one == other
        // A type is the same with and without quotes.
        case (.scalar(let text), .list), (.list, .scalar(let text)): return (left.typeText ?? right.typeText) == text
        default: return false
        }
    }

    /// - Parameter lines: the lines of the text, for finding comments.
    init(_ node: YAMLNode, lines: [Substring], depth: Int = 0) {
        guard depth < 200 else {
            self = .scalar("")
            return
        }
        switch node.kind {
        case .scalar, .unreadable: self = .scalar(node.text ?? "")
        case .sequence:
            self = .list((node.sequence ?? nil).map { $0.map { MergeNode($0, lines: lines, depth: depth + 1) } } ?? [])
        case .mapping:
            let isFlow = node.mapping?.isFlow ?? true
            self = .mapping(
                (node.mapping.map(Array.init) ?? []).compactMap { pair in
                    guard let key = pair.key.text else { return nil }
                    return Pair(
                        key: key, value: MergeNode(pair.value, lines: lines, depth: depth + 1),
                        comments: isFlow ? [] : Self.comments(above: pair.key.range.start, lines),
                        isInLines: pair.value.mapping.map { !$0.isFlow && !$0.isEmpty } ?? false)
                })
        }
    }

    private static func comments(above start: SourcePosition, _ lines: [Substring]) -> [String] {
        var comments: [String] = []
        var number = start.line - 2
        while lines.indices.contains(number) {
            let line = lines[number].drop { $0 == " " }
            guard line.hasPrefix("#"), !line.hasPrefix("# MARK:"), lines[number].count - line.count == start.column - 1
            else { break }
            comments.append(String(line))
            number -= 1
        }
        return comments.reversed()
    }

    // MARK: Parts

    var pairs: [Pair]? {
        switch self {
        case .mapping(let pairs), .short(_, let pairs): pairs
        case .scalar, .list: nil
        }
    }

    /// The value as it is written.
    var written: MergeNode {
        if case .short(let written, _) = self { return written }
        return self
    }

    subscript(key: String) -> MergeNode? { pairs?.first { $0.key == key }?.value }

    /// The texts of a list of scalars.
    var texts: [String]? {
        guard case .list(let elements) = written else { return nil }
        let texts = elements.compactMap { if case .scalar(let text) = $0 { text } else { nil } }
        return texts.count == elements.count ? texts : nil
    }

    /// Its text on one line, which is the same for the same value.
    var line: String {
        switch self {
        case .scalar(let text): text
        case .list(let elements): typeText ?? "[" + elements.map(\.line).joined(separator: ", ") + "]"
        case .mapping(let pairs): "{" + pairs.map { "\($0.key): \($0.value.line)" }.joined(separator: ", ") + "}"
        case .short(let written, _): written.line
        }
    }

    // MARK: Printing

    var printed: PrintedNode {
        switch self {
        case .scalar(let text): return Self.isPlain(text) ? .plain(text) : .text(text)
        case .list(let elements):
            if let typeText { return .type(typeText) }
            return .list(elements.map(\.printed))
        case .mapping(let pairs): return .mapping(pairs.map { ($0.key, $0.value.printed) })
        case .short(let written, _): return written.printed
        }
    }

    /// The text of a list or a map type, such as `[User]` and `[[string: User]]`, as contracts write it in YAML. YAML reads it as a
    /// list of one element, and a map as a list of one pair. Nil for other values.
    var typeText: String? {
        guard case .list(let elements) = self, elements.count == 1 else { return nil }
        switch elements[0] {
        case .scalar(let text):
            let isName = text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x5F
            }
            return isName && !text.isEmpty ? "[\(text)]" : nil
        case .list: return elements[0].typeText.map { "[\($0)]" }
        case .mapping(let pairs):
            guard pairs.count == 1, pairs[0].key == "string" else { return nil }
            switch pairs[0].value {
            case .scalar(let text): return "[string: \(YAMLText.plain(text, inFlow: true))]"
            case .list: return pairs[0].value.typeText.map { "[string: \($0)]" }
            case .mapping, .short: return nil
            }
        case .short: return nil
        }
    }

    /// Whether a text is written without quotes because it isn't a text: a number, a bool, a range.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count < 80 else { return false }
        if ["true", "false", "null"].contains(text) { return true }
        guard (0x30...0x39).contains(first) || first == 0x2D || first == 0x2E else { return false }
        return text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    }

    /// A pair in lines, with its comments.
    static func lines(_ pair: Pair, indent: String) -> String {
        var result = pair.comments.map { "\(indent)\($0)\n" }.joined()
        if pair.isInLines, case .mapping(let inner) = pair.value.written {
            result += "\(indent)\(YAMLText.value(pair.key)):\n"
            return result + inner.map { lines($0, indent: indent + "  ") }.joined()
        }
        let text = ContractPrinter.lines(pair.key, pair.value.printed)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            result += line.isEmpty ? "\n" : "\(indent)\(line)\n"
        }
        return result
    }

    /// The value on one line, in flow style.
    var flow: String { ContractPrinter.flow(printed) }

    static func flow(_ pair: Pair) -> String { "\(YAMLText.value(pair.key, inFlow: true)): \(pair.value.flow)" }
}
