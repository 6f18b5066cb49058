/// Why a WebSocket connection was closed (RFC 6455 section 7.4 and the IANA registry that it sets up).
public struct CloseCode: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt16

    /// - Parameter rawValue: the number of a close frame, or of a connection without one.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The purpose of the connection is fulfilled.
    public static let normal = CloseCode(rawValue: 1000)
    /// A side goes away: a server that stops, or a device that changes its network.
    public static let goingAway = CloseCode(rawValue: 1001)
    /// A side broke the protocol.
    public static let protocolError = CloseCode(rawValue: 1002)
    /// A side got a kind of data that it cannot accept.
    public static let unsupportedData = CloseCode(rawValue: 1003)
    /// The close frame had no code. It is never sent.
    public static let noStatus = CloseCode(rawValue: 1005)
    /// The connection ended without a close frame. It is never sent.
    public static let abnormal = CloseCode(rawValue: 1006)
    /// The data of a message does not fit its type.
    public static let invalidPayload = CloseCode(rawValue: 1007)
    /// A message broke a policy.
    public static let policyViolation = CloseCode(rawValue: 1008)
    /// A message was too long.
    public static let tooLong = CloseCode(rawValue: 1009)
    /// The server met an unexpected condition.
    public static let internalError = CloseCode(rawValue: 1011)
    /// The server restarts.
    public static let restart = CloseCode(rawValue: 1012)
    /// The server is overloaded.
    public static let tryAgainLater = CloseCode(rawValue: 1013)
    /// A gateway got an invalid response.
    public static let badGateway = CloseCode(rawValue: 1014)
    /// The client must log in.
    public static let unauthorized = CloseCode(rawValue: 3000)
    /// The client may not do what it asked for.
    public static let forbidden = CloseCode(rawValue: 3003)
    /// The server waited too long for the client.
    public static let timeout = CloseCode(rawValue: 3008)

    /// Whether a peer may send it in a close frame (RFC 6455 section 7.4.1).
    package var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The built-in error that a connection with this code ends commands with, if their contract has no row for it. Each code
    /// means what the nearest status of HTTP means, so that a command ends the same over both.
    package var meaning: BuiltInError {
        switch rawValue {
        // 1005 and 1006 are connections that ended without a reason.
        case 1000, 1001, 1005, 1006: .connectionLost
        case 1002, 1003, 1007, 1010: .malformed
        case 1011: .serverFault
        case 1012, 1013, 1014: .unavailable
        case 1015: .insecure
        case 3000: .unauthenticated
        case 3008: .timedOut
        // Policies, forbidden, too long for the server, and codes of the service itself.
        default: .rejected
        }
    }

    /// The failure of the transport that the code is, for a row that names one; nil if it is the server's own verdict.
    package var transport: TransportFaultKind? {
        switch meaning {
        case .connectionLost: .lost
        case .insecure: .tls
        case .timedOut: .timeout
        case .unauthenticated: .authentication
        default: nil
        }
    }
}

/// The close codes of one row of a decision table: `[.code(1012), .codes(4000...4099)]`.
public struct CloseSet: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// One code, or a range of codes.
    public struct Part: Sendable, Hashable {
        package let range: ClosedRange<Int>

        /// The code with this number.
        public static func code(_ code: Int) -> Part { Part(range: code...code) }
        /// All codes of this range.
        public static func codes(_ codes: ClosedRange<Int>) -> Part { Part(range: codes) }
    }

    /// The ranges, in the contract's order.
    package let ranges: [ClosedRange<Int>]

    public init(arrayLiteral parts: Part...) { ranges = parts.map(\.range) }

    /// The codes that were read from a contract; nil without any.
    package init?(_ ranges: [ClosedRange<Int>]) {
        if ranges.isEmpty { return nil }
        self.ranges = ranges
    }

    package func contains(_ code: CloseCode) -> Bool { ranges.contains { $0.contains(Int(code.rawValue)) } }
}
