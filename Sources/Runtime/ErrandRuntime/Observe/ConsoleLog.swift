/// Prints what happens to commands, one line for each event, while an app is developed.
///
///     let bank = Bank(on: Dispatcher(observers: [ConsoleLog()]))
///     let bank = Bank(on: Dispatcher(observers: [ConsoleLog(wire: true)]))
///
/// The lines of events carry no input, no header, no body and no token, and their URLs are redacted. With `wire`, the log also
/// prints requests and responses, with their headers and the start of the body. It prints `•••` in place of tokens, keys and
/// values that the contract calls `sensitive`. It prints other inputs unchanged, so don't ship an app with `wire`.
public struct ConsoleLog: CommandObserver, WireObserver {
    let showsWire: Bool
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - wire: whether requests and responses are printed, too, as the interceptors get the ones and leave the others.
    ///   - write: takes a line; prints it by default.
    public init(wire: Bool = false, _ write: @escaping @Sendable (String) -> Void = { print($0) }) {
        showsWire = wire
        self.write = write
    }

    public func observe(_ event: CommandEvent) { write(event.description) }

    public func observe(_ report: ConnectionReport) { write(report.description) }

    public func observe(_ notice: DeprecationNotice) { write(notice.description) }

    func observe(wire line: String, of command: CommandIdentity) { write("#\(command.id) \(line)") }
}
