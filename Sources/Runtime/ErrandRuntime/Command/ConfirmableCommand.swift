/// A command whose contract names a read that shows whether the command took effect (`confirm`). If the command's effect on the
/// server is unknown, the client makes that read, within the attempts and the deadline of the command. The read's result is the
/// command's response.
public protocol ConfirmableCommand: Command {
    /// The read.
    associatedtype Confirmation: Command where Confirmation.Service == Service

    /// The read that finds out; nil if the receipt lacks what it needs.
    func confirmation(for receipt: Receipt) -> Confirmation?

    /// Makes the command's response from the result of the read.
    static func confirmed(by found: Confirmation.Response) -> Response
}
