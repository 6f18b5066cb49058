/// SHA-1 (RFC 3174). For HMAC only, where its weakness does not matter yet.
enum SHA1: HashFunction {
    typealias State = (UInt32, UInt32, UInt32, UInt32, UInt32)

    static var isBigEndian: Bool { true }
    static var initial: State {
        (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0)
    }

    static func words(of state: State) -> [UInt32] { [state.0, state.1, state.2, state.3, state.4] }

    static func compress(_ words: [UInt32], into state: inout State) {
        var schedule = words
        for step in 16..<80 {
            let word = schedule[step - 3] ^ schedule[step - 8] ^ schedule[step - 14] ^ schedule[step - 16]
            schedule.append(word.rotated(left: 1))
        }
        var (a, b, c, d, e) = state
        for step in 0..<80 {
            let mixed: UInt32
            let constant: UInt32
            switch step / 20 {
            case 0: (mixed, constant) = ((b & c) | (~b & d), 0x5A82_7999)
            case 1: (mixed, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
            case 2: (mixed, constant) = ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
            default: (mixed, constant) = (b ^ c ^ d, 0xCA62_C1D6)
            }
            let sum = a.rotated(left: 5) &+ mixed &+ e &+ schedule[step] &+ constant
            (e, d, c, b, a) = (d, c, b.rotated(left: 30), a, sum)
        }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
    }
}
