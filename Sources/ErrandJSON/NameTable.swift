/// Fixed names and their indices, found by the bytes of the document without making a `String`.
///
/// Names are compared byte by byte: `é` composed and decomposed are two names, other than for
/// Swift's `String`.
struct NameTable: Sendable {
    struct Entry: Sendable {
        let name: StaticString
        /// In bytes.
        let count: Int
        /// Whether the name stands in a document as it is: no quote, no backslash, no control.
        let isPlain: Bool
    }

    let entries: [Entry]
    /// A hash table with open addressing, at most half full: index + 1, or 0 for a free slot.
    private let slots: [Int32]

    init(_ names: [StaticString]) {
        var size = 4
        while size < names.count * 2 { size *= 2 }
        var entries: [Entry] = []
        var slots = [Int32](repeating: 0, count: size)
        for (index, name) in names.enumerated() {
            let count = name.utf8CodeUnitCount
            let bytes = UnsafeBufferPointer(start: name.utf8Start, count: count)
            entries.append(Entry(name: name, count: count, isPlain: bytes.allSatisfy(Self.isPlain)))
            var slot = Self.hash(name.utf8Start, count) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(index + 1)
        }
        self.entries = entries
        self.slots = slots
    }

    /// The index of the name with these bytes, or -1.
    func index(of start: BytePointer, count: Int) -> Int {
        let mask = slots.count - 1
        var slot = Self.hash(start, count) & mask
        while true {
            let index = Int(slots[slot]) - 1
            if index < 0 { return -1 }
            let entry = entries[index]
            if entry.count == count, Self.isEqual(start, entry.name.utf8Start, count) { return index }
            slot = (slot + 1) & mask
        }
    }

    /// The index of the name that a validated string spells, escapes and all, or -1.
    func index(of extent: StringExtent) -> Int {
        if !extent.isEscaped { return index(of: extent.start, count: extent.count) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: extent.count) { buffer in
            let count = JSONSyntax.unescape(extent, into: buffer)
            guard let base = buffer.baseAddress else { return -1 }
            return index(of: BytePointer(base), count: count)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= ASCII.space && byte != ASCII.quote && byte != ASCII.backslash
    }

    /// Length, head and tail: enough to keep the names of one model apart, whatever their length.
    @inline(__always)
    private static func hash(_ start: BytePointer, _ count: Int) -> Int {
        let raw = UnsafeRawPointer(start)
        var mixed: UInt64
        if count >= 8 {
            let tail = (raw + count - 8).loadUnaligned(as: UInt64.self)
            mixed = raw.loadUnaligned(as: UInt64.self) ^ (tail << 23 | tail >> 41)
        } else if count >= 4 {
            let tail = (raw + count - 4).loadUnaligned(as: UInt32.self)
            mixed = UInt64(raw.loadUnaligned(as: UInt32.self)) << 32 | UInt64(tail)
        } else if count > 0 {
            mixed = UInt64(start[0]) << 16 | UInt64(start[count / 2]) << 8 | UInt64(start[count - 1])
        } else {
            mixed = 0
        }
        mixed = (mixed ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 33)
    }

    /// Whether `count` bytes agree, eight at a time; the last eight may overlap the ones before.
    @inline(__always)
    static func isEqual(_ left: BytePointer, _ right: BytePointer, _ count: Int) -> Bool {
        let a = UnsafeRawPointer(left)
        let b = UnsafeRawPointer(right)
        if count >= 8 {
            var offset = 0
            while offset < count - 8 {
                if a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
                offset += 8
            }
            return a.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
                == b.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        }
        if count >= 4 {
            return a.loadUnaligned(as: UInt32.self) == b.loadUnaligned(as: UInt32.self)
                && a.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
                    == b.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
        }
        for index in 0..<count where left[index] != right[index] { return false }
        return true
    }
}
