/// How long a command may wait for the network, a login or a person. The deadline covers attempts and the pauses between
/// them; patience covers all other waits.
public struct Patience: Sendable, Hashable {
    /// All waits together take no longer than this; nil for the standard.
    package var limit: Duration?
    /// Whether nothing bounds the waits.
    package var isForever: Bool

    /// A command waits for the network for as long as its deadline is, and for a person or a login for the dispatcher's
    /// default (`DispatcherSettings.patience`), which is ten minutes.
    public static let standard = Patience(limit: nil, isForever: false)

    /// The command waits for as long as it takes, or until its task is cancelled.
    public static let forever = Patience(limit: nil, isForever: true)

    /// All waits of the command together take no longer than this. Zero waits for nothing.
    public static func upTo(_ limit: Duration) -> Patience { Patience(limit: limit, isForever: false) }
}
