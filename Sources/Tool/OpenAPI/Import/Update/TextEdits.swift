import Diagnostics
import YAMLTree

/// Changes of a text, which are made together, the last one in the text first.
struct TextEdits {
    private let bytes: [UInt8]
    private var changes: [(range: Range<Int>, text: String)] = []
    private var starts: [Int] = []

    init(_ text: String = "") {
        bytes = Array(text.utf8)
        starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    var count: Int { changes.count }

    func applied() -> String {
        let hasCarriageReturns = bytes.contains(UInt8(ascii: "\r"))
        var result: [UInt8] = []
        var position = 0
        // At one place, insertions come before a removal, in the order in which they were asked for.
        let ordered = changes.enumerated().sorted { one, other in
            let (left, right) = (one.element.range, other.element.range)
            if left.lowerBound != right.lowerBound { return left.lowerBound < right.lowerBound }
            return left.isEmpty == right.isEmpty ? one.offset < other.offset : left.isEmpty
        }
        for (_, change) in ordered where change.range.lowerBound >= position {
            result += bytes[position..<change.range.lowerBound]
            result += Array((hasCarriageReturns ? change.text.replacing("\n", with: "\r\n") : change.text).utf8)
            position = change.range.upperBound
        }
        return String(decoding: result + bytes[position...], as: UTF8.self)
    }

    // MARK: Pairs

    mutating func replace(_ pair: YAMLPair, in mapping: YAMLMapping, by new: MergeNode.Pair, _ lines: [Substring]) {
        guard !mapping.isFlow else {
            let range = pair.value.range
            return changes.append((range.start.offset..<range.end.offset, new.value.flow))
        }
        changes.append((self.lines(of: pair, lines), MergeNode.lines(new, indent: indent(of: pair))))
    }

    mutating func remove(_ pair: YAMLPair, from mapping: YAMLMapping, _ lines: [Substring]) {
        guard mapping.isFlow else {
            var range = self.lines(of: pair, lines)
            var number = pair.key.range.start.line - 2
            while lines.indices.contains(number), isComment(lines[number], indent: indent(of: pair).count) {
                range = start(ofLine: number)..<range.upperBound
                number -= 1
            }
            // A blank line above goes with an entry that has one below.
            if lines.indices.contains(number), lines[number].allSatisfy({ $0 == " " }), number > 0,
                range.upperBound >= bytes.count || bytes[range.upperBound] == 0x0A || bytes[range.upperBound] == 0x0D
            {
                range = start(ofLine: number)..<range.upperBound
            }
            return changes.append((range, ""))
        }
        var (lower, upper) = (pair.key.range.start.offset, pair.value.range.end.offset)
        if pair.value.isAbsent { upper = max(upper, pair.key.range.end.offset + 1) }
        while upper < bytes.count, bytes[upper] == 0x20 { upper += 1 }
        if upper < bytes.count, bytes[upper] == UInt8(ascii: ",") {
            upper += 1
            while upper < bytes.count, bytes[upper] == 0x20 { upper += 1 }
        } else {
            while lower > 0, [0x20, 0x0A, 0x0D].contains(bytes[lower - 1]) { lower -= 1 }
            if lower > 0, bytes[lower - 1] == UInt8(ascii: ",") { lower -= 1 }
        }
        changes.append((lower..<upper, ""))
    }

    /// Adds pairs after the one with a key, or at the end.
    mutating func add(
        _ pairs: [MergeNode.Pair], after key: String?, to mapping: YAMLMapping, _ lines: [Substring]
    ) {
        let place = key.flatMap { mapping.pair(forKey: $0) }
        guard !mapping.isFlow, let last = place ?? mapping.last else {
            let text = pairs.map(MergeNode.flow).joined(separator: ", ")
            if let place, !place.value.isAbsent {
                let end = place.value.range.end.offset
                return changes.append((end..<end, ", " + text))
            }
            var end = mapping.range.end.offset - 1
            while end > 0, [0x20, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
            let lead = mapping.isEmpty ? "" : bytes[end - 1] == UInt8(ascii: ",") ? " " : ", "
            return changes.append((end..<end, lead + text))
        }
        let indent = indent(of: last)
        let end = self.lines(of: last, lines).upperBound
        let isSpaced = indent.isEmpty || isApart(mapping, lines)
        let text = pairs.map { (isSpaced ? "\n" : "") + MergeNode.lines($0, indent: indent) }.joined()
        let needsBreak = end > 0 && bytes[end - 1] != UInt8(ascii: "\n")
        changes.append((end..<end, (needsBreak ? "\n" : "") + text))
    }

    /// Whether blank lines separate the pairs.
    private func isApart(_ mapping: YAMLMapping, _ lines: [Substring]) -> Bool {
        guard mapping.count > 1 else { return false }
        return mapping.dropFirst().contains { pair in
            var number = pair.key.range.start.line - 2
            while lines.indices.contains(number), isComment(lines[number], indent: pair.key.range.start.column - 1) {
                number -= 1
            }
            return lines.indices.contains(number) && lines[number].allSatisfy { $0 == " " || $0 == "\r" }
        }
    }

    // MARK: Lines

    private func indent(of pair: YAMLPair) -> String { String(repeating: " ", count: pair.key.range.start.column - 1) }

    private func isComment(_ line: Substring, indent: Int) -> Bool {
        let rest = line.drop { $0 == " " }
        return rest.hasPrefix("#") && line.count - rest.count == indent && !rest.hasPrefix("# MARK:")
    }

    private func start(ofLine number: Int) -> Int { starts.indices.contains(number) ? starts[number] : bytes.count }

    /// The lines that a pair of a mapping in lines takes, without the lines between it and the next one.
    private func lines(of pair: YAMLPair, _ lines: [Substring]) -> Range<Int> {
        let first = pair.key.range.start.line - 1
        let column = pair.key.range.start.column - 1
        var end = first + 1
        var last = first
        let isFlow = pair.value.mapping?.isFlow ?? pair.value.sequence?.isFlow ?? false
        let least =
            isFlow
                || pair.value.kind == .scalar && !pair.value.sourceText.hasPrefix("|")
                    && !pair.value.sourceText.hasPrefix(">")
            ? pair.value.range.end.line - 1 : first
        while end < lines.count {
            let line = lines[end]
            let rest = line.drop { $0 == " " }
            let depth = line.count - rest.count
            let isBlank = rest.allSatisfy { $0 == "\r" }
            if end > least, !isBlank, depth < column || depth == column && !rest.hasPrefix("- ") { break }
            if !isBlank { last = end }
            end += 1
        }
        return start(ofLine: first)..<start(ofLine: last + 1)
    }
}
