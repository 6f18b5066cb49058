/// An event in the life of a persistent connection. It may be logged: it carries no payload, no token and no URL.
public struct ConnectionReport: Sendable {
    /// The service's name in its contract.
    public let service: String
    public let origin: Origin
    /// When, on the clock of the dispatcher, counted from its making.
    public let moment: Duration
    public let kind: Kind

    package init(service: String, origin: Origin, moment: Duration, kind: Kind) {
        self.service = service
        self.origin = origin
        self.moment = moment
        self.kind = kind
    }

    /// The kinds of events.
    public enum Kind: Sendable, Hashable {
        /// It is open, after this duration.
        case opened(after: Duration)
        /// It could not be opened.
        ///
        /// - Parameter status: that of the server's response to the handshake; nil without one.
        case openingFailed(TransportFault.Kind, status: Int?)
        /// It has ended, by the server.
        case closed(CloseCode)
        /// It has ended without a close frame, or for a fault.
        case lost(TransportFault.Kind)
        /// It has ended by this client.
        case ended(CloseCode)
        /// A message was dropped.
        ///
        /// - Parameter count: how many were dropped for this reason over this connection. The first eight are reported, and then each
        ///   power of two.
        case dropped(Reason, count: Int)
    }

    /// Why a message is dropped.
    public enum Reason: String, Sendable, CaseIterable {
        /// Its request is over: it was answered, canceled or lost.
        case late
        /// No request had its id.
        case unknown
        /// It isn't a frame of the contract: bytes, no JSON, or no kind.
        case unreadable
        /// It is an event that nothing follows, or that the contract doesn't know.
        case unfollowed
        /// It is an event whose payload breaks the contract.
        case malformed
    }
}

extension ConnectionReport: CustomStringConvertible {
    /// One line: `Presence connection to https://presence.example opened`.
    public var description: String {
        let text =
            switch kind {
            case .opened: "opened"
            case .openingFailed(let kind, nil): "not opened: \(kind.rawValue)"
            case .openingFailed(_, let status?): "not opened: status \(status)"
            case .closed(let code): "closed by the server: \(code.rawValue)"
            case .lost(let kind): "lost: \(kind.rawValue)"
            case .ended(let code): "closed: \(code.rawValue)"
            case .dropped(let reason, let count): "dropped a message (\(reason.rawValue), \(count) so far)"
            }
        return "\(service) connection to \(origin) \(text)"
    }
}
