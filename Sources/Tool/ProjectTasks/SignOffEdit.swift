import ContractDiff
import Diagnostics
import YAMLTree

/// Puts entries into the text of a file of sign-offs. Everything else that people wrote stays: comments, order and layout.
enum SignOffEdit {
    /// The text with the entries. A text in which they have no place, such as a list in brackets, is written anew.
    static func text(_ text: [UInt8], with addition: SignOffs.Addition) -> [UInt8] {
        guard let known = SignOffFile.decode(text, file: "").signOffs else { return text }
        let wanted = known.with(addition)
        if let edited = edited(text, addition), SignOffFile.decode(edited, file: "").signOffs?.entries == wanted.entries
        {
            return edited
        }
        return Array(wanted.text.utf8)
    }

    private static func edited(_ text: [UInt8], _ addition: SignOffs.Addition) -> [UInt8]? {
        guard let list = YAMLParser().parse(text, file: "").document?.root.mapping?.pair(forKey: "sign-offs")?.value
        else {
            // A file with comments only.
            return text.isEmpty ? nil : onLinesOfTheirOwn(text) + Array("sign-offs:\n".utf8) + new(addition, "  ")
        }
        var edits = addition.renewed.flatMap { renewed -> [Edit] in
            guard let places = renewed.old.places else { return [] }
            return [
                Edit(at: places.reason, YAMLText.quoted(renewed.new.reason)),
                Edit(at: places.expires, renewed.new.expires.text),
            ]
        }
        if !addition.new.isEmpty {
            guard let last = list.sequence?.map({ $0 }).last, let dash = indentation(of: last, in: text) else {
                return nil
            }
            let end = endOfLine(after: last.range.end.offset, in: text)
            let needsBreak = end > 0 && !isLineBreak(text[end - 1])
            edits.append(
                Edit(bytes: end..<end, text: (needsBreak ? [lineFeed] : []) + new(addition, dash)))
        }
        var result = text
        for edit in edits.sorted(by: { $0.bytes.lowerBound > $1.bytes.lowerBound }) {
            result.replaceSubrange(edit.bytes, with: edit.text)
        }
        return result
    }

    private struct Edit {
        let bytes: Range<Int>
        let text: [UInt8]

        init(bytes: Range<Int>, text: [UInt8]) {
            self.bytes = bytes
            self.text = text
        }

        init(at range: SourceRange, _ text: String) {
            self.init(bytes: range.start.offset..<range.end.offset, text: Array(text.utf8))
        }
    }

    private static func new(_ addition: SignOffs.Addition, _ indentation: String) -> [UInt8] {
        Array(addition.new.map { $0.lines(indentation: indentation) }.joined().utf8)
    }

    private static func onLinesOfTheirOwn(_ text: [UInt8]) -> [UInt8] {
        text.last.map(isLineBreak) == true ? text : text + [lineFeed]
    }

    /// The blanks before the dash of an element; nil for an element without a dash before it.
    private static func indentation(of element: YAMLNode, in text: [UInt8]) -> String? {
        let start = element.startOffset
        guard let dash = text[..<start].lastIndex(where: { !isBlank($0) && !isLineBreak($0) }),
            text[dash] == UInt8(ascii: "-")
        else { return nil }
        let line = text[..<dash].lastIndex(where: isLineBreak).map { $0 + 1 } ?? 0
        guard text[line..<dash].allSatisfy({ $0 == UInt8(ascii: " ") }) else { return nil }
        return String(repeating: " ", count: dash - line)
    }

    /// The offset after the line that a value ends on.
    private static func endOfLine(after offset: Int, in text: [UInt8]) -> Int {
        // The end of a value can be the start of the next line.
        if offset > 0, offset <= text.count, isLineBreak(text[offset - 1]) { return offset }
        return text[min(offset, text.count)...].firstIndex(of: lineFeed).map { $0 + 1 } ?? text.count
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == lineFeed || byte == UInt8(ascii: "\r") }
}
