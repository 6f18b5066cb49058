/// Just enough HTTP/1.1 for a server that breaks it.
enum RequestText {
    static func request(_ head: String) -> ReceivedRequest? {
        var lines = head.split(separator: "\r\n")[...]
        guard let words = lines.popFirst()?.split(separator: " "), words.count == 3 else { return nil }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let headers = lines.compactMap { line -> (name: String, value: String)? in
            let sides = line.split(separator: ":", maxSplits: 1)
            return sides.count == 2 ? (String(sides[0]), PercentCoding.trimmed(sides[1])) : nil
        }
        return ReceivedRequest(
            method: String(words[0]), path: String(target[0]), rawQuery: target.count > 1 ? String(target[1]) : "",
            headers: headers, body: [], receivedAt: .now)
    }

    static func index(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= pattern.count, start <= bytes.count - pattern.count else { return nil }
        return (start...(bytes.count - pattern.count)).first { bytes[$0...].starts(with: pattern) }
    }

    static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        var position = 0
        while let end = index(of: [13, 10], in: bytes, from: position),
            let size = Int(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16), size > 0,
            end + 2 + size <= bytes.count
        {
            body += bytes[(end + 2)..<(end + 2 + size)]
            position = end + 2 + size + 2
        }
        return body
    }
}
