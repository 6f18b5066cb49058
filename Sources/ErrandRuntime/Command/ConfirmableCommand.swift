/// A command whose contract names the read that tells whether it took effect (`confirm`). Where its effect on the server is
/// unknown, that read is made by itself, within the attempts and the deadline of the command. What it finds is the command's
/// response.
public protocol ConfirmableCommand: Command {
    /// The read.
    associatedtype Confirmation: Command where Confirmation.Service == Service

    /// The read that finds out; nil where the receipt lacks what it needs.
    func confirmation(for receipt: Receipt) -> Confirmation?

    /// What it means for this command that the read has found something.
    static func confirmed(by found: Confirmation.Response) -> Response
}
