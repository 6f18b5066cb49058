/// Questions about names in one list.
package enum NameList {
    /// Whether a name is there twice. Costs little where none is, which is nearly always.
    package static func hasRepeats(_ names: [String]) -> Bool {
        areSurelyDifferent(names) ? false : Set(names).count < names.count
    }

    /// Whether a cheap test shows that all names differ, even without letter case and underscores. False if the test is
    /// inconclusive.
    package static func areSurelyDifferent(_ names: [String]) -> Bool {
        // One bit for each of 128 kinds of names: what falls onto a free bit was not there before.
        var taken: (low: UInt64, high: UInt64) = (0, 0)
        for var name in names {
            guard var kind = name.withUTF8(kind) else { return false }
            kind ^= kind >> 11
            let bit: UInt64 = 1 << UInt64(kind & 63)
            if kind & 64 == 0 {
                guard taken.low & bit == 0 else { return false }
                taken.low |= bit
            } else {
                guard taken.high & bit == 0 else { return false }
                taken.high |= bit
            }
        }
        return true
    }

    /// `nil` beyond ASCII, where different bytes can be the same name.
    private static func kind(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
        var kind: UInt32 = 0
        for byte in name where byte != UInt8(ascii: "_") {
            guard byte < 0x80 else { return nil }
            kind = kind &* 31 &+ UInt32(byte | 0x20)
        }
        return kind
    }
}
