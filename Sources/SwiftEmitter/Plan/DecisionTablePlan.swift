import ContractModel

/// The decision table of an endpoint as an array literal, one row per line.
enum DecisionTablePlan {
    static func literal(_ table: DecisionTable) -> String {
        if table.rows.isEmpty { return "[]" }
        let separator = table.rows.count == 1 ? "\n" : ",\n"
        return "[\n" + table.rows.map { row($0) + separator }.joined() + "]"
    }

    private static func row(_ row: DecisionRow) -> String {
        var arguments = [SwiftLiteral.string(row.target.name)]
        let function: String
        switch row.target {
        case .error:
            function = "error"
            arguments.append("applied: .\(row.applied.rawValue)")
            if row.isOwn { arguments.append("own: true") }
        case .outcome: function = "outcome"
        }
        let condition = row.condition
        let kinds = condition.transport.map { "." + $0.value.rawValue }
        if !kinds.isEmpty { arguments.append("transport: [\(kinds.joined(separator: ", "))]") }
        if let statuses = set(condition.statuses.map { status($0.value) }) { arguments.append("status: \(statuses)") }
        if let codes = codes(condition.codes.map(\.value)) { arguments.append("code: \(codes)") }
        let values = condition.body.map { match in
            ".text(\(SwiftLiteral.string(match.text.value)), at: \(SwiftLiteral.string(match.path.value.text)))"
        }
        if !values.isEmpty { arguments.append("body: [\(values.joined(separator: ", "))]") }
        return ".\(function)(\(arguments.joined(separator: ", ")))"
    }

    /// A set of codes as a literal; nil for an empty set.
    static func codes(_ codes: [CodeMatch]) -> String? { set(codes.map(code)) }

    private static func set(_ items: [String]) -> String? {
        guard let first = items.first else { return nil }
        return items.count == 1 ? first : "[\(items.joined(separator: ", "))]"
    }

    private static func code(_ code: CodeMatch) -> String {
        switch code {
        case .text(let text): SwiftLiteral.string(text)
        case .range(let range): ".range(\(range.lowerBound)...\(range.upperBound))"
        }
    }

    private static func status(_ range: ClosedRange<Int>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : ".range(\(range.lowerBound)...\(range.upperBound))"
    }
}

/// The decision tables of the endpoints that list no error and no outcome themselves, which are printed once.
///
/// Each has a name that says which endpoints have it, so that an error inserted elsewhere renames none.
struct InheritedTables {
    /// Each table's name, and the table, in the order in which they are printed.
    private(set) var named: [(name: String, table: DecisionTable)] = []

    init(_ contract: ResolvedContract) {
        for endpoint in contract.endpoints {
            guard let name = name(for: endpoint), !named.contains(where: { $0.name == name }) else { continue }
            named.append((name, endpoint.table))
        }
        named.sort { $0.name < $1.name }
    }

    /// The name of an endpoint's table; nil if the endpoint has one of its own.
    func name(for endpoint: ResolvedEndpoint) -> String? {
        if endpoint.table.rows.isEmpty || endpoint.table.rows.contains(where: \.isOwn) { return nil }
        // An endpoint's inherited table depends on its session and, if a row names 503 or 408, on its effect.
        var name = "inherited"
        if endpoint.effect.isUnsafe, endpoint.table.rows.contains(where: { isOfUnsafeEffect($0) }) {
            name += "AtMostOnce"
        }
        if endpoint.session == .none { name += "WithoutSession" }
        return name
    }

    /// Whether a row of a `keyed` or `once` endpoint would differ with the effect `read`.
    private func isOfUnsafeEffect(_ row: DecisionRow) -> Bool {
        row.condition.parts(effect: .once).allSatisfy { $0.applied == row.applied }
            && row.condition.parts(effect: .read).contains { $0.applied != row.applied }
    }
}
