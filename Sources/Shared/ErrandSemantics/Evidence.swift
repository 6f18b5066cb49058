/// How far an attempt got.
public enum Evidence: String, Sendable, CaseIterable {
    /// Nothing of it reached the server.
    case notSent
    /// The server got some of the request, and said that it has not processed any of it: over HTTP/2, it refused the stream
    /// (`REFUSED_STREAM`), or the stream is above the last one of its GOAWAY (RFC 9113 sections 6.8 and 8.7); over TLS, it refused the
    /// client's certificate (RFC 8446 section 6.2).
    case unprocessed
    /// Some of the request may have reached the server, and no response arrived.
    case sent
    /// The server responded.
    case responded
}
