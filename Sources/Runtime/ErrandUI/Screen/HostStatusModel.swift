public import ErrandRuntime
public import Observation

/// The hosts of a client as a screen observes it: whether they respond, or are in an incident.
///
///     @State private var host: HostStatusModel
///     …
///     Button("Send") { send() }
///         .disabled(!host.isAvailable(for: Bank.TransferFunds.self))
///
/// A client has several hosts if its contract sends some endpoints to another origin (`server`). Each has its own incidents.
///
/// A host is in an incident from a failed command until the host responds, or until the person closes the presentation and no
/// command waits any more. The screen can then be used again: the next command finds out whether the host responds. The model
/// follows the hosts from the first time that a property is read, and until it is released.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class HostStatusModel {
    @ObservationIgnored private let binding: ServiceBinding
    /// That of the server's `url` first. A host without a valid URL is missing: no command is sent to it.
    @ObservationIgnored private let hosts: [Origin]
    @ObservationIgnored private var latest: [Origin: Incident] = [:]
    @ObservationIgnored private var following: Task<Void, Never>?

    /// - Parameter client: whose server is followed. All clients of the same dispatcher and server have the same incidents.
    public nonisolated init(_ client: any ServiceClient) {
        binding = client.binding
        hosts = binding.hosts
    }

    deinit { following?.cancel() }

    /// The incident that affects a host, or some of its endpoints; nil if none is open. The host of the server's `url` comes first.
    ///
    /// It changes with its scope and its message. `Incident.updates` tells of each command that joins.
    public var incident: Incident? {
        let open = openIncidents
        return hosts.lazy.compactMap { open[$0] }.first
    }

    /// Whether no incident affects the whole host of the server's `url`. Endpoints may be affected nonetheless.
    public var isAvailable: Bool { if case .host? = incident(of: binding.host)?.scope { false } else { true } }

    /// Whether no incident affects the commands of one type: neither of the host that they go to nor of their endpoint.
    public func isAvailable<C: Command>(for command: C.Type) -> Bool {
        switch incident(of: binding.host(of: C.endpoint))?.scope {
        case .host?: false
        case .endpoints(_, let names)?: !names.contains("\(C.endpoint.service.name).\(C.endpoint.name)")
        default: true
        }
    }

    private func incident(of host: Origin?) -> Incident? {
        let open = openIncidents
        return host.flatMap { open[$0] }
    }

    /// The open incidents, as a screen that reads them observes them.
    private var openIncidents: [Origin: Incident] {
        access(keyPath: \.incident)
        if following == nil { follow() }
        return latest
    }

    private func follow() {
        let events = binding.dispatcher.incidents
        latest = currentIncidents
        // Detached: it is not a part of what has read the property first. The task does not keep the model.
        following = Task.detached { [weak self] in
            for await _ in events {
                guard let self else { return }
                await self.look()
            }
        }
    }

    private var currentIncidents: [Origin: Incident] {
        var all: [Origin: Incident] = [:]
        for host in hosts { all[host] = binding.dispatcher.outage(of: host) }
        return all
    }

    /// Shows the incidents as they are now: an event may be older, and a slow reader misses some.
    private func look() {
        let now = currentIncidents
        guard hosts.contains(where: { Self.differ(now[$0], latest[$0]) }) else { return }
        withMutation(keyPath: \.incident) { latest = now }
    }

    private static func differ(_ one: Incident?, _ other: Incident?) -> Bool {
        one?.id != other?.id || one?.scope != other?.scope || one?.name != other?.name || one?.message != other?.message
    }
}
