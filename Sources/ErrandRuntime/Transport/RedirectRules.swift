#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportRequest {
    /// The names of the headers that are dropped when a redirect sends this request, with the same method, to another URL. Nil
    /// if the request must not be sent there at all, because it would take a body to another origin or leave TLS (RFC 9110
    /// section 15.4).
    package func headersLeftBehind(goingTo url: String) -> [String]? {
        guard let origin = Origin(self.url), let target = Origin(url) else { return nil }
        if origin == target { return [] }
        // It leaves the origin: nothing secret may go along, and a body may hold secrets anywhere.
        let isSafe = (method == .get || method == .head) && !hasBody
        guard isSafe, origin.scheme == target.scheme || target.scheme == "https" else { return nil }
        return headers.fields.filter(\.isSensitive).map(\.name) + ["Authorization", "Proxy-Authorization", "Cookie"]
    }

    /// Sends the request, and follows its redirects, up to the request's `maximumRedirects`.
    ///
    /// - Parameter attempt: sends one request, without following redirects.
    package func followingRedirects(
        _ attempt: (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        var hop = self
        var redirects = 0
        while true {
            let response: TransportResponse
            do throws(TransportFault) {
                response = try await attempt(hop)
            } catch {
                // The first hop of a redirect was sent and got a response, regardless of the next one.
                guard redirects > 0, error.evidence == .notSent || error.evidence == .unprocessed else { throw error }
                throw TransportFault(
                    error.kind, evidence: .sent, isStaleConnection: error.isStaleConnection,
                    underlying: error.underlying)
            }
            guard redirects < maximumRedirects, let next = hop.following(response) else { return response }
            hop = next
            redirects += 1
        }
    }

    /// The request to send after a response that redirects; nil if the response is final.
    private func following(_ response: TransportResponse) -> TransportRequest? {
        // A body that can be read once was.
        guard keepsMethod(after: response.status), streamedBody?.isReplayable ?? true,
            let location = response.headers["Location"],
            let target = URL(string: location, relativeTo: URL(string: url))?.absoluteString,
            let names = headersLeftBehind(goingTo: target)
        else { return nil }
        var next = self
        next.url = target
        next.headers = HTTPHeaders(
            headers.fields.filter { field in !names.contains { ErrandRuntime.HTTPHeaders.isEqual($0, field.name) } }
        )
        return next
    }

    /// Whether a status asks for the same method at another place (RFC 9110 section 15.4). A 303 turns a DELETE into a GET, and
    /// by custom 301 and 302 turn a POST into a GET. The success of that GET would not be the success of the command.
    private func keepsMethod(after status: Int) -> Bool {
        switch status {
        case 301, 302: method != .post
        case 303: method == .get || method == .head
        case 307, 308: true
        default: false
        }
    }
}
