/// All known facts about a failure. Its description is redacted: it contains no value that the contract calls `sensitive`, no
/// session token, no credential and no signing key.
public struct FailureContext: Sendable {
    private let facts: Facts

    init(_ facts: Facts) { self.facts = facts }

    /// Creates a context without a real failure, for an app's own tests and previews.
    ///
    /// - Parameters:
    ///   - name: the error's name in the contract, or the name of a built-in error.
    ///   - message: the text for people.
    ///   - messageKey: the key of the text; nil for the key of a built-in error of this name, or else of the service's error.
    ///   - serverMessage: the message in the response's envelope.
    public init(
        name: String, category: ErrorCategory = .nonRetryable, applied: Applied = .never,
        message: String = "", messageKey: String? = nil, status: Int? = nil, code: String? = nil,
        serverMessage: String? = nil,
        headers: HTTPHeaders = HTTPHeaders(), body: String? = nil, retryAfter: Duration? = nil,
        evidence: Evidence? = nil, attempts: Int = 1,
        service: String = "", endpoint: String = "", method: HTTPMethod = .get, url: String = "",
        underlying: (any Error)? = nil, brokenFields: [BrokenField] = [],
        decodingError: JSONError? = nil
    ) {
        var summary = AttemptSummary(service: service, endpoint: endpoint, method: method)
        summary.url = url
        summary.attempts = attempts
        summary.evidence = evidence ?? (status == nil ? .notSent : .responded)
        summary.status = status
        summary.code = code
        summary.serverMessage = serverMessage
        summary.headers = headers
        summary.body = body
        summary.retryAfter = retryAfter
        summary.underlying = underlying
        facts = Facts(
            name: name, category: category, applied: applied, message: message,
            messageKey: messageKey ?? MessageKey.guess(name, service: service), summary: summary,
            brokenFields: brokenFields, decodingError: decodingError)
    }

    /// The context's data. It is one object, so that failures stay as small as a reference.
    final class Facts: Sendable {
        let name: String
        let category: ErrorCategory
        let applied: Applied
        let saysNever: Bool
        let isRefusal: Bool
        let message: String
        let messageKey: String
        let summary: AttemptSummary
        let brokenFields: [BrokenField]
        let decodingError: JSONError?

        /// - Parameters:
        ///   - applied: as the response says it, for a command of any effect.
        ///   - isRead: whether the command changes nothing.
        ///   - isRefusal: whether the service itself has refused the command.
        ///   - message: the default text. If the app has one of its own for the key, it takes
        ///     that one's place here, for all failures there are.
        ///   - isTemplate: whether the text is the contract's, which may show data of the response (`AttemptSummary.shownData`).
        init(
            name: String, category: ErrorCategory, applied: Applied, isRead: Bool = false, isRefusal: Bool = false,
            message: String, isTemplate: Bool = false, messageKey: String, summary: AttemptSummary,
            brokenFields: [BrokenField] = [],
            decodingError: JSONError? = nil
        ) {
            self.isRefusal = isRefusal
            self.name = name
            self.category = category
            self.applied = isRead && applied == .maybe ? .never : applied
            saysNever = applied == .never
            let own = messageKey == MessageKey.none ? nil : summary.localize?(messageKey, message)
            let text = own ?? message
            self.message =
                isTemplate && text.utf8.contains(UInt8(ascii: "{"))
                ? MessageTemplate(text).text { summary.shownData[$0] } : text
            self.messageKey = messageKey
            self.summary = summary
            self.brokenFields = brokenFields
            self.decodingError = decodingError
        }
    }

