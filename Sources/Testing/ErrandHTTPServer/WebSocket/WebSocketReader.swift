/// Why a connection is failed (RFC 6455, section 7.1.7): the code of the server's close frame, and the reason in words.
package struct WebSocketFault: Error, Equatable, Sendable {
    package let code: UInt16
    package let reason: String

    init(_ code: UInt16, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    static func broken(_ reason: String) -> WebSocketFault { WebSocketFault(1002, reason) }
}

/// What a client has sent over a connection.
package enum WebSocketEvent: Equatable, Sendable {
    /// A whole message, which is UTF-8.
    case text([UInt8])
    /// A whole message of bytes, by its length.
    case binary(count: Int)
    case ping([UInt8])
    case pong
    /// The code is nil if the client names none.
    case close(code: UInt16?)
}

/// Reads the frames of a client (RFC 6455, section 5). What a client can make it keep is bounded by ``ConnectionLimits``.
struct WebSocketReader {
    private let limits: ConnectionLimits
    private var bytes: [UInt8] = []
    /// How many of the bytes were read.
    private var position = 0
    /// The fragments of the message that is not complete.
    private var message: (isText: Bool, payload: [UInt8], fragments: Int)?

    init(_ limits: ConnectionLimits) { self.limits = limits }

    mutating func append(_ more: [UInt8]) {
        bytes.removeFirst(position)
        position = 0
        bytes += more
    }

    /// The next event. Nil if it is not complete yet.
    mutating func next() throws(WebSocketFault) -> WebSocketEvent? {
        while let frame = try takeFrame() {
            switch frame.opcode {
            case .text, .binary, .continuation: if let event = try add(frame) { return event }
            case .ping: return .ping(frame.payload)
            case .pong: return .pong
            case .close: return try close(frame.payload)
            }
        }
        return nil
    }

    // MARK: Frames

    private struct Frame {
        var opcode: WebSocketOpcode
        var isLast: Bool
        var payload: [UInt8]
    }

    private mutating func takeFrame() throws(WebSocketFault) -> Frame? {
        let rest = bytes[position...]
        // A wrong first byte is noticed without waiting for the second one.
        guard let first = rest.first else { return nil }
        guard first & 0x70 == 0 else { throw .broken("a frame has a reserved bit, and no extension was agreed on") }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw .broken("a frame has the opcode \(first & 0x0F), which means nothing")
        }
        let isLast = first & 0x80 != 0
        if opcode.isControl, !isLast { throw .broken("a control frame is fragmented") }
        guard let second = rest.dropFirst().first else { return nil }
        guard second & 0x80 != 0 else { throw .broken("a frame of the client is not masked") }
        let (short, extended) = (Int(second & 0x7F), Self.lengthBytes(second & 0x7F))
        if opcode.isControl, extended > 0 { throw .broken("a control frame is longer than 125 bytes") }
        guard rest.count >= 2 + extended else { return nil }
        let length = extended == 0 ? short : try Self.length(rest.dropFirst(2).prefix(extended))
        try check(opcode, length)
        let start = position + 2 + extended + 4
        guard length <= bytes.count - start else { return nil }
        let mask = Array(bytes[(start - 4)..<start])
        var payload = Array(bytes[start..<(start + length)])
        for index in payload.indices { payload[index] ^= mask[index & 3] }
        position = start + length
        return Frame(opcode: opcode, isLast: isLast, payload: payload)
    }

    private static func lengthBytes(_ short: UInt8) -> Int { short == 126 ? 2 : short == 127 ? 8 : 0 }

    private static func length(_ bytes: ArraySlice<UInt8>) throws(WebSocketFault) -> Int {
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let length = Int(exactly: value) else { throw .broken("the length of a frame has its highest bit") }
        guard length > (bytes.count == 2 ? 125 : 65_535) else {
            throw .broken("the length of a frame is written with more bytes than it needs")
        }
        return length
    }

    /// Refuses a frame by its head, before its payload is read.
    private func check(_ opcode: WebSocketOpcode, _ length: Int) throws(WebSocketFault) {
        switch opcode {
        case .ping, .pong, .close: return
        case .continuation:
            if message == nil { throw .broken("a frame continues a message, and none has begun") }
        case .text, .binary:
            if message != nil { throw .broken("a message begins inside of another one") }
        }
        guard length <= limits.messageBytes - (message?.payload.count ?? 0) else {
            throw WebSocketFault(1009, "a message is longer than \(limits.messageBytes >> 10) KiB")
        }
        guard (message?.fragments ?? 0) < limits.fragments else {
            throw WebSocketFault(1009, "a message has more than \(limits.fragments) fragments")
        }
    }

    // MARK: Messages

    private mutating func add(_ frame: Frame) throws(WebSocketFault) -> WebSocketEvent? {
        var whole = message ?? (frame.opcode == .text, [], 0)
        // The message is not there twice, so that it is not copied.
        message = nil
        whole.payload += frame.payload
        whole.fragments += 1
        guard frame.isLast else {
            message = whole
            return nil
        }
        guard whole.isText else { return .binary(count: whole.payload.count) }
        guard String(validating: whole.payload, as: UTF8.self) != nil else {
            throw WebSocketFault(1007, "a text is not UTF-8")
        }
        return .text(whole.payload)
    }

    private func close(_ payload: [UInt8]) throws(WebSocketFault) -> WebSocketEvent {
        guard !payload.isEmpty else { return .close(code: nil) }
        guard payload.count >= 2 else { throw .broken("a close frame has half of a code") }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: throw .broken("the code of a close frame cannot be \(code)")
        }
        guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
            throw WebSocketFault(1007, "the reason of a close frame is not UTF-8")
        }
        return .close(code: code)
    }
}

/// The kind of a frame (RFC 6455, section 5.2).
enum WebSocketOpcode: UInt8 {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue & 0x8 != 0 }

    /// A whole frame of a server, which is not masked.
    func frame(_ payload: [UInt8]) -> [UInt8] {
        var frame = [0x80 | rawValue]
        switch payload.count {
        case ...125: frame.append(UInt8(payload.count))
        case ...65_535: frame += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: frame += [127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return frame + payload
    }

    /// A close frame. The reason is cut to what a control frame can have.
    static func closeFrame(_ code: UInt16, _ reason: String) -> [UInt8] {
        var text = reason
        while text.utf8.count > 123 { text.removeLast() }
        return close.frame([UInt8(code >> 8), UInt8(code & 0xFF)] + Array(text.utf8))
    }
}
