import ErrandJSON
import Foundation

/// Each call that reads a type, against the same document read as a value.
enum TypedReads {
    /// The required result of a call for a value.
    enum Wanted<Value> {
        case value(Value)
        case refusal
        /// Not told here.
        case open

        init(_ value: Value?) { self = value.map(Wanted.value) ?? .refusal }
    }

    static func check(_ document: Document, _ value: JSONValue?) {
        let isEscaped = document.contains(UInt8(ascii: "\\"))
        func lenient<Number>(_ wanted: @escaping (JSONNumber) -> Wanted<Number>) -> (JSONValue) -> Wanted<Number> {
            { value in
                if let number = value.number { return wanted(number) }
                guard let number = value.string.flatMap(JSONNumber.init(text:)) else { return .refusal }
                // Digits that are escaped are refused.
                return isEscaped ? .open : wanted(number)
            }
        }
        func strict<Number>(_ wanted: @escaping (JSONNumber) -> Wanted<Number>) -> (JSONValue) -> Wanted<Number> {
            { $0.number.map(wanted) ?? .refusal }
        }

        compare(document, value, { $0.readBool() }, { Wanted($0.bool) })
        compare(document, value, { $0.readString() }, { Wanted($0.string) })
        compare(document, value, { $0.readInt() }, strict(whole))
        compare(document, value, { $0.readInt32() }, strict(whole))
        compare(document, value, { $0.readInt64() }, strict(whole))
        compare(document, value, { $0.readUInt() }, strict(whole))
        compare(document, value, { $0.readDouble() }, strict(double))
        compare(document, value, { $0.readFloat() }, strict(float))
        compare(document, value, { $0.readDecimal() }, strict { Wanted($0.decimal) })
        compare(document, value, { $0.readLenientInt() }, lenient(whole))
        compare(document, value, { $0.readLenientInt32() }, lenient(whole))
        compare(document, value, { $0.readLenientInt64() }, lenient(whole))
        compare(document, value, { $0.readLenientUInt() }, lenient(whole))
        compare(document, value, { $0.readLenientDouble() }, lenient(double))
        compare(document, value, { $0.readLenientFloat() }, lenient(float))
        compare(document, value, { $0.readLenientDecimal() }, lenient { Wanted($0.decimal) })
        compare(
            document, value, { $0.readLenientString() },
            { Wanted($0.string ?? $0.number?.text ?? $0.bool?.description) })
        compare(document, value, { $0.readLenientBool() }) { value in
            switch value.string ?? value.number?.text ?? value.bool?.description {
            case "true", "1": .value(true)
            case "false", "0": .value(false)
            default: .refusal
            }
        }
        checkForms(document, value)
    }

    /// What strings hold.
    private static func checkForms(_ document: Document, _ value: JSONValue?) {
        compare(document, value, { $0.readUUID() }) { value in
            // Foundation on Linux scans byte by byte, and takes white space, a sign or `0x` in the place of digits.
            Wanted(
                value.string.flatMap { text in
                    UUID(uuidString: text).flatMap { $0.uuidString.lowercased() == text.lowercased() ? $0 : nil }
                })
        }
        compare(document, value, { $0.readURL() }, { Wanted($0.string.flatMap(URL.init(string:))) })
        compare(document, value, { $0.readCalendarDate() }, { Wanted($0.string.flatMap(CalendarDate.init)) })
        compare(document, value, { $0.readUnixTimestamp() }, { $0.number == nil ? .refusal : .open })
        compare(document, value, { $0.readMillisecondTimestamp() }, { $0.number == nil ? .refusal : .open })
        compare(
            document, value, { $0.readLenientUnixTimestamp() },
            { $0.number == nil && $0.string == nil ? .refusal : .open })
        let date = compare(document, value, { $0.readTimestamp() }, { $0.string == nil ? .refusal : .open })
        if let date, let text = JSONText.timestamp(date) {
            let again = Array("\"\(text)\"".utf8).withUnsafeBytes { read($0) { $0.readTimestamp() } }
            hold(again.value.flatMap(JSONText.timestamp) == text, "one text for a moment: \(text)")
        }
        let bytes = compare(document, value, { $0.readBytes() }, { $0.string == nil ? .refusal : .open })
        if let bytes, let text = value?.string {
            let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            hold(Data(base64Encoded: padded) == Data(bytes), "Foundation decodes the same from \(text)")
        }
    }

    /// Reads a type, and holds it against the value: refused, as something else, or the same.
    @discardableResult
    static func compare<Value: Equatable>(
        _ document: Document, _ value: JSONValue?, _ body: (inout JSONReader) -> Value?,
        _ wanted: (JSONValue) -> Wanted<Value>
    ) -> Value? {
        let result = read(document, body)
        guard let value else {
            hold(result.value == nil, "no \(Value.self) from what is no JSON")
            return nil
        }
        if let fault = result.fault { hold(!fault.isMalformed, "JSON is not called malformed: \(fault)") }
        switch wanted(value) {
        case .value(let wanted): hold(result.value == wanted, "\(Value.self) is \(wanted): \(result)")
        case .refusal: hold(result.value == nil, "\(value) is no \(Value.self): \(result)")
        case .open: break
        }
        return result.value
    }

    // MARK: Numbers, by another way than the reader's

    private static func whole<Number: FixedWidthInteger>(_ number: JSONNumber) -> Wanted<Number> {
        if let plain = Number(number.text) { return .value(plain) }
        if let int = number.int { return Wanted(Number(exactly: int)) }
        // Whole numbers above Int.max that are written with a point or an exponent.
        return .open
    }

    private static func double(_ number: JSONNumber) -> Wanted<Double> {
        Wanted(Double(number.text).flatMap { $0.isFinite ? $0 : nil })
    }

    private static func float(_ number: JSONNumber) -> Wanted<Float> {
        Wanted(Float(number.text).flatMap { $0.isFinite ? $0 : nil })
    }
}
