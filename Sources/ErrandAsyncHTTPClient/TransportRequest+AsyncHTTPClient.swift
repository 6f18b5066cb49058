#if AsyncHTTPClient
import AsyncHTTPClient
import ErrandRuntime
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
}
#endif
