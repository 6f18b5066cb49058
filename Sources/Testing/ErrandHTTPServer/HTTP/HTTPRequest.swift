/// A request as the server has read it.
package struct HTTPRequest: Sendable {
    package var method: String
    /// The path and the query as the client has written them, and `*` for a question about the whole server.
    package var target: String
    /// In the order of the request, with names as they were written. `Host` is the one that the target names, if it names one.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    /// The path with its percent encoding, without the query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The text after `?`, without it. Empty without a query.
    package var query: String { String(target.drop { $0 != "?" }.dropFirst()) }

    /// The value of a header, in any case.
    package func header(_ name: String) -> String? { HTTPHead.values(name.lowercased(), headers).first }
}
