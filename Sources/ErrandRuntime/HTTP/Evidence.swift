/// How far an attempt got.
public enum Evidence: String, Sendable, CaseIterable {
    /// Nothing of it reached the server.
    case notSent
    /// Some of it may have reached the server, and no answer came.
    case sent
    /// The server answered.
    case responded
}
