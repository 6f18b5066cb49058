/// The entry point to reading and writing JSON (RFC 8259).
///
/// The module depends on no other module of Errand and on no package. A handwritten type reads and writes itself in the same
/// way as a generated one:
///
///     struct Account: JSONReadable, JSONWritable {
///         var id: Int, owner: String
///
///         static let keys = JSONKeys(["id", "owner"])
///
///         static func load(from reader: inout JSONReader) -> Account? {
///             var id = 0, owner = ""
///             var fields = reader.beginObject()
///             while true {
///                 switch reader.nextField(keys, &fields) {
///                 case 0: id = reader.readInt()
///                 case 1: owner = reader.readString()
///                 default: return reader.isFaulted ? nil : Account(id: id, owner: owner)
///                 }
///             }
///         }
///
///         func write(to writer: inout JSONWriter) {
///             writer.beginObject()
///             writer.key("id")
///             writer.write(id)
///             writer.key("owner")
///             writer.write(owner)
///             writer.endObject()
///         }
///     }
///
///     let accounts = try JSON.scan(bytes, [Account].load)
///     let text = try JSON.bytes(accounts.write)
///
/// RFC 8259 leaves some points open. They are settled as follows:
///
/// - **Duplicate keys** (section 4): the last one wins; lookahead calls take the first.
/// - **Depth** (section 9): `defaultMaximumDepth` levels of arrays and objects, or as many as the scan says.
/// - **Numbers** (section 6): of any length. Binary ones are rounded once and correctly, decimals and integers never. A
///   number that does not fit the requested type is a fault, not a rounded or cut value.
/// - **Surrogates** (section 8.2): half a pair is a fault, and so are bytes that aren't UTF-8, also in values that are never
///   read. A byte order mark (section 8.1) is one too.
public enum JSON {
    /// How deep arrays and objects may be nested, unless a scan says otherwise.
    public static let defaultMaximumDepth = 512

    /// Reads one document.
    ///
    /// - Parameters:
    ///   - bytes: the whole document, in UTF-8 without a byte order mark.
    ///   - sensitive: keys under which no value may appear in a fault's excerpt.
    ///   - maximumDepth: how deep arrays and objects may be nested.
    ///   - read: reads the document's value. It returns nil if the reader is at fault.
    /// - Throws: the first fault, also if the document continues after its value.
    public static func scan<Value>(
        _ bytes: [UInt8], sensitive: Set<String> = [], maximumDepth: Int = defaultMaximumDepth,
        _ read: (inout JSONReader) -> Value?
    ) throws(JSONError) -> Value {
        var value: Value?
        let outcome = bytes.withUnsafeBytes { bytes in
            Self.outcome(bytes, FaultReport(sensitive: sensitive), maximumDepth) { reader in
                value = read(&reader)
                return value != nil
            }
        }
        guard outcome.fault == nil, let value else { throw outcome.problem }
        return value
    }

    /// Reads one document from memory that stays valid and unchanged during the call.
    ///
    /// - Throws: the first fault, also if the document continues after its value.
    public static func scan<Value>(
        _ bytes: UnsafeRawBufferPointer, sensitive: Set<String> = [],
        maximumDepth: Int = defaultMaximumDepth, _ read: (inout JSONReader) -> Value?
    ) throws(JSONError) -> Value {
        var value: Value?
        let outcome = Self.outcome(bytes, FaultReport(sensitive: sensitive), maximumDepth) { reader in
            value = read(&reader)
            return value != nil
        }
        guard outcome.fault == nil, let value else { throw outcome.problem }
        return value
    }

    /// Reads one document, and tells which elements `readArraySkippingInvalid` left out.
    ///
    /// - Parameter declared: the only keys that may appear in a fault; nil for all.
    /// - Returns: the value, and which elements were left out, the first of them with their faults.
    /// - Throws: the first fault, also if the document continues after its value.
    public static func scanReportingSkipped<Value>(
        _ bytes: [UInt8], sensitive: Set<String> = [], declared: Set<String>? = nil,
        maximumDepth: Int = defaultMaximumDepth, _ read: (inout JSONReader) -> Value?
    ) throws(JSONError) -> (value: Value, skipped: SkippedElements) {
        var value: Value?
        let outcome = bytes.withUnsafeBytes { bytes in
            Self.outcome(bytes, FaultReport(sensitive: sensitive, declared: declared), maximumDepth) { reader in
                value = read(&reader)
                return value != nil
            }
        }
        guard outcome.fault == nil, let value else { throw outcome.problem }
        return (value, outcome.skipped)
    }

