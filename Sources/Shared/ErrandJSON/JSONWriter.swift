/// Appends one JSON document (RFC 8259) to a buffer, compact, keys in the order of the calls.
///
/// Commas and colons come by themselves. Nothing throws inside: the first fault is stored, and
/// `finish` throws it.
public struct JSONWriter: ~Copyable {
    private(set) var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    package internal(set) var count = 0
    /// Whether a value is before the cursor in the same container.
    private var needsComma = false
    private var openLevels = 0
    private var fault: JSONError?

    /// Creates a writer with room for this number of bytes; it grows as needed.
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
    public consuming func finish() throws(JSONError) -> [UInt8] {
        if let fault { throw fault }
        guard openLevels == 0, needsComma else {
            throw JSONError(code: .unexpectedEnd, byteOffset: count, expectation: "one complete value")
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

    // MARK: Steps

    /// Stores the first fault.
    mutating func record(_ code: JSONError.Code, _ expectation: String) {
        if fault == nil {
            fault = JSONError(code: code, byteOffset: count, expectation: expectation)
        }
        // The document is lost; a value keeps what is written later in order.
        writeNull()
    }

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

    /// Makes room for this number of bytes and writes the comma.
    @inline(__always)
    mutating func beginValue(_ bytes: Int) {
        reserve(bytes + 1)
        if needsComma { appendUnchecked(ASCII.comma) }
        needsComma = true
    }

    @inline(__always)
    mutating func reserve(_ bytes: Int) {
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
    mutating func appendUnchecked(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }
}
