import Foundation

/// RFC 3986 and the `application/x-www-form-urlencoded` of the WHATWG, by hand.
enum PercentCoding {
    /// Everything but the unreserved characters becomes `%XX`.
    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// Nil if two digits don't follow a `%`, or if the bytes aren't UTF-8.
    static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(bytes: bytes, encoding: .utf8)
    }

    /// `a=1&b=2`, nil if it is badly encoded.
    static func pairs(_ text: some StringProtocol, plusIsSpace: Bool) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for part in text.split(separator: "&", omittingEmptySubsequences: true) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0], plusIsSpace: plusIsSpace),
                let value = decoded(sides.count > 1 ? sides[1] : "", plusIsSpace: plusIsSpace)
            else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        let front = text.drop(while: \.isWhitespace)
        let blanks = front.reversed().prefix(while: \.isWhitespace).count
        return String(front.dropLast(blanks))
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
