/// What a client needs to resume the download of a file.
package struct ReceivedPart: Sendable {
    /// The offset in bytes to resume from.
    let offset: Int
    /// The validator that the request of the rest carries (`If-Range`): a strong entity tag in quotes, or a date.
    let validator: String
    /// How many bytes the whole file has; nil if that is not known.
    let total: Int?
}

/// The facts that the head of a response gives about its bytes (RFC 9110 sections 8.8, 13 and 14).
struct DownloadHead: Sendable {
    /// Where the bytes begin in the whole file.
    let start: Int
    /// Where they end; nil if that is not said.
    let end: Int?
    /// How many bytes the whole file has; nil if that is not said.
    let total: Int?
    /// The validator that must be unchanged for a later request of the rest; nil if the download cannot be continued.
    let validator: String?
    /// The checksum of the whole file; nil if the contract names none, or if only a part of the file comes.
    let checksum: FileChecksum?
    /// Whether the response is a part of the file (206).
    var isPart: Bool { start > 0 }

    /// - Parameters:
    ///   - received: the part that is there; nil if the whole file was asked for.
    ///   - rule: where the checksum of the file is.
    /// - Throws: `wrongRange` for bytes that don't begin where the received ones end, and `changed` for bytes that the response
    ///   doesn't show to be of the same file.
    init(
        status: Int, _ headers: HTTPHeaders, after received: ReceivedPart?, _ rule: ChecksumRule?
    ) throws(DownloadError) {
        // The length of a compressed body differs from the number of written bytes.
        let isPacked = headers.hasContentCoding
        guard status == 206 else {
            start = 0
            total = isPacked ? nil : Self.number(headers["Content-Length"])
            end = total
            validator = isPacked || headers["Accept-Ranges"] == "none" ? nil : Self.validator(in: headers)
            checksum = rule?.checksum(in: headers)
            if rule != nil, checksum == nil { throw .noDigest }
            return
        }
        guard let received, !isPacked, let field = Self.only("Content-Range", in: headers),
            let range = Self.range(field), range.start == received.offset
        else { throw .wrongRange }
        guard Self.isSameFile(headers, received, total: range.total) else { throw .changed(after: received.offset) }
        start = received.offset
        end = range.end
        total = range.total ?? received.total
        validator = received.validator
        checksum = nil
    }

    /// Whether a 206 shows that its bytes belong to the received ones (RFC 9110 sections 13.1.5 and 15.3.7). A 206 to an entity tag
    /// has to repeat it. A 206 to a date need not, so the length of the file has to be the same.
    private static func isSameFile(_ headers: HTTPHeaders, _ received: ReceivedPart, total: Int?) -> Bool {
        if let total, let known = received.total, total != known { return false }
        if received.validator.hasPrefix("\"") { return only("ETag", in: headers) == received.validator }
        if headers["Last-Modified"] != nil { return only("Last-Modified", in: headers) == received.validator }
        return total != nil && total == received.total
    }

    /// The value of a field; nil for several that differ.
    fileprivate static func only(_ name: String, in headers: HTTPHeaders) -> String? {
        let values = headers.fields.filter { HTTPHeaders.isEqual($0.name, name) }.map(\.value)
        return values.allSatisfy { $0 == values.first } ? values.first : nil
    }

    /// By which a year of two digits is placed, which no server sends any more.
    private static let today: Int64 = 1_800_000_000

    /// A strong validator: an entity tag, or a date that no later change can share.
    private static func validator(in headers: HTTPHeaders) -> String? {
        if let tag = headers["ETag"] {
            let isStrong = tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count <= 1024
            return isStrong ? tag : nil
        }
        guard let modified = headers["Last-Modified"], let date = headers["Date"],
            let change = HTTPDate.seconds(modified, now: today), let answer = HTTPDate.seconds(date, now: today),
            answer - change >= 60
        else { return nil }
        return modified
    }

    /// `bytes 5-9/10`, or with `*` for an unknown total. The end is after the last byte.
    private static func range(_ value: String) -> (start: Int, end: Int, total: Int?)? {
        guard value.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = number(String(ends[0])), let last = number(String(ends[1])), last >= start,
            last < Int.max
        else { return nil }
        if parts[1] == "*" { return (start, last + 1, nil) }
        guard let total = number(String(parts[1])), total > last else { return nil }
        return (start, last + 1, total)
    }

    fileprivate static func number(_ text: String?) -> Int? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}

extension ReceivedPart {
    /// Whether a 416 (RFC 9110 section 15.5.17) says that nothing is missing, which no response had said before.
    func isWhole(by headers: HTTPHeaders) -> Bool {
        guard total == nil, let value = DownloadHead.only("Content-Range", in: headers),
            value.lowercased().hasPrefix("bytes */"), DownloadHead.number(String(value.dropFirst(8))) == offset
        else { return false }
        // Without the entity tag, the length may be that of another file.
        return DownloadHead.only("ETag", in: headers) == validator
    }
}
