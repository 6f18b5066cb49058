extension EndpointDefinition {
    /// The status of a usual success whose contract says none: 200, or 204 without a body. The response of a HEAD request has the
    /// status that a GET has. A client takes any success of HTTP.
    package static func usualStatus(hasBody: Bool, of method: HTTPMethod?) -> Int {
        hasBody || method == .head ? 200 : 204
    }
}
