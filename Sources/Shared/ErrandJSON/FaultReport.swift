/// Turns pending faults into reports. Only here is a path made, by walking the bytes again up to the
/// offset; all the faults of one document share one walk.
struct FaultReport {
    /// The keys under which no value may appear.
    var sensitive: Set<String> = []
    /// The only keys that may appear themselves; nil for all.
    var declared: Set<String>?

    /// - Returns: the reports in the order of their offsets; one for faults at the same place, which
    ///   come from reading a part of the document twice.
    func make(_ faults: [PendingFault], bytes: BytePointer, count: Int) -> [JSONError] {
        var walk = PathWalk(bytes: bytes, count: count, self)
        var last = -1
        return faults.sorted { $0.offset < $1.offset }.compactMap { fault in
            if fault.offset == last { return nil }
            last = fault.offset
            var offset = min(max(0, fault.offset), count)
            walk.advance(to: offset)
            switch fault.code {
            // These point into the value that is refused; reports point at its start.
            case .refused, .noValue, .unknownToken: offset = walk.scalarStart ?? offset
            default: break
            }
            return JSONError(
                code: fault.code, byteOffset: offset, path: walk.path,
                expectation: fault.expectation.text,
                excerpt: Excerpt.make(
                    bytes: bytes, count: count, offset: offset,
                    isBlank: isBlank(fault, walk)))
        }
    }

    /// Whether what is at a fault may be secret.
    private func isBlank(_ fault: PendingFault, _ walk: PathWalk) -> Bool {
        if walk.isSensitive { return true }
        // A document that isn't JSON may have its keys and values anywhere.
        return fault.code.isMalformed && (!sensitive.isEmpty || declared != nil && walk.isAtKey)
    }
}

extension PendingFault.Expectation {
    var text: String {
        switch self {
        case .fixed(let text): "\(text)"
        case .text(let text): text
        }
    }
}

/// The value that is at a fault, cut short. It never reaches past that value: what is beside
/// it may be secret.
enum Excerpt {
    /// In bytes; a fault is for a log line.
    private static let limit = 40
    /// The placeholder for a value that may be secret.
    static let blank = "•••"

    static func make(bytes: BytePointer, count: Int, offset: Int, isBlank: Bool) -> String {
        guard offset < count else { return "" }
        if isBlank { return blank }
        switch bytes[offset] {
        case ASCII.openBrace: return "{…}"
        case ASCII.openBracket: return "[…]"
        default: break
        }
        let stop = min(count, endOfToken(bytes, count, offset))
        let shown = min(stop, offset + limit)
        let text = String(
            decoding: UnsafeBufferPointer(start: bytes + offset, count: shown - offset), as: UTF8.self)
        return printable(text) + (shown < stop ? "…" : "")
    }

    /// The end of the string, number or word at `offset`, however broken.
    private static func endOfToken(_ bytes: BytePointer, _ count: Int, _ offset: Int) -> Int {
        var index = offset + 1
        if bytes[offset] == ASCII.quote {
            while index < count, bytes[index] != ASCII.quote {
                index += bytes[index] == ASCII.backslash ? 2 : 1
            }
            return index + 1
        }
        if PathWalk.isDelimiter(bytes[offset]) { return index }
        while index < count, !PathWalk.isDelimiter(bytes[index]) { index += 1 }
        return index
    }

    /// Controls and broken UTF-8 would garble a log.
    private static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { PrintedText.isUnprintable($0) ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
