/// The meanings of an endpoint's responses: the declared rows, in the order in which they are tried, with the conditions that the
/// contract has for them.
///
/// A row that names a close code comes first, then one that names a failure of the transport. The other rows rank by the parts that
/// they name: body before text before header before code before status, more keys before fewer. Two rows of one rank are disjoint, or
/// one has narrower patterns than the other and precedes it. After the declared rows come success and the built-in errors, which
/// together cover every possible response.
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
    /// How narrow its patterns are. Among rows of one rank, one whose patterns are contained in those of another is greater.
    package let weight: Int

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

    /// Whether it is tried before another row, wherever the contract has them.
    package func precedes(_ other: ResolvedRow) -> Bool {
        rank == other.rank ? weight > other.weight : rank > other.rank
    }

    /// Whether it takes no response that another row of its rank does not take, because its patterns are narrower.
    func isWithin(_ other: ResolvedRow) -> Bool {
        guard weight > other.weight, condition.statuses.allSatisfy({ other.takes($0.value) }) else { return false }
        let isCodeWithin = condition.codes.allSatisfy { code in
            guard let numbers = code.value.numbers, code.value.isRange else {
                return other.row.codes?.contains(code.value.example) ?? true
            }
            return other.condition.codes.contains { $0.value.numbers.map { $0.contains(numbers) } ?? false }
        }
        return isCodeWithin
            && other.row.values.allSatisfy { wanted in
                row.values.contains { $0.place == wanted.place && wanted.pattern.contains($0.pattern) }
            }
    }

    private func takes(_ statuses: ClosedRange<Int>) -> Bool {
        row.statuses.map { own in statuses.allSatisfy(own.contains) } ?? true
    }

    private init(_ verdict: Verdict, _ condition: Condition, _ applied: Applied?, isEndpointSpecific: Bool) {
        row = DecisionRow(
            verdict, applied, isEndpointSpecific: isEndpointSpecific, transport: condition.transport.map(\.value),
            StatusSet(condition.statuses.map(\.value)),
            CodeSet(condition.codes.map(\.value)),
            values: condition.values, close: CloseSet(condition.close.map(\.value)))
        self.condition = condition
        weight = row.values.reduce(0) { $0 + $1.pattern.weight }
        rank = DecisionRank(condition)
    }
}

/// Where a row is: the greater is tried first.
package struct DecisionRank: Sendable, Hashable, Comparable {
    /// 2 for a close code, 1 for a failure of the transport, 0 for a response.
    private let kind: Int
    /// How many paths of the body are named, whether its text is, how many headers, whether codes and statuses are.
    private let body: Int
    private let text: Int
    private let headers: Int
    private let code: Int
    private let status: Int

    package init(_ condition: Condition) {
        kind = condition.close.isEmpty ? condition.transport.isEmpty ? 0 : 1 : 2
        body = condition.body.count
        text = condition.text == nil ? 0 : 1
        headers = condition.headers.count
        code = condition.codes.isEmpty ? 0 : 1
        status = condition.statuses.isEmpty ? 0 : 1
    }

    package static func < (left: DecisionRank, right: DecisionRank) -> Bool {
        (left.kind, left.body, left.text, left.headers, left.code, left.status)
            < (right.kind, right.body, right.text, right.headers, right.code, right.status)
    }
}
