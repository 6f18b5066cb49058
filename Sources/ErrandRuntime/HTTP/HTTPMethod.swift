/// The request method (RFC 9110 section 9, RFC 5789).
public enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether parameters travel in the query rather than in the body.
    package var carriesParametersInQuery: Bool { self == .get || self == .head || self == .delete }
}
