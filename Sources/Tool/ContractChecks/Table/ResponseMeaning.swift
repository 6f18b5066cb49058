import ContractModel

/// The meaning of a response, or of a failure of the transport, to a client of an endpoint.
package struct ResponseMeaning: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case success
        /// An outcome of the endpoint, by its name.
        case outcome(String)
        /// An error of the contract, by its name.
        case error(String)
        case builtIn(BuiltInError)
    }

    package let kind: Kind
    /// Nil for a success and for an outcome.
    package let category: ErrorCategory?
    /// Whether the server may have carried out the request. Nil for a success and for an outcome.
    package let applied: Applied?

    package static let success = ResponseMeaning(kind: .success, category: nil, applied: nil)

    package init(kind: Kind, category: ErrorCategory?, applied: Applied?) {
        self.kind = kind
        self.category = category
        self.applied = applied
    }

    /// The name in the contract or in the runtime; `success` for a success.
    package var name: String {
        switch kind {
        case .success: "success"
        case .outcome(let name), .error(let name): name
        case .builtIn(let error): error.rawValue
        }
    }
}

/// The meaning of all responses that a row of a table takes.
package struct RowMeaning: Sendable, Hashable {
    fileprivate let kind: ResponseMeaning.Kind
    fileprivate let category: ErrorCategory?
    /// Decides whether the server may have carried out a request with such a response. Nil for an outcome.
    fileprivate let applied: AppliedRule?
    /// What the request is, as far as this rule asks for it.
    fileprivate let request: RequestKind?
}

/// What a client does after a response, or after a failure of the transport.
package struct ResponseConsequence: Sendable, Equatable {
    /// `sent again, 3 attempts in total`
    package let text: String
    /// Whether it sends the request again without a login.
    package let isSentAgain: Bool

    /// A success and an outcome are returned to the caller.
    static let returned = ResponseConsequence(text: "returned to the caller", isSentAgain: false)
}

