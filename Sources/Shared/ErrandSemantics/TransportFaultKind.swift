/// The ways in which a transport fails: those that a contract's `transport:` rows can name, and those that only the pipeline needs
/// to distinguish.
public enum TransportFaultKind: String, Sendable, CaseIterable {
    /// The network can't be reached.
    case offline
    /// The server's name could not be resolved.
    case dns
    /// The server refuses connections, or none could be made.
    case refused
    /// The connection ended before the response was complete.
    case lost
    /// It took too long.
    case timeout
    /// TLS failed: the server can't be trusted, or it demands another client certificate.
    case tls
    /// The connection asked for credentials. If a proxy did, the built-in error is `rejected`, because a login at the service would not
    /// help.
    case authentication
    /// The response is longer than allowed.
    case oversized
    /// The received data isn't an HTTP response, or the redirects are invalid.
    case unreadable
    /// The body of the request could not be read to its end (`BodySourceError`).
    case requestBody
    /// This device has no room for the body of the request, or for the response.
    case storageFull
    /// This device couldn't read or write a file with the body of the request, or with the response.
    case storage
    /// The task was cancelled.
    case cancelled

    /// Those that a row of a decision table can name.
    package static let declarable: [TransportFaultKind] = [
        .offline, .dns, .refused, .lost, .timeout, .tls, .authentication,
    ]

    /// The built-in error for it, if no row of the contract names it.
    package var builtIn: BuiltInError {
        switch self {
        case .offline: .offline
        case .dns, .refused: .unreachable
        case .lost: .connectionLost
        case .timeout: .timedOut
        case .tls: .insecure
        case .authentication: .unauthenticated
        case .oversized, .unreadable: .malformed
        case .requestBody: .invalidRequest
        case .storageFull: .localStorageFull
        case .storage: .localFault
        case .cancelled: .cancelled
        }
    }
}
