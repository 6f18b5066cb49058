/// SHA-256 of a message that comes in pieces.
struct RunningDigest {
    private var state = SHA256.initial
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    mutating func append(_ bytes: some Collection<UInt8>) {
        count &+= UInt64(bytes.count)
        pending += bytes
        let whole = pending.count / SHA256.blockSize * SHA256.blockSize
        guard whole > 0 else { return }
        var words = [UInt32](repeating: 0, count: 16)
        for block in stride(from: 0, to: whole, by: SHA256.blockSize) {
            for word in 0..<16 {
                let place = block + word * 4
                words[word] =
                    UInt32(pending[place]) << 24 | UInt32(pending[place + 1]) << 16 | UInt32(pending[place + 2]) << 8
                    | UInt32(pending[place + 3])
            }
            SHA256.compress(words, into: &state)
        }
        pending.removeFirst(whole)
    }

    mutating func finish() -> [UInt8] {
        let bits = count &* 8
        var tail: [UInt8] = [0x80]
        while (pending.count + tail.count) % SHA256.blockSize != 56 { tail.append(0) }
        tail += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - $0 * 8)) }
        append(tail)
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - $0 * 8)) } }
    }
}
