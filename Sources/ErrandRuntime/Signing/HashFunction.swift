/// A hash over blocks of 64 bytes, in the style that MD5, SHA-1 and SHA-256 share.
protocol HashFunction {
    /// What goes from block to block.
    associatedtype State
    static var initial: State { get }
    static var isBigEndian: Bool { get }
    /// Works one block of 16 words into the state.
    static func compress(_ words: [UInt32], into state: inout State)
    static func words(of state: State) -> [UInt32]
}

extension HashFunction {
    static var blockSize: Int { 64 }

    /// The digest of a message.
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var padded = message
        padded.append(0x80)
        while padded.count % blockSize != 56 { padded.append(0) }
        let bits = UInt64(message.count) &* 8
        for index in 0..<8 {
            let shift = UInt64(isBigEndian ? 56 - index * 8 : index * 8)
            padded.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        var state = initial
        var words = [UInt32](repeating: 0, count: 16)
        for block in stride(from: 0, to: padded.count, by: blockSize) {
            for word in 0..<16 { words[word] = read(padded, at: block + word * 4) }
            compress(words, into: &state)
        }
        return self.words(of: state).flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(isBigEndian ? 24 - $0 * 8 : $0 * 8)) }
        }
    }

    private static func read(_ bytes: [UInt8], at index: Int) -> UInt32 {
        var word: UInt32 = 0
        for offset in 0..<4 {
            let shift = UInt32(isBigEndian ? 24 - offset * 8 : offset * 8)
            word |= UInt32(bytes[index + offset]) << shift
        }
        return word
    }
}

extension UInt32 {
    /// Rotates the bits to the left.
    func rotated(left count: UInt32) -> UInt32 { (self << count) | (self >> (32 - count)) }
}

/// A keyed hash for message authentication (RFC 2104).
enum HMAC<Hash: HashFunction> {
    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > Hash.blockSize ? Hash.digest(key) : key
        block += [UInt8](repeating: 0, count: Hash.blockSize - block.count)
        let inner = Hash.digest(block.map { $0 ^ 0x36 } + message)
        return Hash.digest(block.map { $0 ^ 0x5C } + inner)
    }
}
