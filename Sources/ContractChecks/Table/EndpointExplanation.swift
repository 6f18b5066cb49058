import ContractModel

/// One endpoint as `errand explain SERVICE ENDPOINT` shows it: its decision table, which the generated parser is printed
/// from, what is sent again in which case, and how long that can take.
package struct EndpointExplanation: Sendable {
    package struct Row: Sendable {
        /// The required response.
        package var answer: String
        package var means: String
        package var category: String
        package var applied: String
        package var then: String
    }

    /// `POST /transfers`.
    package var request: String
    /// One sentence about sending it twice.
    package var effect: String
    /// In the order in which they are looked at; success and the built-in errors are after the declared rows.
    package var rows: [Row]
    /// One sentence about the redirects that are not followed, because the contract says so; nil if it says nothing.
    package var redirects: String?
    /// The limit of waiting for the network, a login or a person.
    package var patience: String
    /// Each attempt with its time, if every attempt and pause takes its maximum.
    package var timeline: [String]
    /// The header that says when the service's rate limit ends.
    package var rateLimit: String

    package init?(_ name: String, in contract: ResolvedContract) {
        guard let endpoint = contract.endpoints.first(where: { $0.name.value == name }) else { return nil }
        let table = ExplainedTable(endpoint, contract)
        request = Self.request(endpoint)
        effect = Self.sentence(endpoint)
        patience = Self.sentence(endpoint.patience, deadline: endpoint.deadline ?? RuntimeDefaults.deadline)
        rows = table.rows
        redirects = Self.redirects(endpoint)
        timeline = Self.timeline(AttemptTimeline(endpoint))
        rateLimit = Self.sentence(contract.rateLimit)
    }

    private static func request(_ endpoint: ResolvedEndpoint) -> String {
        switch endpoint.target {
        case .frame(let name): return "frame \(name.value)"
        case .http(let method, let path):
            let parts: [String] =
                switch path.value {
                case .wholeURL(let field): ["{\(field.name.value)}"]
                case .path(let parts):
                    parts.map { part in
                        switch part {
                        case .text(let text): text
                        case .parameter(let field): "{\(field.name.value)}"
                        }
                    }
                }
            return "\(method.rawValue.uppercased()) \(parts.joined())"
        }
    }

    private static func sentence(_ endpoint: ResolvedEndpoint) -> String {
        switch endpoint.effect {
        case .read: "the request only reads, so the client may send it again"
        case .idempotent: "a second request changes nothing more, so the client may send it again"
        case .keyed:
            "the server recognizes it by its key\(endpoint.keyPlace.map { " in \(Self.words(for: $0))" } ?? "")\(endpoint.keyLifetime.map { " for \(TimeText.of($0))" } ?? ""), so the client may send it again with the same key"
        case .once: "the client sends it again only if the server certainly did nothing"
        }
    }

    private static func redirects(_ endpoint: ResolvedEndpoint) -> String? {
        let final = [301, 302, 303, 307, 308].filter { status in
            endpoint.table.rows.contains { $0.condition.statuses.contains { $0.value.contains(status) } }
        }
        let limit = endpoint.redirects
        if limit == 0 { return "the client follows no redirect" }
        let most = limit.map { ", at most \($0) in a row" } ?? ""
        guard !final.isEmpty else { return limit.map { "the client follows at most \($0) redirects in a row" } }
        let list = final.map(String.init).joined(separator: ", ")
        return
            "the client does not follow a redirect with status \(list), which has a row here; it follows others\(most)"
    }

    private static func words(for place: IdempotencyKeyDefinition.Place) -> String {
        switch place {
        case .header(let name): "the header `\(name.value)`"
        case .field(let name): "the field `\(name.value)`"
        }
    }

    private static func sentence(_ patience: Patience?, deadline: Int) -> String {
        switch patience {
        case .forever: "it waits for the network, a login or a person without a limit"
        case .upTo(0): "it never waits for the network, a login or a person"
        case .upTo(let limit):
            "it waits for the network, a login or a person for at most \(TimeText.of(limit)) in total"
        case nil:
            "it waits for the network for at most \(TimeText.of(deadline)), its deadline, and for a login or a person for at most ten minutes, unless the app's dispatcher has other limits"
        }
    }

    private static func sentence(_ limit: RateLimitDefinition?) -> String {
        let usual = "`Retry-After` and `RateLimit`"
        guard let limit else { return "it pauses for as long as \(usual) say, and fails at once for more than an hour" }
        let unit = limit.unit.value == .timestamp ? "seconds since 1970" : limit.unit.value.rawValue
        return
            "it pauses for as long as `\(limit.reset.value)` (in \(unit)), \(usual) say, and fails at once for more than an hour"
    }

    private static func timeline(_ timeline: AttemptTimeline) -> [String] {
        var lines = timeline.steps.enumerated().map { position, step in
            "attempt \(position + 1)  from \(TimeText.of(step.start)) to \(TimeText.of(step.end))"
        }
        let last = timeline.steps.last?.end ?? 0
        if timeline.begun < timeline.attempts {
            lines.append(
                "attempts \(timeline.begun + 1) to \(timeline.attempts) never begin: the deadline is \(TimeText.of(timeline.deadline))"
            )
        } else {
            lines.append(
                "ends after \(TimeText.of(last)) at the latest; the deadline is \(TimeText.of(timeline.deadline))")
        }
        return lines
    }
}

