/// Cuts a stream of bytes into messages, each after a header that says how many bytes it has (LSP 3.17, base protocol).
struct MessageFraming {
    /// The result of reading the bytes so far.
    enum Step: Equatable {
        case message([UInt8])
        /// The next message is not there yet as a whole.
        case incomplete
        /// The bytes in place of a header aren't a header. The start of the next message is unknown.
        case broken(String)
    }

    private static let longestHeader = 8192
    private static let longestMessage = 512 << 20
    private var buffer: [UInt8] = []
    private var position = 0

    mutating func append(_ bytes: [UInt8]) {
        if position > 0, position == buffer.count {
            buffer = bytes
            position = 0
        } else {
            buffer += bytes
        }
    }

    /// Takes the next message out of what has come.
    mutating func next() -> Step {
        guard let end = endOfHeader() else {
            guard buffer.count - position > Self.longestHeader else { return .incomplete }
            return .broken("a header has more than \(Self.longestHeader) bytes")
        }
        let header = String(decoding: buffer[position..<end.lowerBound], as: UTF8.self)
        switch Self.contentLength(header) {
        case .failure(let problem): return .broken(problem.text)
        case .success(let count):
            guard buffer.count - end.upperBound >= count else { return .incomplete }
            let message = Array(buffer[end.upperBound..<(end.upperBound + count)])
            position = end.upperBound + count
            // Consumed bytes are removed from time to time, so that a long session moves few bytes.
            if position > 1 << 16, position * 2 > buffer.count {
                buffer.removeSubrange(..<position)
                position = 0
            }
            return .message(message)
        }
    }

    static func framed(_ message: [UInt8]) -> [UInt8] {
        Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
    }

    // MARK: The header

    private struct Problem: Error {
        var text: String
    }

    /// The empty line after the header, and what is before it.
    private func endOfHeader() -> Range<Int>? {
        var index = position
        let last = min(buffer.count, position + Self.longestHeader)
        while index < last {
            if buffer[index] == 0x0A {
                // `\n` alone is taken for `\r\n`, as some clients write it.
                if index + 1 < buffer.count, buffer[index + 1] == 0x0A { return index..<(index + 2) }
                if index + 2 < buffer.count, buffer[index + 1] == 0x0D, buffer[index + 2] == 0x0A {
                    return index..<(index + 3)
                }
            }
            index += 1
        }
        return nil
    }

    /// Names of header fields are read in any case; fields other than the length say nothing here.
    private static func contentLength(_ header: String) -> Result<Int, Problem> {
        var length: Int?
        for line in header.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else {
                return .failure(Problem(text: "a line of a header has no `:`"))
            }
            guard line[..<colon].lowercased() == "content-length" else { continue }
            let digits = line[line.index(after: colon)...].filter { $0 != " " && $0 != "\t" }
            let areDigits = digits.allSatisfy { ("0"..."9").contains($0) }
            guard areDigits, let number = Int(digits), number <= longestMessage else {
                return .failure(Problem(text: "`Content-Length` is not a valid number of bytes"))
            }
            length = number
        }
        return length.map { .success($0) } ?? .failure(Problem(text: "a header has no `Content-Length`"))
    }
}
