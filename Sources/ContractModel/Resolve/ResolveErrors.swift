import Diagnostics

extension Resolution {
    /// Every error that the contract or an endpoint of it names, its own first, with its data checked.
    mutating func resolvedErrors() -> [ErrorDefinition] {
        var result: [ErrorDefinition] = []
        var seen: [String: SourceRange] = [:]
        for error in contract.errors where seen.updateValue(error.name.range, forKey: error.name.value) == nil {
            result.append(checked(error, naming: contract.defaults.naming))
        }
        for name in contract.defaults.errors + contract.endpoints.flatMap(\.errors) where seen[name.value] == nil {
            guard case .found(let found) = scope.error(name.value) else { continue }  // reported with the endpoint
            seen[name.value] = found.definition.name.range
            result.append(checked(found.definition, naming: scopes[found.file]?.contract.defaults.naming ?? .asWritten))
        }
        return result
    }

    private mutating func checked(_ error: ErrorDefinition, naming: WireNaming) -> ErrorDefinition {
        var error = error
        error.data = checked(error.data, naming: naming)
        for condition in error.conditions { reportSuccess(condition, of: error) }
        return error
    }

    mutating func checked(_ data: ErrorData?, naming: WireNaming) -> ErrorData? {
        switch data {
        case .fields(let fields): return .fields(checked(fields, as: .payload, naming: naming))
        case .type(let type, let range):
            refuseFile(type, at: range)
            return data
        case nil: return nil
        }
    }

    /// An error that names only a successful status would make failures of successes.
    private mutating func reportSuccess(_ condition: Condition, of error: ErrorDefinition) {
        guard condition.codes.isEmpty, condition.body.isEmpty else { return }
        for status in condition.statuses where status.value.overlaps(200...299) {
            let witness = max(status.value.lowerBound, 200)
            report(
                "error-matches-success",
                "HTTP \(witness) is a success, and the error `\(error.name.value)` names only that", at: status.range,
                help: "name a `code` or a `body` value too, or make it an outcome of the endpoint")
        }
    }

    /// The errors of an endpoint: its own, then those of the defaults that fit it.
    mutating func errors(of endpoint: EndpointDefinition, session: SessionNeed) -> [ListedError] {
        var result: [ListedError] = []
        let scope = scope
        let names = endpoint.errors + contract.defaults.errors
        let canRepeat = NameList.hasRepeats(names.map(\.value))
        var seen = Set<String>()
        for (position, name) in names.enumerated() {
            let isOwn = position < endpoint.errors.count
            guard !canRepeat || seen.insert(name.value).inserted else { continue }
            switch scope.error(name.value) {
            case .found(let found):
                if found.definition.builtIn != nil { continue }
                if !isOwn, session == .none, found.definition.category.value == .requiresLogout { continue }
                result.append(ListedError(definition: found.definition, isOwn: isOwn))
            case .ambiguous(let places): reportAmbiguous("error", name, places)
            case .missing:
                if BuiltInError(rawValue: name.value) != nil {
                    report(
                        "built-in-error-listed", "every endpoint has the built-in error `\(name.value)`",
                        at: name.range, help: "remove it from the list")
                } else if scope.canMiss(name.value) {
                    reportMissing(
                        "unknown-error", "error", name, among: scope.errorNames, help: "declare it under `errors`")
                }
            }
        }
        return result
    }

    // MARK: Decision tables

    /// The endpoint's rows in their order; two of one rank that one response matches are reported.
    mutating func table(
        errors: [ListedError], outcomes: [OutcomeDefinition], effect: Effect, envelope: EnvelopeDefinition?
    ) -> DecisionTable {
        var rows = errors.flatMap { error in
            error.definition.conditions.map {
                DecisionRow(error: error.definition, condition: $0, effect: effect, isOwn: error.isOwn)
            }
        }
        for outcome in outcomes {
            for condition in outcome.conditions {
                rows.append(DecisionRow(outcome: outcome, condition: condition))
                reportEverySuccess(condition, of: outcome, envelope)
            }
        }
        let isOrdered = rows.indices.dropFirst().allSatisfy { rows[$0 - 1].rank >= rows[$0].rank }
        let ordered =
            isOrdered
            ? rows
            : rows.enumerated().sorted { left, right in
                left.element.rank == right.element.rank
                    ? left.offset < right.offset : left.element.rank > right.element.rank
            }.map(\.element)
        for position in ordered.indices {
            for other in ordered.indices[(position + 1)...] {
                guard ordered[other].rank == ordered[position].rank else { break }
                if ordered[other].target != ordered[position].target {
                    reportOverlap(ordered[position], ordered[other])
                }
            }
        }
        return DecisionTable(rows: ordered)
    }