/// The rows of one endpoint's table with what follows from each.
private struct ExplainedTable {
    let endpoint: ResolvedEndpoint
    let contract: ResolvedContract
    private let canLogIn: Bool

    init(_ endpoint: ResolvedEndpoint, _ contract: ResolvedContract) {
        self.endpoint = endpoint
        self.contract = contract
        canLogIn = endpoint.session != .none && contract.session != nil
    }

    var rows: [EndpointExplanation.Row] { endpoint.table.rows.map(declared) + [success] + builtIn }

    private func declared(_ row: DecisionRow) -> EndpointExplanation.Row {
        let answer = text(row.condition)
        guard case .error(let name) = row.target, let error = contract.error(named: name) else {
            return EndpointExplanation.Row(
                answer: answer, means: row.target.name, category: "outcome", applied: "", then: "returned to the caller"
            )
        }
        let failure = Consequence.Failure(
            category: error.category.value, applied: row.applied, isOwn: row.isOwn,
            isAnswered: row.condition.transport.isEmpty,
            renews: error.renewsSession
        )
        return self.row(answer, name, failure, retry: error.retry?.value)
    }

    private var success: EndpointExplanation.Row {
        var parts = ["status 200..299"]
        if let envelope = endpoint.envelope.flatMap({ contract.envelope(named: $0) }) {
            if let error = envelope.error { parts.append("no `\(error.value.text)`") }
            if !envelope.success.isEmpty {
                parts.append("code \(envelope.success.map(\.value.spelling).joined(separator: ", "))")
            }
        }
        let answer = parts.joined(separator: ", ")
        return EndpointExplanation.Row(
            answer: answer, means: "success", category: "", applied: "", then: "returned to the caller")
    }

    private var builtIn: [EndpointExplanation.Row] {
        let usesSession = endpoint.session != .none
        var all: [(String, BuiltInError, Int?, Bool)] = [
            ("transport offline", .offline, nil, false),
            ("transport dns, refused", .unreachable, nil, false),
            ("transport lost", .connectionLost, nil, false),
            ("transport timeout", .timedOut, nil, false),
            ("transport tls", .insecure, nil, false),
            ("status 401", usesSession ? .unauthenticated : .rejected, 401, true),
            ("status 408", .requestTimeout, 408, true),
            ("status 429", .throttled, 429, true),
            ("status 503", .unavailable, 503, true),
            ("status 502, 504", .unavailable, 502, true),
            ("status 500..", .serverFault, 500, true),
            ("status 400..499", .rejected, 400, true),
        ]
        if let refusal { all.append(("status 200..299, \(refusal)", .rejected, 200, true)) }
        if lacksCode { all.append(("status 200..299, no code", .malformed, 200, true)) }
        all.append((Self.unreadable, .malformed, 200, true))
        all.append(("anything else", .malformed, nil, true))
        let rows = all.map { answer, kind, status, isAnswered in
            let redeclared = redeclared(kind)
            let failure = Consequence.Failure(
                category: redeclared?.category.value ?? kind.category,
                applied: kind.applied(effect: endpoint.effect, status: status),
                isOwn: false, isAnswered: isAnswered, renews: redeclared?.renewsSession ?? true
            )
            var row = row(answer, kind.rawValue, failure, retry: redeclared?.retry?.value)
            if kind == .offline, failure.category == .retryable { row.then = Self.offline(endpoint.patience) }
            // The server has said that the command was carried out, so its effect is known.
            if answer == Self.unreadable, redeclared?.declaredApplied?.value != .never {
                row.applied = "yes"
                if row.then == Consequence.unconfirmed { row.then = Consequence.ending }
            }
            return row
        }
        return usesSession ? rows + [sessionEnded] : rows
    }

