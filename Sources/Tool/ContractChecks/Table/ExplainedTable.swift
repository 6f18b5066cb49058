import ContractModel

/// The rows of one endpoint's table with what follows from each.
struct ExplainedTable {
    let endpoint: ResolvedEndpoint
    let contract: ResolvedContract
    private let canLogIn: Bool
    private let envelope: EnvelopeDefinition?

    init(_ endpoint: ResolvedEndpoint, _ contract: ResolvedContract) {
        self.endpoint = endpoint
        self.contract = contract
        envelope = endpoint.envelope.flatMap { contract.envelope(named: $0) }
        canLogIn = endpoint.session != .none && contract.session != nil
    }

    var rows: [EndpointExplanation.Row] {
        let hasReply = endpoint.delivery != Delivery.none
        let proved = TableProof(endpoint, envelope: envelope).rows.filter { hasReply || !$0.row.row.isAboutResponse }
        return proved.flatMap(declared) + [success] + builtIn(below: DeclaredRows(proved))
    }

    /// The declared rows. A response or failure that one of them always takes reaches no row of a built-in error.
    private struct DeclaredRows {
        private let rows: [DecisionRow]

        init(_ proved: [TableProof.Row]) {
            rows = proved.compactMap { row in
                if case .unreachable = row.finding { nil } else { row.row.row }
            }
        }

        func take(status: Int) -> Bool {
            rows.contains { $0.codes == nil && $0.matches(status: status, code: "", has: { _ in false }) }
        }

        func take(_ kind: TransportFaultKind) -> Bool { rows.contains { $0.transport.contains(kind) } }

        func take(_ code: CloseCode) -> Bool { rows.contains { $0.close?.contains(code) == true } }
    }

    /// One row, or several for a condition some of whose responses leave open whether the request was carried out.
    private func declared(_ proved: TableProof.Row) -> [EndpointExplanation.Row] {
        let row = proved.row
        let answer = row.condition.answer
        if case .unreachable(let reason) = proved.finding {
            return [
                EndpointExplanation.Row(
                    answer: answer, means: row.verdict.name, category: "unreachable", applied: "",
                    then: "never happens: \(reason.text(in: envelope))")
            ]
        }
        guard case .error = row.verdict, let error = contract.error(named: row.verdict.name) else {
            return [
                EndpointExplanation.Row(
                    answer: answer, means: row.verdict.name, category: "outcome", applied: "",
                    then: "returned to the caller")
            ]
        }
        let declared = error.declaredApplied?.value ?? (endpoint.effect == .read ? .never : nil)
        let parts =
            declared.map { [(condition: row.condition, applied: $0)] } ?? row.condition.parts(of: endpoint.request)
        let rows = parts.map { part in
            let failure = Consequence.Failure(
                category: error.category.value, applied: part.applied, isEndpointSpecific: row.isEndpointSpecific,
                evidence: row.row.isAboutResponse ? .responded : .sent,
                isOverConnection: isOverConnection(row.condition), renews: error.renewsSession,
                settles: row.row.isAboutResponse ? error.settles?.value : nil)
            return self.row(part.condition.answer, error.name.value, failure, retry: error.retry?.value)
        }
        // One row for responses after which the client does the same.
        guard rows.count > 1, Set(rows.map(\.then)).count == 1, var joined = rows.first else { return rows }
        joined.answer = answer
        joined.applied = parts.map { part in
            let statuses = part.condition.statuses.map(\.value.spelling).joined(separator: ", ")
            return statuses.isEmpty ? "otherwise \(part.applied.rawValue)" : "\(part.applied.rawValue) for \(statuses)"
        }.joined(separator: "; ")
        return [joined]
    }

    /// Whether the connection of a frame was lost, closed, or could not be opened.
    private func isOverConnection(_ condition: Condition) -> Bool {
        !condition.close.isEmpty || condition.transport.contains { isOverConnection($0.value) }
    }

    private func isOverConnection(_ kind: TransportFaultKind) -> Bool {
        guard endpoint.frame != nil else { return false }
        switch kind {
        case .dns, .refused, .lost, .tls: return true
        default: return false
        }
    }

