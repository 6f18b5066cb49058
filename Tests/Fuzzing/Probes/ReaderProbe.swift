import ErrandJSON
import Foundation

/// The reader and the writer over any bytes.
enum ReaderProbe {
    static func check(_ document: Document) {
        let value = checkVerdicts(document)
        if let value { checkRoundTrip(value) }
        checkDepth(document, value)
        TypedReads.check(document, value)
        Wanderings.check(document, value)
        checkText(document)
        WrittenForms.check(document)
    }

    /// `readValue`, `skipValue` and Foundation agree on what is JSON.
    private static func checkVerdicts(_ document: Document) -> JSONValue? {
        let reading = read(document) { $0.readValue() }
        let skipping = read(document) { $0.skipValue() }
        hold(reading.fault?.code == skipping.fault?.code, "one code: \(reading) \(skipping)")
        hold(reading.fault?.byteOffset == skipping.fault?.byteOffset, "one offset: \(reading) \(skipping)")
        hold(reading.fault?.path == skipping.fault?.path, "one path: \(reading) \(skipping)")
        if let fault = reading.fault { hold(fault.isMalformed, "any JSON is a value: \(fault)") }
        // On Apple's systems Foundation is another implementation.
        #if os(Linux)
        let bytes = [UInt8](document)
        if ReferenceReading.ofFoundation(bytes) != (reading.value != nil) {
            hold(ReferenceReading.isKnownDifference(bytes), "Foundation says the same: \(reading)")
        }
        #endif
        return reading.value
    }

    /// A value that was read can be written, and is the same when it is read again.
    private static func checkRoundTrip(_ value: JSONValue) {
        guard let bytes = try? JSON.bytes({ $0.write(value) }) else { return hold(false, "any value can be written") }
        let again = bytes.withUnsafeBytes { read($0) { $0.readValue() } }
        hold(again.value == value, "the same when written and read")
        hold(again.value?.hashValue == value.hashValue, "equal values hash alike")
        hold(again.value?.description == String(decoding: bytes, as: UTF8.self), "one form")
    }

    /// A limit refuses what is deeper, and nothing else.
    private static func checkDepth(_ document: Document, _ value: JSONValue?) {
        for limit in [0, 2] {
            let reading = read(document, maximumDepth: limit) { $0.readValue() }
            let skipping = read(document, maximumDepth: limit) { $0.skipValue() }
            hold(reading.fault?.code == skipping.fault?.code, "one code at depth \(limit): \(reading) \(skipping)")
            hold(reading.fault?.byteOffset == skipping.fault?.byteOffset, "one offset at depth \(limit)")
            if reading.value != nil { hold(reading.value == value, "the limit changes no value") }
            // A key that comes twice hides what its first value held.
            if let value, reading.value == nil {
                hold(reading.fault?.code == .tooDeep, "refused as too deep: \(value)")
            }
            if let value, depth(of: value) > limit { hold(reading.value == nil, "limit \(limit) is kept") }
        }
    }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .array(let list): 1 + (list.map(depth).max() ?? 0)
        case .object(let object): 1 + (object.map { depth(of: $0.value) }.max() ?? 0)
        default: 0
        }
    }

    /// The document as the content of a string, and as bytes.
    private static func checkText(_ document: Document) {
        let text = String(decoding: document, as: UTF8.self)
        let written = try? JSON.bytes { $0.write(text) }
        let readAgain = written?.withUnsafeBytes { read($0) { $0.readString() } }
        hold(readAgain?.value.map { Array($0.utf8) } == Array(text.utf8), "text keeps its bytes")
        let bytes = [UInt8](document)
        let encoded = try? JSON.bytes { $0.write(bytes) }
        hold(encoded?.withUnsafeBytes { read($0) { $0.readBytes() } }.value == bytes, "bytes stay bytes")
    }
}
