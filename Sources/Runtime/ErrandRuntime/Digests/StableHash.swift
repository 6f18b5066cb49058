/// A hash that is the same in every process (FNV-1a, 64 bits). It names files and finds damage. It protects nothing.
///
/// Its values are on the disk, so they must stay as they are.
package struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// A text and its end, so that two texts differ from others with the same bytes.
    mutating func add(_ text: String) {
        add(text.utf8)
        // A byte that UTF-8 does not have.
        add(CollectionOfOne(0xFF))
    }

    static func of(_ texts: String...) -> UInt64 {
        var hash = StableHash()
        for text in texts { hash.add(text) }
        return hash.value
    }

    /// 32 bits (FNV-1a, 32 bits) of a text that is to be recognized. It reveals no more of a secret, but it does not protect one:
    /// finding a text with the same hash is easy.
    package static func short(of text: String) -> UInt32 {
        text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    /// Sixteen digits.
    static func digits(_ value: UInt64) -> String {
        Hexadecimal.encode((0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
}
