import ErrandJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The declared headers of a response as a JSON object, which the same generated code reads as a body.
struct HeaderDocument {
    private(set) var bytes: [UInt8] = []
    /// The place of each value in the bytes, with the header's position among the declared ones.
    private var places: [(range: Range<Int>, header: Int)] = []

    /// - Parameter left: the positions of headers that are left out.
    private init(_ headers: HTTPHeaders, _ declared: [ResponseHeader], without left: Set<Int>) {
        bytes.append(UInt8(ascii: "{"))
        for (position, header) in declared.enumerated() where !left.contains(position) {
            guard let value = Self.value(of: header, in: headers) else { continue }
            if !places.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes += JSONValue.string(header.name).description.utf8
            bytes.append(UInt8(ascii: ":"))
            let start = bytes.count
            bytes += value.description.utf8
            places.append((start..<bytes.count, position))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Reads the declared headers of a success.
    ///
    /// The command has succeeded, whatever a header says. A header with a wrong value counts as absent, and its fault is one of
    /// the skipped ones. Only a required header can make the response unreadable.
    ///
    /// - Throws: the fault of a required header.
    static func read<Value>(
        _ headers: HTTPHeaders, _ endpoint: EndpointDescription, _ load: (inout JSONReader) -> Value?
    ) throws(JSONError) -> (value: Value, skipped: SkippedElements) {
        let declared = endpoint.headers
        // The values that a failure does not print either.
        let secret = declared.map(\.name).filter { ResponseRedactor.isSensitive($0, endpoint.service) }
        let sensitive = secret.isEmpty ? endpoint.service.sensitive : endpoint.service.sensitive.union(secret)
        var left: Set<Int> = []
        var skipped = SkippedElements()
        while true {
            let document = HeaderDocument(headers, declared, without: left)
            let payload = Payload(
                document.bytes, .whole, sensitive, endpoint.service.declaredKeys)
            do throws(JSONError) {
                return (try payload.scan(load).value, skipped)
            } catch {
                // Each round leaves out one more header, so the rounds come to an end.
                guard let wrong = document.places.first(where: { $0.range.contains(error.byteOffset) })?.header,
                    !declared[wrong].isRequired, left.insert(wrong).inserted
                else { throw Self.located(error) }
                skipped.add(SkippedElements(faults: [Self.located(error)]))
            }
        }
    }

    /// The fault with a path that tells headers from the body.
    private static func located(_ fault: JSONError) -> JSONError {
        var fault = fault
        fault.path = "headers" + fault.path.dropFirst()
        return fault
    }

    // MARK: Values

    /// The value of a header; nil if the response does not have it.
    private static func value(of header: ResponseHeader, in headers: HTTPHeaders) -> JSONValue? {
        guard let text = headers[header.name].map(HTTPHeaders.trimmed) else { return nil }
        switch header.form {
        case .text: return .string(text)
        case .number: return Int(text).map { .number(JSONNumber($0)) } ?? .string(text)
        case .timestamp:
            let seconds = HTTPDate.seconds(text, now: yearOfTwoDigits)
            let date = seconds.map { Date(timeIntervalSince1970: Double($0)) }
            return .string(date.flatMap { JSONText.timestamp($0) } ?? text)
        case .list:
            let fields = headers.fields.filter { HTTPHeaders.isEqual($0.name, header.name) }
            return .array(fields.flatMap { elements(of: $0.value) }.map(JSONValue.string))
        }
    }

    /// The start of 2026, around which a year of two digits is placed. Only old servers send such a year.
    private static let yearOfTwoDigits: Int64 = 1_767_225_600

    /// The elements of one field. A comma inside of quotation marks does not separate (RFC 9110 section 5.6.4), and empty
    /// elements do not count.
    private static func elements(of text: String) -> [String] {
        var elements: [String] = []
        var element: [UInt8] = []
        var (isQuoted, wasQuoted, isEscaped) = (false, false, false)
        func end() {
            let text = String(decoding: element, as: UTF8.self)
            let value = wasQuoted ? text : HTTPHeaders.trimmed(text)
            if !value.isEmpty { elements.append(value) }
            element = []
            wasQuoted = false
        }
        for byte in text.utf8 {
            if isEscaped {
                element.append(byte)
                isEscaped = false
            } else if isQuoted {
                switch byte {
                case UInt8(ascii: "\\"): isEscaped = true
                case UInt8(ascii: "\""): isQuoted = false
                default: element.append(byte)
                }
            } else if byte == UInt8(ascii: ",") {
                end()
            } else if byte == UInt8(ascii: "\""), element.isEmpty {
                (isQuoted, wasQuoted) = (true, true)
            } else if !(byte == 0x20 || byte == 0x09) || !(wasQuoted || element.isEmpty) {
                element.append(byte)
            }
        }
        end()
        return elements
    }
}
