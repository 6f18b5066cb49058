#if AsyncHTTPClient
import AsyncHTTPClient
import ErrandRuntime
import Foundation
import NIOCore
import NIOHTTP1

extension TransportRequest {
    /// The same request as the client wants it.
    ///
    /// - Parameters:
    ///   - isInflating: whether the client inflates answers, so that compressed ones are asked for.
    ///   - trust: which hosts have an authority of their own.
    /// - Throws: for a URL that the client does not take.
    ///   - body: what it sends.
    func prepared(isInflating: Bool, trust: ServerTrust, body: HTTPClient.Body?) throws -> HTTPClient.Request {
        var fields = NIOHTTP1.HTTPHeaders(headers.fields.map { ($0.name, $0.value) })
        // The client counts all that it inflates against one limit, and a stream has none.
        if isInflating, !streamsResponse, !fields.contains(name: "Accept-Encoding") {
            fields.add(name: "Accept-Encoding", value: "gzip, deflate")
        }
        return try HTTPClient.Request(
            url: url, method: NIOHTTP1.HTTPMethod(rawValue: method.rawValue), headers: fields,
            body: body, tlsConfiguration: trust.configuration(for: url))
    }

    /// What to send after an answer that redirects; nil where the answer is the end of it.
    func following(_ response: TransportResponse) -> TransportRequest? {
        // A body that can be read once was.
        guard keepsMethod(after: response.status), streamedBody?.isReplayable ?? true,
            let location = response.headers["Location"],
            let target = URL(string: location, relativeTo: URL(string: url))?.absoluteString,
            let names = headersLeftBehind(goingTo: target)
        else { return nil }
        var next = self
        next.url = target
        next.headers = ErrandRuntime.HTTPHeaders(
            headers.fields.filter { field in !names.contains { ErrandRuntime.HTTPHeaders.isEqual($0, field.name) } }
        )
        return next
    }

    /// Whether a status asks for the same method at another place (RFC 9110 section 15.4). A 303 makes a GET of what was a
    /// DELETE, and so do 301 and 302 of a POST, by custom: its success would not be that of the command.
    private func keepsMethod(after status: Int) -> Bool {
        switch status {
        case 301, 302: method != .post
        case 303: method == .get || method == .head
        case 307, 308: true
        default: false
        }
    }
}
#endif
