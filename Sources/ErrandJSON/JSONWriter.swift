/// Appends one JSON document (RFC 8259) to a buffer, compact, keys in the order of the calls.
///
/// Commas and colons come by themselves. Nothing throws inside: the first fault is stored, and
/// `finish` throws it.
public struct JSONWriter: ~Copyable {
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0
    /// Whether a value stands before the cursor in the same container.
    private var needsComma = false
    private var openLevels = 0
    private var fault: JSONFault?

    /// A writer with room for so many bytes; it grows as needed.
    public init(capacity: Int = 512) {
        self.capacity = max(64, capacity)
        buffer = .allocate(capacity: self.capacity)
    }

    deinit { buffer.deallocate() }

    /// Whether something could not be written.
    public var isFaulted: Bool { fault != nil }

    /// The document.
    ///
    /// - Throws: the first fault: a value that JSON cannot express, or an object, array or document
    ///   left incomplete.
    public consuming func finish() throws(JSONFault) -> [UInt8] {
        if let fault { throw fault }
        guard openLevels == 0, needsComma else {
            throw JSONFault(code: .unexpectedEnd, byteOffset: count, expectation: "one complete value")
        }
        return Array(UnsafeBufferPointer(start: buffer, count: count))
    }

    // MARK: Structure

    /// Opens an object, as the next value.
    public mutating func beginObject() { open(ASCII.openBrace) }

    /// Closes the object opened last.
    public mutating func endObject() { close(ASCII.closeBrace) }

    /// Opens an array, as the next value.
    public mutating func beginArray() { open(ASCII.openBracket) }

    /// Closes the array opened last.
    public mutating func endArray() { close(ASCII.closeBracket) }

    /// Writes a key; one value must follow.
    public mutating func key(_ name: StaticString) {
        writeQuoted(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        endKey()
    }

    /// Writes a key that is known at run time only; one value must follow.
    public mutating func key(dynamic name: String) {
        write(name)
        endKey()
    }

    /// Raises a fault about the value that would be written here.
    public mutating func fail(_ reason: String) { record(.refused(reason), "") }

    // MARK: Bytes

    /// Writes ASCII that is a JSON value as it stands.
    mutating func writeRaw(_ text: String) {
        beginValue(text.utf8.count)
        append(text)
    }

    /// Writes ASCII that needs no escapes as a string.
    mutating func writeQuotedRaw(_ text: String) {
        beginValue(text.utf8.count + 2)
        appendUnchecked(ASCII.quote)
        append(text)
        appendUnchecked(ASCII.quote)
    }

    /// Writes a whole number.
    @inline(__always)
    mutating func writeInteger(_ magnitude: UInt64, isNegative: Bool) {
        beginValue(20)
        if isNegative { appendUnchecked(ASCII.minus) }
        var digits = 1
        var rest = magnitude
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        var position = count + digits
        count = position
        rest = magnitude
        repeat {
            position -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            buffer[position] = ASCII.zero &+ UInt8(truncatingIfNeeded: digit)
            rest = quotient
        } while rest > 0
    }

    /// Writes UTF-8 as a string, with the escapes that RFC 8259 section 7 demands and no others.
    mutating func writeQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        // Six bytes for each is the worst case; reserving less and checking would cost more.
        beginValue(text.count * 6 + 2)
        appendUnchecked(ASCII.quote)
        if let base = text.baseAddress {
            var position = base
            let end = base + text.count
            while position < end {
                let run = Self.plainLength(position, end)
                (buffer + count).update(from: position, count: run)
                count += run
                position += run
                if position < end {
                    appendEscape(position.pointee)
                    position += 1
                }
            }
        }
        appendUnchecked(ASCII.quote)
    }

    /// Stores the first fault.
    mutating func record(_ code: JSONFault.Code, _ expectation: String) {
        if fault == nil {
            fault = JSONFault(code: code, byteOffset: count, expectation: expectation)
        }
        // The document is lost; a value keeps what is written later in order.
        writeRaw("null")
    }

    // MARK: Steps

    private mutating func open(_ bracket: UInt8) {
        beginValue(1)
        appendUnchecked(bracket)
        needsComma = false
        openLevels += 1
    }

    private mutating func close(_ bracket: UInt8) {
        reserve(1)
        appendUnchecked(bracket)
        needsComma = true
        openLevels -= 1
    }

    private mutating func endKey() {
        reserve(1)
        appendUnchecked(ASCII.colon)
        needsComma = false
    }

    /// Makes room for so many bytes and writes the comma.
    @inline(__always)
    private mutating func beginValue(_ bytes: Int) {
        reserve(bytes + 1)
        if needsComma { appendUnchecked(ASCII.comma) }
        needsComma = true
    }

    @inline(__always)
    private mutating func reserve(_ bytes: Int) {
        if capacity - count < bytes { grow(by: bytes) }
    }

    @inline(never)
    private mutating func grow(by bytes: Int) {
        let larger = max(capacity * 2, count + bytes)
        let target = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        target.update(from: buffer, count: count)
        buffer.deallocate()
        buffer = target
        capacity = larger
    }

    /// Appends to room that was reserved.
    @inline(__always)
    private mutating func appendUnchecked(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    private mutating func append(_ text: String) {
        for byte in text.utf8 { appendUnchecked(byte) }
    }

    /// How many bytes stand for themselves.
    @inline(__always)
    private static func plainLength(_ start: BytePointer, _ end: BytePointer) -> Int {
        var position = start
        while position < end {
            let byte = position.pointee
            if byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash { break }
            position += 1
        }
        return position - start
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
