/// The reason why an attempt got no response.
public struct TransportFault: Error, Sendable {
    /// The ways in which an attempt fails.
    public typealias Kind = TransportFaultKind

    public let kind: Kind
    /// How far the attempt got.
    public let evidence: Evidence
    /// Whether the attempt used a kept connection, which ended before the first line of a response. The server has then most
    /// likely closed it before the request arrived (RFC 9112 section 9.3.1), but that is no proof. False if the transport can't
    /// tell.
    public let isStaleConnection: Bool
    /// The transport's own error. It must not print what the request carried.
    public let underlying: (any Error)?
    /// Whether a redirect was followed before, and the server that redirected may have acted on the request.
    public var isRedirected = false
    /// What ended a persistent connection, or kept it from being opened; nil for a fault over HTTP.
    var connection: ConnectionEnd?

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
    /// The kind and the evidence, without the underlying error unless it is a proxy's, or about pins or a client certificate.
    public var description: String {
        "transport \(kind.rawValue), \(evidence.rawValue)" + (isStaleConnection ? ", stale connection" : "")
            + (setting.map { ", \($0)" } ?? "")
    }

    /// The error about a setting of the connection.
    private var setting: (any CustomStringConvertible)? {
        underlying as? ProxyError ?? underlying as? PinError ?? underlying as? ClientCertificateError
    }
    public var customMirror: Mirror {
        Mirror(
            self, children: ["kind": kind, "evidence": evidence, "isStaleConnection": isStaleConnection],
            displayStyle: .struct)
    }
}
