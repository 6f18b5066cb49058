/// Fixed names and their indices, found by the bytes of the document without making a `String`.
///
/// Names are compared byte by byte: `é` composed and decomposed are two names, other than for
/// Swift's `String`.
///
/// A table is made once per model and never freed, so that passing it on costs no reference
/// counting.
struct NameTable: Sendable {
    /// One name as it is in a document: `"name"`.
    struct Entry: Sendable {
        /// The first sixteen bytes with the quotes, and a mask of the significant ones. A name that needs escapes in a
        /// document, because of a quote, a backslash or a control, has no words that could match.
        var words: (UInt64, UInt64) = (0, 0)
        var masks: (UInt64, UInt64) = (0, 0)
        /// Where the name starts in `text`, and how many bytes it has.
        var start: Int
        var count: Int
        /// The bytes with the quotes.
        var span: Int { count + 2 }
    }

    final class Storage: Sendable {
        let entries: ContiguousArray<Entry>
        /// All names as they are, each with its quotes.
        let text: ContiguousArray<UInt8>
        /// A hash table with open addressing, at most half full: index + 1, or 0 for a free slot. Its
        /// size is a power of two.
        let slots: ContiguousArray<Int32>
        /// Bit i: name i must be there. The first 64 names.
        let required: UInt64
        /// The same for the names beyond, 64 a word; empty for up to 64 names.
        let requiredBeyond: ContiguousArray<UInt64>

        init(
            _ entries: ContiguousArray<Entry>, _ text: ContiguousArray<UInt8>, _ slots: ContiguousArray<Int32>,
            _ required: [UInt64]
        ) {
            self.entries = entries
            self.text = text
            self.slots = slots
            self.required = required[0]
            requiredBeyond = ContiguousArray(required.dropFirst())
        }
    }

    private let storage: Unmanaged<Storage>

    /// - Parameter isRequired: whether each name must be there; empty if none must.
    init(_ names: [String], isRequired: [Bool] = []) {
        var size = 4
        while size < names.count * 2 { size *= 2 }
        var entries: ContiguousArray<Entry> = []
        var text: ContiguousArray<UInt8> = []
        var slots = ContiguousArray<Int32>(repeating: 0, count: size)
        for (index, name) in names.enumerated() {
            var entry = Entry(start: text.count + 1, count: name.utf8.count)
            text.append(ASCII.quote)
            text.append(contentsOf: name.utf8)
            text.append(ASCII.quote)
            if name.utf8.allSatisfy(Self.isPlain) {
                (entry.words.0, entry.masks.0) = Self.word(text[(entry.start - 1)...].prefix(8))
                (entry.words.1, entry.masks.1) = Self.word(text[(entry.start - 1)...].dropFirst(8).prefix(8))
            } else {
                (entry.words.0, entry.masks.0) = (0, .max)
            }
            entries.append(entry)
            var slot = text[entry.start...].withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { Self.hash($0, entry.count) & (size - 1) } ?? 0
            }
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(truncatingIfNeeded: index + 1)
        }
        var required = [UInt64](repeating: 0, count: max(1, (names.count + 63) / 64))
        for index in names.indices where index < isRequired.count && isRequired[index] {
            required[index / 64] |= 1 << UInt64(index % 64)
        }
        storage = .passRetained(Storage(entries, text, slots, required))
    }

    var count: Int { storage._withUnsafeGuaranteedRef { $0.entries.count } }

    /// The required names among the first 64, a bit each.
    @inline(__always)
    var required: UInt64 { storage._withUnsafeGuaranteedRef { $0.required } }

    /// How many words of 64 names follow the first.
    @inline(__always)
    var wordsBeyond: Int { storage._withUnsafeGuaranteedRef { $0.requiredBeyond.count } }

    /// The required names of one of those words.
    func requiredBeyond(_ word: Int) -> UInt64 { storage._withUnsafeGuaranteedRef { $0.requiredBeyond[word] } }

    /// All names, for messages.
    var names: [String] {
        storage._withUnsafeGuaranteedRef { storage in
            storage.entries.map { String(decoding: storage.text[$0.start..<($0.start + $0.count)], as: UTF8.self) }
        }
    }

    /// The place just past `"name"`, if exactly the bytes of the name with this index are at `start`; nil otherwise, and near
    /// the end of the document.
    @inline(__always)
    func skip(_ index: Int, _ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        storage._withUnsafeGuaranteedRef { storage in
            guard index < storage.entries.count, end - start >= 16 else { return nil }
            return storage.entries.withUnsafeBufferPointer { entries in
                let entry = entries[index]
                let raw = UnsafeRawPointer(start)
                let first = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
                let second = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                let difference = (first ^ entry.words.0) & entry.masks.0 | (second ^ entry.words.1) & entry.masks.1
                if difference != 0 { return nil }
                if entry.span > 16 {
                    guard end - start >= entry.span else { return nil }
                    let isSame = storage.text.withUnsafeBufferPointer { text in
                        guard let base = text.baseAddress else { return false }
                        return Self.isEqual(start + 16, base + (entry.start + 15), entry.span - 16)
                    }
                    if !isSame { return nil }
                }
                return start + entry.span
            }
        }
    }

    /// The index of the name with these bytes, or -1.
    func index(of start: BytePointer, count: Int) -> Int {
        storage._withUnsafeGuaranteedRef { storage in
            let mask = storage.slots.count - 1
            var slot = Self.hash(start, count) & mask
            while true {
                let index = Int(storage.slots[slot]) - 1
                if index < 0 { return -1 }
                let entry = storage.entries[index]
                if entry.count == count {
                    let isSame = storage.text.withUnsafeBufferPointer { text in
                        guard let base = text.baseAddress else { return false }
                        return Self.isEqual(start, base + entry.start, count)
                    }
                    if isSame { return index }
                }
                slot = (slot + 1) & mask
            }
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

    /// At most eight bytes, the first one lowest, and which of the word's bits they fill.
    private static func word(_ bytes: some Sequence<UInt8>) -> (word: UInt64, mask: UInt64) {
        var word: UInt64 = 0
        var mask: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            word |= UInt64(byte) << UInt64(index * 8)
            mask |= 0xFF << UInt64(index * 8)
        }
        return (word, mask)
    }

    /// Length, head and tail: enough to distinguish the names of one model, of any length.
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
                    != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                {
                    return false
                }
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
