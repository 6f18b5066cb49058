/// Nodes whose parts come from several texts, as an overlay makes them. Each part keeps its own document, so it has its own file, line
/// and column.
extension YAMLNode {
    /// A list at the same place in the text, with other elements.
    package func withElements(_ elements: [YAMLNode]) -> YAMLNode { composed(elements, keyIndex: nil) }

    /// A mapping at the same place in the text, with the same keys and other values.
    package func withValues(_ values: [YAMLNode]) -> YAMLNode {
        let keys = mapping.map { $0.map(\.key) } ?? []
        return composed(zip(keys, values).flatMap { [$0, $1] }, keyIndex: document.table.keyIndexes[row])
    }

    /// A mapping at the same place in the text, with other pairs.
    package func withPairs(_ pairs: [YAMLPair]) -> YAMLNode {
        var index: [ExactText: UInt32]?
        if pairs.count >= KeyRegister.hashedFrom {
            let keys = pairs.enumerated().compactMap { position, pair in
                pair.key.text.map { (ExactText($0), UInt32(position)) }
            }
            index = Dictionary(keys) { first, _ in first }
        }
        return composed(pairs.flatMap { [$0.key, $0.value] }, keyIndex: index)
    }

    private func composed(_ parts: [YAMLNode], keyIndex: [ExactText: UInt32]?) -> YAMLNode {
        var table = NodeTable()
        var content = content
        (content.first, content.count) = (0, UInt32(parts.count))
        table.rows = [content]
        table.parts = parts
        table.keyIndexes[0] = keyIndex
        let document = YAMLDocument(source: document.source, table: table, commentOffsets: [])
        return YAMLNode(document: document, row: 0, alias: nil)
    }
}
