import ContractModel

/// What can be proved about an endpoint's decision table, the one that the generated parser is printed from.
///
/// For each row there is either a response that reaches it, or the reason why there is none. The search is complete:
/// a table can tell responses apart only by the statuses at which a row begins or ends, by the codes and by the values
/// that rows name, and a response that lacks what a row does not name can only match fewer of the rows before it.
/// Whatever no row claims is a success or one of the built-in errors, which together cover every response.
struct TableProof {
    struct Row {
        let row: DecisionRow
        let finding: Finding
    }

    enum Finding {
        case reached(SampleResponse)
        /// A transport failure reaches it.
        case reachedWithoutResponse(TransportKind)
        case unreachable(Reason)
    }

    enum Reason {
        /// It names a code, and the envelope says nowhere where one would be.
        case hasNoCode
        /// It names something in the body, and the response of a HEAD request has none.
        case hasNoBody
        /// It names two things that no body can have together.
        case contradictsItself(String)
        /// Each response that matches it is taken by rows before it, for example by this one.
        case isCovered(by: DecisionRow, example: SampleResponse?)
    }

    let rows: [Row]

    init(_ endpoint: ResolvedEndpoint, envelope: EnvelopeDefinition?) {
        let table = endpoint.table.rows
        rows = table.indices.map { position in
            let row = table[position]
            let finding: Finding
            if !row.condition.transport.isEmpty {
                finding = Self.findFailure(for: row, behind: table[..<position])
            } else if let reason = Self.impossibility(of: row.condition, isHead: endpoint.method == .head, envelope) {
                finding = .unreachable(reason)
            } else {
                finding = Self.findResponse(for: row, behind: table[..<position], envelope)
            }
            return Row(row: row, finding: finding)
        }
    }

    /// The rows of one error or outcome.
    func rows(of target: DecisionRow.Target) -> [Row] { rows.filter { $0.row.target == target } }

    // MARK: Search

    private static func findFailure(for row: DecisionRow, behind earlier: ArraySlice<DecisionRow>) -> Finding {
        let taken = Set(earlier.flatMap { $0.condition.transport.map(\.value) })
        if let kind = row.condition.transport.first(where: { !taken.contains($0.value) }) {
            return .reachedWithoutResponse(kind.value)
        }
        let own = Set(row.condition.transport.map(\.value))
        let first = earlier.first { !own.isDisjoint(with: $0.condition.transport.map(\.value)) }
        return .unreachable(.isCovered(by: first ?? row, example: nil))
    }

    private static func impossibility(of condition: Condition, isHead: Bool, _ envelope: EnvelopeDefinition?) -> Reason?
    {
        if isHead, !condition.codes.isEmpty || !condition.body.isEmpty { return .hasNoBody }
        if !condition.codes.isEmpty, envelope?.code == nil { return .hasNoCode }
        let paths = condition.body.map(\.path.value)
        for path in paths {
            if let deeper = paths.first(where: { $0.keys.count > path.keys.count && $0.keys.starts(with: path.keys) }) {
                return .contradictsItself("where `\(path.text)` is a value, there is no `\(deeper.text)`")
            }
        }
        if let code = envelope?.code?.value, !condition.codes.isEmpty,
            let match = condition.body.first(where: { $0.path.value == code }),
            !condition.codes.contains(where: { $0.value == match.text.value })
        {
            return .contradictsItself(
                "`\(code.text)` is where the code stands, and it cannot be `\(match.text.value)` as well")
        }
        return nil
    }

    private static func findResponse(
        for row: DecisionRow, behind earlier: ArraySlice<DecisionRow>, _ envelope: EnvelopeDefinition?
    ) -> Finding {
        var response = SampleResponse(status: 0)
        for match in row.condition.body {
            let isCode = match.path.value == envelope?.code?.value
            if isCode { response.code = match.text.value } else { response.body[match.path.value] = match.text.value }
        }
        let codes: [String?] = row.condition.codes.isEmpty ? [response.code] : row.condition.codes.map(\.value)
        var covering: (row: DecisionRow, example: SampleResponse)?
        for status in statuses(for: row, behind: earlier) {
            for code in codes {
                response.status = status
                response.code = code
                guard row.condition.matches(response, in: envelope) else { continue }
                guard let taken = earlier.first(where: { $0.condition.matches(response, in: envelope) }) else {
                    return .reached(response)
                }
                covering = covering ?? (taken, response)
            }
        }
        return .unreachable(.isCovered(by: covering?.row ?? row, example: covering?.example))
    }

    /// One status for each stretch of them that the rows tell apart, as far as the row takes them. Statuses are 200 to
    /// 599 (RFC 9110 section 15; an interim 1xx is no answer), unless the row names nothing but others.
    private static func statuses(for row: DecisionRow, behind earlier: ArraySlice<DecisionRow>) -> [Int] {
        let usual = 200...599
        if row.condition.statuses.isEmpty, earlier.allSatisfy({ $0.condition.statuses.isEmpty }) {
            return [usual.lowerBound]
        }
        let own = row.condition.statuses.map(\.value)
        let named = own.map { $0.overlaps(usual) ? $0.clamped(to: usual) : $0 }
        let possible = named.contains { $0.overlaps(usual) } ? named.filter { $0.overlaps(usual) } : named
        let taken = own.isEmpty ? [usual] : possible
        let edges = earlier.flatMap {
            $0.condition.statuses.flatMap { [$0.value.lowerBound - 1, $0.value.upperBound + 1] }
        }
        let candidates = taken.map(\.lowerBound) + edges.filter { edge in taken.contains { $0.contains(edge) } }
        var seen = Set<Int>()
        return candidates.filter { seen.insert($0).inserted }
    }
}

extension TableProof.Row {
    var isUnreachable: Bool {
        if case .unreachable = finding { true } else { false }
    }
}
