/// Where a command waits.
public enum WaitReason: String, Sendable, CaseIterable {
    /// For the network.
    case connectivity
    /// For a login or the renewal of a session.
    case session
    /// For a lost connection to be opened again.
    case connection
    /// For other requests to the same host, or on the same connection.
    case host
    /// For the pause before it is sent again.
    case pause
    /// For a responder, which decides about the failure.
    case responder
}
