import Diagnostics

extension MockEngine {
    /// A success of an endpoint with `cache: http`, with an entity tag of its body. A client that has this body already gets 304
    /// (RFC 9110, section 13.1.2). Any other response stays as it is.
    ///
    /// No `Cache-Control` comes with it: the things of the service change, so a client asks each time.
    func validated(_ handled: Handled, _ call: Call) -> Handled {
        let response = handled.response
        // A tag that the contract declares is a sample, and does not change with the body.
        guard handled.result == .success, call.endpoint.cache != nil, (200..<300).contains(response.status),
            response.header("ETag") == nil, case .bytes(let body) = response.body
        else { return handled }
        let tag = "\"\(String(StableHash.of(body), radix: 16))-\(body.count)\""
        var validated = handled
        validated.response.headers.append(("ETag", tag))
        guard call.request.isConditional(on: tag), call.composer.row(status: 304, .object([])) == nil else {
            return validated
        }
        validated.response.status = 304
        validated.response.headers.removeAll { $0.name.lowercased() == "content-type" }
        validated.response.body = .bytes([])
        return validated
    }
}

extension MockRequest {
    /// Whether the client has the body with this tag. To ask for it again, weak tags count as well.
    fileprivate func isConditional(on tag: String) -> Bool {
        guard let condition = header("If-None-Match") else { return false }
        return condition == "*" || condition.contains(tag)
    }
}