    /// Reads one document from memory that stays valid and unchanged during the call, and tells
    /// which elements `readArraySkippingInvalid` left out.
    ///
    /// - Throws: the first fault, also if the document continues after its value.
    public static func scanReportingSkipped<Value>(
        _ bytes: UnsafeRawBufferPointer, sensitive: Set<String> = [], declared: Set<String>? = nil,
        maximumDepth: Int = defaultMaximumDepth, _ read: (inout JSONReader) -> Value?
    ) throws(JSONError) -> (value: Value, skipped: SkippedElements) {
        var value: Value?
        let outcome = Self.outcome(bytes, FaultReport(sensitive: sensitive, declared: declared), maximumDepth) {
            reader in
            value = read(&reader)
            return value != nil
        }
        guard outcome.fault == nil, let value else { throw outcome.problem }
        return (value, outcome.skipped)
    }

    /// Reads one document with a function that keeps the value itself, and tells which elements were left out. It isn't generic: code
    /// that reads many small documents would otherwise look up generic types for each of them.
    ///
    /// - Parameters:
    ///   - declared: the only keys that may appear in a fault; nil for all.
    ///   - read: reads the document's value, and says whether it has one.
    /// - Throws: the first fault, also if the document continues after its value.
    @discardableResult
    package static func read(
        _ bytes: [UInt8], sensitive: Set<String> = [], declared: Set<String>? = nil,
        maximumDepth: Int = defaultMaximumDepth, _ read: (inout JSONReader) -> Bool
    ) throws(JSONError) -> SkippedElements {
        let outcome = bytes.withUnsafeBytes { bytes in
            var hasValue = false
            var outcome = Self.outcome(
                bytes, FaultReport(sensitive: sensitive, declared: declared), maximumDepth
            ) { reader in
                hasValue = read(&reader)
                return hasValue
            }
            if !hasValue, outcome.fault == nil { outcome.fault = outcome.problem }
            return outcome
        }
        if let fault = outcome.fault { throw fault }
        return outcome.skipped
    }

    /// Lends a reader of a document that was read before. Faults are reported by the reader alone.
    package static func inspect(_ bytes: UnsafeRawBufferPointer, _ read: (inout JSONReader) -> Void) {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count > 0 else { return }
        var reader = JSONReader(base, count: bytes.count, maximumDepth: defaultMaximumDepth)
        read(&reader)
    }

    /// Writes one document.
    ///
    /// - Throws: the first fault of the writer: a value that JSON cannot express, or a document left
    ///   incomplete.
    public static func bytes(
        _ write: (inout JSONWriter) -> Void
    ) throws(JSONError) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return try writer.finish()
    }

    /// The result of a scan, beside its value.
    private struct Outcome {
        var fault: JSONError?
        var skipped = SkippedElements()

        /// Why there is no value.
        var problem: JSONError { fault ?? JSONError(code: .noValue, byteOffset: 0) }
    }

    /// Creates the reader, and turns its fault into an error. No other code does either. It isn't generic, because the Swift
    /// runtime looks up a generic type each time that it is used.
    ///
    /// - Parameter read: reads the document's value, and says whether it has one.
    private static func outcome(
        _ bytes: UnsafeRawBufferPointer, _ report: FaultReport, _ maximumDepth: Int,
        _ read: (inout JSONReader) -> Bool
    ) -> Outcome {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count > 0 else {
            return Outcome(fault: JSONError(code: .unexpectedEnd, byteOffset: 0, expectation: "value"))
        }
        var reader = JSONReader(base, count: bytes.count, maximumDepth: maximumDepth)
        reader.refuseByteOrderMark()
        let hasValue = read(&reader)
        reader.finish(hasValue: hasValue)
        if let fault = reader.takeFault() {
            let faults = report.make([fault], bytes: base, count: bytes.count)
            return Outcome(fault: faults.first ?? JSONError(code: fault.code, byteOffset: fault.offset))
        }
        if reader.skipped.isEmpty { return Outcome() }
        let faults = report.make(reader.skipped, bytes: base, count: bytes.count)
        return Outcome(skipped: SkippedElements(faults: faults, count: reader.skippedCount))
    }
}
