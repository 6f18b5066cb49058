import Diagnostics

// What takes an element or a pair away with what joins it to the others. `nil` where a comment, an anchor or a line break is
// in between, which a program better leaves alone.
extension YAMLSequence {
    /// Takes one of several elements away.
    package func removal(of position: Int) -> Fix.Edit? {
        guard count > 1, indices.contains(position) else { return nil }
        return node.document.removal(of: map { $0.aliasRange ?? $0.range }, at: position, isFlow: isFlow)
    }
}

extension YAMLMapping {
    /// Takes one of several pairs away.
    package func removal(of key: String) -> Fix.Edit? {
        guard count > 1, let position = firstIndex(where: { $0.key.text == key }) else { return nil }
        return node.document.removal(of: map(\.range), at: position, isFlow: isFlow)
    }
}

extension YAMLDocument {
    fileprivate func removal(of ranges: [SourceRange], at position: Int, isFlow: Bool) -> Fix.Edit? {
        guard zip(ranges, ranges.dropFirst()).allSatisfy({ $0.end.offset <= $1.start.offset }) else { return nil }
        return isFlow ? flowRemoval(of: ranges, at: position) : blockRemoval(of: ranges[position])
    }

    /// With the comma before it, or the one after it if it is the first.
    private func flowRemoval(of ranges: [SourceRange], at position: Int) -> Fix.Edit? {
        let start = position > 0 ? ranges[position - 1].end : ranges[0].start
        let end = position > 0 ? ranges[position].end : ranges[1].start
        let gap =
            position > 0
            ? bytes[start.offset..<ranges[position].start.offset] : bytes[ranges[0].end.offset..<end.offset]
        let isPlain = gap.allSatisfy { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
        guard isPlain, gap.count(where: { $0 == UInt8(ascii: ",") }) == 1 else { return nil }
        return Fix.Edit(replacing: SourceRange(file: file, start: start, end: end), with: "")
    }

    /// With its whole lines.
    private func blockRemoval(of range: SourceRange) -> Fix.Edit? {
        var start = range.start.offset
        while start > 0, !isLineBreak(bytes[start - 1]) { start -= 1 }
        let before = bytes[start..<range.start.offset]
        guard before.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }),
            before.count(where: { $0 == UInt8(ascii: "-") }) <= 1,
            !bytes[range.start.offset..<range.end.offset].contains(UInt8(ascii: "#"))
        else { return nil }
        var end = range.end.offset
        while end < bytes.count, bytes[end] == UInt8(ascii: " ") { end += 1 }
        guard end < bytes.count, isLineBreak(bytes[end]) else { return nil }
        end += bytes[end] == UInt8(ascii: "\r") && end + 1 < bytes.count && bytes[end + 1] == UInt8(ascii: "\n") ? 2 : 1
        let from = SourcePosition(line: range.start.line, column: 1, offset: start)
        let to = SourcePosition(line: range.end.line + 1, column: 1, offset: end)
        return Fix.Edit(replacing: SourceRange(file: file, start: from, end: to), with: "")
    }

    /// The innermost pair whose value is at a place.
    package func pair(withValueAt range: SourceRange) -> YAMLPair? { entry(withValueAt: range)?.pair }

    /// The mapping of the innermost pair whose value is at a place.
    package func mapping(withValueAt range: SourceRange) -> YAMLMapping? { entry(withValueAt: range)?.mapping }

    private func entry(withValueAt range: SourceRange) -> (mapping: YAMLMapping, pair: YAMLPair)? {
        var node = root
        var found: (YAMLMapping, YAMLPair)?
        while true {
            if let mapping = node.mapping,
                let pair = mapping.first(where: { $0.value.aliasRange == nil && $0.value.range.contains(range) })
            {
                if pair.value.range == range { found = (mapping, pair) }
                node = pair.value
            } else if let element = node.sequence?.first(where: { $0.aliasRange == nil && $0.range.contains(range) }) {
                node = element
            } else {
                return found
            }
        }
    }
}

extension SourceRange {
    fileprivate func contains(_ other: SourceRange) -> Bool {
        start.offset <= other.start.offset && other.end.offset <= end.offset
    }
}
