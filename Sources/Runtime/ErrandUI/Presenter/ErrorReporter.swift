public import ErrandRuntime

/// Where a screen sends its errors: to the handlers around it, the innermost first, and then to what shows them.
///
/// A value. Views pass it down, and each part of an interface that handles errors itself adds its handler.
public struct ErrorReporter: Sendable {
    private let client: (any ServiceClient)?
    private var handlers: [any Responder] = []
    private let host: PresentationHost?
    private let categories: ErrorCategories

    /// - Parameters:
    ///   - client: whose responders are asked after the handlers. Nil for one that drops all errors, as in a preview.
    ///   - host: the window that errors are shown in.
    ///   - categories: what the app says about errors that are not its own.
    public init(
        _ client: (any ServiceClient)?, host: PresentationHost? = nil,
        categories: ErrorCategories = ErrorCategories()
    ) {
        self.client = client
        self.host = host
        self.categories = categories
    }

    /// The same with one more handler, which is asked first.
    public func handling(_ handler: some Responder) -> ErrorReporter {
        var reporter = self
        reporter.handlers.append(handler)
        return reporter
    }

    /// A client whose commands ask the handlers first, before the app's responder does.
    public func client<Client: ServiceClient>(_ client: Client) -> Client {
        Self.responding(client, with: handlers)
    }

    /// Reports an error, and waits until it is resolved.
    ///
    /// A failure that a person has caused by cancelling, or has already seen, isn't shown again.
    ///
    /// - Parameter retry: called when the answer is to try again.
    /// - Returns: the answer; nil if there was nothing to show or no answer.
    @discardableResult
    public func report(_ error: any Error, retry: (@Sendable () async -> Void)? = nil) async -> IncidentAnswer? {
        guard let client, !(error is CancellationError), (error as? any CommandFailure)?.context.isSilent != true
        else { return nil }
        let answer = await raise(error, on: client, handlers, retry)
        // A handler has said what it is. What shows errors decides by that.
        guard case .recategorize(let category)? = answer else { return answer }
        return await raise(RecategorizedError(error, category), on: client, [], retry)
    }

    private func raise<Client: ServiceClient>(
        _ error: any Error, on client: Client, _ handlers: [any Responder], _ retry: (@Sendable () async -> Void)?
    ) async -> IncidentAnswer? {
        let chain = (host.map { [$0] } ?? []) + handlers
        return await Self.responding(client, with: chain).raise(error, using: categories, retry: retry)
    }

    private static func responding<Client: ServiceClient>(_ client: Client, with chain: [any Responder]) -> Client {
        var client = client
        for responder in chain { client = client.responding(with: responder) }
        return client
    }
}

/// A part of an interface that handles errors itself. A class, so that a handler that is replaced stays the same responder.
public final class ErrorHandlerBox: Responder {
    public typealias Handler = @Sendable (Incident) async -> IncidentAnswer

    private let handler: LockedState<Handler>

    public init(_ handler: @escaping Handler = { _ in .pass }) { self.handler = LockedState { handler } }

    /// Replaces the handler.
    public func update(_ handler: @escaping Handler) { self.handler.withLock { $0 = handler } }

    public func respond(to incident: Incident) async -> IncidentAnswer {
        await handler.withLock { $0 }(incident)
    }
}

extension IncidentAnswer {
    /// A handler has dealt with it: nothing else is shown, and the commands fail with their own errors.
    public static var handled: IncidentAnswer { .fail }
}

/// An error as a handler wants it to be treated.
struct RecategorizedError: CommandFailure {
    let context: FailureContext

    init(_ error: any Error, _ category: ErrorCategory) {
        let known = (error as? any CommandFailure)?.context
        context = FailureContext(
            name: known?.name ?? "\(type(of: error))", category: category, applied: known?.applied ?? .never,
            message: known?.message ?? DisplayText.message(of: error), messageKey: known?.messageKey,
            status: known?.status, code: known?.code, service: known?.service ?? "", endpoint: known?.endpoint ?? "",
            method: known?.method ?? .get, underlying: known?.underlying ?? error)
    }

    init(_ fault: CommandFault) { self.init(fault, fault.category) }
    init?(declared error: DeclaredName, _ match: ErrorMatch) { return nil }
}
