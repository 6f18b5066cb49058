/// A failed attempt, with what the contract says about the error.
///
/// An object, so that a command that waits has room for a reference to one only.
final class FailedAttempt: Error {
    enum Cause {
        case declared(DeclaredName, Payload?)
        case builtIn(CommandFault.Kind, JSONError?)
    }

    let category: ErrorCategory
    /// Whether the attempt may have been carried out, evidence considered.
    let applied: Applied
    /// The contract's rule for retrying this error.
    let retry: RetryRule?
    /// Whether the error may start a login.
    let renews: Bool
    /// Whether the command was not sent, and would not be if it were tried again as things are.
    let isPermanent: Bool
    /// Whether it only shows that the list has ended: the caller hears of no failure.
    let isEndOfList: Bool
    let cause: Cause
    let name: String
    /// Whether the contract's defaults list it, so that any command may fail with it.
    private let isShared: Bool
    /// Whether the endpoint itself lists the error, as opposed to inheriting it from the contract's defaults. False after a
    /// redirect, because the error of another place doesn't settle what the first one has done.
    let isEndpointSpecific: Bool
    /// When the contract takes it for a success of the command; nil for never. Nil after a redirect, for the same reason.
    let settling: SettlingRule?
    private let message: String?
    /// Whether the message is the contract's, which may show data of the response.
    private var isTemplate: Bool { message != nil }
    private let messageKey: String
    private let brokenFields: [BrokenField]
    /// Whether the command changes nothing.
    private let isRead: Bool

    var isDeclared: Bool {
        if case .declared = cause { true } else { false }
    }

    var isCancelled: Bool {
        if case .builtIn(.cancelled, _) = cause { true } else { false }
    }

    /// Whether there was no network.
    var isOffline: Bool {
        if case .builtIn(.offline, _) = cause { true } else { false }
    }

    var isSessionEnded: Bool {
        if case .builtIn(.sessionEnded, _) = cause { true } else { false }
    }

    /// Whether it shows a server that works: a final answer that the endpoint itself lists. Others may come from a gateway.
    func settles(by summary: AttemptSummary) -> Bool {
        summary.evidence == .responded && isEndpointSpecific && category == .nonRetryable
    }

    /// Whether the service itself has refused the command: with an error that the contract declares, or with another 4xx in the form
    /// in which the service tells failures.
    private func isRefusal(by summary: AttemptSummary) -> Bool {
        guard summary.evidence == .responded, !summary.isAbroad else { return false }
        return switch cause {
        case .declared: !summary.isOfGateway
        case .builtIn(.rejected, _): summary.hasServiceForm
        case .builtIn: false
        }
    }

    /// The failure that an attempt was classified as.
    convenience init(_ error: ClassifiedError, _ endpoint: EndpointDescription, _ summary: AttemptSummary) {
        switch error {
        case .declared(let row, let payload):
            guard case .error(let error) = row.verdict, let description = endpoint.service.error(error) else {
                self.init(builtIn: .malformed, nil, endpoint, applied: .maybe)
                return
            }
            self.init(
                declared: row, error, payload, description, of: endpoint, summary,
                isMoved: Self.isMoved(summary, endpoint))
        case .builtIn(let kind, let fault):
            let applied: Applied =
                switch summary.evidence {
                case .responded where Self.applied(kind, endpoint, summary) == .yes: .yes
                case _ where Self.isMoved(summary, endpoint): .maybe
                case .notSent, .unprocessed: summary.mayHaveBeenApplied ? .maybe : .never
                // Whatever ended it: it was under way and may have been carried out.
                case .sent: .maybe
                case .responded where kind == .cancelled: .maybe
                case .responded: Self.overall(Self.applied(kind, endpoint, summary), endpoint, summary)
                }
            self.init(builtIn: kind, fault, endpoint, applied: applied, Self.broken(kind, summary))
        }
    }

    /// What of the command's own is at fault.
    private static func broken(_ kind: CommandFault.Kind, _ summary: AttemptSummary) -> [BrokenField] {
        let fault = summary.underlying as? TransportFault
        switch kind {
        case .localStorageFull, .localFault, .invalidRequest, .bodyChanged:
            if let problem = fault?.underlying as? BodySourceError {
                return [BrokenField(name: "body", reason: problem.description)]
            }
            if let problem = fault?.underlying as? SessionStoreError {
                return [BrokenField(name: "journal", reason: "cannot be used: \(problem)")]
            }
            if fault?.underlying is ProxyError { return [BrokenField(name: "proxy", reason: "cannot be used")] }
            if fault?.underlying is PinError { return [BrokenField(name: "pins", reason: "cannot be used")] }
            if fault?.underlying is ClientCertificateError {
                return [BrokenField(name: "client certificate", reason: "cannot be used")]
            }
            if let problem = summary.underlying as? DownloadError {
                return [BrokenField(name: "destination", reason: problem.description)]
            }
            return []
        default: return []
        }
    }

