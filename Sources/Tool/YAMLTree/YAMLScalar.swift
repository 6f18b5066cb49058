import Diagnostics

/// A node that is text. The decoder decides about the meaning of the text: `no`, `0100`, `1.10` and `~` are text here.
package struct YAMLScalar: Sendable {
    package enum Style: UInt8, Hashable, Sendable {
        case plain, singleQuoted, doubleQuoted
        /// A block after `|`, lines kept.
        case literal
        /// A block after `>`, lines joined.
        case folded
    }

    package let node: YAMLNode

    /// The text of the scalar: without quotes, with escapes resolved and lines folded, and otherwise unchanged.
    package var value: String {
        let content = node.content
        let start = Int(content.first)
        let end = start + Int(content.count)
        let document = node.document
        return content.isDecoded
            ? String(decoding: document.table.values[start..<end], as: UTF8.self)
            : String(decoding: document.source.bytes[start..<end], as: UTF8.self)
    }

    package var style: Style { node.content.style }
    package var range: SourceRange { node.range }
    /// The text as it is in the file, with its quotes.
    package var sourceText: String { node.sourceText }
    package var isPlain: Bool { style == .plain }
    package var isAbsent: Bool { node.isAbsent }

    /// Whether YAML would take it for null: absent, `~` or `null`, unquoted.
    package var isNullLiteral: Bool {
        guard isPlain else { return false }
        guard node.content.count <= 4 else { return false }
        let value = value
        return value.isEmpty || value == "~" || value == "null"
    }

    /// Where a part of the value is, given by UTF-8 offsets into ``value``: to point at one wrong letter of a path.
    ///
    /// If the value differs from the source (escapes, folded lines), it is the whole scalar's range.
    package func range(ofValue part: Range<Int>) -> SourceRange {
        let content = node.content
        let length = Int(content.count)
        guard !content.isDecoded, part.lowerBound >= 0, part.upperBound <= length else { return range }
        let start = Int(content.first)
        return node.document.source.range(start + part.lowerBound, start + part.upperBound)
    }
}
