/// FIPS 180-4 section 6.1, see `MD5` for why it is written down here.
public enum SHA1 {
    public static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        for block in MerkleDamgard.blocks(of: message, length: .bigEndian) {
            var words = MerkleDamgard.words(of: block, order: .bigEndian)
            for step in 16..<80 {
                words.append(rotated(words[step - 3] ^ words[step - 8] ^ words[step - 14] ^ words[step - 16], 1))
            }
            var v = state
            for step in 0..<80 {
                let (mixed, constant) = mix(v[1], v[2], v[3], round: step / 20)
                v = [rotated(v[0], 5) &+ mixed &+ v[4] &+ words[step] &+ constant, v[0], rotated(v[1], 30), v[2], v[3]]
            }
            for index in 0..<5 { state[index] &+= v[index] }
        }
        return state.flatMap { MerkleDamgard.bytes(of: $0, order: .bigEndian) }
    }

    /// RFC 2104.
    public static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        MerkleDamgard.authenticate(message, key: key, with: digest)
    }

    private static func mix(_ b: UInt32, _ c: UInt32, _ d: UInt32, round: Int) -> (mixed: UInt32, constant: UInt32) {
        switch round {
        case 0: ((b & c) | (~b & d), 0x5a82_7999)
        case 1: (b ^ c ^ d, 0x6ed9_eba1)
        case 2: ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
