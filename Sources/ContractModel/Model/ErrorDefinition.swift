import Diagnostics

/// What to do about a failure.
package enum ErrorCategory: String, Sendable, CaseIterable {
    case retryable, nonRetryable, requiresLogout
}

/// Whether a failed request may have been carried out.
package enum Applied: String, Sendable, CaseIterable {
    case never, maybe
}

/// One entry of `errors`.
package struct ErrorDefinition: Sendable {
    package var name: Located<String>
    package var category: Located<ErrorCategory>
    /// Any of these recognises it. Empty for a redeclared built-in error, which keeps its own.
    package var conditions: [Condition] = []
    package var data: ErrorData?
    /// What a person may be told, where the app has nothing better.
    package var message: String?
    package var retry: Located<RetryDefinition>?
    package var declaredApplied: Located<Applied>?
    /// Whether a `requiresLogout` may start a login; `false` where the user is barred.
    package var renewsSession = true
    package var doc: String?
    package var deprecated: Deprecation?
    package var swiftName: Located<String>?

    package init(name: Located<String>, category: Located<ErrorCategory>) {
        self.name = name
        self.category = category
    }

    /// The built-in error that this entry redeclares.
    package var builtIn: BuiltInError? { Self.builtIns[name.value] }

    private static let builtIns = Dictionary(uniqueKeysWithValues: BuiltInError.allCases.map { ($0.rawValue, $0) })

    /// As declared; otherwise `never` where every condition names a code, a 4xx or 503.
    package var applied: Applied {
        if let declaredApplied { return declaredApplied.value }
        if let builtIn { return builtIn.applied(effect: .once) }
        return !conditions.isEmpty && conditions.allSatisfy { applied($0) == .never } ? .never : .maybe
    }

    /// The same of one of the conditions, on an endpoint of this effect.
    package func applied(_ condition: Condition, effect: Effect) -> Applied {
        if declaredApplied == nil, condition.isAnswerOfProxies, effect.canEndUnconfirmed { return .maybe }
        return applied(condition)
    }

    /// The same of one of the conditions.
    package func applied(_ condition: Condition) -> Applied {
        if let declaredApplied { return declaredApplied.value }
        if !condition.codes.isEmpty { return .never }
        if condition.statuses.isEmpty { return .maybe }
        let neverApplied = condition.statuses.allSatisfy { range in
            (range.value.lowerBound >= 400 && range.value.upperBound <= 499) || range.value == 503...503
        }
        return neverApplied ? .never : .maybe
    }
}

/// The payload that comes with an error or an outcome.
package enum ErrorData: Sendable {
    case fields([FieldDefinition])
    case type(TypeReference, SourceRange)
}

/// A normal state of the business that is not the endpoint's usual answer.
package struct OutcomeDefinition: Sendable {
    package var name: Located<String>
    package var conditions: [Condition]
    package var data: ErrorData?
    package var doc: String?

    package init(name: Located<String>, conditions: [Condition]) {
        self.name = name
        self.conditions = conditions
    }
}

/// How often and how fast a failed request is sent again.
package enum RetryDefinition: Sendable, Equatable {
    case never
    /// `attempts` counts the first one; `base` and `cap` are in milliseconds. `nil` keeps the runtime's value.
    case rule(attempts: Int?, base: Int?, cap: Int?)
}

/// The errors that every endpoint has; together they cover every possible response.
package enum BuiltInError: String, Sendable, CaseIterable {
    case invalidRequest, offline, unreachable, connectionLost, timedOut, insecure, throttled, requestTimeout
    case unavailable, serverFault, unauthenticated, sessionEnded, rejected, malformed, unconfirmed, cancelled

    /// What to do about it, where the contract does not redeclare it.
    package var category: ErrorCategory {
        switch self {
        case .offline, .unreachable, .connectionLost, .timedOut, .throttled, .requestTimeout, .unavailable: .retryable
        case .invalidRequest, .insecure, .serverFault, .sessionEnded, .rejected, .malformed, .unconfirmed, .cancelled: .nonRetryable
        case .unauthenticated: .requiresLogout
        }
    }

    /// Whether the request may have been carried out, on an endpoint of this effect. A command keeps what an earlier attempt
    /// of it has left open, which counts for `sessionEnded` above all.
    ///
    /// - Parameter status: what the server answered, where an error has several.
    package func applied(effect: Effect, status: Int? = nil) -> Applied {
        switch self {
        case .invalidRequest, .offline, .unreachable, .insecure, .throttled, .unauthenticated, .sessionEnded, .rejected, .cancelled:
            .never
        case .connectionLost, .timedOut, .serverFault, .malformed, .unconfirmed: .maybe
        // A proxy may answer one of these after it has passed the request on.
        case .requestTimeout: effect.canEndUnconfirmed ? .maybe : .never
        case .unavailable: status == 503 && !effect.canEndUnconfirmed ? .never : .maybe
        }
    }
}
