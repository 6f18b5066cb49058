public import ErrandRuntime

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Sends the durable commands of a client (`durable` in the contract), also after the process was ended.
///
///     let outbox = try await Outbox(of: chat, in: store)
///     let id = try await outbox.submit(Chat.SendMessage(room: 4, text: "On my way"))
///
/// A command is kept when `submit` returns. It is sent when the network and the server allow it, in this process or in a later one, until
/// its lifetime is over. `entries` has the commands that aren't delivered yet, and those that couldn't be.
///
/// A command belongs to the user who was logged in when it was submitted, and is only sent with a session of this user.
public final class Outbox<Client: DurableClient>: Sendable {
    let queue: IntentQueue
    private let following = LockedState<Task<Void, Never>?> { nil }

    /// Opens a store, and continues what earlier processes have left.
    ///
    /// - Parameters:
    ///   - client: sends the commands, with its own server, session, responders and options.
    ///   - store: keeps the commands. One store serves all clients of an app. Clients of different servers have commands of their own.
    ///   - seal: encrypts the inputs. Without it, commands with sensitive inputs are refused.
    /// - Throws: the store's problem, if the store can't be read.
    public init(
        of client: Client, in store: some OutboxStore, seal: OutboxSeal? = nil,
        settings: OutboxSettings = OutboxSettings()
    ) async throws(OutboxStoreError) {
        queue = IntentQueue(client.binding, Client.durableCommands, store, seal: seal, settings) {
            await client.raise(UndeliveredCommands())
        }
        try await queue.refresh()
        // Responders may wait for a person.
        _ = queue.environment.startDetached { try? await store.reportLoss { await client.raise(LostCommands()) } }
        let session = queue.session
        let task = queue.environment.startDetached { [weak queue] in
            for await phase in session.states {
                guard let queue else { return }
                if case .loggedIn = phase { queue.noteLogin() } else { queue.changes.tell(()) }
            }
        }
        following.withLock { $0 = task }
    }

    deinit {
        following.withLock { $0?.cancel() }
        let queue = queue
        _ = queue.environment.startDetached { await queue.close() }
    }

    // MARK: Submitting

    /// Keeps a command, and sends it as soon as possible.
    ///
    /// - Returns: the command's id. When the call returns, the command outlasts the process.
    /// - Throws: why the command isn't taken. Nothing was kept or sent then.
    @discardableResult
    public func submit<C: DurableCommand>(_ command: C) async throws(OutboxError) -> UUID where C.Service == Client {
        try await queue.submit(command)
    }

    // MARK: Looking

    /// The commands that aren't delivered yet, and those that couldn't be, in the order of their submission. The commands of other users
    /// are missing.
    public var entries: [OutboxEntry] {
        queue.state.withLock { $0.inOrder }.filter(queue.isVisible).map {
            OutboxEntry($0, isLoggedIn: queue.isLoggedIn($0.owner))
        }
    }

    /// A value for each time that `entries` has changed. A slow reader gets one for several changes.
    public var changes: AsyncStream<Void> { queue.changes.stream() }

    /// The results of the commands of one type from now on, of earlier processes too. A result comes before the command's entry changes.
    /// After a process that ends in between, the next one gets the result again, except for a `once` command without `confirm`. That
    /// command ends as `unconfirmed`. The streams end when the outbox is closed.
    public func completions<C: DurableCommand>(of type: C.Type) -> AsyncStream<OutboxCompletion<C>>
    where C.Service == Client {
        queue.completions(of: type)
    }

    /// The inputs of a command, to show them or to submit them in another way; nil if they are damaged, or if the outbox doesn't have the
    /// command.
    public func inputs(of id: UUID) async throws(OutboxStoreError) -> OutboxInputs? {
        guard let intent = queue.visible(id) else { return nil }
        return try await queue.inputs(of: intent).map(OutboxInputs.init)
    }

    // MARK: Deciding

    /// Ends a command that isn't settled. An attempt under way is canceled, and the command may then end as `unconfirmed`.
    ///
    /// - Returns: false if the command is settled, if another process sends the commands, or if the store can't keep the decision. In the
    ///   last case, a later process sends the command.
    @discardableResult
    public func cancel(_ id: UUID) async -> Bool { await queue.cancel(id) }

    /// Sends a command now in place of later, or sends it again after it has failed.
    ///
    /// - Returns: false if the command may have taken effect, so that sending it again could repeat it, or if it can't be sent.
    @discardableResult
    public func retry(_ id: UUID) async -> Bool { await queue.retry(id) }

    /// Removes a settled command. Cancel any other command first.
    ///
    /// - Returns: false if the command isn't settled, or if another process sends the commands.
    @discardableResult
    public func remove(_ id: UUID) async throws(OutboxStoreError) -> Bool { try await queue.removeSettled(id) }

    /// Takes up what other processes have submitted, and what they have left if they have ended. Call it when the app becomes active.
    public func refresh() async throws(OutboxStoreError) { try await queue.refresh() }

    /// Ends the attempts under way and stops. Everything stays in the store, for another outbox.
    public func close() async { await queue.close() }
}
