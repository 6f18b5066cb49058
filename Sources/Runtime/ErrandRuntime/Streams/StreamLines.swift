/// Cuts a stream into lines, for any division into chunks. A byte order mark at its start isn't part of the first line.
struct StreamLines {
    private let limit: Int
    private var chunk: [UInt8] = []
    private var position = 0
    /// The beginning of a line whose end is in a later chunk.
    private var begun: [UInt8] = []
    /// Whether the last byte was a CR, so that an LF that follows ends no line.
    private var isBehindReturn = false
    private var isAtStart = true

    init(limit: Int) { self.limit = limit }

    /// Takes a chunk, once all lines of the one before were taken.
    mutating func append(_ more: [UInt8]) {
        chunk = position < chunk.count ? chunk[position...] + more : more
        position = 0
    }

    /// The next line without its end; nil if its end has not come.
    ///
    /// - Parameter endsAtReturn: whether a CR ends a line, as well as LF and CRLF.
    mutating func next(endsAtReturn: Bool) throws(OversizedElement) -> ArraySlice<UInt8>? {
        if isBehindReturn, position < chunk.count {
            if chunk[position] == 10 { position += 1 }
            isBehindReturn = false
        }
        let end = chunk.withUnsafeBufferPointer { bytes in
            var index = position
            while index < bytes.count {
                let byte = bytes[index]
                if byte == 10 || (endsAtReturn && byte == 13) { return index }
                index += 1
            }
            return -1
        }
        let last = end < 0 ? chunk.count : end
        guard begun.count + (last - position) <= limit else { throw OversizedElement() }
        guard end >= 0 else {
            begun += chunk[position...]
            position = chunk.count
            return nil
        }
        isBehindReturn = chunk[end] == 13
        var line = begun.isEmpty ? chunk[position..<end] : (begun + chunk[position..<end])[...]
        if !begun.isEmpty { begun = [] }
        position = end + 1
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
        return line
    }

    /// The bytes after the last line break, once all lines were taken.
    var pending: ArraySlice<UInt8> {
        isAtStart && begun.starts(with: [0xEF, 0xBB, 0xBF]) ? begun.dropFirst(3) : begun[...]
    }

    /// Takes them.
    mutating func rest() -> ArraySlice<UInt8> {
        defer { begun = [] }
        return pending
    }
}

/// Cuts JSON lines out of a stream: one element for each line, lines of blanks left out, the last one with or without an end.
struct LineParser {
    private var lines: StreamLines

    init(limit: Int) { lines = StreamLines(limit: limit) }

    mutating func append(_ chunk: [UInt8]) { lines.append(chunk) }

    /// The next line; nil if more bytes are needed.
    mutating func next() throws(OversizedElement) -> StreamItem? {
        while let line = try lines.next(endsAtReturn: false) {
            if let item = Self.item(line) { return item }
        }
        return nil
    }

    /// Whether the data that was read so far ends in the middle of a line: without a line break, and where JSON cannot end.
    var isCut: Bool {
        let line = lines.pending
        guard !line.isBlank else { return false }
        do throws(JSONError) {
            return try JSON.scan(Array(line)) { reader in
                reader.skipValue()
                return false
            }
        } catch {
            return error.isOfCut(line.count)
        }
    }

    /// The last line, if the stream has ended without an end of line.
    mutating func finish() -> StreamItem? { Self.item(lines.rest()) }

    private static func item(_ line: ArraySlice<UInt8>) -> StreamItem? {
        line.isBlank ? nil : StreamItem(data: Array(line))
    }
}

extension JSONError {
    /// The longest escape, which is a surrogate pair. No character is longer.
    private static let longestEscape = 12

    /// Whether the document is the beginning of one that could be JSON.
    fileprivate func isOfCut(_ size: Int) -> Bool {
        switch code {
        case .unexpectedEnd: true
        case .invalidUTF8, .invalidEscape, .loneSurrogate: size - byteOffset < Self.longestEscape
        default: false
        }
    }
}