    /// Whether the place that the request was sent to may have acted on it, whatever the place says that a redirect leads to. A
    /// redirect is an attempt of its own. Only one to the same path with or without a slash says what it means for the first place.
    private static func isMoved(_ summary: AttemptSummary, _ endpoint: EndpointDescription) -> Bool {
        summary.followed == .open && endpoint.effect != .read
    }

    /// Whether a response with a built-in error says that the request was carried out.
    private static func applied(
        _ kind: CommandFault.Kind, _ endpoint: EndpointDescription, _ summary: AttemptSummary
    ) -> Applied {
        let declared = endpoint.service.redeclaration(of: kind)?.applied
        return kind.applied(
            inResponse: summary.status, to: endpoint.request,
            declared: declared ?? (summary.showsNothingDone ? .never : nil), saysCarriedOut: summary.saysCarriedOut)
    }

    /// Whether any attempt of a command may have been carried out, by what the response to the last one says of that. A refusal of the
    /// last attempt does not say that the earlier ones were refused.
    private static func overall(
        _ applied: Applied, _ endpoint: EndpointDescription, _ summary: AttemptSummary
    ) -> Applied {
        applied == .never && summary.mayHaveBeenApplied && endpoint.effect != .read ? .maybe : applied
    }

    /// A failure between attempts. Only earlier attempts may have been carried out.
    ///
    /// - Parameter isPermanent: whether a gate has refused the command.
    convenience init(
        _ kind: CommandFault.Kind, _ endpoint: EndpointDescription, mayHaveBeenApplied: Bool, isPermanent: Bool = false
    ) {
        self.init(builtIn: kind, nil, endpoint, applied: mayHaveBeenApplied ? .maybe : .never, isPermanent: isPermanent)
    }

    /// A command that got no session, although the app didn't decline to log in and the server didn't refuse the login. A
    /// renewal without a network shows nothing about the session, and the same command can be sent again later.
    ///
    /// - Parameters:
    ///   - isOver: whether the session is over. Then a refusal is the reason.
    ///   - isPermanent: whether the gate has refused the command for good.
    convenience init?(
        noSession cause: (any Error)?, isOver: Bool, _ endpoint: EndpointDescription, mayHaveBeenApplied: Bool,
        isPermanent: Bool = true
    ) {
        guard let cause, let failure = cause as? any CommandFailure, !isOver || !failure.refusesCredentials else {
            return nil
        }
        let kind: CommandFault.Kind
        switch (CommandFault.Kind(rawValue: failure.context.name), failure.category) {
        // The login was cut short; this command was not.
        case (.cancelled?, _), (_, .requiresLogout): return nil
        case (.unconfirmed?, _): kind = .connectionLost
        // The server has refused the renewal, and not this command.
        case (.rejected?, _) where !isOver, (nil, .nonRetryable) where !isOver: kind = .unavailable
        case (let known?, _): kind = known
        // An error of the other command's contract, whose name means nothing in this one.
        case (nil, .retryable): kind = .unavailable
        case (nil, .nonRetryable): kind = .serverFault
        }
        self.init(kind, endpoint, mayHaveBeenApplied: mayHaveBeenApplied, isPermanent: isPermanent)
    }

    /// A command that requires a session, while there is none and no way to one.
    ///
    /// - Parameter mayHaveBeenApplied: whether an earlier attempt may have been carried out. This one was not sent.
    convenience init(withoutSession endpoint: EndpointDescription, mayHaveBeenApplied: Bool) {
        let missing = BrokenField(
            name: "session", reason: "must have begun: log in first, or write `session: optional` in the contract")
        self.init(
            builtIn: .unauthenticated, nil, endpoint, applied: mayHaveBeenApplied ? .maybe : .never, [missing],
            isPermanent: true)
    }

    /// A command that must not be sent as it is.
    convenience init(invalid broken: [BrokenField], _ endpoint: EndpointDescription) {
        self.init(builtIn: .invalidRequest, nil, endpoint, applied: .never, broken, isPermanent: true)
    }

    @inline(never)
    private init(
        declared row: DecisionRow, _ error: DeclaredName, _ payload: Payload?, _ description: ErrorDescription,
        of endpoint: EndpointDescription, _ summary: AttemptSummary, isMoved: Bool
    ) {
        category = description.category
        isRead = endpoint.effect == .read
        let isOfService = !isMoved && !summary.isOfGateway
        isEndpointSpecific = row.isEndpointSpecific && isOfService
        // Only a response tells what became of the attempts before.
        let settlesEarlierAttempts = summary.evidence == .responded && isEndpointSpecific && category == .nonRetryable
        let ofAttempt: Applied =
            switch summary.evidence {
            case _ where isMoved: .maybe
            case .notSent, .unprocessed: .never
            case .responded where summary.showsNothingDone && row.appliedRule.declared == nil: .never
            case .sent, .responded: row.applied(status: summary.status, to: endpoint.request)
            }
        applied = settlesEarlierAttempts ? ofAttempt : Self.overall(ofAttempt, endpoint, summary)
        settling = row.isAboutResponse && isOfService ? description.settles : nil
        retry = description.retry
        renews = description.renew
        isShared = description.isShared
        cause = .declared(error, payload)
        name = description.name
        message = description.message
        messageKey = MessageKey.declared(description.name, in: endpoint.service)
        brokenFields = []
        isPermanent = false
        isEndOfList = false
    }