    private var success: EndpointExplanation.Row {
        if endpoint.frame != nil, endpoint.delivery == .none {
            return EndpointExplanation.Row(
                answer: "the frame is written", means: "success", category: "", applied: "",
                then: "returned to the caller")
        }
        var parts = [
            contract.connection.flatMap { connection in
                endpoint.frame.map { "a frame of kind `\(connection.reply(to: $0))`" }
            } ?? "status 200..299" + (endpoint.definition.status.map { " (usually \($0.value))" } ?? "")
        ]
        if let envelope {
            if let error = envelope.error { parts.append("no `\(error.value.text)`") }
            if !envelope.success.isEmpty {
                parts.append("code \(envelope.success.map(\.value.spelling).joined(separator: ", "))")
            }
        }
        let answer = parts.joined(separator: ", ")
        return EndpointExplanation.Row(
            answer: answer, means: "success", category: "", applied: "", then: "returned to the caller")
    }

    private func builtIn(below declared: DeclaredRows) -> [EndpointExplanation.Row] {
        let usesSession = endpoint.session != .none
        if endpoint.frame != nil {
            let rows = builtInOfFrames(below: declared).map(row)
            return usesSession ? rows + [sessionEnded] : rows
        }
        var looked = Set<Int>()
        /// The statuses that no row before takes.
        func left(of statuses: some Sequence<Int>) -> [Int] {
            statuses.filter { looked.insert($0).inserted && !declared.take(status: $0) }
        }
        func answered(_ answer: String, _ status: Int, saysFailure: Bool = false) -> BuiltInRow {
            let error = BuiltInError(status: status, usesSession: usesSession, saysFailure: saysFailure)
            return BuiltInRow(answer: answer, error: error, status: status)
        }
        var all = BuiltInRow.ofTransport(below: declared)
        for alike in [[401], [408], [429], [503], [502, 504]] {
            let statuses = left(of: alike)
            guard let first = statuses.first else { continue }
            all.append(answered("status " + statuses.map(String.init).joined(separator: ", "), first))
        }
        if !left(of: 500...599).isEmpty { all.append(answered("status 500..", 500)) }
        let echoes = left(of: endpoint.request.echoStatuses)
        if let first = echoes.first {
            all.append(answered("status " + echoes.map(String.init).joined(separator: ", "), first))
        }
        if !left(of: 400...499).isEmpty { all.append(answered("status 400..499", 400)) }
        if let refusal { all.append(answered("status 200..299, \(refusal)", 200, saysFailure: true)) }
        if lacksCode { all.append(answered("status 200..299, no code", 200)) }
        // The condition of a success holds, or the body is what the contract declares, but for its payload.
        all.append(
            BuiltInRow(answer: "a success, unreadable payload", error: .malformed, status: 200, saysCarriedOut: true))
        all.append(answered("anything else", 300))
        let rows = all.map(row)
        return usesSession ? rows + [sessionEnded] : rows
    }

    /// The built-in errors of a command over a connection.
    private func builtInOfFrames(below declared: DeclaredRows) -> [BuiltInRow] {
        let usesSession = endpoint.session != .none
        var all = BuiltInRow.ofTransport(below: declared).map { row in
            var row = row
            row.isOverConnection = row.kinds.contains { isOverConnection($0) }
            return row
        }
        all += BuiltInRow.ofClose(below: declared)
        for (answer, status) in [
            ("401", 401), ("408", 408), ("429", 429), ("503", 503), ("502, 504", 502), ("500..", 500),
            ("400..499", 400),
            ("300..399", 300),
        ] {
            all.append(
                BuiltInRow(
                    answer: "the handshake is refused with status \(answer)",
                    error: BuiltInError(status: status, usesSession: usesSession, saysFailure: false), status: status,
                    evidence: .notSent))
        }
        guard endpoint.delivery != .none else { return all }
        if let failure = contract.connection?.failure {
            all.append(BuiltInRow(answer: "a frame of kind `\(failure.value)`", error: .rejected, status: 200))
        }
        if let refusal {
            all.append(BuiltInRow(answer: "a reply with \(refusal)", error: .rejected, status: 200))
        }
        all.append(
            BuiltInRow(answer: "a success, unreadable payload", error: .malformed, status: 200, saysCarriedOut: true))
        all.append(BuiltInRow(answer: "a reply of another kind", error: .malformed, status: 200))
        return all
    }

    /// What leads to a built-in error.
    private struct BuiltInRow {
        var answer: String
        var error: BuiltInError
        /// Nil without a response.
        var status: Int?
        var saysCarriedOut = false
        /// The failures of the transport that it stands for.
        var kinds: [TransportFaultKind] = []
        var isOverConnection = false
        /// How far the request got; nil for as far as the rest says.
        var evidence: Evidence?

