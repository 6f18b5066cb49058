import Diagnostics
import Testing

/// Values of hashes are in the baselines and the fingerprints of users.
@Suite struct StableHashTests {
    /// Test vectors of FNV-1a (draft-eastlake-fnv, and the C sources of its authors).
    @Test(
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)])
    func valuesAreThoseOfFNV(_ text: String, _ value: UInt64) { #expect(StableHash.of(text.utf8) == value) }
}
