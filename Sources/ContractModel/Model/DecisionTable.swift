/// The meanings of an endpoint's responses: the declared rows, in the order in which they are tried.
///
/// A row that names a transport condition comes first. The other rows rank by the parts that they name: body before code before
/// status, more keys before fewer. Rows of one rank are disjoint, so their order among themselves does not matter. After the
/// declared rows come success and the built-in errors, which together cover every possible response.
package struct DecisionTable: Sendable {
    package var rows: [DecisionRow]

    package init(rows: [DecisionRow]) {
        self.rows = rows
    }
}

/// One way to recognize one error or outcome.
package struct DecisionRow: Sendable {
    package enum Target: Sendable, Hashable {
        /// A declared error, by its name in the contract.
        case error(String)
        /// An outcome of the endpoint, by its name in the contract.
        case outcome(String)

        package var name: String {
            switch self {
            case .error(let name), .outcome(let name): name
            }
        }
    }

    package var target: Target
    package var condition: Condition
    package var rank: DecisionRank
    /// Whether the server may have carried out a request with this response.
    package var applied: Applied
    /// Whether the endpoint itself lists the error, as opposed to inheriting it from the defaults.
    package var isOwn: Bool

    /// One way to recognize an outcome.
    package init(outcome: OutcomeDefinition, condition: Condition) {
        target = .outcome(outcome.name.value)
        self.condition = condition
        rank = DecisionRank(condition)
        applied = .maybe
        isOwn = true
    }

    /// The rows of an error at an endpoint with this effect: one for each condition, or two where some of its statuses
    /// leave open whether the request was carried out and others do not.
    package static func rows(of error: ErrorDefinition, effect: Effect, isOwn: Bool) -> [DecisionRow] {
        error.conditions.flatMap { condition in
            if let declared = error.declaredApplied?.value {
                return [DecisionRow(error: error, condition: condition, applied: declared, isOwn: isOwn)]
            }
            return condition.parts(effect: effect).map {
                DecisionRow(error: error, condition: $0.condition, applied: $0.applied, isOwn: isOwn)
            }
        }
    }

    private init(error: ErrorDefinition, condition: Condition, applied: Applied, isOwn: Bool) {
        target = .error(error.name.value)
        self.condition = condition
        rank = DecisionRank(condition)
        self.applied = applied
        self.isOwn = isOwn
    }
}

/// Where a row is: the greater is tried first.
package struct DecisionRank: Sendable, Hashable, Comparable {
    /// Transport 8, body 4, code 2, status 1. As a binary number it orders body before code before status and, among
    /// rows that share their strongest key, more keys before fewer.
    package var keys: Int
    /// How many paths of the body are named.
    package var bodyPaths: Int

    package init(_ condition: Condition) {
        keys =
            (condition.transport.isEmpty ? 0 : 8) | (condition.body.isEmpty ? 0 : 4)
            | (condition.codes.isEmpty ? 0 : 2) | (condition.statuses.isEmpty ? 0 : 1)
        bodyPaths = condition.body.count
    }

    package static func < (left: DecisionRank, right: DecisionRank) -> Bool {
        let strongest = (left.keys & 12, right.keys & 12)
        if strongest.0 != strongest.1 { return strongest.0 < strongest.1 }
        if left.bodyPaths != right.bodyPaths { return left.bodyPaths < right.bodyPaths }
        return left.keys < right.keys
    }
}
