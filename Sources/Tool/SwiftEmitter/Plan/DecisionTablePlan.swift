import ContractModel

/// The decision table of an endpoint as an array, one row per line.
enum DecisionTablePlan {
    static func rows(_ table: ResolvedTable) -> Expression { .rows(table.rows.map { row($0.row) }) }

    private static func row(_ row: DecisionRow) -> Expression {
        var arguments = [Argument(.string(row.verdict.name))]
        let function: String
        switch row.verdict {
        case .error:
            function = "error"
            if let applied = row.appliedRule.declared {
                arguments.append(Argument("applied", .implicit(applied.rawValue)))
            }
            if row.isEndpointSpecific { arguments.append(Argument("isEndpointSpecific", .bool(true))) }
        case .outcome: function = "outcome"
        }
        let kinds = row.transport.map { Expression.implicit($0.rawValue) }
        if !kinds.isEmpty { arguments.append(Argument("transport", .array(kinds))) }
        if let codes = row.close?.ranges, !codes.isEmpty {
            arguments.append(Argument("close", .array(codes.map(close))))
        }
        if let statuses = row.statuses.flatMap({ set($0.ranges.map(status)) }) {
            arguments.append(Argument("status", statuses))
        }
        if let codes = row.codes.flatMap({ codes($0.codes) }) { arguments.append(Argument("code", codes)) }
        if !row.values.isEmpty { arguments.append(Argument("values", .array(row.values.map(value)))) }
        return .implicit(function, arguments)
    }

    static func value(_ match: ResponseMatch) -> Expression {
        let pattern = Argument(.string(match.pattern.spelling))
        if let name = match.place.header { return .implicit("header", [Argument(.string(name)), pattern]) }
        let place = match.path.map { [Argument("at", .string($0))] } ?? []
        return .implicit("text", [pattern] + place)
    }

    /// A set of codes; nil for an empty set.
    static func codes(_ codes: [CodeMatch]) -> Expression? { set(codes.map(code)) }

    private static func set(_ items: [Expression]) -> Expression? {
        items.count > 1 ? .array(items) : items.first
    }

    private static func code(_ code: CodeMatch) -> Expression {
        switch code {
        case .text(let text): .string(text)
        case .range(let range): self.range(range)
        }
    }

    private static func status(_ range: ClosedRange<Int>) -> Expression {
        range.count == 1 ? .integer(range.lowerBound) : self.range(range)
    }

    private static func close(_ range: ClosedRange<Int>) -> Expression {
        range.count == 1
            ? .implicit("code", .integer(range.lowerBound))
            : .implicit("codes", .range(.integer(range.lowerBound), .integer(range.upperBound)))
    }

    private static func range(_ range: ClosedRange<Int>) -> Expression {
        .implicit("range", .range(.integer(range.lowerBound), .integer(range.upperBound)))
    }
}

/// The decision tables of the endpoints that list no error and no outcome themselves, which are printed once.
///
/// Each has a name that says which endpoints have it, so that an error inserted elsewhere renames none.
struct InheritedTables {
    /// Each table's name, and the table, in the order in which they are printed.
    private(set) var named: [(name: String, table: ResolvedTable)] = []

    init(_ contract: ResolvedContract) {
        for endpoint in contract.endpoints {
            guard let name = name(for: endpoint), !named.contains(where: { $0.name == name }) else { continue }
            named.append((name, endpoint.table))
        }
        named.sort { $0.name < $1.name }
    }

    /// The name of an endpoint's table; nil if the endpoint has one of its own.
    func name(for endpoint: ResolvedEndpoint) -> String? {
        if endpoint.table.rows.isEmpty || endpoint.table.rows.contains(where: \.isEndpointSpecific) { return nil }
        // An endpoint's inherited table depends on its session.
        return endpoint.session == .none ? "inheritedWithoutSession" : "inherited"
    }
}
