/// How long a command waits for the network, a login or a person. All its waits count together.
///
/// The deadline bounds attempts and the pauses between them, and patience bounds everything else.
public struct WaitLimit: Sendable, Hashable {
    /// Waits for the network for as long as the command's deadline is, and for a person or a login for the
    /// dispatcher's default of ten minutes. A stream that has delivered waits for all of it, and for its server, for that default.
    public static let standard = WaitLimit(bound: .standard)

    /// Waits without a bound, until the command is cancelled.
    public static let forever = WaitLimit(bound: .forever)

    /// Waits for at most this time. With zero, the command fails at once if it would have to wait.
    public static func upTo(_ limit: Duration) -> WaitLimit { WaitLimit(bound: .upTo(limit)) }

    /// The time given to ``upTo(_:)``, or nil.
    package var limit: Duration? {
        if case .upTo(let limit) = bound { limit } else { nil }
    }

    /// Whether nothing bounds the wait.
    package var isForever: Bool { bound == .forever }

    private let bound: Bound

    private enum Bound: Sendable, Hashable {
        case standard
        case upTo(Duration)
        case forever
    }
}
