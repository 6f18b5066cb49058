/// A text of a response that a row of a decision table names.
public struct ResponseMatch: Sendable {
    /// Where a response has a text.
    package enum Place: Sendable, Hashable, Comparable {
        /// The scalar at a path of the whole body: a string's content, a number as it is spelled, `true` or `false`.
        case body([String])
        /// The value of a header, by its name in lowercase. The values of several fields are joined with `, ` (RFC 9110 section 5.3).
        case header(String)
        /// The body, if it is neither JSON nor what the contract declares in its place, without the blanks around it. Of a long one,
        /// the first 8 KiB.
        case text

        /// The keys that lead to a value in the body; nil for another place.
        package var keys: [String]? {
            if case .body(let keys) = self { keys } else { nil }
        }

        /// The name of a header in lowercase; nil for another place.
        package var header: String? {
            if case .header(let name) = self { name } else { nil }
        }

        package static func < (left: Place, right: Place) -> Bool {
            (left.rank, left.name) < (right.rank, right.name)
        }

        private var rank: Int {
            switch self {
            case .body: 0
            case .text: 1
            case .header: 2
            }
        }

        private var name: String {
            switch self {
            case .body(let keys): keys.joined(separator: ".")
            case .text: ""
            case .header(let name): name
            }
        }
    }

    package let place: Place
    package let pattern: TextPattern

    package init(_ pattern: TextPattern, at place: Place) {
        self.place = place
        self.pattern = pattern
    }

    /// The scalar at a path of the whole body, `error.kind` or `errors.0.code`, matches: a string's content, a number as it is spelled,
    /// `true` or `false`.
    public static func text(_ pattern: TextPattern, at path: String) -> ResponseMatch {
        ResponseMatch(pattern, at: .body(path.split(separator: ".").map(String.init)))
    }

    /// The value of a header matches.
    public static func header(_ name: String, _ pattern: TextPattern) -> ResponseMatch {
        ResponseMatch(pattern, at: .header(name.lowercased()))
    }

    /// The body is text that is no JSON, and matches.
    public static func text(_ pattern: TextPattern) -> ResponseMatch { ResponseMatch(pattern, at: .text) }

    /// The keys that lead to a value in the body; nil for something else.
    package var keys: [String]? { place.keys }

    /// The path of a value in the body, with dots between its keys; nil for something else.
    package var path: String? { keys?.joined(separator: ".") }
}

/// The decision table's result for a response.
package enum Verdict: Sendable, Hashable {
    /// An error of the contract, by its name.
    case error(DeclaredName)
    /// An outcome of the endpoint, by its name.
    case outcome(DeclaredName)

    /// The name in the contract.
    package var name: String {
        switch self {
        case .error(let name), .outcome(let name): name.description
        }
    }
}

/// One row of a decision table: a condition, and what a response means that fulfills all of it.
public struct DecisionRow: Sendable {
    /// The error or the outcome that the response is.
    package let verdict: Verdict
    /// Whether the server may have carried out a request with this response, if the contract says so.
    private let declaredApplied: Applied?
    /// Whether the endpoint itself lists the error, as opposed to inheriting it from the contract's defaults.
    package let isEndpointSpecific: Bool
    /// The failures of the transport that match. A row that names one matches no response.
    package let transport: [TransportFaultKind]
    /// The statuses that match; nil for any.
    package let statuses: StatusSet?
    /// The codes of the envelope that match; nil for any.
    package let codes: CodeSet?
    /// The texts of the response, all of which must match.
    package let values: [ResponseMatch]
    /// The codes of a closed connection that match; nil for a row about something else. A row that has them matches no response.
    package let close: CloseSet?

    package init(
        _ verdict: Verdict, _ applied: Applied?, isEndpointSpecific: Bool, transport: [TransportFaultKind] = [],
        _ statuses: StatusSet? = nil, _ codes: CodeSet? = nil, values: [ResponseMatch] = [], close: CloseSet? = nil
    ) {
        self.close = close
        self.verdict = verdict
        declaredApplied = applied
        self.isEndpointSpecific = isEndpointSpecific
        self.transport = transport
        self.statuses = statuses
        self.codes = codes
        self.values = values
    }