    /// The error's name: as the contract declares it, or that of a built-in one.
    public var name: String { facts.name }
    /// The action that the failure calls for.
    public var category: ErrorCategory { facts.category }
    /// Whether the command was carried out. It is never `maybe` for a read, which changes nothing.
    public var applied: Applied { facts.applied }
    /// Whether the response says that the request wasn't carried out. For a read, `applied` doesn't tell.
    var saysNever: Bool { facts.saysNever }
    /// Whether the service itself has refused the command, and not the device, the network or a server in between.
    package var isRefusal: Bool { facts.isRefusal }
    /// The text for people: the app's (`DispatcherSettings.localize`), else the contract's, else the server's, else a
    /// default.
    public var message: String { facts.message }
    /// The key of that text, for an app that has texts of its own: `Bank.insufficientFunds` for an error of a contract,
    /// or for a built-in one to which the contract gives a text; `errand.offline` for the other built-in ones.
    public var messageKey: String { facts.messageKey }
    /// How far the last attempt got.
    public var evidence: Evidence { facts.summary.evidence }
    /// The service's name in its contract.
    public var service: String { facts.summary.service }
    /// The endpoint's name in its contract.
    public var endpoint: String { facts.summary.endpoint }
    public var method: HTTPMethod { facts.summary.method }
    /// The kind of the frame that the command travels in; nil over HTTP.
    public var frame: String? { facts.summary.frame }
    /// Where the last attempt went, redacted; empty if none was made.
    public var url: String { facts.summary.url }
    /// How many attempts were made, replays after a login included.
    public var attempts: Int { facts.summary.attempts }
    /// The status of the last response; nil without a response.
    public var status: Int? { facts.summary.status }
    /// The code in the last response's envelope, redacted and cleaned like the message, on one line.
    public var code: String? { facts.summary.code }
    /// The message in the last response's envelope: its first 1,000 characters, without the secrets of the request. It is `•••`
    /// alone if it may contain a secret that is too short to search for. It keeps its line breaks, and contains no control
    /// sequences, no other control characters and no invisible characters that reorder a text.
    public var serverMessage: String? { facts.summary.serverMessage }
    /// The headers of the last response. Values that may be secret are present but not printed: those of `Set-Cookie`,
    /// `WWW-Authenticate`, `Location` and similar headers, those of headers whose names mention tokens or keys, and those that
    /// repeat a secret of the request.
    public var headers: HTTPHeaders { facts.summary.headers }
    /// The start of the last response's body (`DispatcherSettings.maximumFailureBodySize`), without the secrets of the request
    /// and without the values that the contract calls `sensitive`. It is `•••` if these values cannot be removed, and nil if
    /// the response has no body or the body isn't text. It keeps the server's line breaks and control characters, and is never
    /// printed with the failure.
    public var body: String? { facts.summary.body }
    /// How long the server asked to wait: by `Retry-After` (RFC 9110 section 10.2.3), or by the fields of a rate limit.
    public var retryAfter: Duration? { facts.summary.retryAfter }
    /// Whether the server says that it repeats its response to an earlier request with the same idempotency key
    /// (`Idempotent-Replayed: true`, also with `X-`, or `Idempotency-Replayed: true`). Asking again with that key cannot bring another response.
    public var isReplayed: Bool { facts.summary.isReplayed }
    /// Whether a responder has handled this failure, and decided that the command fails. Code that catches the failure then has
    /// nothing left to tell people.
    public var isAnswered: Bool { facts.summary.isAnswered }
    /// The transport's error, or the reason why the session could not be renewed.
    public var underlying: (any Error)? { facts.summary.underlying }
    /// Which inputs broke which constraint, for `invalidRequest`; what of this device is at fault, for `bodyChanged`,
    /// `localStorageFull` and `localFault`; and `session` for `unauthenticated` if a command was not sent because there was no session.
    public var brokenFields: [BrokenField] { facts.brokenFields }
    /// Where the payload breaks the contract, for `malformed`.
    public var decodingError: JSONError? { facts.decodingError }

    /// The same facts for a command that was carried out before another one failed for it.
    var carriedOut: FailureContext {
        var summary = facts.summary
        // The text is the app's already.
        summary.localize = nil
        return FailureContext(
            Facts(
                name: name, category: category, applied: .yes, message: message, messageKey: messageKey,
                summary: summary, brokenFields: brokenFields, decodingError: decodingError))
    }

    /// The same facts under another name, for an outcome that stayed open.
    func renamed(
        _ name: String, _ category: ErrorCategory, message: String, messageKey: String
    ) -> FailureContext {
        FailureContext(
            Facts(
                name: name, category: category, applied: .maybe, message: message, messageKey: messageKey,
                summary: facts.summary, brokenFields: facts.brokenFields,
                decodingError: facts.decodingError))
    }
}

/// Returns an app's own text for people; see ``DispatcherSettings/Localization``.
typealias TextLocalization = @Sendable (_ key: String, _ text: String) -> String?

