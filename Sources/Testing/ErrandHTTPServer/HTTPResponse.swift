/// The server's part that knows what requests mean.
package protocol HTTPHandler: Sendable {
    func respond(to request: HTTPRequest) async -> HTTPAnswer
    /// The response to a request that is not HTTP or too large. The connection is closed after it.
    func refuse(_ fault: HTTPFault) async -> HTTPResponse
}

/// What becomes of a request.
package enum HTTPAnswer: Sendable {
    case now(HTTPResponse)
    /// The response takes time. The task is cancelled when the client leaves, and an error closes the connection without a response.
    ///
    /// - Parameter size: the bytes of a response that waits meanwhile.
    case later(size: Int = 0, @Sendable () async throws -> HTTPResponse)
    /// The connection carries the messages of WebSocket from now on.
    case upgrade(WebSocketUpgrade)
}

package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Body
    /// The most bytes of the body per second; nil without a limit.
    package var bytesPerSecond: Int?
    /// Whether the connection ends in the middle of the body.
    package var isCut = false

    package typealias Writer = @Sendable ([UInt8]) async throws -> Void

    package enum Body: Sendable {
        case bytes([UInt8])
        /// Writes the parts of the body, each as soon as it is there. The task is cancelled when the client leaves, and an error closes the
        /// connection before the end of the body.
        case stream(@Sendable (_ write: Writer) async throws -> Void)
    }

    /// The bytes of the body that are there.
    var size: Int { if case .bytes(let bytes) = body { bytes.count } else { 0 } }

    package init(status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Ends a connection without a response, or without the rest of one.
package struct ConnectionClosure: Error {
    package init() {}
}