    /// The condition of a success holds, or the body is what the contract declares, but for its payload.
    private static let unreadable = "a success, unreadable payload"

    /// Whether a success status needs a code, so that an empty body is neither a success nor a refusal.
    private var lacksCode: Bool {
        endpoint.envelope.flatMap { contract.envelope(named: $0) }.map { !$0.success.isEmpty } ?? false
    }

    /// The part of an envelope that makes a response with a success status a failure; nil if the envelope has no such part.
    private var refusal: String? {
        guard let envelope = endpoint.envelope.flatMap({ contract.envelope(named: $0) }) else { return nil }
        switch (envelope.error?.value.text, envelope.success.isEmpty) {
        case (let error?, true): return "`\(error)`"
        case (let error?, false): return "`\(error)`, or another code"
        case (nil, false): return "another code"
        case (nil, true): return nil
        }
    }

    private func redeclared(_ error: BuiltInError) -> ErrorDefinition? {
        contract.redeclared.first { $0.name.value == error.rawValue }
    }

    private static func offline(_ patience: Patience?) -> String {
        patience == .upTo(0) ? "ends with it" : "waits for the network, then sent"
    }

    /// A row without a response: it ends a command in any wait.
    private var sessionEnded: EndpointExplanation.Row {
        let category = redeclared(.sessionEnded)?.category.value ?? BuiltInError.sessionEnded.category
        return EndpointExplanation.Row(
            answer: "the session is over", means: BuiltInError.sessionEnded.rawValue, category: category.rawValue,
            applied: endpoint.effect.isUnsafe ? "by attempt" : Applied.never.rawValue,
            then: "ends with it, even while it waits"
        )
    }

    private func row(_ answer: String, _ name: String, _ failure: Consequence.Failure, retry: RetryDefinition?)
        -> EndpointExplanation.Row
    {
        let attempts = AttemptTimeline(endpoint, rule: retry).attempts
        let consequence = Consequence(failure, effect: endpoint.effect, attempts: attempts, canLogIn: canLogIn)
        return EndpointExplanation.Row(
            answer: answer, means: name, category: failure.category.rawValue,
            // A read changes nothing.
            applied: (endpoint.effect == .read ? .never : failure.applied).rawValue,
            then: consequence.text(effect: endpoint.effect, attempts: attempts)
        )
    }

    private func text(_ condition: Condition) -> String {
        var parts: [String] = []
        if !condition.transport.isEmpty {
            parts.append("transport " + condition.transport.map(\.value.rawValue).joined(separator: ", "))
        }
        parts += condition.body.map { "`\($0.path.value.text)` = \($0.text.value)" }
        if !condition.codes.isEmpty {
            parts.append("code " + condition.codes.map(\.value.spelling).joined(separator: ", "))
        }
        let statuses = condition.statuses.map {
            $0.value.count == 1 ? "\($0.value.lowerBound)" : "\($0.value.lowerBound)..\($0.value.upperBound)"
        }
        if !statuses.isEmpty { parts.append("status " + statuses.joined(separator: ", ")) }
        return parts.joined(separator: ", ")
    }
}
