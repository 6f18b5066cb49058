/// What may go to another origin than the one that it belongs to.
///
/// Architecture invariant: every way to another origin asks here: a redirect, the link of a page, a whole URL in place of a
/// path, and a header that an interceptor adds to such a request. What is named here may go, and nothing else.
enum OriginRule {
    /// The headers that say which representation of a resource is wanted, or which part of it, and by which software. They
    /// say nothing about the caller, so that any server may have them. The list follows the safelist of the Fetch standard
    /// (`CORS-safelisted request-header`).
    ///
    /// `If-Range` and `Last-Event-ID` repeat what a server has said to an earlier request of the same command. Without the
    /// one, a part of another file could be taken for the rest; without the other, elements of a stream would be lost.
    private static let openNames = [
        "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "If-Range", "Last-Event-ID", "Range",
        "User-Agent",
    ]

    /// The headers that describe the content of a request (RFC 9110 sections 8.3 to 8.7, RFC 9530).
    fileprivate static let namesOfContent = [
        "Content-Digest", "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type",
        "Digest", "Last-Modified", "Repr-Digest",
    ]

    /// Whether a header may go to any origin.
    static func isOpen(_ field: HTTPHeaders.Field) -> Bool {
        !field.isSensitive && openNames.contains { HTTPHeaders.isEqual($0, field.name) }
    }

    /// Whether a request that was made for one origin may be sent to another one at all: if it only reads, has no body, which
    /// may hold secrets anywhere, and does not leave TLS (RFC 9110 section 15.4).
    static func maySend(_ method: HTTPMethod, hasBody: Bool, from home: Origin, to target: Origin) -> Bool {
        guard home != target else { return true }
        return method.isSafe && !hasBody
            && (home.scheme == target.scheme || target.scheme == "https")
    }
}

extension TransportRequest {
    /// The same request for another URL; nil if it must not be sent there.
    func moved(to url: String) -> TransportRequest? {
        guard let origin = Origin(self.url), let target = Origin(url),
            OriginRule.maySend(method, hasBody: hasBody, from: origin, to: target)
        else { return nil }
        var moved = self
        moved.url = url
        if origin != target { moved.headers = HTTPHeaders(headers.fields.filter(OriginRule.isOpen)) }
        // Another server has other keys.
        if origin != target { moved.pins = nil }
        return moved
    }

    /// A GET in place of the request, without the body and the headers that describe it (RFC 9110 section 15.4).
    func asGet() -> TransportRequest {
        var read = self
        read.method = .get
        (read.body, read.streamedBody) = (nil, nil)
        read.headers = HTTPHeaders(
            headers.fields.filter { field in
                !OriginRule.namesOfContent.contains { HTTPHeaders.isEqual($0, field.name) }
            })
        return read
    }

    /// The request without the headers that belong to the service, if it goes to another origin.
    func withoutServiceHeaders() -> TransportRequest {
        guard isForeign else { return self }
        var confined = self
        confined.headers = HTTPHeaders(headers.fields.filter { $0.isForURL || OriginRule.isOpen($0) })
        return confined
    }
}
