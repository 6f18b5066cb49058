/// Base64 with the standard alphabet (RFC 4648 section 4).
package enum Base64 {
    /// With padding or without; anything else is refused: white space, other alphabets, padding of
    /// the wrong length, bits left over that are not zero (section 3.5).
    package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
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

    /// The length of the text for this number of bytes, with padding.
    static func length(of bytes: [UInt8]) -> Int { (bytes.count + 2) / 3 * 4 }

    /// Writes the text with padding (section 3.2) and returns its length.
    static func encode(_ bytes: [UInt8], to target: UnsafeMutablePointer<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var output = target
            var index = 0
            while index + 3 <= bytes.count {
                let (a, b, c) = (bytes[index], bytes[index + 1], bytes[index + 2])
                output[0] = letter(a >> 2)
                output[1] = letter((a & 0x03) << 4 | b >> 4)
                output[2] = letter((b & 0x0F) << 2 | c >> 6)
                output[3] = letter(c & 0x3F)
                output += 4
                index += 3
            }
            guard index < bytes.count else { return output - target }
            let a = bytes[index]
            let b = index + 1 < bytes.count ? bytes[index + 1] : 0
            output[0] = letter(a >> 2)
            output[1] = letter((a & 0x03) << 4 | b >> 4)
            output[2] = index + 1 < bytes.count ? letter((b & 0x0F) << 2) : padding
            output[3] = padding
            return output + 4 - target
        }
    }

    private static var padding: UInt8 { 0x3D }

    /// The value of a letter; 0x80 for any other byte.
    @inline(__always)
    private static func sextet(_ letter: UInt8) -> UInt8 { values[Int(letter)] }

    @inline(__always)
    private static func letter(_ sextet: UInt8) -> UInt8 { alphabet.utf8Start[Int(sextet & 0x3F)] }

    private static var alphabet: StaticString { "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" }

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0x80, count: 256)
        for index in 0..<64 { values[Int(letter(UInt8(index)))] = UInt8(index) }
        return values
    }()
}
