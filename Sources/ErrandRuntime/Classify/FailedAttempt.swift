/// A failed attempt, with what the contract says about the error.
///
/// An object, so that a command that waits has room for a reference to one only.
final class FailedAttempt: Error {
    enum Cause {
        case declared(DeclaredName, Payload?)
        case builtIn(CommandFault.Kind, JSONFault?)
    }

    let category: ErrorCategory
    /// Whether the attempt may have been carried out, evidence considered.
    let applied: Applied
    /// The contract's rule for retrying this error.
    let retry: RetryRule?
    /// Whether the error may start a login.
    let renews: Bool
    /// Whether the command was not sent, and would not be if it were tried again as things are.
    let isRefused: Bool
    let cause: Cause
    let name: String
    /// Whether the contract's defaults list it, so that any command may fail with it.
    private let isShared: Bool
    /// Whether the endpoint itself lists the error, as opposed to inheriting it from the contract's defaults. False after a
    /// redirect, because the error of another place doesn't settle what the first one has done.
    let isOwn: Bool
    private let message: String?
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

    var isSessionEnded: Bool {
        if case .builtIn(.sessionEnded, _) = cause { true } else { false }
    }

    /// Whether it shows a server that works: a final answer that the endpoint itself lists. Others may come from a gateway.
    func settles(by account: AttemptAccount) -> Bool {
        account.evidence == .responded && isOwn && category == .nonRetryable
    }

    /// The failure that an attempt was classified as.
    convenience init(_ error: ClassifiedError, _ endpoint: EndpointDescription, _ account: AttemptAccount) {
        switch error {
        case .declared(let row, let payload):
            guard case .error(let error) = row.verdict, let description = endpoint.service.error(error) else {
                self.init(builtIn: .malformed, nil, endpoint, applied: .maybe)
                return
            }
            self.init(
                declared: row, error, payload, description, endpoint, account.evidence,
                isMoved: Self.isMoved(account, endpoint))
        case .builtIn(let kind, let fault):
            let applied: Applied =
                switch account.evidence {
                case .responded where Self.applied(kind, endpoint, account) == .yes: .yes
                case _ where Self.isMoved(account, endpoint): .maybe
                case .notSent, .unprocessed: account.isOpen ? .maybe : .never
                // Whatever ended it: it was under way and may have been carried out.
                case .sent: .maybe
                case .responded where kind == .cancelled: .maybe
                case .responded: Self.applied(kind, endpoint, account)
                }
            self.init(builtIn: kind, fault, endpoint, applied: applied, Self.broken(kind, account))
        }
    }

    /// What of the command's own is at fault.
    private static func broken(_ kind: CommandFault.Kind, _ account: AttemptAccount) -> [BrokenField] {
        let fault = account.underlying as? TransportFault
        switch kind {
        case .localStorageFull, .localFault, .invalidRequest, .bodyChanged:
            if let problem = fault?.underlying as? BodySourceProblem {
                return [BrokenField(name: "body", reason: problem.description)]
            }
            if let problem = fault?.underlying as? SessionStoreProblem {
                return [BrokenField(name: "journal", reason: "cannot be used: \(problem)")]
            }
            if let problem = account.underlying as? DownloadProblem {
                return [BrokenField(name: "destination", reason: problem.description)]
            }
            return []
        default: return []
        }
    }

    /// Whether the place that the request was sent to may have acted on it, whatever the place says that a redirect leads to. A
    /// redirect is an attempt of its own. Nothing else says what a redirect means for the first place.
    private static func isMoved(_ account: AttemptAccount, _ endpoint: EndpointDescription) -> Bool {
        account.isRedirected && endpoint.effect.isUnsafe
    }

    /// Whether a response with a built-in error says that the request was carried out.
    private static func applied(
        _ kind: CommandFault.Kind, _ endpoint: EndpointDescription, _ account: AttemptAccount
    ) -> Applied {
        kind.applied(
            inResponse: account.status, endpoint.effect, declared: endpoint.service.redeclaration(of: kind)?.applied,
            saysCarriedOut: account.saysCarriedOut)
    }

    /// A failure between attempts. Only earlier attempts may have been carried out.
    ///
    /// - Parameter isRefused: whether a gate has refused the command.
    convenience init(_ kind: CommandFault.Kind, _ endpoint: EndpointDescription, isOpen: Bool, isRefused: Bool = false)
    {
        self.init(builtIn: kind, nil, endpoint, applied: isOpen ? .maybe : .never, isRefused: isRefused)
    }

