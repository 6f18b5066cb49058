/// The reason why an attempt got no response.
public struct TransportFault: Error, Sendable {
    /// The kinds that a contract's `transport:` rows can name, and those that only the pipeline needs to distinguish.
    public enum Kind: String, Sendable, CaseIterable {
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
        /// TLS failed.
        case tls
        /// The connection asked for credentials: a client certificate, a proxy's password.
        case authentication
        /// The response is longer than allowed.
        case oversized
        /// The received data isn't an HTTP response, or the redirects are invalid.
        case unreadable
        /// The body of the request could not be read to its end (`BodySourceProblem`).
        case requestBody
        /// This device has no room for the body of the request, or for the response.
        case storageFull
        /// This device couldn't read or write a file with the body of the request, or with the response.
        case storage
        /// The task was cancelled.
        case cancelled
    }

    public let kind: Kind
    /// How far the attempt got.
    public let evidence: Evidence
    /// Whether the attempt used a kept connection, which ended before the first line of a response. The server has then most
    /// likely closed it before the request arrived (RFC 9112 section 9.3.1), but that is no proof. False if the transport can't
    /// tell.
    public let isStaleConnection: Bool
    /// The transport's own error. It must not print what the request carried.
    public let underlying: (any Error)?
    /// Whether a redirect was followed before. The server that redirected may have acted on the request.
    public var isRedirected = false

    public init(
        _ kind: Kind, evidence: Evidence, isStaleConnection: Bool = false, underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.evidence = evidence
        self.isStaleConnection = isStaleConnection
        self.underlying = underlying
    }
}

extension TransportFault: CustomStringConvertible, CustomReflectable {
    /// The kind and the evidence, without the underlying error.
    public var description: String {
        "transport \(kind.rawValue), \(evidence.rawValue)" + (isStaleConnection ? ", stale connection" : "")
    }
    public var customMirror: Mirror {
        Mirror(
            self, children: ["kind": kind, "evidence": evidence, "isStaleConnection": isStaleConnection],
            displayStyle: .struct)
    }
}