    private mutating func reportOverlap(_ row: DecisionRow, _ other: DecisionRow) {
        guard let witness = DecisionTable.response(matching: row.condition, and: other.condition) else { return }
        let places = [row.condition.range, other.condition.range].sorted {
            ($0.file, $0.start.offset) < ($1.file, $1.start.offset)
        }
        guard reportedOverlaps.insert(places).inserted else { return }
        let later = places[1] == row.condition.range ? row : other
        let earlier = places[1] == row.condition.range ? other : row
        report(
            "error-matchers-overlap", "\(witness) matches both `\(earlier.target.name)` and `\(later.target.name)`",
            at: places[1],
            notes: [DiagnosticNote("the condition of `\(earlier.target.name)`", at: places[0])],
            help: "make them disjoint, or let one name more: body before code before status, more keys before fewer")
    }

    /// An outcome that names a code of success and nothing else leaves no success over.
    private mutating func reportEverySuccess(
        _ condition: Condition, of outcome: OutcomeDefinition, _ envelope: EnvelopeDefinition?
    ) {
        guard let envelope, condition.body.isEmpty, condition.statuses.isEmpty,
            let code = condition.codes.first(where: { code in envelope.success.contains { $0.value == code.value } })
        else { return }
        report(
            "outcome-matches-success",
            "code \(code.value) is a success, and the outcome `\(outcome.name.value)` would take it over",
            at: code.range,
            help: "name a `status` or a `body` value too")
    }
}

/// An error that an endpoint can fail with.
struct ListedError {
    var definition: ErrorDefinition
    /// Whether the endpoint itself lists it, as opposed to inheriting it from the defaults.
    var isOwn: Bool
}

extension DecisionTable {
    /// A response that both conditions match, in words: "HTTP 200 with code 4010"; `nil` where there is none.
    package static func response(matching one: Condition, and other: Condition) -> String? {
        // Most are told apart by their codes.
        if one.transport.isEmpty, other.transport.isEmpty, one.codes.count == 1, other.codes.count == 1,
            one.codes[0].value != other.codes[0].value
        {
            return nil
        }
        var parts: [String] = []
        if !one.transport.isEmpty || !other.transport.isEmpty {
            let common = Set(one.transport.map(\.value)).intersection(other.transport.map(\.value))
            guard let kind = TransportKind.allCases.first(where: { common.contains($0) }) else { return nil }
            return "a transport failure `\(kind.rawValue)`"
        }
        if !one.statuses.isEmpty, !other.statuses.isEmpty {
            var shared: Int?
            for left in one.statuses {
                for right in other.statuses where left.value.overlaps(right.value) {
                    let low = max(left.value.lowerBound, right.value.lowerBound)
                    shared = min(shared ?? low, low)
                }
            }
            guard let shared else { return nil }
            parts.append("HTTP \(shared)")
        } else if let status = (one.statuses + other.statuses).map(\.value.lowerBound).min() {
            parts.append("HTTP \(status)")
        } else {
            parts.append("HTTP 200")
        }
        if !one.codes.isEmpty, !other.codes.isEmpty {
            let known = Set(other.codes.map(\.value))
            guard let code = one.codes.first(where: { known.contains($0.value) }) else { return nil }
            parts.append("code \(code.value)")
        } else if let code = (one.codes + other.codes).first {
            parts.append("code \(code.value)")
        }
        var values: [FieldPath: String] = [:]
        for match in one.body + other.body {
            if let value = values[match.path.value], value != match.text.value { return nil }
            values[match.path.value] = match.text.value
        }
        // A scalar at a path leaves nothing below it.
        let paths = Array(values.keys)
        for path in paths
        where paths.contains(where: { $0.keys.count > path.keys.count && $0.keys.starts(with: path.keys) }) {
            return nil
        }
        for (path, value) in values.sorted(by: { $0.key < $1.key }) {
            parts.append("`\(path.text)` = `\(value)` in the body")
        }
        guard let first = parts.first else { return nil }
        return parts.count == 1 ? first : first + " with " + parts.dropFirst().joined(separator: " and ")
    }
}
