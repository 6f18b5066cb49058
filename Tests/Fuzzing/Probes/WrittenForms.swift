import ErrandJSON
import Foundation

/// The written forms of values whose bits come from the document.
enum WrittenForms {
    static func check(_ document: Document) {
        for start in stride(from: 0, to: min(document.count, 64), by: 8) {
            var bits: UInt64 = 0
            for byte in document[start..<min(start + 8, document.count)] { bits = bits << 8 | UInt64(byte) }
            checkNumbers(bits)
            checkDates(bits)
        }
        if document.count >= 16 { checkUUID(document) }
    }

    private static func checkNumbers(_ bits: UInt64) {
        let double = Double(bitPattern: bits)
        if let text = written({ $0.write(double) }) {
            hold(Double(text)?.bitPattern == bits, "\(double) is written as \(text)")
            hold(digits(text) == digits(double.description), "\(double) is written with as few digits: \(text)")
            hold(JSONText.of(double) == text, "\(double) has one text")
        } else {
            hold(!double.isFinite, "\(double) can be written")
        }
        let float = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        if let text = written({ $0.write(float) }) {
            hold(Float(text)?.bitPattern == float.bitPattern, "\(float) is written as \(text)")
            hold(digits(text) == digits(float.description), "\(float) is written with as few digits: \(text)")
        } else {
            hold(!float.isFinite, "\(float) can be written")
        }
        let int = Int64(bitPattern: bits)
        hold(written { $0.write(int) } == String(int), "\(int) is written as it is")
        hold(written { $0.write(UInt(bits)) } == String(bits), "\(bits) is written as it is")
        let decimal = Decimal(
            sign: int < 0 ? .minus : .plus, exponent: Int(bits % 60) - 30, significand: Decimal(bits >> 8))
        let text = written { $0.write(decimal) } ?? ""
        hold(JSONNumber(text: text)?.decimal == decimal, "\(decimal) is written as \(text)")
        hold(JSONText.of(decimal) == text, "\(decimal) has one text")
    }

    /// Dates in and around the years that can be written, and read as they were.
    private static func checkDates(_ bits: UInt64) {
        let seconds = Double(Int64(bitPattern: bits) >> 23) / 64
        let date = Date(timeIntervalSince1970: seconds)
        let isInReach = seconds >= -62_167_219_200 && seconds < 253_402_300_799.9999
        let forms:
            [(name: String, write: (inout JSONWriter) -> Void, read: (inout JSONReader) -> Date, exactness: Double)] = [
                ("timestamp", { $0.writeTimestamp(date) }, { $0.readTimestamp() }, 1e-6),
                ("unix", { $0.writeUnixTimestamp(date) }, { $0.readUnixTimestamp() }, 1e-6),
                ("milliseconds", { $0.writeMillisecondTimestamp(date) }, { $0.readMillisecondTimestamp() }, 0.51e-3),
            ]
        for form in forms {
            guard let text = written(form.write) else {
                hold(!isInReach, "\(form.name): \(seconds) has a form")
                continue
            }
            let again = Array(text.utf8).withUnsafeBytes { read($0) { form.read(&$0) } }.value
            let away = (again ?? .distantPast).timeIntervalSinceReferenceDate - date.timeIntervalSinceReferenceDate
            hold(
                away.magnitude <= max(form.exactness, date.timeIntervalSinceReferenceDate.ulp),
                "\(form.name): \(seconds) is written as \(text)")
        }
    }

    private static func checkUUID(_ document: Document) {
        let uuid = UUID(uuid: document.loadUnaligned(as: uuid_t.self))
        hold(written { $0.write(uuid) } == "\"\(uuid.uuidString.lowercased())\"", "\(uuid) in lower case")
    }

    private static func written(_ write: (inout JSONWriter) -> Void) -> String? {
        (try? JSON.bytes(write)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The digits that count, without zeros at either end and without the exponent.
    private static func digits(_ text: String) -> String {
        let mantissa = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
        let trimmed = mantissa.drop { $0 == "0" }
        return String(
            trimmed.prefix(
                (trimmed.lastIndex { $0 != "0" }.map { trimmed.distance(from: trimmed.startIndex, to: $0) + 1 }) ?? 0))
    }
}
