public import ErrandRuntime
public import Observation

/// The host of a client as a screen observes it: whether it responds, or is in an incident.
///
///     @State private var host: HostStatusModel
///     …
///     Button("Send") { send() }
///         .disabled(!host.isAvailable(for: Bank.TransferFunds.self))
///
/// A host is in an incident from a failed command until the host responds, or until the person closes the presentation and no
/// command waits any more. The screen can then be used again: the next command finds out whether the host responds. The model
/// follows the host from the first time that a property is read, and until it is released.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class HostStatusModel {
    @ObservationIgnored private let dispatcher: Dispatcher
    /// Nil for a client whose server has no valid URL: none of its commands is sent.
    @ObservationIgnored private let host: Origin?
    @ObservationIgnored private var latest: Incident?
    @ObservationIgnored private var following: Task<Void, Never>?

    /// - Parameter client: whose server is followed. All clients of the same dispatcher and server have the same incidents.
    public nonisolated init(_ client: any ServiceClient) {
        dispatcher = client.binding.dispatcher
        host = client.binding.host
    }

    deinit { following?.cancel() }

    /// The incident that affects the host, or some of its endpoints; nil if none is open.
    ///
    /// It changes with its scope and its message. `Incident.updates` tells of each command that joins.
    public var incident: Incident? {
        access(keyPath: \.incident)
        if following == nil { follow() }
        return latest
    }

    /// Whether no incident affects the whole host. Endpoints may be affected nonetheless.
    public var isAvailable: Bool { if case .host? = incident?.scope { false } else { true } }

    /// Whether no incident affects the commands of one type: neither of the host nor of their endpoint.
    public func isAvailable<C: Command>(for command: C.Type) -> Bool {
        guard case .endpoints(_, let names)? = incident?.scope else { return isAvailable }
        return !names.contains("\(C.endpoint.service.name).\(C.endpoint.name)")
    }

    private func follow() {
        let events = dispatcher.incidents
        latest = openIncident
        // Detached: it is not a part of what has read the property first. The task does not keep the model.
        following = Task.detached { [weak self] in
            for await _ in events {
                guard let self else { return }
                await self.look()
            }
        }
    }

    private var openIncident: Incident? { host.flatMap { dispatcher.outage(of: $0) } }

    /// Shows the incident as it is now: an event may be older, and a slow reader misses some.
    private func look() {
        let now = openIncident
        guard
            now?.id != latest?.id || now?.scope != latest?.scope || now?.name != latest?.name
                || now?.message != latest?.message
        else { return }
        withMutation(keyPath: \.incident) { latest = now }
    }
}
