/// The meanings of an endpoint's responses: the rows of its contract, in the order in which they are tried.
///
/// A table is a value. The tool makes it of a contract, proves it, and prints it as a literal into generated code. The runtime
/// classifies responses by it, and a simulated server makes responses from it.
public struct DecisionTable: Sendable, ExpressibleByArrayLiteral {
    /// The rows. Those that name a failure of the transport come first.
    package let rows: [DecisionRow]

    public init(arrayLiteral rows: DecisionRow...) { self.init(rows) }

    package init(_ rows: [DecisionRow]) { self.rows = rows }

    /// The first row that matches a response.
    ///
    /// - Parameters:
    ///   - code: the code in the envelope, as text. Empty without one.
    ///   - bodyHas: whether the body has a value. It is asked only for a row that names one.
    package func row(status: Int, code: String, bodyHas: (BodyMatch) -> Bool) -> DecisionRow? {
        let index = rows.withUnsafeBufferPointer { rows in
            rows.firstIndex { $0.matches(status: status, code: code, bodyHas: bodyHas) }
        }
        return index.map { rows[$0] }
    }

    /// The first row that matches a failure of the transport.
    package func row(transport kind: TransportFaultKind) -> DecisionRow? {
        rows.first { $0.transport.contains(kind) }
    }

    /// The statuses of redirects that the contract has a row for. The redirect itself is then the response.
    package var finalRedirects: [Int] {
        [301, 302, 303, 307, 308].filter { status in rows.contains { $0.statuses?.contains(status) ?? false } }
    }
}
