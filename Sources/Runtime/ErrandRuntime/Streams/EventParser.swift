/// One element of a stream, before it is read.
struct StreamItem: Sendable, Hashable {
    /// The data of an event, or the line.
    var data: [UInt8]
    /// The name of an event; empty for an event without one.
    var name = ""
}

/// Why a stream cannot be cut into elements: a line, or an event, is longer than allowed.
struct OversizedElement: Error {}

/// Cuts server-sent events out of a stream, for any division into chunks (section 9.2.6 of the HTML standard).
///
/// It reads a chunk only as far as its caller asks for events, so that `lastID` belongs to the last event that was given.
struct EventParser {
    /// How many bytes a line, or an event with its name and its id, may have.
    private let limit: Int
    private let isHeartbeat: @Sendable (_ name: String) -> Bool
    private var lines: StreamLines
    private var data: [UInt8] = []
    private var hasData = false
    private var name: [UInt8] = []
    private var id: [UInt8] = []
    private var hasOwnID = false

    /// The identifier from which the server continues after the last event (`Last-Event-ID`). It is nil if the server would
    /// repeat or leave out events: the last event had no id of its own, or an id that no header can carry.
    private(set) var lastID: String?
    /// How long the server wants a client to wait before it opens the stream again.
    private(set) var retry: Duration?

    /// The longest id that is sent back, in bytes.
    static let longestID = 1_024

    /// - Parameter isHeartbeat: whether an event of this name whose data is blank is left out. The standard leaves none out.
    init(limit: Int, isHeartbeat: @escaping @Sendable (_ name: String) -> Bool = { _ in false }) {
        self.limit = limit
        self.isHeartbeat = isHeartbeat
        lines = StreamLines(limit: limit)
    }

    mutating func append(_ chunk: [UInt8]) { lines.append(chunk) }

    /// Whether the data that was read so far ends in the middle of an event that has data.
    var isCut: Bool {
        if hasData, !data.isBlank { return true }
        let pending = lines.pending
        return !pending.isEmpty && pending.first != UInt8(ascii: ":")
    }

    /// The next event; nil if more bytes are needed. An event that the end of the stream cuts off is dropped.
    mutating func next() throws(OversizedElement) -> StreamItem? {
        while let line = try lines.next(endsAtReturn: true) {
            guard let first = line.first else {
                if let event = dispatch() { return event }
                continue
            }
            // A comment.
            if first == UInt8(ascii: ":") { continue }
            try take(line)
        }
        return nil
    }

    private mutating func take(_ line: ArraySlice<UInt8>) throws(OversizedElement) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let field = line[..<colon]
        if field.elementsEqual("data".utf8) {
            if hasData { data.append(10) }
            hasData = true
            guard data.count + value.count <= limit else { throw OversizedElement() }
            data += value
        } else if field.elementsEqual("event".utf8) {
            name = Array(value)
        } else if field.elementsEqual("id".utf8) {
            if !value.contains(0) {
                id = Array(value)
                hasOwnID = true
            }
        } else if field.elementsEqual("retry".utf8) {
            if let milliseconds = Self.number(value) { retry = .milliseconds(milliseconds) }
        }
    }

    private mutating func dispatch() -> StreamItem? {
        defer {
            (data, hasData, name, hasOwnID) = ([], false, [], false)
        }
        if hasOwnID { lastID = Self.sendable(id) }
        guard hasData else { return nil }
        let item = StreamItem(data: data, name: name.isEmpty ? "" : String(decoding: name, as: UTF8.self))
        // The server continues after the last element, however many heartbeats came after that.
        if data.isBlank, isHeartbeat(item.name) { return nil }
        if !hasOwnID { lastID = nil }
        return item
    }

    /// Digits only; what is more than a day is a day.
    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty else { return nil }
        var number = 0
        for byte in text {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = min(number * 10 + Int(byte - 0x30), 86_400_000)
        }
        return number
    }

    private static func sendable(_ id: [UInt8]) -> String? {
        guard !id.isEmpty, id.count <= longestID, id.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(validating: id, as: UTF8.self)
    }
}

extension Sequence<UInt8> {
    /// Whether it has nothing but white space (RFC 8259 section 2).
    var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D } }
}

extension String {
    /// Text that is UTF-8 throughout.
    fileprivate init?(validating bytes: [UInt8], as encoding: UTF8.Type) {
        let text = String(decoding: bytes, as: encoding)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
