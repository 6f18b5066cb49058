/// Where a validated string is: between its quotes.
struct StringExtent {
    /// Just past the opening quote.
    var start: BytePointer
    /// The closing quote; on a syntax error, the byte where that is.
    var close: BytePointer
    /// Whether a backslash is in it.
    var isEscaped: Bool
    /// Whether all of it is known to be ASCII.
    var isASCII = false

    var count: Int { close - start }
}

extension JSONSyntax {
    /// Validates a string up to its closing quote (RFC 8259 section 7); `start` is past the opening one.
    @inline(__always)
    static func scanString(
        _ start: BytePointer, _ end: BytePointer, _ syntaxError: inout SyntaxError
    ) -> StringExtent {
        let position = skipPlain(start, end)
        if position < end, position.pointee == ASCII.quote {
            return StringExtent(start: start, close: position, isEscaped: false, isASCII: true)
        }
        return scanUnusualString(start, position, end, &syntaxError)
    }

    /// The same for a string with something else in it than plain ASCII, which starts at `special`.
    @inline(never)
    private static func scanUnusualString(
        _ start: BytePointer, _ special: BytePointer, _ end: BytePointer, _ syntaxError: inout SyntaxError
    ) -> StringExtent {
        var position = special
        var isEscaped = false
        var isASCII = true
        while true {
            guard position < end else {
                syntaxError = .unexpectedEnd
                break
            }
            let byte = position.pointee
            if byte >= 0x80 {
                isASCII = false
                position = skipSequences(position, end)
                if position < end, position.pointee >= 0x80 {
                    syntaxError = .invalidUTF8
                    break
                }
            } else if byte == ASCII.quote {
                break
            } else if byte == ASCII.backslash {
                isEscaped = true
                let length = escapeLength(position, end, &syntaxError)
                if syntaxError != .none { break }
                position += length
            } else if byte < ASCII.space {
                syntaxError = .controlCharacter
                break
            }
            position = skipPlain(position, end)
        }
        return StringExtent(start: start, close: position, isEscaped: isEscaped, isASCII: isASCII && !isEscaped)
    }

