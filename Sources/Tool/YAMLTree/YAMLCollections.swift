import Diagnostics

/// A list's elements, in order.
package struct YAMLSequence: RandomAccessCollection, Sendable {
    package let node: YAMLNode

    package var range: SourceRange { node.range }
    /// Whether it is written `[a, b]`, and not with dashes.
    package var isFlow: Bool { node.content.isFlow }

    package var startIndex: Int { 0 }
    package var endIndex: Int { Int(node.content.count) }

    package subscript(position: Int) -> YAMLNode {
        node.child(position)
    }
}

/// A mapping's pairs, in the order of the text. A duplicate key, which the parser has reported, keeps its pair.
package struct YAMLMapping: RandomAccessCollection, Sendable {
    package let node: YAMLNode

    package var range: SourceRange { node.range }
    /// Whether it is written `{a: b}`, and not in lines.
    package var isFlow: Bool { node.content.isFlow }

    package var startIndex: Int { 0 }
    package var endIndex: Int { Int(node.content.count) / 2 }

    package subscript(position: Int) -> YAMLPair {
        YAMLPair(key: node.child(2 * position), value: node.child(2 * position + 1))
    }

    /// The pair with this key, the first if there are several. Fast for mappings of any size.
    package func pair(forKey key: String) -> YAMLPair? {
        position(ofKey: key).map { self[$0] }
    }

    /// The place of the first pair with this key.
    package func position(ofKey key: String) -> Int? {
        if count >= KeyRegister.hashedFrom, let index = node.document.table.keyIndexes[node.row] {
            return index[ExactText(key)].map(Int.init)
        }
        return search(key)
    }

    /// Whether two keys may be the same text: one occurs twice, or is written in two ways (`é`) that Swift takes for one.
    package var canRepeatKeys: Bool {
        node.document.table.repeating.contains(node.row) || !node.document.source.isASCII
    }

    /// Compares bytes, without making a node of each key.
    private func search(_ key: String) -> Int? {
        let table = node.document.table
        guard table.parts.isEmpty else { return firstIndex { $0.key.text == key } }
        let content = node.content
        var key = key
        return key.withUTF8 { wanted in
            node.document.source.bytes.withUnsafeBufferPointer { text in
                for position in 0..<Int(content.count) / 2 {
                    let row = table.rows[Int(table.resolved(table.children[Int(content.first) + 2 * position]))]
                    guard row.kind == .scalar, Int(row.count) == wanted.count else { continue }
                    let first = Int(row.first)
                    let isSame =
                        row.isDecoded
                        ? table.values[first..<(first + wanted.count)].elementsEqual(wanted)
                        : wanted.indices.allSatisfy { text[first + $0] == wanted[$0] }
                    if isSame { return position }
                }
                return nil
            }
        }
    }

    /// The value under this key; absent values are there, see ``YAMLNode/isAbsent``.
    package subscript(key: String) -> YAMLNode? { pair(forKey: key)?.value }

    /// The keys that are text, in the order of the text.
    package var keys: [String] { compactMap(\.key.text) }
}

/// One `key: value`.
package struct YAMLPair: Sendable {
    /// Text, unless the parser has reported it as `yaml-key-not-text`.
    package let key: YAMLNode
    package let value: YAMLNode

    package init(key: YAMLNode, value: YAMLNode) {
        self.key = key
        self.value = value
    }

    /// From the key's start to the value's end in the text, without following an alias.
    package var range: SourceRange {
        (key.aliasRange ?? key.range).joined(with: value.aliasRange ?? value.range)
    }
}

extension YAMLNode {
    fileprivate func child(_ position: Int) -> YAMLNode {
        let content = content
        precondition(position >= 0 && position < Int(content.count), "no such element")
        guard document.table.parts.isEmpty else { return document.table.parts[position] }
        let row = document.table.children[Int(content.first) + position]
        return YAMLNode(document: document, row: row, alias: alias)
    }
}
