/// A hash that is the same on every machine and in every run (FNV-1a, 64 bits). It tells values apart, but it is no digest: anybody can
/// make two values with the same hash.
package enum StableHash {
    package static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    /// - Parameter start: the hash of what precedes the bytes.
    package static func of(_ bytes: some Sequence<UInt8>, from start: UInt64 = Self.start) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
