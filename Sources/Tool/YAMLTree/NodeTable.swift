/// All nodes of a document as rows of one array, in the order in which they begin in the text.
///
/// Rows instead of objects: a node costs 20 bytes, freeing a document frees four arrays however deep the tree is, and
/// the tree is `Sendable` without a lock.
struct NodeTable: Sendable {
    enum Kind: UInt8, Sendable {
        case scalar, sequence, mapping
        /// The place of `*name`; its target is another row.
        case alias
        /// A placeholder for an unreadable value, which a diagnostic has reported.
        case unreadable
    }

    struct Row: Sendable {
        /// Byte offsets of the node's own text, without anchor and tag.
        var start: UInt32
        var end: UInt32
        /// Scalar: where its value begins. Collection: the first of its slots in `children`. Alias: its target's row.
        var first: UInt32
        /// Scalar: the length of its value in bytes. Collection: the number of its slots (two for each pair).
        var count: UInt32
        var kind: Kind
        var style: YAMLScalar.Style = .plain
        var isFlow = false
        /// Whether the value is in `values`; otherwise the source contains it unchanged.
        var isDecoded = false
    }

    var rows: [Row] = []
    /// The children of each collection side by side.
    var children: [UInt32] = []
    /// The values that differ from their source: escapes, folded lines, block scalars.
    var values: [UInt8] = []
    /// Rare enough to be kept beside the rows.
    var anchors: [UInt32: YAMLProperty] = [:]
    var tags: [UInt32: YAMLProperty] = [:]
    /// The mappings in which a key occurs twice.
    var repeating: Set<UInt32> = []
    /// Where each key is, for mappings so large that looking for it one by one would be slow.
    var keyIndexes: [UInt32: [ExactText: UInt32]] = [:]
    /// In place of `children`, the parts of the only row, which come from other documents. Empty for what a parser has read.
    var parts: [YAMLNode] = []
}

/// An anchor's or a tag's text and byte range.
struct YAMLProperty: Sendable {
    let text: String
    let start: UInt32
    let end: UInt32
}
