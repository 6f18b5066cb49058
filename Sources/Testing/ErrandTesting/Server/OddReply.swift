/// What can be wrong with a reply over a connection, although the server has carried the request out.
public enum OddReply: String, Sendable, CaseIterable {
    /// It comes twice.
    case twice
    /// Its kind is none of those that the request can have.
    case wrongKind
    /// It has the id of no request.
    case unknownCorrelation
    /// It has no id.
    case noCorrelation
    /// It is bytes, and not text.
    case binary
    /// It is text, and not JSON.
    case nonsense
    /// It is longer than the client accepts.
    case tooLong
    /// It breaks off, and the next message begins in it, so that no client can read on.
    case half
}
