/// The request method (RFC 9110 section 9, RFC 5789, RFC 10008).
public enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    /// A read whose question is in the body (RFC 10008).
    case query = "QUERY"

    /// Whether a request asks for no change (RFC 9110 section 9.2.1).
    package var isSafe: Bool { self == .get || self == .head || self == .query }

    /// Whether parameters travel in the query rather than in the body.
    package var carriesParametersInQuery: Bool { self == .get || self == .head || self == .delete }
}
