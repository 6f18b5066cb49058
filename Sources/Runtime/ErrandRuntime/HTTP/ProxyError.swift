/// The reason why a proxy kept a request from its server. It is the `underlying` error of the transport's fault.
///
/// None of them contains a user or a password.
public enum ProxyError: Error, Sendable, Hashable {
    /// A variable of the environment, or a setting of the app, isn't the URL of a proxy. Nothing was sent.
    case malformed(setting: String, reason: String)
    /// The transport can't use this proxy. Nothing was sent.
    case unsupported(proxy: String, transport: String)
    /// No connection to the proxy could be made, or it didn't respond.
    case unreachable(proxy: String)
    /// The proxy wants credentials, or other ones: status 407 (RFC 9110 section 15.5.8).
    case refusedCredentials(proxy: String)
    /// The proxy didn't make a connection to the server. The status is that of its response to CONNECT; nil if the transport doesn't
    /// know it.
    case refusedConnection(proxy: String, status: Int?)
}

extension ProxyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let setting, let reason): "\(setting) \(reason)"
        case .unsupported(let proxy, let transport): "\(transport) cannot use the proxy \(proxy)"
        case .unreachable(let proxy): "the proxy \(proxy) cannot be reached"
        case .refusedCredentials(let proxy): "the proxy \(proxy) wants other credentials"
        case .refusedConnection(let proxy, let status?):
            "the proxy \(proxy) made no connection to the server, status \(status)"
        case .refusedConnection(let proxy, nil): "the proxy \(proxy) made no connection to the server"
        }
    }
}

extension ProxyError {
    /// The error for a proxy's response to CONNECT that isn't a success.
    package init(_ proxy: Proxy, status: Int) {
        self =
            status == 407
            ? .refusedCredentials(proxy: proxy.description)
            : .refusedConnection(proxy: proxy.description, status: status)
    }
}

extension TransportFault {
    /// The fault of an attempt whose request a proxy, or its settings, kept from the server.
    public init(_ error: ProxyError) {
        let kind: Kind =
            switch error {
            case .malformed, .unsupported: .unreadable
            case .unreachable, .refusedConnection: .refused
            case .refusedCredentials: .authentication
            }
        self.init(kind, evidence: .notSent, underlying: error)
    }

    /// The same fault, which says that the proxy could not be reached if there is one, and if that is what the fault means.
    ///
    /// - Parameter proxy: the proxy to which a connection was to be made.
    package func beforeConnection(to proxy: Proxy?) -> TransportFault {
        guard let proxy, evidence == .notSent, [.refused, .dns, .timeout, .lost].contains(kind),
            !(underlying is ProxyError)
        else { return self }
        return TransportFault(
            kind == .lost ? .refused : kind, evidence: .notSent,
            underlying: ProxyError.unreachable(proxy: proxy.description))
    }
}
