import ErrandRuntime

/// Broken documents: bytes changed, cut off, and values replaced by others.
enum Mutation {
    private static let alphabet =
        Array(#"{}[]",:\tfnu0123456789.eE+-/ aTZ="#.utf8) + [0x09, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xFF]
    private static let values = [
        "null", "true", "0", "-1", "1.0", "1e2", "1.5", "2147483648", "9223372036854775808", "-9223372036854775809",
        "18446744073709551616", "1e400", "0.1e-400",
        "1.00000000000000000001", "123456789012345678901234567890123456789", "01", "1.", "NaN", "\"\"", "\"x\"",
        #""\ud800""#, #""\q""#, "[]", "{}", "[null]",
        #"{"id":1}"#, "\"2026-02-30\"", "\"2026-11-21T24:00:00Z\"", "\"2016-12-31T23:59:60Z\"", "\"AQ\"", "\"AR==\"",
        "nul",
    ]

    static func make(of document: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = document
        for _ in 0...random.below(2) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            switch random.below(9) {
            case 0: bytes[place] = random.pick(alphabet)
            case 1: bytes.insert(random.pick(alphabet), at: place)
            case 2: bytes.remove(at: place)
            case 3: bytes.removeSubrange(place...)
            case 4: repeatMember(&bytes, place)
            default: putValue(&bytes, place, &random)
            }
        }
        return bytes
    }

    /// Writes the first member of the next object twice.
    private static func repeatMember(_ bytes: inout [UInt8], _ place: Int) {
        guard let start = bytes[place...].firstIndex(of: UInt8(ascii: "{")).map({ $0 + 1 }),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: ","))
        else { return }
        bytes.insert(contentsOf: bytes[start...end], at: start)
    }

    /// Puts another value after the next colon, comma or bracket, up to where the old one seems to end.
    private static func putValue(_ bytes: inout [UInt8], _ place: Int, _ random: inout SeededGenerator) {
        guard let before = bytes[place...].firstIndex(where: { ":[".utf8.contains($0) }) else { return }
        let end = bytes[(before + 1)...].firstIndex { ",]}".utf8.contains($0) } ?? bytes.endIndex
        bytes.replaceSubrange((before + 1)..<end, with: Array(random.pick(values).utf8))
    }
}