    /// A command that got no session, although the app didn't decline to log in and the server didn't refuse the login. A
    /// renewal without a network shows nothing about the session, and the same command can be sent again later.
    ///
    /// - Parameter isOver: whether the session is over. Then a refusal is the reason.
    convenience init?(noSession cause: (any Error)?, isOver: Bool, _ endpoint: EndpointDescription, isOpen: Bool) {
        guard let cause, let failure = cause as? any CommandFailure, !isOver || !failure.refusesCredentials else {
            return nil
        }
        let kind: CommandFault.Kind
        switch (CommandFault.Kind(rawValue: failure.context.name), failure.category) {
        // The login was cut short; this command was not.
        case (.cancelled?, _), (_, .requiresLogout): return nil
        case (.unconfirmed?, _): kind = .connectionLost
        case (let known?, _): kind = known
        // An error of the other command's contract, whose name means nothing in this one.
        case (nil, .retryable): kind = .unavailable
        case (nil, .nonRetryable): kind = .serverFault
        }
        self.init(kind, endpoint, isOpen: isOpen, isRefused: true)
    }

    /// A command that must not be sent as it is.
    convenience init(invalid broken: [BrokenField], _ endpoint: EndpointDescription) {
        self.init(builtIn: .invalidRequest, nil, endpoint, applied: .never, broken, isRefused: true)
    }

    @inline(never)
    private init(
        declared row: DecisionRow, _ error: DeclaredName, _ payload: Payload?, _ description: ErrorDescription,
        _ endpoint: EndpointDescription, _ evidence: Evidence, isMoved: Bool
    ) {
        category = description.category
        isRead = endpoint.effect == .read
        applied =
            switch evidence {
            case _ where isMoved: .maybe
            case .notSent, .unprocessed: .never
            case .sent, .responded: row.applied
            }
        isOwn = row.isOwn && !isMoved
        retry = description.retry
        renews = description.renew
        isShared = description.isShared
        cause = .declared(error, payload)
        name = description.name
        message = description.message
        messageKey = MessageKey.declared(description.name, in: endpoint.service)
        brokenFields = []
        isRefused = false
    }

    @inline(never)
    private init(
        builtIn kind: CommandFault.Kind, _ fault: JSONFault?, _ endpoint: EndpointDescription,
        applied: Applied, _ broken: [BrokenField] = [], isRefused: Bool = false
    ) {
        self.isRefused = isRefused
        isRead = endpoint.effect == .read
        let description = endpoint.service.redeclaration(of: kind)
        category = description?.category ?? kind.category
        self.applied = applied
        retry = description?.retry
        renews = description?.renew ?? true
        isShared = true
        isOwn = false
        cause = .builtIn(kind, fault)
        name = kind.rawValue
        message = description?.message
        messageKey = MessageKey.of(kind, description, in: endpoint.service)
        brokenFields = broken
    }

    /// Whether a session was refused to the command only because none exists.
    var isUnexplained: Bool {
        if case .builtIn(.unauthenticated, _) = cause { isRefused } else { false }
    }

    /// The same under another category.
    func recategorized(_ category: ErrorCategory) -> FailedAttempt {
        FailedAttempt(self, category, isRefused: isRefused)
    }

    /// The same for a command that would fail again under the same conditions.
    func refused() -> FailedAttempt { FailedAttempt(self, category, isRefused: true) }

    private init(_ failure: FailedAttempt, _ category: ErrorCategory, isRefused: Bool) {
        self.category = category
        applied = failure.applied
        retry = failure.retry
        renews = failure.renews
        self.isRefused = isRefused
        cause = failure.cause
        name = failure.name
        isShared = failure.isShared
        isOwn = failure.isOwn
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

    /// Whether other commands may have it in common, so that responders are asked about it.
    func concernsOthers(_ endpoint: EndpointDescription) -> Bool {
        !isCancelled && !isSessionEnded && !isCallers(endpoint)
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
    func context(_ account: AttemptAccount) -> FailureContext {
        let fallback: String
        var malformation: JSONFault?
        switch cause {
        case .declared: fallback = CommandFault.Kind.rejected.message
        case .builtIn(let kind, let fault):
            fallback = kind.message
            malformation = fault
        }
        return FailureContext(
            FailureContext.Facts(
                name: name, category: category, applied: applied, isRead: isRead,
                message: message ?? account.serverMessage ?? fallback, messageKey: messageKey, account: account,
                brokenFields: brokenFields, malformation: malformation))
    }
}

extension FailureContext {
    /// The facts about an outcome, which isn't a failure.
    static func outcome(_ account: AttemptAccount) -> FailureContext {
        FailureContext(
            Facts(
                name: "outcome", category: .nonRetryable, applied: .never,
                message: account.serverMessage ?? "", messageKey: MessageKey.none, account: account))
    }
}