    /// Moves past consecutive UTF-8 sequences of more than one byte, up to the first byte that doesn't begin one (RFC 3629
    /// section 4).
    ///
    /// Four bytes at a time, with masks: the leading bits of each byte, and those that are all zero in
    /// overlong forms or make a surrogate or a scalar too large.
    @inline(__always)
    private static func skipSequences(_ start: BytePointer, _ end: BytePointer) -> BytePointer {
        var position = start
        while end - position >= 4 {
            let word = UInt32(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt32.self))
            if word & 0xC0E0 == 0x80C0, word & 0x1E != 0 {
                position += 2
            } else if word & 0xC0_C0F0 == 0x80_80E0, word & 0x200F != 0, word & 0x200F != 0x200D {
                position += 3
            } else if word & 0xC0C0_C0F8 == 0x8080_80F0, word & 0x3007 != 0, word & 0x04 == 0 || word & 0x3003 == 0 {
                position += 4
            } else {
                break
            }
        }
        while position < end, position.pointee >= 0x80 {
            let length = sequenceLength(position, end)
            if length == 0 { break }
            position += length
        }
        return position
    }

    /// Moves past unescaped bytes: ASCII without quote, backslash and controls.
    @inline(__always)
    static func skipPlain(_ start: BytePointer, _ end: BytePointer) -> BytePointer {
        var position = start
        while end - position >= 8 {
            let word = UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
            let marks = specialBytes(of: word)
            if marks != 0 { return position + marks.trailingZeroBitCount >> 3 }
            position += 8
        }
        while position < end {
            let byte = position.pointee
            if byte < ASCII.space || byte >= 0x80 || byte == ASCII.quote || byte == ASCII.backslash {
                break
            }
            position += 1
        }
        return position
    }

    /// Sets the high bit of each byte that is a quote, a backslash, a control or not ASCII.
    ///
    /// A borrow may set bits above a true one, never below, so the lowest bit is exact.
    @inline(__always)
    static func specialBytes(of word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let isQuote = (quotes &- ones) & ~quotes
        let isBackslash = (backslashes &- ones) & ~backslashes
        let isControl = (word &- ones &* 0x20) & ~word
        return (isQuote | isBackslash | isControl | word) & (ones &* 0x80)
    }

    /// Sets the high bit of each byte that is zero, exactly.
    @inline(__always)
    static func zeroBytes(of word: UInt64) -> UInt64 {
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        return ~((word & low &+ low) | word | low)
    }

    /// The length of the UTF-8 sequence at `start`, or 0 if it isn't one (RFC 3629 section 4).
    private static func sequenceLength(_ start: BytePointer, _ end: BytePointer) -> Int {
        let available = end - start
        let first = start[0]
        guard first >= 0xC2, first <= 0xF4, available >= 2 else { return 0 }
        let second = start[1]
        if first < 0xE0 { return second & 0xC0 == 0x80 ? 2 : 0 }
        guard available >= 3, start[2] & 0xC0 == 0x80 else { return 0 }
        if first < 0xF0 {
            // Overlong forms and surrogates lie in the second byte's range.
            let lowest: UInt8 = first == 0xE0 ? 0xA0 : 0x80
            let highest: UInt8 = first == 0xED ? 0x9F : 0xBF
            return second >= lowest && second <= highest ? 3 : 0
        }
        guard available >= 4, start[3] & 0xC0 == 0x80 else { return 0 }
        let lowest: UInt8 = first == 0xF0 ? 0x90 : 0x80
        let highest: UInt8 = first == 0xF4 ? 0x8F : 0xBF
        return second >= lowest && second <= highest ? 4 : 0
    }

    /// The length of the escape at `start`, which is its backslash; a surrogate pair counts as one.
    private static func escapeLength(
        _ start: BytePointer, _ end: BytePointer, _ syntaxError: inout SyntaxError
    ) -> Int {
        guard end - start >= 2 else {
            syntaxError = .unexpectedEnd
            return 0
        }
        switch start[1] {
        case ASCII.quote, ASCII.backslash, ASCII.slash, 0x62, 0x66, 0x6E, 0x72, 0x74: return 2
        case 0x75: break
        default:
            syntaxError = .invalidEscape
            return 0
        }
        guard let unit = codeUnit(start, end) else {
            syntaxError = .invalidEscape
            return 0
        }
        if unit & 0xF800 != 0xD800 { return 6 }
        // RFC 8259 section 7: a high surrogate with a low one after it, and no other order.
        guard unit < 0xDC00, let second = codeUnit(start + 6, end), second & 0xFC00 == 0xDC00 else {
            syntaxError = .loneSurrogate
            return 0
        }
        return 12
    }

    /// The UTF-16 code unit of a `\uXXXX` at `start`, nil if none is there.
    private static func codeUnit(_ start: BytePointer, _ end: BytePointer) -> UInt32? {
        guard end - start >= 6, start[0] == ASCII.backslash, start[1] == 0x75 else { return nil }
        var unit: UInt32 = 0
        for index in 2..<6 {
            guard let digit = ASCII.hexValue(start[index]) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// The text of a validated string.
    @inline(__always)
    static func makeString(_ extent: StringExtent) -> String {
        if extent.isEscaped { return makeUnescapedString(extent) }
        let bytes = UnsafeBufferPointer(start: extent.start, count: extent.count)
        #if compiler(>=6.2)
        // Validated already: twice would cost as much again.
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, *) {
            return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: extent.isASCII))
        }
        #endif
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(never)
    private static func makeUnescapedString(_ extent: StringExtent) -> String {
        // An escape is never shorter than the text that it represents.
        String(unsafeUninitializedCapacity: extent.count) { unescape(extent, into: $0) }
    }

    /// Writes the text of a validated string, at most `extent.count` bytes, and returns their number.
    static func unescape(_ extent: StringExtent, into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard var output = target.baseAddress, target.count >= extent.count else { return 0 }
        let first = output
        var position = extent.start
        while position < extent.close {
            let byte = position.pointee
            guard byte == ASCII.backslash else {
                let run = plainRun(position, extent.close)
                output.update(from: position, count: run)
                output += run
                position += run
                continue
            }
            let escape = position[1]
            guard escape == 0x75 else {
                output.pointee = simpleEscape(escape)
                output += 1
                position += 2
                continue
            }
            var scalar = codeUnit(position, extent.close) ?? 0xFFFD
            position += 6
            if scalar & 0xFC00 == 0xD800, let low = codeUnit(position, extent.close) {
                scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
                position += 6
            }
            for unit in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                output.pointee = unit
                output += 1
            }
        }
        return output - first
    }

    /// The number of bytes before the next backslash.
    @inline(__always)
    private static func plainRun(_ start: BytePointer, _ end: BytePointer) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = start
        while end - position >= 8 {
            let word = UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
            let marks = word ^ (ones &* 0x5C)
            let found = (marks &- ones) & ~marks & (ones &* 0x80)
            if found != 0 { return position - start + found.trailingZeroBitCount >> 3 }
            position += 8
        }
        while position < end, position.pointee != ASCII.backslash { position += 1 }
        return position - start
    }

    private static func simpleEscape(_ letter: UInt8) -> UInt8 {
        switch letter {
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: ASCII.lineFeed
        case 0x72: ASCII.carriageReturn
        case 0x74: ASCII.tab
        default: letter
        }
    }
}
