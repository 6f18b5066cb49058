import ContractModel

/// The decision table of an endpoint as Swift: the rows in their order, each group of one kind as one `switch`.
enum DecisionStatements {
    private static let indent = "            "

    /// The body of `classify`, each line with its line break.
    static func body(_ endpoint: ResolvedEndpoint, in contract: ResolvedContract) -> String {
        var text = ""
        var rest = endpoint.table.rows[...]
        let transport = rest.prefix { !$0.condition.transport.isEmpty }
        rest = rest.dropFirst(transport.count)
        text += transportRows(transport, endpoint, contract)
        while let first = rest.first {
            let group = rest.prefix { $0.rank == first.rank }
            rest = rest.dropFirst(group.count)
            let isLast = rest.isEmpty
            switch first.rank.keys {
            case 1: text += statusRows(group, endpoint, contract, isLast: isLast)
            case 2, 3: text += codeRows(group, endpoint, contract, isLast: isLast)
            default:
                for row in group { text += bodyRow(row, endpoint, contract) }
                if isLast { text += indent + "return .unmatched\n" }
            }
        }
        return endpoint.table.rows.allSatisfy { !$0.condition.transport.isEmpty } ? text + indent + "return .unmatched\n" : text
    }

    // MARK: Rows

    private static func transportRows(
        _ rows: ArraySlice<DecisionRow>, _ endpoint: ResolvedEndpoint, _ contract: ResolvedContract
    ) -> String {
        if rows.isEmpty { return indent + "if answer.transport != nil { return .unmatched }\n" }
        let cases = rows.map { row in
            "case \(row.condition.transport.map { "." + $0.value.rawValue }.joined(separator: ", ")): return \(verdict(row, endpoint, contract))"
        }
        let list = SourceLayout.cases(cases + ["default: return .unmatched"], indent: indent + "    ")
        return "\(indent)if let transport = answer.transport {\n\(indent)    switch transport {\n\(list)\n\(indent)    }\n\(indent)}\n"
    }

    /// One `if` for each row: comparing with static text costs the compiler far less than a `switch` over strings.
    private static func codeRows(
        _ rows: ArraySlice<DecisionRow>, _ endpoint: ResolvedEndpoint, _ contract: ResolvedContract, isLast: Bool
    ) -> String {
        let lines = rows.map { row in
            var tests = row.condition.statuses.isEmpty ? [] : [statusTest(row)]
            tests.append(codeTest(row))
            return "\(indent)if \(tests.joined(separator: ", ")) { return \(verdict(row, endpoint, contract)) }\n"
        }
        return lines.joined() + (isLast ? indent + "return .unmatched\n" : "")
    }

    private static func statusRows(
        _ rows: ArraySlice<DecisionRow>, _ endpoint: ResolvedEndpoint, _ contract: ResolvedContract, isLast: Bool
    ) -> String {
        let cases = rows.map { row in
            "case \(row.condition.statuses.map { pattern($0.value) }.joined(separator: ", ")): return \(verdict(row, endpoint, contract))"
        }
        return choice("answer.status", cases, isLast: isLast)
    }

    private static func choice(_ subject: String, _ cases: [String], isLast: Bool) -> String {
        let all = cases + [isLast ? "default: return .unmatched" : "default: break"]
        let inner = SourceLayout.cases(all, indent: indent)
        return "\(indent)switch \(subject) {\n\(inner)\n\(indent)}\n"
    }

    private static func bodyRow(
        _ row: DecisionRow, _ endpoint: ResolvedEndpoint, _ contract: ResolvedContract
    ) -> String {
        var tests: [String] = []
        if !row.condition.statuses.isEmpty { tests.append(statusTest(row)) }
        if !row.condition.codes.isEmpty { tests.append(codeTest(row)) }
        for match in row.condition.body {
            let path = SwiftLiteral.string(match.path.value.text)
            tests.append("answer.hasText(\(SwiftLiteral.string(match.text.value)), at: \(path))")
        }
        return "\(indent)if \(tests.joined(separator: ", ")) { return \(verdict(row, endpoint, contract)) }\n"
    }

    // MARK: Parts

    private static func verdict(_ row: DecisionRow, _ endpoint: ResolvedEndpoint, _ contract: ResolvedContract) -> String {
        switch row.target {
        case .error(let name): ".error(\(contract.number(ofError: name) ?? -1))"
        case .outcome(let name): ".outcome(\(endpoint.outcomes.firstIndex { $0.name.value == name } ?? -1))"
        }
    }

    private static func codeTest(_ row: DecisionRow) -> String {
        row.condition.codes.map { "answer.hasCode(\(SwiftLiteral.string($0.value)))" }.joined(separator: " || ")
    }

    private static func statusTest(_ row: DecisionRow) -> String {
        row.condition.statuses.map { status in
            status.value.count == 1
                ? "answer.status == \(status.value.lowerBound)" : "(\(pattern(status.value))).contains(answer.status)"
        }.joined(separator: " || ")
    }

    private static func pattern(_ range: ClosedRange<Int>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)...\(range.upperBound)"
    }
}

/// Decision tables that more than one endpoint has, printed once.
enum SharedTables {
    /// The function's name for each text that occurs more than once, in the order of the contract.
    static func names(in contract: ResolvedContract) -> [String: String] {
        var counts: [String: Int] = [:]
        var order: [String] = []
        for endpoint in contract.endpoints {
            let body = DecisionStatements.body(endpoint, in: contract)
            counts[body, default: 0] += 1
            if counts[body] == 2 { order.append(body) }
        }
        return Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, "table\($0 + 1)") })
    }
}
