/// What a client has sent and the server has not handled yet.
struct ReadBuffer {
    private(set) var bytes: [UInt8] = []
    /// Where the search for the end of a head goes on.
    private var searched = 0
    /// The line breaks before the head that is searched.
    private var skipped = 0

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// The head of the next request. Nil if it is not complete yet.
    mutating func takeHead(_ limits: ConnectionLimits) throws -> HTTPHead? {
        if searched == 0 {
            // Some clients send line breaks after a body (RFC 9112, section 2.2).
            let breaks = bytes.prefix { $0 == 0x0D || $0 == 0x0A }.count
            bytes.removeFirst(breaks)
            skipped += breaks
        }
        // A client of TLS would wait for the other half of its greeting.
        guard bytes.first != 0x16 else { throw HTTPFault.isTLS }
        let blank = blankLine(from: searched)
        guard skipped + (blank?.end ?? bytes.count) <= limits.headBytes else { throw HTTPFault.headTooLarge(limits) }
        guard let (end, next) = blank else {
            searched = max(0, bytes.count - 3)
            return nil
        }
        let head = try HTTPHead(bytes[..<end], limits)
        bytes.removeFirst(next)
        (searched, skipped) = (0, 0)
        return head
    }

    /// The end of the last line before the first blank one, and the first byte after that one.
    private func blankLine(from start: Int) -> (end: Int, next: Int)? {
        var place = start
        while let line = bytes[place...].firstIndex(of: 0x0A) {
            let rest = bytes[(line + 1)...].prefix(2)
            let end = line > 0 && bytes[line - 1] == 0x0D ? line - 1 : line
            if rest.first == 0x0A { return (end, line + 2) }
            if rest.elementsEqual([0x0D, 0x0A]) { return (end, line + 3) }
            place = line + 1
        }
        return nil
    }

    /// So many bytes. Nil if they have not arrived yet.
    mutating func take(_ count: Int) -> [UInt8]? {
        guard bytes.count >= count else { return nil }
        defer { bytes.removeFirst(count) }
        return Array(bytes[..<count])
    }

    /// The next line, without its end. Nil if it is not complete yet.
    mutating func takeLine() throws -> [UInt8]? {
        // Only the carriage return and the line feed end a line here: a reader that took less would see other chunks.
        guard let end = bytes.indices.dropLast().first(where: { bytes[$0] == 0x0D && bytes[$0 + 1] == 0x0A }) else {
            guard bytes.count <= 1024 else { throw HTTPFault(400, "a line of the body is too long") }
            return nil
        }
        defer { bytes.removeFirst(end + 2) }
        return Array(bytes[..<end])
    }
}
