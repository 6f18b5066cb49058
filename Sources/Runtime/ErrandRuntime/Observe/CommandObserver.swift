/// Hears of everything that happens to commands: to log, to measure, to trace.
///
/// A dispatcher without observers makes no events at all.
public protocol CommandObserver: Interceptor {
    /// Called for each event, those of one command in their order, on the task that carries the command out: it goes on
    /// when this returns. Events of different commands may come at the same time.
    func observe(_ event: CommandEvent)

    /// Called for each event of a persistent connection, on a task of the connection, which goes on when this returns.
    func observe(_ report: ConnectionReport)

    /// Called when a response says that its endpoint is deprecated or will stop responding, once for each endpoint of a dispatcher, on
    /// the task that carries the command out.
    func observe(_ notice: DeprecationNotice)
}

extension CommandObserver {
    /// Ignores it.
    public func observe(_ report: ConnectionReport) {}

    /// Ignores it.
    public func observe(_ notice: DeprecationNotice) {}

    /// Passes the attempt on unchanged. An observer that implements this is next to the transport, after all
    /// interceptors, and knows the attempt by `TransportRequest.attempt`: to send a trace's context along, for instance.
    public func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        try await next(request)
    }
}

/// Hands events on to readers, each at its own pace.
///
///     let feed = CommandEventFeed()
///     let bank = Bank(on: Dispatcher(transport: URLSessionTransport(), observers: [feed]))
///     for await event in feed.events { … }
public final class CommandEventFeed: CommandObserver {
    private let followers = EventFollowers<CommandEvent>(limit: 1_000)

    public init() {}

    /// The events from now on. Any number of readers may follow, each with its own sequence, which keeps unread events
    /// yet: the newest thousand.
    public var events: AsyncStream<CommandEvent> { followers.stream() }

    public func observe(_ event: CommandEvent) { followers.tell(event) }
}
