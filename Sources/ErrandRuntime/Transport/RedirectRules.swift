extension TransportRequest {
    /// The names of the headers that stay behind when a redirect sends this request, with the same method, to another URL; nil
    /// where it must not go there at all: it would take a body out of its origin, or leave TLS (RFC 9110 section 15.4).
    package func headersLeftBehind(goingTo url: String) -> [String]? {
        guard let origin = Origin(self.url), let target = Origin(url) else { return nil }
        if origin == target { return [] }
        // It leaves the origin: nothing secret may go along, and a body may hold secrets anywhere.
        let isSafe = (method == .get || method == .head) && !hasBody
        guard isSafe, origin.scheme == target.scheme || target.scheme == "https" else { return nil }
        return headers.fields.filter(\.isSensitive).map(\.name) + ["Authorization", "Proxy-Authorization", "Cookie"]
    }
}
