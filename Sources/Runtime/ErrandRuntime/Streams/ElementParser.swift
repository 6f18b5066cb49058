/// Cuts a streamed response into elements, as the contract says.
struct ElementParser {
    private enum Form {
        case events(EventParser)
        case lines(LineParser)
        case frames(FrameParser)
    }

    private var form: Form

    /// - Parameter limit: how many bytes an element may have.
    init(_ description: StreamDescription, limit: Int) {
        switch description.format {
        case .events: form = .events(EventParser(limit: limit, isHeartbeat: description.isHeartbeat))
        case .lines: form = .lines(LineParser(limit: limit))
        // The connection has refused longer messages.
        case .frames: form = .frames(FrameParser())
        }
    }

    mutating func append(_ chunk: [UInt8]) {
        switch form {
        case .events(var parser):
            form = .lines(LineParser(limit: 0))
            parser.append(chunk)
            form = .events(parser)
        case .lines(var parser):
            parser.append(chunk)
            form = .lines(parser)
        case .frames(var parser):
            form = .lines(LineParser(limit: 0))
            parser.append(chunk)
            form = .frames(parser)
        }
    }

    /// The next element; nil if more bytes are needed.
    mutating func next() throws(OversizedElement) -> StreamItem? {
        switch form {
        case .events(var parser):
            // Taken out, so that there is one reference to the chunk.
            form = .lines(LineParser(limit: 0))
            defer { form = .events(parser) }
            return try parser.next()
        case .lines(var parser):
            defer { form = .lines(parser) }
            return try parser.next()
        case .frames(var parser):
            form = .lines(LineParser(limit: 0))
            defer { form = .frames(parser) }
            return parser.next()
        }
    }

    /// Whether the response has ended in the middle of an element. Without a length, its end looks like any other.
    var isCut: Bool {
        switch form {
        case .events(let parser): parser.isCut
        case .lines(let parser): parser.isCut
        case .frames: false
        }
    }

    /// The last element, which ends with the response.
    mutating func finish() -> StreamItem? {
        guard case .lines(var parser) = form else { return nil }
        defer { form = .lines(parser) }
        return parser.finish()
    }

    /// The identifier from which a server can continue after the last element; nil if it cannot be told.
    var lastID: String? {
        if case .events(let parser) = form { parser.lastID } else { nil }
    }

    /// How long the server wants a client to wait before it opens the stream again.
    var retry: Duration? {
        if case .events(let parser) = form { parser.retry } else { nil }
    }
}

extension StreamDescription {
    /// Whether an event of this name whose data is blank is no element. No element is blank text, and a server sends such events to
    /// keep the connection open.
    func isHeartbeat(named name: String) -> Bool {
        !failures.contains(name) && !(end.map { $0.utf8.isBlank } ?? false)
    }
}

extension StreamItem {
    /// The data with the event's name as a member of its own, first of all; unchanged if it isn't an object.
    func data(naming member: String?) -> [UInt8] {
        guard let member,
            let start = data.firstIndex(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }),
            data[start] == UInt8(ascii: "{")
        else { return data }
        let behind = data[(start + 1)...]
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        writer.key(dynamic: member)
        writer.write(name.isEmpty ? "message" : name)
        writer.endObject()
        guard var object = try? writer.finish() else { return data }
        object.removeLast()
        let isEmpty = behind.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "}")
        if !isEmpty { object.append(UInt8(ascii: ",")) }
        return object + behind
    }
}
