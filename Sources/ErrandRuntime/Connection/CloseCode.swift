/// Why a WebSocket connection was closed (RFC 6455 section 7.4 and the IANA registry that it sets up).
package struct CloseCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normal = CloseCode(rawValue: 1000)
    package static let goingAway = CloseCode(rawValue: 1001)
    package static let protocolError = CloseCode(rawValue: 1002)
    package static let unsupportedData = CloseCode(rawValue: 1003)
    /// The close frame had no code. It is never sent.
    package static let noStatus = CloseCode(rawValue: 1005)
    /// The connection ended without a close frame. It is never sent.
    package static let abnormal = CloseCode(rawValue: 1006)
    package static let invalidPayload = CloseCode(rawValue: 1007)
    package static let policyViolation = CloseCode(rawValue: 1008)
    package static let tooLong = CloseCode(rawValue: 1009)
    package static let internalError = CloseCode(rawValue: 1011)
    package static let restart = CloseCode(rawValue: 1012)
    package static let tryAgainLater = CloseCode(rawValue: 1013)
    package static let badGateway = CloseCode(rawValue: 1014)
    package static let unauthorized = CloseCode(rawValue: 3000)
    package static let forbidden = CloseCode(rawValue: 3003)
    package static let timeout = CloseCode(rawValue: 3008)

    /// Whether a peer may send it in a close frame (RFC 6455 section 7.4.1).
    package var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// What the code means for a command if its contract has no row for it. Each code means what the nearest status of HTTP
    /// means, so that a command ends the same over both.
    package var meaning: Meaning {
        switch rawValue {
        // 1005 and 1006 are connections that ended without a reason.
        case 1000, 1001, 1005, 1006: .lost
        case 1002, 1003, 1007, 1010: .unreadable
        case 1011: .serverFault
        case 1012, 1013, 1014: .unavailable
        case 1015: .insecure
        case 3000: .unauthenticated
        case 3008: .timedOut
        // Policies, forbidden, too long for the server, and codes of the service itself.
        default: .rejected
        }
    }

    /// The kinds of a close, by the built-in error that each is.
    package enum Meaning: String, Sendable, Hashable, CaseIterable {
        case lost, unreadable, serverFault, unavailable, insecure, unauthenticated, timedOut, rejected
    }
}
