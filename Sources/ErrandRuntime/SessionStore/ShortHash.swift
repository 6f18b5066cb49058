/// A 32-bit hash that distinguishes texts. It does not protect a text: finding a text with the same hash is easy.
enum ShortHash {
    /// The FNV-1a hash of a text.
    static func of(_ text: String) -> UInt32 {
        text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
