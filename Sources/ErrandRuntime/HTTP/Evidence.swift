/// How far an attempt got.
public enum Evidence: String, Sendable, CaseIterable {
    /// Nothing of it reached the server.
    case notSent
    /// Some of the request may have reached the server, and no response arrived.
    case sent
    /// The server responded.
    case responded
}
