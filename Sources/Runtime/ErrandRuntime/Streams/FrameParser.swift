/// Takes the elements of a subscription apart. A connection hands them over as many as there are, each after its length: frames are
/// whole when they arrive, so nothing has to be searched for.
package struct FrameParser {
    /// How many bytes a length has.
    private static let lengthSize = 4

    private var bytes: [UInt8] = []
    private var position = 0

    /// Joins payloads to one chunk.
    package static func chunk(of payloads: [ArraySlice<UInt8>]) -> [UInt8] {
        var chunk: [UInt8] = []
        chunk.reserveCapacity(payloads.reduce(0) { $0 + $1.count + lengthSize })
        for payload in payloads {
            let length = UInt32(clamping: payload.count)
            for shift in [24, 16, 8, 0] as [UInt32] { chunk.append(UInt8(truncatingIfNeeded: length >> shift)) }
            chunk += payload
        }
        return chunk
    }

    mutating func append(_ chunk: [UInt8]) {
        if position == bytes.count {
            (bytes, position) = (chunk, 0)
        } else {
            bytes += chunk
        }
    }

    /// The next element; nil if there is none yet.
    mutating func next() -> StreamItem? {
        let start = position + Self.lengthSize
        guard start <= bytes.count else { return nil }
        let length = bytes[position..<start].reduce(0) { $0 << 8 | Int($1) }
        guard start + length <= bytes.count else { return nil }
        position = start + length
        return StreamItem(data: Array(bytes[start..<position]))
    }
}
