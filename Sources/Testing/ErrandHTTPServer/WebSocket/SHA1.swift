/// SHA-1 (FIPS 180-4, section 6.1), with which a WebSocket handshake shows that a server knows the protocol. It protects nothing here.
enum SHA1 {
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for block in blocks(of: message) {
            var words = stride(from: 0, to: 64, by: 4).map { start in
                block[(block.startIndex + start)...].prefix(4).reduce(0) { UInt32($0) << 8 | UInt32($1) }
            }
            for step in 16..<80 {
                words.append(rotated(words[step - 3] ^ words[step - 8] ^ words[step - 14] ^ words[step - 16], 1))
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for step in 0..<80 {
                let (mixed, constant) = mix(b, c, d, round: step / 20)
                let next = rotated(a, 5) &+ mixed &+ e &+ words[step] &+ constant
                (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
            }
            for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    /// The message with its padding, in blocks of 64 bytes.
    private static func blocks(of message: [UInt8]) -> [ArraySlice<UInt8>] {
        let padding = [0x80] + [UInt8](repeating: 0, count: (119 - message.count % 64) % 64)
        let length = UInt64(message.count) * 8
        let padded = message + padding + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
        return stride(from: 0, to: padded.count, by: 64).map { padded[$0..<($0 + 64)] }
    }

    private static func mix(_ b: UInt32, _ c: UInt32, _ d: UInt32, round: Int) -> (mixed: UInt32, constant: UInt32) {
        switch round {
        case 0: ((b & c) | (~b & d), 0x5A82_7999)
        case 1: (b ^ c ^ d, 0x6ED9_EBA1)
        case 2: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
