/// Prints what happens to commands, one line for each event, while an app is developed.
///
///     let bank = Bank(on: Dispatcher(observers: [ConsoleLog()]))
///
/// The lines carry no input, no header, no body and no token, and their URLs are redacted.
public struct ConsoleLog: CommandObserver {
    private let write: @Sendable (String) -> Void

    /// - Parameter write: takes a line; prints it by default.
    public init(_ write: @escaping @Sendable (String) -> Void = { print($0) }) { self.write = write }

    public func observe(_ event: CommandEvent) { write(event.description) }
}
