/// 32 bits that tell texts apart. It is no protection: it hides nothing, and anyone can find a text with the same bits.
enum ShortHash {
    /// The FNV-1a hash of a text.
    static func of(_ text: String) -> UInt32 {
        text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
