/// The meanings of an endpoint's responses: the rows of its contract, in the order in which they are tried.
///
/// A table is a value. The tool makes it of a contract, proves it, and prints it as a literal into generated code. The runtime
/// classifies responses by it, and a simulated server makes responses from it.
public struct DecisionTable: Sendable, ExpressibleByArrayLiteral {
    /// The rows. Those that name a failure of the transport or the end of a connection come first.
    package let rows: [DecisionRow]

    public init(arrayLiteral rows: DecisionRow...) { self.init(rows) }

    package init(_ rows: [DecisionRow]) { self.rows = rows }

    /// The first row that matches a response.
    ///
    /// - Parameters:
    ///   - code: the code in the envelope, as text. Empty without one.
    ///   - has: whether a text of the response matches. It is asked only for a row that names one.
    package func row(status: Int, code: String, has: (ResponseMatch) -> Bool) -> DecisionRow? {
        // Most rows are decided by two of their parts, and a call of a row's method copies the whole row.
        let index = rows.withUnsafeBufferPointer { rows -> Int? in
            for index in 0..<rows.count
            where DecisionRow.takes(status, rows[index].statuses, code, rows[index].codes)
                && rows[index].matches(status: status, code: code, has: has)
            {
                return index
            }
            return nil
        }
        return index.map { rows[$0] }
    }

    /// The first row that matches a failure of the transport.
    package func row(transport kind: TransportFaultKind) -> DecisionRow? {
        rows.first { $0.transport.contains(kind) }
    }

    /// The first row that matches the code of a closed connection.
    package func row(close code: CloseCode) -> DecisionRow? {
        rows.first { $0.close?.contains(code) ?? false }
    }

    /// The statuses of redirects that the contract has a row for. The redirect itself is then the response.
    package var finalRedirects: [Int] {
        [301, 302, 303, 307, 308].filter { status in rows.contains { $0.statuses?.contains(status) ?? false } }
    }

    /// The method of the request that follows a redirect, in capital letters; nil for a redirect that is not followed.
    ///
    /// It is the same method at another place (RFC 9110 section 15.4). A 303 turns a DELETE into a GET, and by custom 301 and 302
    /// turn a POST into a GET. The success of that GET would not be the success of the command. A 303 to a QUERY names a resource
    /// that a GET reads the result of the QUERY from, and the custom of 301 and 302 is none for a QUERY (RFC 10008).
    ///
    /// - Parameter method: the method that was redirected, in capital letters.
    package static func method(of method: String, redirectedWith status: Int) -> String? {
        switch status {
        case 301, 302: method == "POST" ? nil : method
        case 303 where method == "QUERY": "GET"
        case 303: method == "GET" || method == "HEAD" ? method : nil
        case 307, 308: method
        default: nil
        }
    }
}
