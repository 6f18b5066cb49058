/// A `FaultServer`'s action for one connection.
public indirect enum WireFault: Sendable {
    /// The connection is closed as soon as it is there.
    case closeOnAccept
    /// The same with a reset, so that the client meets an error in place of an end.
    case resetOnAccept
    /// The request is read, then the connection closed.
    case closeAfterRequest
    case resetAfterRequest
    /// The status line and half of a header. Not for URLSession on Linux: Foundation ends the whole
    /// process where a connection ends between the status line and the blank line
    /// ("Transfer completed, but there's no response", Swift 6.3.1).
    case closeMidHeader
    /// A body that ends early: `sent` bytes of `announced`.
    case closeMidBody(sent: Int, announced: Int)
    /// The same with a reset.
    case resetMidBody(sent: Int, announced: Int)
    /// More bytes than the header announces; the connection is closed after them.
    case excessBody(body: String, announced: Int)
    /// A chunked body whose end never comes.
    case closeMidChunks(chunks: [String])
    /// A response, a byte at a time.
    case slowBytes(WireAnswer, pause: Duration)
    /// The header comes at once, then nothing until the client gives up.
    case stallAfterHeader(announced: Int)
    /// Nothing at all until the client gives up.
    case neverAnswer
    /// Bytes that are not HTTP.
    case garbage(String)
    /// A response; the connection stays open for more requests.
    case answer(WireAnswer)
    /// Something, but later.
    case delay(Duration, then: WireFault)

    public static func status(_ status: Int, body: String = "{}") -> WireFault {
        .answer(WireAnswer(status: status, body: body))
    }
}

extension WireAnswer: CustomStringConvertible {
    /// Its size in place of its body: that of a test may be long.
    public var description: String { "status \(status), \(body.count) bytes" }
}

/// A response as text.
public struct WireAnswer: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public init(status: Int = 200, headers: [(name: String, value: String)] = [], body: String = "{}") {
        self.status = status
        self.headers = headers
        self.body = Array(body.utf8)
    }

    func head(announcing length: Int? = nil) -> String {
        var lines = ["HTTP/1.1 \(status) Status \(status)", "Content-Length: \(length ?? body.count)"]
        if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type: application/json")
        }
        lines += headers.map { "\($0.name): \($0.value)" }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}

/// What became of one connection.
public struct WireConnection: Sendable {
    /// The complete requests that it carried.
    public var requests: [ReceivedRequest] = []
    public var openedAt = ContinuousClock.now
    /// When the client closed it, or reset it; nil if the server did.
    public var closedByClientAt: ContinuousClock.Instant?
    public var closedByServer = false
}
