public import ErrandDurable
import ErrandRuntime
public import Observation

/// The durable commands of an outbox as a screen observes them: those that are not delivered yet, and those that could not be.
///
///     @State private var unsent: OutboxModel
///     …
///     ForEach(unsent.entries) { entry in
///         Label(entry.endpoint, systemImage: entry.state == .settled ? "exclamationmark.circle" : "clock")
///     }
///
/// The model keeps the outbox. It follows the outbox from the first time that `entries` is read, and until the model is released.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class OutboxModel {
    @ObservationIgnored private let read: @Sendable () -> [OutboxEntry]
    @ObservationIgnored private let changes: @Sendable () -> AsyncStream<Void>
    /// Nil until it is read for the first time.
    @ObservationIgnored private var latest: [OutboxEntry]?
    @ObservationIgnored private var following: Task<Void, Never>?

    public nonisolated init<Client>(_ outbox: Outbox<Client>) {
        read = { outbox.entries }
        changes = { outbox.changes }
    }

    deinit { following?.cancel() }

    /// The commands in the order of their submission. The commands of other users are missing.
    public var entries: [OutboxEntry] {
        access(keyPath: \.entries)
        return latest ?? follow()
    }

    /// Returns the commands as they are now, and follows them from then on.
    private func follow() -> [OutboxEntry] {
        // Before they are read, so that no change is missed.
        let changes = changes()
        let now = read()
        latest = now
        // Detached: it is not a part of what has read the property first. The task does not keep the model.
        following = Task.detached { [weak self] in
            for await _ in changes {
                guard let self else { return }
                await self.show()
            }
        }
        return now
    }

    private func show() {
        let entries = read()
        if entries != latest { withMutation(keyPath: \.entries) { latest = entries } }
    }
}
