import YAMLTree

/// What an import has done with each node of one file. A node has a byte, so that a mark costs less than the look-up of its key. Nodes
/// that an overlay has added or composed are of other texts.
final class ReadingMarks {
    /// The number of the file.
    let file: Int
    /// Whether the file has merge keys (`<<`).
    let hasMerges: Bool
    private let owner: ObjectIdentifier
    private var marks: [Mark]
    private var othersMarks: [OtherNode: Mark] = [:]

    private struct OtherNode: Hashable {
        let owner: ObjectIdentifier
        let index: Int
    }

    struct Mark: OptionSet {
        let rawValue: UInt8

        /// Code has asked for the key whose value it is.
        static let read = Mark(rawValue: 1)
        /// A finding is about it.
        static let reported = Mark(rawValue: 2)
        /// It and all that is below it is dealt with: the client does it by itself, or a finding says that it is left out.
        static let settled = Mark(rawValue: 4)
        /// The account has been there.
        static let visited = Mark(rawValue: 8)
    }

    init(root: YAMLNode, file: Int, hasMerges: Bool) {
        (self.file, self.hasMerges, owner) = (file, hasMerges, root.owner)
        marks = Array(repeating: [], count: root.document.nodeCount)
    }

    subscript(_ node: YAMLNode) -> Mark {
        node.owner == owner ? marks[node.index] : othersMarks[OtherNode(owner: node.owner, index: node.index)] ?? []
    }

    func note(_ mark: Mark, _ node: YAMLNode) {
        if node.owner == owner {
            marks[node.index].formUnion(mark)
        } else {
            othersMarks[OtherNode(owner: node.owner, index: node.index), default: []].formUnion(mark)
        }
    }
}
