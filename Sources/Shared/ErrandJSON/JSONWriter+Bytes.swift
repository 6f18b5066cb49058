#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How values become bytes in the buffer, without a `String` between.
extension JSONWriter {
    /// Writes up to eight bytes of ASCII that are a JSON value; the first one is the lowest.
    @inline(__always)
    mutating func writeWord(_ word: UInt64, _ length: Int) {
        beginValue(8)
        UnsafeMutableRawPointer(buffer + count).storeBytes(of: word.littleEndian, as: UInt64.self)
        count += length
    }

    /// Writes an integer.
    @inline(__always)
    mutating func writeInteger(_ magnitude: UInt64, isNegative: Bool) {
        beginValue(20)
        if isNegative { appendUnchecked(ASCII.minus) }
        count += DecimalDigits.write(magnitude, to: buffer + count)
    }

    /// Writes at most `length` bytes that need no escapes as a value, between quotes where asked for.
    /// The closure returns how many it wrote.
    @inline(__always)
    mutating func writeBytes(
        _ length: Int, isQuoted: Bool, _ body: (UnsafeMutablePointer<UInt8>) -> Int
    ) {
        beginValue(length + 2)
        if isQuoted { appendUnchecked(ASCII.quote) }
        count += body(buffer + count)
        if isQuoted { appendUnchecked(ASCII.quote) }
    }

    /// Writes ASCII that is a JSON value as it is.
    mutating func writeRaw(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            writeBytes(bytes.count, isQuoted: false) { target in
                if let base = bytes.baseAddress { target.update(from: base, count: bytes.count) }
                return bytes.count
            }
        }
    }

    /// Writes UTF-8 as a string, with the escapes that RFC 8259 section 7 demands and no others.
    mutating func writeQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        // Nearly all strings need no escapes. The others get the room for those when they come.
        beginValue(text.count + 2)
        appendUnchecked(ASCII.quote)
        if var position = text.baseAddress, !copyPlain(position, text.count) {
            let end = position + text.count
            while true {
                position = appendPlain(position, end)
                if position == end { break }
                // The rest once more, since the escape takes up to six bytes and the quote one.
                reserve(end - position + 7)
                appendEscape(position.pointee)
                position += 1
            }
        }
        appendUnchecked(ASCII.quote)
    }

    /// Copies a string whose bytes need no escape to reserved room. Returns false for any other string. It copies overlapping
    /// words, so that no loop depends on the length of a short string.
    @inline(__always)
    private mutating func copyPlain(_ start: BytePointer, _ length: Int) -> Bool {
        let source = UnsafeRawPointer(start)
        let target = UnsafeMutableRawPointer(buffer + count)
        var marks: UInt64 = 0
        if length >= 8 {
            var offset = 0
            while offset < length - 8 {
                let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
                marks |= Self.escapedBytes(of: word)
                offset += 8
            }
            let last = source.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
            target.storeBytes(of: last, toByteOffset: length - 8, as: UInt64.self)
            marks |= Self.escapedBytes(of: last)
        } else if length >= 4 {
            let first = source.loadUnaligned(as: UInt32.self)
            let last = source.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self)
            target.storeBytes(of: first, as: UInt32.self)
            target.storeBytes(of: last, toByteOffset: length - 4, as: UInt32.self)
            marks = Self.escapedBytes(of: UInt64(first) | UInt64(last) << 32)
        } else {
            return false
        }
        if marks != 0 { return false }
        count += length
        return true
    }

    /// Copies bytes to reserved room, up to the first one that needs an escape, and returns the place of that byte.
    @inline(__always)
    private mutating func appendPlain(_ start: BytePointer, _ end: BytePointer) -> BytePointer {
        var position = start
        var output = UnsafeMutableRawPointer(buffer + count)
        while end - position >= 8 {
            let word = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self)
            // The bytes after an escape are written over.
            output.storeBytes(of: word, as: UInt64.self)
            let marks = Self.escapedBytes(of: UInt64(littleEndian: word))
            if marks != 0 {
                let run = marks.trailingZeroBitCount >> 3
                count += position - start + run
                return position + run
            }
            position += 8
            output += 8
        }
        while position < end {
            let byte = position.pointee
            if byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash { break }
            output.storeBytes(of: byte, as: UInt8.self)
            position += 1
            output += 1
        }
        count += position - start
        return position
    }

    /// Sets the high bit of each byte that is a quote, a backslash or a control. The lowest one is
    /// exact, as in `JSONSyntax.specialBytes`.
    @inline(__always)
    private static func escapedBytes(of word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let isQuote = (quotes &- ones) & ~quotes
        let isBackslash = (backslashes &- ones) & ~backslashes
        let isControl = (word &- ones &* 0x20) & ~word
        return (isQuote | isBackslash | isControl) & (ones &* 0x80)
    }

    private mutating func appendEscape(_ byte: UInt8) {
        appendUnchecked(ASCII.backslash)
        switch byte {
        case ASCII.quote, ASCII.backslash: appendUnchecked(byte)
        case 0x08: appendUnchecked(0x62)
        case 0x0C: appendUnchecked(0x66)
        case ASCII.lineFeed: appendUnchecked(0x6E)
        case ASCII.carriageReturn: appendUnchecked(0x72)
        case ASCII.tab: appendUnchecked(0x74)
        default:
            appendUnchecked(0x75)
            appendUnchecked(ASCII.zero)
            appendUnchecked(ASCII.zero)
            appendUnchecked(ASCII.zero + byte >> 4)
            appendUnchecked(byte & 0x0F < 10 ? ASCII.zero + byte & 0x0F : 0x57 + byte & 0x0F)
        }
    }
}
