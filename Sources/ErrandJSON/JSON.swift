/// The way into reading and writing JSON (RFC 8259).
///
/// Reading: `JSON.scan(bytes) { (reader: inout JSONReader) in Account.load(from: &reader) }`.
/// Writing: `JSON.bytes { (writer: inout JSONWriter) in account.write(to: &writer) }`.
public enum JSON {
    /// How deep arrays and objects may be nested, unless a scan says otherwise.
    public static let defaultMaximumDepth = 512

    /// Reads one document.
    ///
    /// - Parameters:
    ///   - bytes: the whole document, in UTF-8 without a byte order mark.
    ///   - sensitive: keys under which no value may appear in a fault's excerpt.
    ///   - maximumDepth: how deep arrays and objects may be nested.
    ///   - read: reads the document's value. It returns nil where the reader is at fault.
    /// - Throws: the first fault, also where the document goes on after its value.
    public static func scan<Value>(
        _ bytes: [UInt8], sensitive: Set<String> = [], maximumDepth: Int = defaultMaximumDepth,
        _ read: (inout JSONReader) -> Value?
    ) throws(JSONFault) -> Value {
        try bytes.withUnsafeBytes {
            outcome($0, sensitive, maximumDepth, read)
        }.get().value
    }

    /// Reads one document from memory that stays valid and unchanged during the call.
    ///
    /// - Throws: the first fault, also where the document goes on after its value.
    public static func scan<Value>(
        _ bytes: UnsafeRawBufferPointer, sensitive: Set<String> = [],
        maximumDepth: Int = defaultMaximumDepth, _ read: (inout JSONReader) -> Value?
    ) throws(JSONFault) -> Value {
        try outcome(bytes, sensitive, maximumDepth, read).get().value
    }

    /// Reads one document, and tells which elements `readArraySkippingInvalid` left out.
    ///
    /// - Returns: the value, and one fault per element left out, in the order of the document.
    /// - Throws: the first fault, also where the document goes on after its value.
    public static func scanReportingSkipped<Value>(
        _ bytes: [UInt8], sensitive: Set<String> = [], maximumDepth: Int = defaultMaximumDepth,
        _ read: (inout JSONReader) -> Value?
    ) throws(JSONFault) -> (value: Value, skipped: [JSONFault]) {
        try bytes.withUnsafeBytes {
            outcome($0, sensitive, maximumDepth, read)
        }.get()
    }

    /// Reads one document from memory that stays valid and unchanged during the call, and tells
    /// which elements `readArraySkippingInvalid` left out.
    ///
    /// - Throws: the first fault, also where the document goes on after its value.
    public static func scanReportingSkipped<Value>(
        _ bytes: UnsafeRawBufferPointer, sensitive: Set<String> = [],
        maximumDepth: Int = defaultMaximumDepth, _ read: (inout JSONReader) -> Value?
    ) throws(JSONFault) -> (value: Value, skipped: [JSONFault]) {
        try outcome(bytes, sensitive, maximumDepth, read).get()
    }

    /// Writes one document.
    ///
    /// - Throws: the first fault of the writer: a value that JSON cannot express, or a document left
    ///   incomplete.
    public static func bytes(
        _ write: (inout JSONWriter) -> Void
    ) throws(JSONFault) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return try writer.finish()
    }

    /// The one place where a reader comes to life, and where its fault becomes an error.
    private static func outcome<Value>(
        _ bytes: UnsafeRawBufferPointer, _ sensitive: Set<String>, _ maximumDepth: Int,
        _ read: (inout JSONReader) -> Value?
    ) -> Result<(value: Value, skipped: [JSONFault]), JSONFault> {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count > 0 else {
            return .failure(JSONFault(code: .unexpectedEnd, byteOffset: 0, expectation: "value"))
        }
        var reader = JSONReader(base, count: bytes.count, maximumDepth: maximumDepth)
        reader.refuseByteOrderMark()
        let value = read(&reader)
        reader.finish(hasValue: value != nil)
        if let fault = reader.takeFault() {
            let faults = FaultReport.make([fault], bytes: base, count: bytes.count, sensitive: sensitive)
            return .failure(faults.first ?? JSONFault(code: fault.code, byteOffset: fault.offset))
        }
        guard let value else {
            return .failure(JSONFault(code: .noValue, byteOffset: 0))
        }
        if reader.skipped.isEmpty { return .success((value, [])) }
        let skipped = FaultReport.make(
            reader.skipped, bytes: base, count: bytes.count, sensitive: sensitive)
        return .success((value, skipped))
    }
}
