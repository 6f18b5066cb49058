import ContractModel
import Diagnostics

package enum CategoryContradictsStatus: LintRule {
    package static let kind = FindingKind(
        "category-contradicts-status", .warning,
        page: """
            An error whose category contradicts its status: `retryable` for a 4xx, `nonRetryable` for a 503 or for the 401 of a
            session, or `requiresLogout` for a 5xx.

            ## Why is this bad
            A 4xx means that the request itself is wrong (RFC 9110, section 15.5). The same request fails again, so the user waits for
            three attempts and their pauses before the app shows the error. 408, 425 and 429 are exceptions. A 503 means the reverse: a
            later attempt may succeed. If a 401 does not end the session, every further request of the app fails. If a 5xx ends the
            session, every failure of the server logs all users out. The rule allows a retryable 409 on a `keyed` endpoint, because the
            first attempt may still be in progress. It also allows errors that name a code, a body value, a text or a header, because these
            say more than the status: a 403 with `X-RateLimit-Remaining: 0` is over when the limit begins anew. If no category fits a
            range such as `400..599`, declare an error for each category.

            ## Example
            ```yaml
            noSuchBook: {category: retryable, message: There is no such book., when: {status: 404}}
            ```
            ## Use instead
            ```yaml
            noSuchBook: {category: nonRetryable, message: There is no such book., when: {status: 404}}
            ```
            """)

    package static let tags: [RuleTag] = [.errors, .retry]

    private static let passing: Set<Int> = [408, 425, 429]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let sessions = Self.errorsOfSessions(subject)
        let keyed = Self.errorsOfKeyedEndpoints(subject)
        for error in subject.contract.errors {
            for condition in error.conditions where condition.isOfStatusAlone {
                for status in condition.statuses {
                    let isOfSession = sessions.contains(error.name.value)
                    guard
                        let (example, why) = contradiction(
                            error.category.value, status.value, isOfSession: isOfSession)
                    else { continue }
                    // The first attempt of a keyed command may still be under way, which a 409 says.
                    if example == 409, keyed.contains(error.name.value) { continue }
                    let fitting = fittingCategory(of: error, isOfSession: isOfSession)
                    report.add(
                        "`\(error.name.value)` is \(error.category.value.rawValue), but HTTP \(example) \(why)",
                        at: error.category.range,
                        notes: [DiagnosticNote("its condition", at: status.range)],
                        help: fitting.map {
                            "write `category: \($0.rawValue)`, or add a code or a body value to the condition"
                        }
                            ?? "no category fits all of these statuses; declare an error for each category, with its own statuses",
                        fix: fitting.flatMap { subject.replacing(error.category, with: $0) }
                    )
                }
            }
        }
    }

    /// The errors that a command with a session can fail with.
    private static func errorsOfSessions(_ subject: LintSubject) -> Set<String> {
        guard subject.session != nil else { return [] }
        var tables = Set<ObjectIdentifier>()
        var names = Set<String>()
        for endpoint in subject.endpoints where endpoint.resolved.session == .required {
            guard tables.insert(ObjectIdentifier(endpoint.table)).inserted else { continue }
            names.formUnion(endpoint.errors.map(\.name.value))
        }
        return names
    }

    /// The errors that only `keyed` endpoints list.
    private static func errorsOfKeyedEndpoints(_ subject: LintSubject) -> Set<String> {
        var names = Set<String>()
        var others = Set(subject.contract.defaults.errors.map(\.value))
        for endpoint in subject.endpoints {
            let own = endpoint.ownErrors.map(\.error.name.value)
            if endpoint.resolved.effect == .keyed { names.formUnion(own) } else { others.formUnion(own) }
        }
        return names.subtracting(others)
    }

    /// The category that fits every status of the error; nil if no category does.
    private static func fittingCategory(of error: ErrorDefinition, isOfSession: Bool) -> ErrorCategory? {
        let statuses = error.conditions.flatMap(\.statuses).map(\.value)
        // A session ends with a 401 alone.
        if isOfSession, statuses.allSatisfy({ $0 == 401...401 }) { return .requiresLogout }
        return [ErrorCategory.nonRetryable, .retryable].first { category in
            // `throttling-not-retryable` has its own advice.
            (category == .retryable || !statuses.contains { $0.contains(429) })
                && statuses.allSatisfy { contradiction(category, $0, isOfSession: isOfSession) == nil }
        }
    }

    /// The first status of the range that the category does not fit, and the reason.
    private static func contradiction(
        _ category: ErrorCategory, _ range: ClosedRange<Int>, isOfSession: Bool
    ) -> (Int, String)? {
        switch category {
        case .retryable:
            guard range.overlaps(400...499),
                let status = range.clamped(to: 400...499).first(where: { !passing.contains($0) })
            else { return nil }
            return (status, "means that the same request fails again")
        case .nonRetryable:
            if range.contains(503) { return (503, "means that a later attempt may succeed") }
            return isOfSession && range == 401...401
                ? (401, "means that the session is over") : nil
        case .requiresLogout:
            guard range.overlaps(500...599) else { return nil }
            return (max(500, range.lowerBound), "does not mean that the session is over")
        }
    }
}