/// The pipeline's facts about a command's attempts so far.
struct AttemptSummary: Sendable {
    var service: String
    var endpoint: String
    var method: HTTPMethod
    /// The kind of the command's frames; nil over HTTP.
    var frame: String?
    var url = ""
    var attempts = 0
    var evidence = Evidence.notSent
    var status: Int?
    var code: String?
    var serverMessage: String?
    var retryAfter: Duration?
    var underlying: (any Error)?
    /// Those of the response, the sensitive ones marked; and the start of its body, redacted. Both are kept of failures only.
    var headers = HTTPHeaders()
    var body: String?
    /// Whether the last response says that the command was carried out, although it cannot be read.
    var saysCarriedOut = false
    /// Whether the last response is an outcome.
    var isOutcome = false
    /// The app's texts for people.
    var localize: TextLocalization?
    /// What the text for people shows of the data, by the names of its placeholders.
    var shownData: [String: String] = [:]
    var isAnswered = false
    /// The redirects that the last attempt has followed, so that its result is another place's.
    var followed = FollowedRedirects.none
    /// Whether another origin has responded, which a redirect has led to.
    var isAbroad = false
    /// Whether the last response has the form in which the service tells failures.
    var hasServiceForm = false
    /// Whether an earlier attempt may have been carried out.
    var mayHaveBeenApplied = false

    var isRedirected: Bool { followed != .none }
    /// Whether the last response is a failure that the server has stored under the idempotency key.
    var isReplayed: Bool { headers.sayReplayed }
    /// Whether the response proves that the service did nothing: it only asks for the same path with or without a slash, or a gateway
    /// has made it, which did not pass the request on.
    var showsNothingDone: Bool { underlying is TrailingSlashError || isOfGateway }
    /// Whether a gateway has made the response itself, so that it tells nothing of earlier attempts and of the service.
    var isOfGateway: Bool { underlying is GatewayRefusal }

    /// Forgets the response to an earlier attempt.
    mutating func forgetResponse() {
        headers = HTTPHeaders()
        body = nil
        shownData = [:]
        saysCarriedOut = false
        isOutcome = false
        isAbroad = false
        hasServiceForm = false
    }
}

/// One input that breaks a constraint of the contract. It never carries the input's value.
public struct BrokenField: Sendable, Hashable, CustomStringConvertible {
    /// The field's name in the contract.
    public let name: String
    /// The rule that the value breaks: `must be in 1...500`.
    public let reason: String

    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    public var description: String { "\(name) \(reason)" }
}

extension FailureContext: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One line: `Bank.transferFunds failed: insufficientFunds (nonRetryable), status 422, code 900005
    /// after 1 attempt, POST https://…`.
    public var description: String {
        var text = "\(service).\(endpoint) failed: \(name) (\(category.rawValue))"
        if let status { text += ", status \(status)" }
        if let code, !code.isEmpty { text += ", code \(PrintedText.cut(code, to: PrintedText.limit))" }
        if let decodingError { text += ", \(decodingError)" }
        for field in brokenFields { text += ", \(field)" }
        if let fault = underlying as? TransportFault { text += ", \(fault)" }
        if let error = underlying as? TokenEndpointError { text += ", \(error.rawValue)" }
        if let redirect = underlying as? TrailingSlashError { text += ", \(redirect)" }
        if let refusal = underlying as? GatewayRefusal { text += ", \(refusal)" }
        if let number = underlying as? NonFiniteNumberError { text += ", \(number)" }
        switch applied {
        case .never: break
        case .maybe: text += ", possibly carried out"
        case .yes: text += ", carried out"
        }
        text += " after \(attempts) \(attempts == 1 ? "attempt" : "attempts")"
        if !url.isEmpty { text += ", \(frame.map { "FRAME \($0)" } ?? method.rawValue) \(url)" }
        return PrintedText.line(text)
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "name": name, "category": category, "applied": applied, "evidence": evidence,
                "message": PrintedText.line(message, limit: PrintedText.limit), "messageKey": messageKey,
                "service": service, "endpoint": endpoint,
                "method": method.rawValue, "url": PrintedText.line(url), "attempts": attempts, "status": status as Any,
                "code": code.map { PrintedText.line($0, limit: PrintedText.limit) } as Any,
                "brokenFields": brokenFields,
                "decodingError": decodingError?.description as Any,
            ], displayStyle: .struct)
    }
}
