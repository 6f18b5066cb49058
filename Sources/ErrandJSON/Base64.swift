/// Base64 with the standard alphabet (RFC 4648 section 4).
enum Base64 {
    /// With padding or without; anything else is refused: white space, other alphabets, padding of
    /// the wrong length, bits left over that are not zero (section 3.5).
    static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var count = text.count
        if count.isMultiple(of: 4) {
            if count > 0, text[count - 1] == padding { count -= 1 }
            if count > 1, count < text.count, text[count - 1] == padding { count -= 1 }
        }
        let tail = count % 4
        if tail == 1 { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 4 * 3 + 2)
        var index = 0
        while index + 4 <= count {
            let a = sextet(text[index])
            let b = sextet(text[index + 1])
            let c = sextet(text[index + 2])
            let d = sextet(text[index + 3])
            if (a | b | c | d) & 0x80 != 0 { return nil }
            bytes.append(a << 2 | b >> 4)
            bytes.append(b << 4 | c >> 2)
            bytes.append(c << 6 | d)
            index += 4
        }
        if tail == 0 { return bytes }
        let a = sextet(text[index])
        let b = sextet(text[index + 1])
        if (a | b) & 0x80 != 0 { return nil }
        bytes.append(a << 2 | b >> 4)
        if tail == 2 { return b & 0x0F == 0 ? bytes : nil }
        let c = sextet(text[index + 2])
        if c & 0x83 != 0 { return nil }
        bytes.append(b << 4 | c >> 2)
        return bytes
    }

    /// With padding (section 3.2).
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let a = bytes[index]
            let b = index + 1 < bytes.count ? bytes[index + 1] : 0
            let c = index + 2 < bytes.count ? bytes[index + 2] : 0
            text.append(letter(a >> 2))
            text.append(letter((a & 0x03) << 4 | b >> 4))
            text.append(index + 1 < bytes.count ? letter((b & 0x0F) << 2 | c >> 6) : padding)
            text.append(index + 2 < bytes.count ? letter(c & 0x3F) : padding)
            index += 3
        }
        return text
    }

    private static var padding: UInt8 { 0x3D }

    /// The value of a letter; 0x80 for what is none.
    @inline(__always)
    private static func sextet(_ letter: UInt8) -> UInt8 {
        switch letter {
        case 0x41...0x5A: letter &- 0x41
        case 0x61...0x7A: letter &- 0x61 &+ 26
        case 0x30...0x39: letter &- 0x30 &+ 52
        case 0x2B: 62
        case 0x2F: 63
        default: 0x80
        }
    }

    @inline(__always)
    private static func letter(_ sextet: UInt8) -> UInt8 {
        switch sextet {
        case 0..<26: 0x41 + sextet
        case 26..<52: 0x61 + sextet - 26
        case 52..<62: 0x30 + sextet - 52
        case 62: 0x2B
        default: 0x2F
        }
    }
}
