/// A command whose contract names the read that tells whether it took effect (`confirm`). Where its outcome stays open, that
/// read is made by itself, with all its own attempts; what it finds is the command's response.
public protocol ConfirmableCommand: Command {
    /// The read.
    associatedtype Confirmation: Command where Confirmation.Service == Service

    /// The read that finds out; nil where the receipt has not what it needs.
    func confirmation(for receipt: Receipt) -> Confirmation?

    /// What it means for this command that the read has found something.
    static func confirmed(by found: Confirmation.Response) -> Response
}

extension ServiceBinding {
    /// Finds out how a command ended whose outcome stayed open. Nil where that is still not known: the read failed, or found
    /// nothing. To find nothing settles nothing, since the request may still be on its way.
    func confirmed<C: Command>(_ command: C, _ receipt: Receipt) async -> Reply<C.Response>? {
        guard let command = command as? any ConfirmableCommand else { return nil }
        return await settle(command, receipt) as? Reply<C.Response>
    }

    private func settle<C: ConfirmableCommand>(_ command: C, _ receipt: Receipt) async -> (any Sendable)? {
        // The caller has gone: nobody would hear of it.
        guard !Task.isCancelled, let confirmation = command.confirmation(for: receipt),
            let found = try? await perform(confirmation)
        else { return nil }
        return Reply<C.Response>(
            value: C.confirmed(by: found.value), message: found.message, code: found.code, status: found.status,
            headers: found.headers, skipped: found.skipped, skippedCount: found.skippedCount)
    }
}
