/// The meanings of an endpoint's responses: the rows of its contract, in the order in which they are tried.
///
/// A table is a literal value. Generated code contains it as the contract defines it. The runtime classifies responses by it,
/// and a simulated server makes responses from it.
public struct DecisionTable: Sendable, ExpressibleByArrayLiteral {
    /// The rows. Those that name a failure of the transport come first.
    package let rows: [DecisionRow]

    public init(arrayLiteral rows: DecisionRow...) { self.init(rows) }

    init(_ rows: [DecisionRow]) { self.rows = rows }

    /// The first row that matches a response.
    ///
    /// - Parameters:
    ///   - code: the code in the envelope, as text. Empty without one.
    ///   - body: the whole body, which is read only for a row that names a value in it.
    func row(status: Int, code: String, body: [UInt8]) -> DecisionRow? {
        let index = rows.withUnsafeBufferPointer { rows in
            rows.firstIndex { $0.matches(status: status, code: code, body: body) }
        }
        return index.map { rows[$0] }
    }

    /// The first row that matches a failure of the transport.
    func row(transport kind: TransportFault.Kind) -> DecisionRow? {
        rows.first { $0.transport.contains(kind) }
    }
}

/// The decision table's result for a response.
package enum Verdict: Sendable, Hashable {
    /// An error of the contract, by its name.
    case error(DeclaredName)
    /// An outcome of the endpoint, by its name.
    case outcome(DeclaredName)
}

/// One row of a decision table: a condition, and what a response means that fulfills all of it.
public struct DecisionRow: Sendable {
    /// The error or the outcome that the response is.
    package let verdict: Verdict
    /// Whether the server may have carried out a request with this response.
    package let applied: Applied
    /// Whether the endpoint itself lists the error, as opposed to inheriting it from the contract's defaults.
    package let isOwn: Bool
    /// The failures of the transport that match. A row that names one matches no response.
    package let transport: [TransportFault.Kind]
    /// The statuses that match; nil for any.
    package let statuses: StatusSet?
    /// The codes of the envelope that match; nil for any.
    package let codes: CodeSet?
    /// The values in the body, all of which must be there.
    package let body: [BodyMatch]

    private init(
        _ verdict: Verdict, _ applied: Applied, isOwn: Bool, _ transport: [TransportFault.Kind],
        _ statuses: StatusSet?, _ codes: CodeSet?, _ body: [BodyMatch] = []
    ) {
        self.verdict = verdict
        self.applied = applied
        self.isOwn = isOwn
        self.transport = transport
        self.statuses = statuses
        self.codes = codes
        self.body = body
    }

    /// A response with this status and this code is the error.
    ///
    /// - Parameters:
    ///   - applied: whether the request may nevertheless have been carried out.
    ///   - own: whether the endpoint itself lists the error.
    public static func error(
        _ name: DeclaredName, applied: Applied, own: Bool = false, status: StatusSet? = nil, code: CodeSet? = nil
    ) -> DecisionRow {
        DecisionRow(.error(name), applied, isOwn: own, [], status, code)
    }

    /// A response with these values in its body is the error.
    public static func error(
        _ name: DeclaredName, applied: Applied, own: Bool = false, status: StatusSet? = nil, code: CodeSet? = nil,
        body: [BodyMatch]
    ) -> DecisionRow {
        DecisionRow(.error(name), applied, isOwn: own, [], status, code, body)
    }

    /// A request for which the transport failed in one of these ways ends with the error.
    public static func error(
        _ name: DeclaredName, applied: Applied, own: Bool = false, transport: [TransportFault.Kind]
    ) -> DecisionRow {
        DecisionRow(.error(name), applied, isOwn: own, transport, nil, nil)
    }

    /// A response with this status, this code and these values in its body is the outcome.
    public static func outcome(
        _ name: DeclaredName, status: StatusSet? = nil, code: CodeSet? = nil, body: [BodyMatch] = []
    ) -> DecisionRow {
        DecisionRow(.outcome(name), .maybe, isOwn: true, [], status, code, body)
    }

    /// A request for which the transport failed in one of these ways has the outcome.
    public static func outcome(_ name: DeclaredName, transport: [TransportFault.Kind]) -> DecisionRow {
        DecisionRow(.outcome(name), .maybe, isOwn: true, transport, nil, nil)
    }

    func matches(status: Int, code: String, body: [UInt8]) -> Bool {
        if let statuses, !statuses.contains(status) { return false }
        if let codes, !codes.contains(code) { return false }
        return transport.isEmpty && self.body.allSatisfy { $0.matches(body) }
    }
}