    @inline(never)
    private init(
        builtIn kind: CommandFault.Kind, _ fault: JSONError?, _ endpoint: EndpointDescription,
        applied: Applied, _ broken: [BrokenField] = [], isPermanent: Bool = false
    ) {
        self.isPermanent = isPermanent
        isEndOfList = false
        isRead = endpoint.effect == .read
        let description = endpoint.service.redeclaration(of: kind)
        category = description?.category ?? kind.category
        self.applied = applied
        retry = description?.retry
        renews = description?.renew ?? true
        isShared = true
        isEndpointSpecific = false
        settling = nil
        cause = .builtIn(kind, fault)
        name = kind.rawValue
        message = description?.message
        messageKey = MessageKey.of(kind, description, in: endpoint.service)
        brokenFields = broken
    }

    /// Whether a session was refused to the command only because none exists.
    var isUnexplained: Bool {
        if case .builtIn(.unauthenticated, _) = cause { isPermanent } else { false }
    }

    /// The same under another category.
    func recategorized(_ category: ErrorCategory) -> FailedAttempt {
        FailedAttempt(self, category, isPermanent: isPermanent)
    }

    /// The same for a command that would fail again under the same conditions.
    func refused() -> FailedAttempt { FailedAttempt(self, category, isPermanent: true) }

    /// The same for a page after the last one, which nobody is asked about, and which is not sent again.
    func endingList() -> FailedAttempt {
        FailedAttempt(self, .nonRetryable, isPermanent: true, isEndOfList: true)
    }

    private init(
        _ failure: FailedAttempt, _ category: ErrorCategory, isPermanent: Bool, isEndOfList: Bool = false
    ) {
        self.category = category
        self.isEndOfList = isEndOfList
        applied = failure.applied
        retry = failure.retry
        renews = failure.renews
        self.isPermanent = isPermanent
        cause = failure.cause
        name = failure.name
        isShared = failure.isShared
        isEndpointSpecific = failure.isEndpointSpecific
        settling = failure.settling
        message = failure.message
        messageKey = failure.messageKey
        brokenFields = failure.brokenFields
        isRead = failure.isRead
    }

    /// Whether the server or the way to it is at fault, though the contract does not call it passing: an undeclared status
    /// of 500 or more, a certificate.
    var isOutage: Bool {
        switch cause {
        case .builtIn(.serverFault, _), .builtIn(.insecure, _): true
        case .builtIn, .declared: false
        }
    }

    /// Whether the server, the way to it or a page in its place is at fault, and nothing was refused: a stream that was lost is opened
    /// again in spite of it.
    var isAccident: Bool {
        switch cause {
        case .builtIn(.serverFault, _), .builtIn(.insecure, _), .builtIn(.malformed, _): !isPermanent
        case .builtIn, .declared: false
        }
    }

    /// Whether other commands may have it in common, so that responders are asked about it.
    func concernsOthers(_ endpoint: EndpointDescription) -> Bool {
        !isCancelled && !isSessionEnded && !isEndOfList && !isCallers(endpoint)
    }

    /// Whether it is for the caller alone: what the endpoint itself declares as final is caught by its name, an invalid request
    /// was never sent, and no other command has anything to do with a file of this one.
    func isCallers(_ endpoint: EndpointDescription) -> Bool {
        switch cause {
        case .builtIn(.invalidRequest, _), .builtIn(.bodyChanged, _), .builtIn(.localStorageFull, _),
            .builtIn(.localFault, _):
            true
        case .builtIn: false
        case .declared: category == .nonRetryable && !isShared
        }
    }

    /// All that is known about it.
    @inline(never)
    func context(_ summary: AttemptSummary) -> FailureContext {
        let fallback: String
        var decodingError: JSONError?
        switch cause {
        case .declared: fallback = CommandFault.Kind.rejected.message
        case .builtIn(let kind, let fault):
            fallback = kind.message
            decodingError = fault
        }
        return FailureContext(
            FailureContext.Facts(
                name: name, category: category, applied: applied, isRead: isRead, isRefusal: isRefusal(by: summary),
                message: message ?? summary.serverMessage ?? fallback, isTemplate: isTemplate,
                messageKey: messageKey, summary: summary,
                brokenFields: brokenFields, decodingError: decodingError))
    }
}

extension FailureContext {
    /// The facts about an outcome, which isn't a failure.
    static func outcome(_ summary: AttemptSummary) -> FailureContext {
        FailureContext(
            Facts(
                name: "outcome", category: .nonRetryable, applied: .never,
                message: summary.serverMessage ?? "", messageKey: MessageKey.none, summary: summary))
    }
}
