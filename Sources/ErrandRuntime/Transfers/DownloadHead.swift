/// The facts that the head of a response gives about its bytes (RFC 9110 sections 8.8, 13 and 14).
struct DownloadHead: Sendable {
    /// Where the bytes begin in the whole file.
    let start: Int
    /// How many bytes the whole file has; nil if that is not said.
    let total: Int?
    /// The validator that must be unchanged for a later request of the rest; nil if the download cannot be continued.
    let validator: String?
    /// The checksum of the whole file; nil if the contract names none, or if only a part of the file comes.
    let checksum: FileChecksum?

    /// - Parameters:
    ///   - offset: from where on bytes were asked for, 0 for all.
    ///   - known: the validator that was sent with that.
    ///   - rule: where the checksum of the file is.
    init(
        status: Int, _ headers: HTTPHeaders, offset: Int, known: String?, total knownTotal: Int?, _ rule: ChecksumRule?
    ) throws(DownloadProblem) {
        // The length of a compressed body differs from the number of written bytes.
        let isPacked = headers.hasContentCoding
        let validator = isPacked || headers["Accept-Ranges"] == "none" ? nil : Self.validator(in: headers)
        guard status == 206 else {
            start = 0
            total = isPacked ? nil : Self.number(headers["Content-Length"])
            self.validator = validator
            checksum = rule?.checksum(in: headers)
            if rule != nil, checksum == nil { throw .noDigest }
            return
        }
        guard offset > 0, !isPacked, let range = Self.range(headers["Content-Range"]), range.start == offset else {
            throw .wrongRange
        }
        if let total = range.total, let knownTotal, total != knownTotal { throw .wrongRange }
        if let known, let other = headers[known.hasPrefix("\"") ? "ETag" : "Last-Modified"], other != known {
            throw .wrongRange
        }
        start = offset
        total = range.total ?? knownTotal
        self.validator = known
        checksum = nil
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

    /// `bytes 5-9/10`, or with `*` for an unknown total.
    private static func range(_ value: String?) -> (start: Int, total: Int?)? {
        guard let value, value.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = number(String(ends[0])), let last = number(String(ends[1])), last >= start
        else { return nil }
        if parts[1] == "*" { return (start, nil) }
        guard let total = number(String(parts[1])), total > last else { return nil }
        // Only the whole rest was asked for.
        return last == total - 1 ? (start, total) : nil
    }

    private static func number(_ text: String?) -> Int? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
