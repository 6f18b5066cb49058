/// The meanings of an endpoint's responses: the declared rows, in the order in which they are tried, with the conditions that the
/// contract has for them.
///
/// A row that names a close code comes first, then one that names a failure of the transport. The other rows rank by the parts that they name: body before code before
/// status, more keys before fewer. Rows of one rank are disjoint, so their order among themselves does not matter. After the
/// declared rows come success and the built-in errors, which together cover every possible response.
package struct ResolvedTable: Sendable {
    package var rows: [ResolvedRow]

    package init(rows: [ResolvedRow]) {
        self.rows = rows
    }

    /// The table of the generated code.
    package var table: DecisionTable { DecisionTable(rows.map(\.row)) }
}

/// One way to recognize one error or outcome: a row of the generated code, and the condition in the contract that it comes from.
package struct ResolvedRow: Sendable {
    package let row: DecisionRow
    package let condition: Condition
    package let rank: DecisionRank

    package var verdict: Verdict { row.verdict }
    package var isEndpointSpecific: Bool { row.isEndpointSpecific }

    /// One way to recognize an outcome.
    package init(outcome: OutcomeDefinition, condition: Condition) {
        self.init(.outcome(DeclaredName(outcome.name.value)), condition, nil, isEndpointSpecific: true)
    }

    /// The rows of an error: one for each condition.
    package static func rows(of error: ErrorDefinition, isEndpointSpecific: Bool) -> [ResolvedRow] {
        let verdict = Verdict.error(DeclaredName(error.name.value))
        return error.conditions.map {
            ResolvedRow(verdict, $0, error.declaredApplied?.value, isEndpointSpecific: isEndpointSpecific)
        }
    }

    private init(_ verdict: Verdict, _ condition: Condition, _ applied: Applied?, isEndpointSpecific: Bool) {
        row = DecisionRow(
            verdict, applied, isEndpointSpecific: isEndpointSpecific, transport: condition.transport.map(\.value),
            StatusSet(condition.statuses.map(\.value)),
            CodeSet(condition.codes.map(\.value)),
            body: condition.body.map { BodyMatch($0.text.value, at: $0.path.value.keys) },
            close: CloseSet(condition.close.map(\.value)))
        self.condition = condition
        rank = DecisionRank(condition)
    }
}

/// Where a row is: the greater is tried first.
package struct DecisionRank: Sendable, Hashable, Comparable {
    /// Close 16, transport 8, body 4, code 2, status 1. As a binary number it orders body before code before status and, among
    /// rows that share their strongest key, more keys before fewer.
    package var keys: Int
    /// How many paths of the body are named.
    package var bodyPaths: Int

    package init(_ condition: Condition) {
        keys =
            (condition.close.isEmpty ? 0 : 16) | (condition.transport.isEmpty ? 0 : 8)
            | (condition.body.isEmpty ? 0 : 4)
            | (condition.codes.isEmpty ? 0 : 2) | (condition.statuses.isEmpty ? 0 : 1)
        bodyPaths = condition.body.count
    }

    package static func < (left: DecisionRank, right: DecisionRank) -> Bool {
        let strongest = (left.keys & 28, right.keys & 28)
        if strongest.0 != strongest.1 { return strongest.0 < strongest.1 }
        if left.bodyPaths != right.bodyPaths { return left.bodyPaths < right.bodyPaths }
        return left.keys < right.keys
    }
}
