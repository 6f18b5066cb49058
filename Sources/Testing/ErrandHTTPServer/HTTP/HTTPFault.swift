/// Why a request is not read to its end. The connection is closed after the response.
package struct HTTPFault: Error, Equatable, Sendable {
    /// The status of the response.
    package let status: Int
    package let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    static let notHTTP = HTTPFault(400, "the request is not HTTP/1.1")

    /// The first byte of a record of TLS with a handshake (RFC 8446, section 5.1).
    static let isTLS = HTTPFault(400, "the client speaks TLS, and this server does not: its URL begins with `http://`")

    static func bodyTooLarge(_ limits: ConnectionLimits) -> HTTPFault {
        HTTPFault(413, "the body is larger than \(limits.bodyBytes >> 20) MiB")
    }

    static func tooMuchUnderWay(_ limits: ConnectionLimits) -> HTTPFault {
        HTTPFault(
            503, "the bodies of all requests and responses under way have more than \(limits.heldBytes >> 20) MiB")
    }

    static func headTooLarge(_ limits: ConnectionLimits) -> HTTPFault {
        HTTPFault(431, "the head of the request is larger than \(limits.headBytes >> 10) KiB")
    }
}
