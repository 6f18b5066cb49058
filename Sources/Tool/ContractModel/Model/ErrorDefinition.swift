import Diagnostics

/// One entry of `errors`.
package struct ErrorDefinition: Sendable {
    package var name: Located<String>
    package var category: Located<ErrorCategory>
    /// Any of these recognizes it. Empty for a redeclared built-in error, which keeps its own.
    package var conditions: [Condition] = []
    @Indirect package var data: ErrorData?
    /// The text for people, if the app has none of its own. It may have placeholders (`MessageTemplate`).
    package var message: Located<String>?
    @Indirect package var retry: Located<RetryDefinition>?
    @Indirect package var declaredApplied: Located<Applied>?
    /// Whether a `requiresLogout` may start a login; `false` if the user is barred.
    package var renewsSession = true
    /// When a command succeeds by the error, which says that it was done already; nil for never.
    @Indirect package var settles: Located<SettlingRule>?
    package var doc: String?
    @Indirect package var deprecated: Deprecation?
    @Indirect package var swiftName: Located<String>?

    package init(name: Located<String>, category: Located<ErrorCategory>) {
        self.name = name
        self.category = category
    }

    /// The built-in error that this entry redeclares.
    package var builtIn: BuiltInError? { Self.builtIns[name.value] }

    private static let builtIns = Dictionary(uniqueKeysWithValues: BuiltInError.allCases.map { ($0.rawValue, $0) })
}

extension Condition {
    /// Splits the condition into parts that each say whether a request was carried out that fails with an error without `applied`. Most
    /// conditions have one part. A response belongs to the first part that takes it.
    package func parts(of request: RequestKind) -> [(condition: Condition, applied: Applied)] {
        let rule = AppliedRule(
            declared: nil, namesStatus: !statuses.isEmpty, namesCode: !codes.isEmpty, namesBody: !body.isEmpty)
        guard !statuses.isEmpty else {
            // A code says the same with every status, but for those of an echo.
            let echoes = codes.isEmpty ? [] : request.echoStatuses
            guard !echoes.isEmpty else { return [(self, codes.isEmpty ? .maybe : .never)] }
            var part = self
            part.statuses = echoes.map { Located($0...$0, at: range) }
            return [(part, .maybe), (self, .never)]
        }
        var ranges: [Applied: [Located<ClosedRange<Int>>]] = [:]
        var order: [Applied] = []
        for status in statuses {
            for number in status.value {
                let applied = rule.applied(status: number, to: request)
                if let last = ranges[applied]?.last, last.range == status.range, last.value.upperBound + 1 == number {
                    ranges[applied]?.removeLast()
                    ranges[applied]?.append(status.map { _ in last.value.lowerBound...number })
                    continue
                }
                if ranges[applied] == nil { order.append(applied) }
                ranges[applied, default: []].append(status.map { _ in number...number })
            }
        }
        if order.count == 1 { return [(self, order[0])] }
        return order.map { applied in
            var part = self
            part.statuses = ranges[applied] ?? []
            return (part, applied)
        }
    }

    /// Where the condition names 408 or 503 by itself, without a code or a value in the body, that status.
    package var gatewayStatus: Int? {
        guard codes.isEmpty, body.isEmpty else { return nil }
        return statuses.first { $0.value == 503...503 || $0.value == 408...408 }?.value.lowerBound
    }

    /// Whether it names the statuses 503 and 408 alone, and nothing that only the service knows: a header and a text may be a gateway's.
    package var isGatewayStatus: Bool {
        codes.isEmpty && body.isEmpty && !statuses.isEmpty
            && statuses.allSatisfy { $0.value == 503...503 || $0.value == 408...408 }
    }
}

/// The payload that comes with an error or an outcome.
package enum ErrorData: Sendable {
    case fields([FieldDefinition])
    case type(TypeReference, SourceRange)
}

/// A normal state of the business that isn't the endpoint's usual response.
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

    /// The rule that the runtime follows.
    package var rule: RetryRule {
        switch self {
        case .never: return .never
        case .rule(let attempts, let base, let cap):
            let usual = RetryRule()
            return RetryRule(
                attempts: attempts ?? usual.attempts, base: base.map { .milliseconds($0) } ?? usual.base,
                cap: cap.map { .milliseconds($0) } ?? usual.cap)
        }
    }
}