        /// The codes of closed connections, together with those that lead to the same error.
        static func ofClose(below declared: DeclaredRows) -> [BuiltInRow] {
            var ranges: [BuiltInError: [ClosedRange<Int>]] = [:]
            var order: [BuiltInError] = []
            for number in 1000...4999 {
                let code = CloseCode(rawValue: UInt16(number))
                guard code.isSendable, !declared.take(code) else { continue }
                if ranges[code.meaning] == nil { order.append(code.meaning) }
                let last = ranges[code.meaning]?.last
                if let last, last.upperBound + 1 == number {
                    ranges[code.meaning]?.removeLast()
                    ranges[code.meaning]?.append(last.lowerBound...number)
                } else {
                    ranges[code.meaning, default: []].append(number...number)
                }
            }
            return order.map { error in
                let texts = (ranges[error] ?? []).map(\.spelling)
                return BuiltInRow(
                    answer: "close " + texts.joined(separator: ", "), error: error, isOverConnection: true,
                    evidence: .sent)
            }
        }

        /// The failures of the transport that a contract can name, together with those that lead to the same error.
        static func ofTransport(below declared: DeclaredRows) -> [BuiltInRow] {
            let left = TransportFaultKind.declarable.filter { !declared.take($0) }
            var kinds: [BuiltInError: [TransportFaultKind]] = [:]
            for kind in left { kinds[kind.builtIn, default: []].append(kind) }
            return left.compactMap { kind in
                guard let alike = kinds[kind.builtIn], alike.first == kind else { return nil }
                let names = alike.map(\.rawValue).joined(separator: ", ")
                return BuiltInRow(answer: "transport \(names)", error: kind.builtIn, kinds: alike)
            }
        }
    }

    private func row(_ builtIn: BuiltInRow) -> EndpointExplanation.Row {
        let (error, status) = (builtIn.error, builtIn.status)
        let redeclared = redeclared(error)
        let applied: Applied =
            switch builtIn.evidence {
            case .notSent?: .never
            case .sent?: .maybe
            default: applied(builtIn, declared: redeclared?.declaredApplied?.value)
            }
        let failure = Consequence.Failure(
            category: redeclared?.category.value ?? error.category, applied: applied, isEndpointSpecific: false,
            evidence: builtIn.evidence ?? (status == nil ? .sent : .responded),
            isOverConnection: builtIn.isOverConnection, renews: redeclared?.renewsSession ?? true)
        var row = row(builtIn.answer, error.rawValue, failure, retry: redeclared?.retry?.value)
        if error == .offline, failure.category == .retryable { row.then = Self.offline(endpoint.patience) }
        return row
    }

    private func applied(_ builtIn: BuiltInRow, declared: Applied?) -> Applied {
        let (error, status) = (builtIn.error, builtIn.status)
        return status == nil
            ? error.applied(status: nil, to: endpoint.request)
            : error.applied(
                inResponse: status, to: endpoint.request, declared: declared, saysCarriedOut: builtIn.saysCarriedOut)
    }

    /// Whether a success status needs a code, so that an empty body is neither a success nor a refusal.
    private var lacksCode: Bool {
        envelope.map { !$0.success.isEmpty } ?? false
    }

    /// The part of an envelope that makes a response with a success status a failure; nil if the envelope has no such part.
    private var refusal: String? {
        guard let envelope else { return nil }
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

    private static func offline(_ patience: WaitLimit?) -> String {
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
        let rule = endpoint.retryRule(ofError: retry)
        let consequence = Consequence(failure, effect: endpoint.effect, rule: rule, canLogIn: canLogIn)
        return EndpointExplanation.Row(
            answer: answer, means: name, category: failure.category.rawValue,
            // A read changes nothing.
            applied: (endpoint.effect == .read && failure.applied == .maybe ? .never : failure.applied).rawValue,
            then: consequence.text(effect: endpoint.effect, attempts: rule.attempts)
        )
    }
}

extension Condition {
    /// The required response, as a row of an explained table says it.
    package var answer: String {
        var parts: [String] = []
        if !close.isEmpty {
            parts.append("close " + close.map(\.value.spelling).joined(separator: ", "))
        }
        if !transport.isEmpty {
            parts.append("transport " + transport.map(\.value.rawValue).joined(separator: ", "))
        }
        parts += body.map { "`\($0.path.value.text)` = \($0.text.value)" }
        if let text { parts.append("text `\(text.value)`") }
        parts += headers.map { "header `\($0.name.value): \($0.text.value)`" }
        if !codes.isEmpty {
            parts.append("code " + codes.map(\.value.spelling).joined(separator: ", "))
        }
        let statuses = statuses.map(\.value.spelling)
        if !statuses.isEmpty { parts.append("status " + statuses.joined(separator: ", ")) }
        return parts.joined(separator: ", ")
    }
}
