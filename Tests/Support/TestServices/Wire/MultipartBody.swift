import Foundation

/// One part of a `multipart/form-data` body.
public struct MultipartPart: Sendable {
    public var name: String
    public var fileName: String?
    public var contentType: String?
    public var bytes: [UInt8]

    public var text: String? { String(bytes: bytes, encoding: .utf8) }
}

/// RFC 7578, strict: what a lenient server would forgive is nil here.
enum MultipartBody {
    static func parts(of body: [UInt8], contentType: String) -> [MultipartPart]? {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = parameter("boundary", of: contentType), !boundary.isEmpty
        else { return nil }
        let first = Array("--\(boundary)\r\n".utf8)
        let delimiter = Array("\r\n--\(boundary)".utf8)
        guard body.starts(with: first) else { return nil }
        var parts: [MultipartPart] = []
        var rest = body[first.count...]
        while let end = index(of: delimiter, in: rest) {
            guard let part = part(rest[..<end]) else { return nil }
            parts.append(part)
            rest = rest[(end + delimiter.count)...]
            if rest.elementsEqual("--\r\n".utf8) || rest.elementsEqual("--".utf8) { return parts }
            guard rest.starts(with: "\r\n".utf8) else { return nil }
            rest = rest.dropFirst(2)
        }
        return nil
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> MultipartPart? {
        guard let end = index(of: Array("\r\n\r\n".utf8), in: bytes),
            let head = String(bytes: bytes[..<end], encoding: .utf8)
        else { return nil }
        var result: MultipartPart?
        var contentType: String?
        for line in head.split(separator: "\r\n") {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { return nil }
            let value = PercentCoding.trimmed(sides[1])
            switch sides[0].lowercased() {
            case "content-disposition":
                guard value.hasPrefix("form-data"), let name = parameter("name", of: value) else { return nil }
                result = MultipartPart(
                    name: name, fileName: parameter("filename", of: value), bytes: Array(bytes[(end + 4)...]))
            case "content-type": contentType = value
            default: break
            }
        }
        result?.contentType = contentType
        return result
    }

    /// `name="value"` or `name=value` after a `;`.
    static func parameter(_ name: String, of header: String) -> String? {
        for piece in header.split(separator: ";").dropFirst() {
            let sides = piece.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, PercentCoding.trimmed(sides[0]).lowercased() == name else { continue }
            let value = PercentCoding.trimmed(sides[1])
            guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
            return String(value.dropFirst().dropLast())
        }
        return nil
    }

    private static func index(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = pattern.first else { return nil }
        var start = bytes.startIndex
        while let candidate = bytes[start...].firstIndex(of: first) {
            if bytes[candidate...].starts(with: pattern) { return candidate }
            start = candidate + 1
        }
        return nil
    }
}
