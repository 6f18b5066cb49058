public import ErrandRuntime
public import Observation

/// The network as a screen observes it: whether there is one, its kind, and what it costs.
///
///     @State private var network: NetworkStatusModel
///     …
///     Button("Download") { download() }
///         .disabled(!network.isAvailable || network.path.isConstrained)
///
/// A screen does not need it for commands: they wait for the network by themselves, and the presenter says so. The model follows
/// the network from the first time that a property is read, and until it is released.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class NetworkStatusModel {
    @ObservationIgnored private let monitor: any PathMonitor
    /// Nil until it is read for the first time.
    @ObservationIgnored private var latest: NetworkPath?
    @ObservationIgnored private var following: Task<Void, Never>?

    /// - Parameter dispatcher: whose `network` is followed. A dispatcher without a path monitor (`AlwaysSatisfiedPath`) always has a
    ///   network.
    public nonisolated init(_ dispatcher: Dispatcher) { monitor = dispatcher.network }

    /// The network of a client's dispatcher.
    public nonisolated convenience init(_ client: any ServiceClient) { self.init(client.binding.dispatcher) }

    deinit { following?.cancel() }

    /// The network, as the system reports it now.
    public var path: NetworkPath {
        access(keyPath: \.path)
        return latest ?? follow()
    }

    /// Whether there is a way out at all. Whether a host can be reached, only an attempt can tell: ``HostStatusModel``.
    public var isAvailable: Bool { path.isSatisfied }

    /// Whether a command may use the network as it is: one that the contract declares as `network: unmetered` waits for a network
    /// that is neither expensive nor constrained.
    public func isAvailable<C: Command>(for command: C.Type) -> Bool { path.allows(C.endpoint.network) }

    /// Returns the path as it is now, and follows it from then on.
    private func follow() -> NetworkPath {
        let now = monitor.current
        latest = now
        // The stream begins with the path at this moment, so it brings nothing that is older.
        let paths = monitor.paths()
        // Detached: it is not a part of what has read the property first. The task does not keep the model.
        following = Task.detached { [weak self] in
            for await path in paths {
                guard let self else { return }
                await self.show(path)
            }
        }
        return now
    }

    private func show(_ path: NetworkPath) {
        if path != latest { withMutation(keyPath: \.path) { latest = path } }
    }
}
