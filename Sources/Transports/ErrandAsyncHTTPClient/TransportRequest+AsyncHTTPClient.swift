#if AsyncHTTPClient
import AsyncHTTPClient
import ErrandRuntime
import NIOCore
import NIOHTTP1

extension TransportRequest {
    /// The same request in the client's form.
    ///
    /// - Parameters:
    ///   - isInflating: whether the client inflates responses, so that the request accepts compressed ones.
    ///   - trust: the hosts with an authority of their own.
    ///   - body: the body to send.
    /// - Throws: if the client rejects the URL.
    func prepared(isInflating: Bool, trust: ServerTrust, body: HTTPClient.Body?) throws -> HTTPClient.Request {
        var fields = NIOHTTP1.HTTPHeaders(headers.fields.map { ($0.name, ErrandRuntime.HTTPHeaders.trimmed($0.value)) })
        // The client counts all bytes that it inflates against one limit. A stream has no limit.
        if isInflating, !streamsResponse, !fields.contains(name: "Accept-Encoding") {
            fields.add(name: "Accept-Encoding", value: "gzip, deflate")
        }
        return try HTTPClient.Request(
            url: url, method: NIOHTTP1.HTTPMethod(rawValue: method.rawValue), headers: fields,
            body: body, tlsConfiguration: trust.configuration(for: url))
    }
}
#endif
