/// What carries commands out, for all clients of an app: it sends them through its transport, decides
/// about their failures, and sends them again where that helps.
///
/// One per app is usual, so that whatever concerns more than one command is known in one place.
public final class Dispatcher: Sendable {
    /// What carries the requests.
    public let transport: any Transport
    let settings: DispatcherSettings
    let surroundings: DispatcherSurroundings
    let budget = RetryBudget()
    let timeLimits: TimeLimits

    public init(
        transport: any Transport, settings: DispatcherSettings = DispatcherSettings(),
        surroundings: DispatcherSurroundings = DispatcherSurroundings()
    ) {
        self.transport = transport
        self.settings = settings
        self.surroundings = surroundings
        timeLimits = TimeLimits(surroundings)
    }
}

extension Dispatcher: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of its transport, whose own state may hold whole requests.
    public var description: String { "Dispatcher(\(type(of: transport)))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(
            self, children: ["transport": "\(type(of: transport))", "settings": settings],
            displayStyle: .class)
    }
}

/// What an app can set for all of its commands.
public struct DispatcherSettings: Sendable {
    /// How failures are retried where the contract does not say.
    public var retry: RetryRule
    /// How many redirects one attempt may follow.
    public var maximumRedirects: Int
    /// The longest body of an answer, in bytes.
    public var maximumResponseSize: Int

    public init(
        retry: RetryRule = RetryRule(), maximumRedirects: Int = 5, maximumResponseSize: Int = 64 << 20
    ) {
        self.retry = retry
        self.maximumRedirects = maximumRedirects
        self.maximumResponseSize = maximumResponseSize
    }
}