    /// A response with this status and this code is the error.
    ///
    /// - Parameters:
    ///   - applied: whether the request may nevertheless have been carried out; nil if the response shows it.
    ///   - isEndpointSpecific: whether the endpoint itself lists the error.
    public static func error(
        _ name: DeclaredName, applied: Applied? = nil, isEndpointSpecific: Bool = false, status: StatusSet? = nil,
        code: CodeSet? = nil
    ) -> DecisionRow {
        DecisionRow(.error(name), applied, isEndpointSpecific: isEndpointSpecific, status, code)
    }

    /// A response with these texts, in its body or its headers, is the error.
    public static func error(
        _ name: DeclaredName, applied: Applied? = nil, isEndpointSpecific: Bool = false, status: StatusSet? = nil,
        code: CodeSet? = nil, values: [ResponseMatch]
    ) -> DecisionRow {
        DecisionRow(.error(name), applied, isEndpointSpecific: isEndpointSpecific, status, code, values: values)
    }

    /// A request for which the transport failed in one of these ways ends with the error.
    public static func error(
        _ name: DeclaredName, applied: Applied? = nil, isEndpointSpecific: Bool = false, transport: [TransportFaultKind]
    ) -> DecisionRow {
        DecisionRow(.error(name), applied, isEndpointSpecific: isEndpointSpecific, transport: transport)
    }

    /// A request on a connection that is closed with one of these codes (RFC 6455 section 7.4) ends with the error.
    public static func error(
        _ name: DeclaredName, applied: Applied? = nil, isEndpointSpecific: Bool = false, close: CloseSet
    ) -> DecisionRow {
        DecisionRow(.error(name), applied, isEndpointSpecific: isEndpointSpecific, close: close)
    }

    /// A response with this status, this code and these texts is the outcome.
    public static func outcome(
        _ name: DeclaredName, status: StatusSet? = nil, code: CodeSet? = nil, values: [ResponseMatch] = []
    ) -> DecisionRow {
        DecisionRow(.outcome(name), nil, isEndpointSpecific: true, status, code, values: values)
    }

    /// A request for which the transport failed in one of these ways has the outcome.
    public static func outcome(_ name: DeclaredName, transport: [TransportFaultKind]) -> DecisionRow {
        DecisionRow(.outcome(name), nil, isEndpointSpecific: true, transport: transport)
    }

    /// Whether a response fulfills all of the condition.
    ///
    /// - Parameters:
    ///   - code: the code in the envelope, as text. Empty without one.
    ///   - has: whether a text of the response matches. It is asked only if the rest of the condition is fulfilled.
    package func matches(status: Int, code: String, has: (ResponseMatch) -> Bool) -> Bool {
        Self.takes(status, statuses, code, codes) && isAboutResponse && values.allSatisfy(has)
    }

    /// Decides whether a request with this response may have been carried out.
    package var appliedRule: AppliedRule {
        AppliedRule(
            declared: declaredApplied, namesStatus: statuses != nil, namesCode: codes != nil,
            namesBody: values.contains { $0.keys != nil })
    }

    /// Whether a request that the row takes may have been carried out.
    ///
    /// - Parameter status: that of the response; nil without one, which stands for the first status that the row names.
    package func applied(status: Int?, to request: RequestKind) -> Applied {
        appliedRule.applied(status: status ?? statuses?.ranges.first?.lowerBound, to: request)
    }

    /// Whether it is about responses, and not about a connection or a transport.
    package var isAboutResponse: Bool { transport.isEmpty && close == nil }

    /// Whether a row with these statuses and codes takes a response with this status and this code.
    static func takes(_ status: Int, _ statuses: StatusSet?, _ code: String, _ codes: CodeSet?) -> Bool {
        if let statuses, !statuses.contains(status) { return false }
        if let codes, !codes.contains(code) { return false }
        return true
    }
}
