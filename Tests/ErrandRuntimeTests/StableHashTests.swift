import Testing

@testable import ErrandRuntime

/// Values of hashes are in files of users: in names, in checksums, and in the lineages of sessions.
@Suite struct StableHashTests {
    /// Test vectors of FNV-1a (draft-eastlake-fnv, and the C sources of its authors).
    @Test(
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325, 0x811C_9DC5), ("a", 0xAF63_DC4C_8601_EC8C, 0xE40C_292C),
            ("foobar", 0x8594_4171_F739_67E8, 0xBF9C_F968),
        ] as [(String, UInt64, UInt32)])
    func valuesAreThoseOfFNV(_ text: String, _ long: UInt64, _ short: UInt32) {
        var hash = StableHash()
        hash.add(Array(text.utf8))
        #expect(hash.value == long && StableHash.short(of: text) == short)
    }

    @Test func textsAreToldApartByTheirEnds() {
        #expect(StableHash.of("ab", "c") != StableHash.of("a", "bc") && StableHash.of("", "") != StableHash.of(""))
        #expect(StableHash.digits(0xF) == "000000000000000f")
    }
}
