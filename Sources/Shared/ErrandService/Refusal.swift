import ErrandSemantics

/// A response that says an error or an outcome, as far as a decision table tests it.
package struct Refusal: Sendable {
    /// The row of the table, which has the code and the texts of the response.
    package let row: DecisionRow
    /// A status that the row takes.
    package let status: Int
    /// Stands where a pattern has a star.
    private let filler: String

    /// Values of the body, by their paths.
    package var body: [(path: String, text: String)] {
        row.values.compactMap { match in match.path.map { ($0, match.pattern.example(filler)) } }
    }

    /// Values of headers, by names in lowercase.
    package var headers: [(name: String, value: String)] {
        row.values.compactMap { match in match.place.header.map { ($0, match.pattern.example(filler)) } }
    }

    /// The whole body, if it is text that is no JSON.
    package var text: String? { row.values.first { $0.place == .text }?.pattern.example(filler) }

    /// The code of the envelope; nil for none.
    package var code: String? { row.codes?.example }

    /// The first response that a client takes for an error or an outcome. Nil if the table does not have it, or if no response says
    /// it, for example because only a failure of the transport does.
    ///
    /// - Parameters:
    ///   - hasCode: whether the envelope has a place for a code.
    ///   - isDecidedByCode: whether codes tell a failure from a success.
    ///   - preferred: a status to try before those that servers use, if the contract leaves the status open.
    ///   - statuses: the statuses that a response can have.
    ///   - reads: what a client takes such a response for.
    package static func saying(
        _ verdict: Verdict, in table: DecisionTable, hasCode: Bool, isDecidedByCode: Bool, preferred: Int? = nil,
        among statuses: ClosedRange<Int> = 200...599, reads: (Refusal) -> Verdict?
    ) -> Refusal? {
        for row in table.rows where row.isAboutResponse && row.verdict == verdict {
            if row.codes != nil, !hasCode { continue }
            // A narrower pattern of another row may take the text without anything in place of the star.
            let fillers = row.values.allSatisfy(\.pattern.isExact) ? [""] : ["", "1", "-x", "~"]
            let fitting = candidates(row, isDecidedByCode, preferred).lazy
                .filter { statuses.contains($0) && row.statuses?.contains($0) ?? true }
                .flatMap { status in fillers.lazy.map { Refusal(row: row, status: status, filler: $0) } }
            if let found = fitting.first(where: { reads($0) == verdict }) { return found }
        }
        return nil
    }

    /// The statuses to try. Those that servers use come first; where codes tell failures, an error comes with 200.
    private static func candidates(_ row: DecisionRow, _ isDecidedByCode: Bool, _ preferred: Int?) -> [Int] {
        let ranges = row.statuses?.ranges ?? []
        let least =
            row.codes == nil && row.values.allSatisfy { $0.keys == nil } ? ranges.prefix(1).map(\.lowerBound) : []
        let usual = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504]
        let listed = least + (isDecidedByCode ? [200] : []) + [preferred].compactMap { $0 } + usual + [200]
        return listed + ranges.map(\.lowerBound) + Array(200...599)
    }
}
