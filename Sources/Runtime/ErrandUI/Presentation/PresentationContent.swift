import ErrandRuntime

/// The content of a presentation, before its time and place are known.
struct PresentationContent: Sendable, Hashable {
    /// The order of waiting presentations.
    enum Importance: Int, Sendable, Comparable {
        /// No network exists. The person can do nothing, and the presentation ends by itself.
        case network
        /// A host does not respond.
        case outage
        /// Something was refused, or the app has raised an error.
        case refusal
        /// The session is over: most of what else could be shown follows from that.
        case session

        static func < (first: Importance, second: Importance) -> Bool { first.rawValue < second.rawValue }
    }

    var importance: Importance
    var title: String
    var message: String
    var technicalLine: String?
    var category: ErrorCategory
    var name: String
    /// Whether something is done again when a person asks for it.
    var canRetry: Bool
    /// The service whose session it concerns.
    var service: String
    /// Whether the app has raised the error.
    var isRaised: Bool

    /// The actions that a person can choose.
    ///
    /// - Parameter canLogIn: whether a login is available.
    func actions(canLogIn: Bool) -> [PresentationAction] {
        switch category {
        case .retryable: canRetry ? [.retry, .dismiss] : [.dismiss]
        case .requiresLogout: canLogIn ? [.logIn, .dismiss] : [.dismiss]
        case .nonRetryable: [.dismiss]
        }
    }

    /// Banners are for what can end by itself.
    var style: PresentationStyle {
        switch importance {
        case .network, .outage: .banner
        case .refusal, .session: .alert
        }
    }
}

extension PresentationContent {
    /// - Parameters:
    ///   - incident: as it is now.
    ///   - texts: the texts of titles and of what Errand itself says.
    init(_ incident: Incident, _ texts: PresentationTexts, showsTechnicalLine: Bool) {
        let context = incident.context
        category = context.category
        name = context.name
        service = context.service
        isRaised = incident.scope == .raised
        message = texts.message(of: context)
        technicalLine = showsTechnicalLine ? Self.technicalLine(of: context) : nil
        // The list has a maximum length, and the next command may be one that can be sent again.
        canRetry =
            incident.cohort.commands.contains(where: \.maySendAgain)
            || incident.cohort.count > incident.cohort.commands.count
        switch incident.scope {
        case .session: importance = .session
        case .network: importance = .network
        case .host: importance = context.category == .retryable ? .outage : .refusal
        case .endpoints: importance = context.category == .retryable ? .outage : .refusal
        case .raised: importance = context.category == .requiresLogout ? .session : .refusal
        }
        title = texts.title(importance, category)
    }

    private static func technicalLine(of context: FailureContext) -> String {
        var facts = [context.service.isEmpty ? context.name : "\(context.service).\(context.name)"]
        if !context.endpoint.isEmpty { facts.append(context.endpoint) }
        if let status = context.status { facts.append("status \(status)") }
        if let code = context.code, !code.isEmpty { facts.append("code \(code)") }
        return DisplayText.line(facts.joined(separator: ", "), limit: 300)
    }
}

extension FailureContext {
    /// Whether there is nothing to tell a person: the person has ended it, or knows already.
    var isSilent: Bool {
        switch CommandFault.Kind(rawValue: name) {
        case .cancelled, .sessionEnded: return true
        // A command whose effect is unknown is news, even after “the server does not answer”.
        case .unconfirmed: return false
        default: return isAnswered || underlying is CancellationError
        }
    }
}
