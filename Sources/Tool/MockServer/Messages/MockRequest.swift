/// A request as the server has read it.
package struct MockRequest: Sendable {
    package var method: String
    /// The path with its percent encoding, without the query.
    package var path: String
    /// The text after `?`, without it. Empty without a query.
    package var query: String
    /// In the order of the request, with names as they were written.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(
        method: String, path: String, query: String = "", headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The value of a header, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.count == name.count && $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The path and the query.
    var target: String { query.isEmpty ? path : path + "?" + query }

    /// The values of a parameter of the query.
    func queryValues(_ name: String) -> [String] { queryPairs.filter { $0.name == name }.map(\.value) }

    var queryPairs: [(name: String, value: String)] { TextCoding.pairs(query) }

    /// The cookies of all `Cookie` headers (RFC 6265, section 4.2).
    var cookies: [(name: String, value: String)] {
        headers.filter { $0.name.lowercased() == "cookie" }.flatMap { header in
            header.value.split(separator: ";").map { pair in
                let parts = pair.drop { $0 == " " }.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
            }
        }
    }
}
