/// The keys of a mapping that is being read. It finds duplicates at once and, for large mappings, produces an index.
struct KeyRegister {
    /// Below this many keys, looking at each is faster than hashing.
    static let hashedFrom = 12

    private var few: [(row: UInt32, position: UInt32)] = []
    /// Key → position of its pair, the first where there are several; `nil` for small mappings.
    private(set) var index: [ExactText: UInt32]?

    /// Adds a scalar key. Returns the position of an earlier pair with the same key.
    mutating func insert(_ row: UInt32, at position: Int, table: NodeTable, source: SourceText) -> Int? {
        if index == nil {
            let new = table.rows[Int(row)]
            for key in few where Self.areEqual(new, table.rows[Int(key.row)], table, source) {
                return Int(key.position)
            }
            few.append((row, UInt32(position)))
            if few.count == Self.hashedFrom { startHashing(table, source) }
            return nil
        }
        let text = Self.text(table.rows[Int(row)], table, source)
        if let previous = index?[text] { return Int(previous) }
        index?[text] = UInt32(position)
        return nil
    }

    private mutating func startHashing(_ table: NodeTable, _ source: SourceText) {
        var index: [ExactText: UInt32] = [:]
        for key in few { index[Self.text(table.rows[Int(key.row)], table, source)] = key.position }
        self.index = index
        few = []
    }

    private static func text(_ row: NodeTable.Row, _ table: NodeTable, _ source: SourceText) -> ExactText {
        ExactText(table.text(of: row, in: source))
    }

    private static func areEqual(
        _ one: NodeTable.Row, _ other: NodeTable.Row, _ table: NodeTable, _ source: SourceText
    ) -> Bool {
        guard one.count == other.count else { return false }
        for offset in 0..<Int(one.count) {
            let left = one.isDecoded ? table.values[Int(one.first) + offset] : source.bytes[Int(one.first) + offset]
            let right =
                other.isDecoded ? table.values[Int(other.first) + offset] : source.bytes[Int(other.first) + offset]
            if left != right { return false }
        }
        return true
    }
}

/// Text compared byte by byte. `String` takes two ways of writing `é` for one; a wire key has only one.
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool {
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in right.withUTF8 { left.elementsEqual($0) } }
    }

    func hash(into hasher: inout Hasher) {
        let isCombined: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isCombined == nil { for byte in text.utf8 { hasher.combine(byte) } }
    }
}
