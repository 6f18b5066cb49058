/// Questions about names that stand beside each other.
package enum NameList {
    /// Whether a name is there twice. Costs little where none is, which is nearly always.
    package static func hasRepeats(_ names: [String]) -> Bool {
        // One bit for each of 64 kinds of names: what falls onto a free bit was not there before.
        var taken: UInt64 = 0
        for (position, name) in names.enumerated() {
            var kind: UInt32 = 0
            for byte in name.utf8 {
                // Beyond ASCII, different bytes can be the same name.
                guard byte < 0x80 else { return Set(names).count < names.count }
                kind = kind &* 31 &+ UInt32(byte)
            }
            let bit: UInt64 = 1 << UInt64((kind ^ kind >> 9) & 63)
            if taken & bit != 0 {
                guard names.count <= 32 else { return Set(names).count < names.count }
                if names[..<position].contains(name) { return true }
            }
            taken |= bit
        }
        return false
    }
}