/// Classifies the responses of one endpoint as the runtime does: by the table, then by the condition of a success, then by the
/// built-in errors, which together cover every response.
package struct ResponseClassifier {
    package let endpoint: ResolvedEndpoint
    package let envelope: EnvelopeDefinition?
    /// The meaning of each row of the table.
    package let meanings: [RowMeaning]
    private let contract: ResolvedContract
    private let index: RowIndex
    private let canLogIn: Bool

    package init(_ endpoint: ResolvedEndpoint, _ contract: ResolvedContract) {
        self.endpoint = endpoint
        self.contract = contract
        envelope = endpoint.envelope.flatMap { contract.envelope(named: $0) }
        index = RowIndex(endpoint.table.rows, envelope)
        canLogIn = endpoint.session != .none && contract.session != nil
        meanings = endpoint.table.rows.map { row in
            guard case .error(let name) = row.verdict else {
                return RowMeaning(kind: .outcome(row.verdict.name), category: nil, applied: nil, request: nil)
            }
            let error = contract.error(named: name.description)
            return RowMeaning(
                kind: .error(name.description), category: error?.category.value ?? .nonRetryable,
                applied: row.row.appliedRule, request: endpoint.request)
        }
    }

    /// Everything beside the rows that a meaning depends on. Two endpoints with the same basis and the same rows have the same
    /// meanings.
    package struct Basis: Hashable {
        let isFrame: Bool
        let delivery: Delivery
        let hasBody: Bool
        let usesSession: Bool
        let request: RequestKind
        let success: Set<CodeMatch>
        let code: FieldPath?
        let error: FieldPath?
        let hasFailureFrame: Bool
        let redeclared: [String: [String]]

        package init(_ endpoint: ResolvedEndpoint, _ contract: ResolvedContract) {
            let envelope = endpoint.envelope.flatMap { contract.envelope(named: $0) }
            isFrame = endpoint.frame != nil
            delivery = endpoint.delivery
            hasBody = endpoint.method != .head
            usesSession = endpoint.session != .none
            request = endpoint.request
            success = Set(envelope?.success.map(\.value) ?? [])
            code = envelope?.code?.value
            error = envelope?.error?.value
            hasFailureFrame = contract.connection?.failure != nil
            redeclared = Dictionary(
                contract.redeclared.map {
                    ($0.name.value, [$0.category.value.rawValue, $0.declaredApplied?.value.rawValue ?? ""])
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    package var basis: Basis { Basis(endpoint, contract) }

    package var isFrame: Bool { endpoint.frame != nil }
    package var hasFailureFrame: Bool { contract.connection?.failure != nil }

    // MARK: Meanings

    package func meaning(of response: SampleResponse) -> ResponseMeaning { meaning(match(response)) }

    package func meaning(of kind: TransportFaultKind) -> ResponseMeaning { meaning(match(kind)) }

    package func meaning(of code: CloseCode) -> ResponseMeaning { meaning(match(code)) }

    /// What a response belongs to.
    private enum Match {
        /// A row of the table, with the status of the response; nil without a response.
        case row(Int, status: Int?)
        case success
        /// A built-in error, with the status of the response; nil without a response.
        case builtIn(BuiltInError, status: Int?, evidence: Evidence)
    }

    private func match(_ response: SampleResponse) -> Match {
        var response = response
        if response.code == nil, let path = envelope?.code?.value { response.code = response.body[path] }
        if let position = index.first(matching: response, where: { _ in true }) {
            return .row(position, status: response.status)
        }
        let code = response.code ?? ""
        let hasError = envelope?.error.map { response.has($0.value, codeAt: envelope?.code?.value) } ?? false
        let isReply = isFrame && response.status == 200
        if (200..<300).contains(response.status), !response.isFailureFrame, saysSuccess(code, hasError: hasError) {
            return .success
        }
        let error =
            response.isFailureFrame
            ? .rejected
            : BuiltInError(
                status: response.status, usesSession: endpoint.session != .none,
                saysFailure: hasError || !code.isEmpty)
        return .builtIn(error, status: response.status, evidence: isFrame && !isReply ? .notSent : .responded)
    }

    private func match(_ kind: TransportFaultKind) -> Match {
        if let row = endpoint.table.rows.firstIndex(where: { $0.row.transport.contains(kind) }) {
            return .row(row, status: nil)
        }
        return .builtIn(kind.builtIn, status: nil, evidence: .sent)
    }

    private func match(_ code: CloseCode) -> Match {
        let rows = endpoint.table.rows
        if let row = rows.firstIndex(where: { $0.row.close?.contains(code) == true }) {
            return .row(row, status: nil)
        }
        if let kind = code.transport, let row = rows.firstIndex(where: { $0.row.transport.contains(kind) }) {
            return .row(row, status: nil)
        }
        return .builtIn(code.meaning, status: nil, evidence: .sent)
    }

    private func saysSuccess(_ code: String, hasError: Bool) -> Bool {
        guard let envelope else { return true }
        if envelope.error != nil, hasError { return false }
        return CodeSet(envelope.success.map(\.value))?.contains(code) ?? true
    }

    private func meaning(_ match: Match) -> ResponseMeaning {
        switch match {
        case .row(let position, let status):
            let row = meanings[position]
            let applied = row.applied.map {
                Self.told($0.applied(status: status, to: endpoint.request), endpoint.effect)
            }
            return ResponseMeaning(kind: row.kind, category: row.category, applied: applied)
        case .success: return .success
        case .builtIn(let error, let status, let evidence):
            let redeclared = redeclared(error)
            let applied: Applied =
                evidence == .notSent
                ? .never
                : status == nil
                    ? error.applied(status: nil, to: endpoint.request)
                    : error.applied(
                        inResponse: status, to: endpoint.request, declared: redeclared?.declaredApplied?.value,
                        saysCarriedOut: false)
            return ResponseMeaning(
                kind: .builtIn(error), category: redeclared?.category.value ?? error.category,
                applied: Self.told(applied, endpoint.effect))
        }
    }

    private func redeclared(_ error: BuiltInError) -> ErrorDefinition? {
        contract.redeclared.first { $0.name.value == error.rawValue }
    }

    /// A read changes nothing.
    private static func told(_ applied: Applied, _ effect: Effect) -> Applied {
        effect == .read && applied == .maybe ? .never : applied
    }

    // MARK: Consequences

    /// What the client does after a response.
    package func consequence(of response: SampleResponse) -> ResponseConsequence { consequence(match(response)) }

    package func consequence(of kind: TransportFaultKind) -> ResponseConsequence {
        consequence(match(kind), isOverConnection: isFrame && [.dns, .refused, .lost, .tls].contains(kind))
    }

    package func consequence(of code: CloseCode) -> ResponseConsequence {
        consequence(match(code), isOverConnection: true)
    }

    private func consequence(_ match: Match, isOverConnection: Bool = false) -> ResponseConsequence {
        let meaning = meaning(match)
        guard let category = meaning.category, let applied = meaning.applied else { return .returned }
        let error: ErrorDefinition?
        var isEndpointSpecific = false
        var settles: SettlingRule?
        let evidence: Evidence
        switch match {
        case .row(let position, _):
            let row = endpoint.table.rows[position]
            error = contract.error(named: row.verdict.name)
            isEndpointSpecific = row.isEndpointSpecific
            evidence = row.row.isAboutResponse ? .responded : .sent
            settles = row.row.isAboutResponse ? error?.settles?.value : nil
        case .builtIn(let builtIn, _, let found): (error, evidence) = (redeclared(builtIn), found)
        case .success: return .returned
        }
        let rule = endpoint.retryRule(ofError: error?.retry?.value)
        let failure = Consequence.Failure(
            category: category, applied: applied, isEndpointSpecific: isEndpointSpecific, evidence: evidence,
            isOverConnection: isOverConnection, renews: error?.renewsSession ?? true, settles: settles)
        let consequence = Consequence(failure, effect: endpoint.effect, rule: rule, canLogIn: canLogIn)
        return ResponseConsequence(
            text: consequence.text(effect: endpoint.effect, attempts: rule.attempts),
            isSentAgain: [.isSentAgain, .isSentAgainOnNextConnection].contains(consequence))
    }
}

extension SampleResponse {
    /// Whether something is at a path, or in an object at it.
    fileprivate func has(_ path: FieldPath, codeAt codePath: FieldPath?) -> Bool {
        if code != nil, let codePath, codePath.keys.starts(with: path.keys) { return true }
        return body.keys.contains { $0.keys.starts(with: path.keys) }
    }
}
