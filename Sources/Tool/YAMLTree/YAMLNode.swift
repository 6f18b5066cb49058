import Diagnostics

/// One node of a document: a scalar, a list or a mapping.
///
/// A node is a small handle into its document and keeps it alive. Aliases are followed: the node of `*limits` is the
/// node that `&limits` names, with its range there, and ``aliasRange`` says where it was asked for.
package struct YAMLNode: Sendable {
    package enum Kind: Hashable, Sendable {
        case scalar, sequence, mapping
        /// Something that a diagnostic has already been written about, such as an alias of nothing. A decoder skips it
        /// without another word.
        case unreadable
    }

    package let document: YAMLDocument
    let row: UInt32
    let alias: UInt32?

    /// Follows `row` if it is an alias. The outermost alias is the one remembered: it is the place in the text that the
    /// reader is looking at.
    init(document: YAMLDocument, row: UInt32, alias: UInt32?) {
        self.document = document
        var row = row
        var alias = alias
        // A target is never an alias itself: `&b *a` is not YAML.
        if document.table.rows[Int(row)].kind == .alias {
            alias = alias ?? row
            row = document.table.rows[Int(row)].first
        }
        self.row = row
        self.alias = alias
    }

    var content: NodeTable.Row { document.table.rows[Int(row)] }

    package var kind: Kind {
        switch content.kind {
        case .scalar: .scalar
        case .sequence: .sequence
        case .mapping: .mapping
        case .alias, .unreadable: .unreadable
        }
    }

    /// Its name in messages: "text", "a list", "a mapping", or "nothing" if the value is absent.
    package var kindName: String {
        switch kind {
        case .scalar: isAbsent ? "nothing" : "text"
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .unreadable: "something unreadable"
        }
    }

    /// Where the node's text is, without anchor and tag. Of aliased content, where it is defined.
    package var range: SourceRange { document.range(content.start, content.end) }

    /// The number of bytes in the file before the node. Cheaper than its range.
    package var startOffset: Int { Int(content.start) }

    /// Identifies the text or the composed collection that has the node, as long as it exists.
    package var owner: ObjectIdentifier { ObjectIdentifier(document) }

    /// The number of the node in its document, which no other node there has. An alias has that of its target.
    package var index: Int { Int(row) }

    /// The place of the alias through which this node was reached (the outermost, if several); `nil` otherwise.
    package var aliasRange: SourceRange? {
        guard let alias else { return nil }
        let row = document.table.rows[Int(alias)]
        return document.range(row.start, row.end)
    }

    /// The node's text, exactly as it is in the file: quotes, escapes, braces and comments inside it.
    package var sourceText: String { document.text(from: Int(content.start), to: Int(content.end)) }

    /// The anchor before the node (`&name`), with its range.
    package var anchor: (name: String, range: SourceRange)? {
        document.table.anchors[row].map { ($0.text, document.range($0.start, $0.end)) }
    }

    /// The tag before the node (`!name`, as written), with its range. The parser has refused it.
    package var tag: (name: String, range: SourceRange)? {
        document.table.tags[row].map { ($0.text, document.range($0.start, $0.end)) }
    }

    package var scalar: YAMLScalar? { kind == .scalar ? YAMLScalar(node: self) : nil }
    package var sequence: YAMLSequence? { kind == .sequence ? YAMLSequence(node: self) : nil }
    package var mapping: YAMLMapping? { kind == .mapping ? YAMLMapping(node: self) : nil }

    /// A scalar's value; `nil` for anything else. An absent value is the empty text.
    package var text: String? { scalar?.value }

    /// Whether the value is missing: `key:`, or the value of `a` in `{a}`. `null` and `""` are there.
    package var isAbsent: Bool {
        let content = content
        return content.kind == .scalar && content.style == .plain && content.start == content.end
    }

    /// Whether it is absent, `~` or `null`, unquoted.
    package var isNullLiteral: Bool { scalar?.isNullLiteral ?? false }
}
