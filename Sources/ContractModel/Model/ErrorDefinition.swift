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
    /// What the error is of a command that was sent before, and may have been carried out then.
    @Indirect package var settles: Located<Settlement>?
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

    /// As declared; otherwise `never` where every condition names a code, a 4xx or 503.
    package var applied: Applied {
        if let declaredApplied { return declaredApplied.value }
        if let builtIn { return builtIn.applied(status: nil, .once) }
        let neverApplied = conditions.allSatisfy { $0.applied == .never }
        return neverApplied && !conditions.isEmpty ? .never : .maybe
    }
}

extension Condition {
    /// Whether a request that it matches may have been carried out, for most endpoints: `never` where the condition names
    /// a code, or nothing but 4xx and 503.
    package var applied: Applied {
        parts(effect: .read).allSatisfy { $0.applied == .never } ? .never : .maybe
    }

    /// Splits the condition into parts that each determine whether a request was applied, at an endpoint with this effect. Most
    /// conditions have one part.
    ///
    /// A status of 4xx or 503 means `never`, any other status `maybe`. A proxy may send 503 or 408 for a request that the
    /// server has carried out. This matters if sending a request twice differs from sending it once. For such an endpoint these
    /// two statuses mean `maybe`, unless the condition also names a value in the body.
    package func parts(effect: Effect) -> [(condition: Condition, applied: Applied)] {
        if !codes.isEmpty { return [(self, .never)] }
        if statuses.isEmpty { return [(self, .maybe)] }
        let isOpenAtGateway = effect.isUnsafe && body.isEmpty
        var ranges: [Applied: [Located<ClosedRange<Int>>]] = [:]
        var order: [Applied] = []
        for status in statuses {
            for (stretch, kind) in Self.stretches where stretch.overlaps(status.value) {
                let applied: Applied =
                    switch kind {
                    case .refusal: .never
                    case .gateway: isOpenAtGateway ? .maybe : .never
                    case .other: .maybe
                    }
                let part = status.value.clamped(to: stretch)
                if let last = ranges[applied]?.last, last.range == status.range,
                    last.value.upperBound + 1 == part.lowerBound
                {
                    ranges[applied]?.removeLast()
                    ranges[applied]?.append(status.map { _ in last.value.lowerBound...part.upperBound })
                    continue
                }
                if ranges[applied] == nil { order.append(applied) }
                ranges[applied, default: []].append(status.map { _ in part })
            }
        }
        if order.count == 1 { return [(self, order[0])] }
        return order.map { applied in
            var part = self
            part.statuses = ranges[applied] ?? []
            return (part, applied)
        }
    }

    private enum StatusKind { case refusal, gateway, other }

    /// All statuses in the order of their numbers.
    private static let stretches: [(ClosedRange<Int>, StatusKind)] = [
        (0...399, .other), (400...407, .refusal), (408...408, .gateway), (409...499, .refusal), (500...502, .other),
        (503...503, .gateway), (504...999, .other),
    ]

    /// Where the condition names 408 or 503 by itself, without a code or a value in the body, that status.
    package var gatewayStatus: Int? {
        guard codes.isEmpty, body.isEmpty else { return nil }
        return statuses.first { $0.value == 503...503 || $0.value == 408...408 }?.value.lowerBound
    }

    /// Whether it names nothing but the statuses 503 and 408.
    package var isGatewayStatus: Bool {
        codes.isEmpty && body.isEmpty && !statuses.isEmpty
            && statuses.allSatisfy { $0.value == 503...503 || $0.value == 408...408 }
    }
}

/// The end of a command that an error says was done already, by an earlier attempt.
package enum Settlement: String, Sendable, CaseIterable {
    /// It succeeds, without a payload.
    case success
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
