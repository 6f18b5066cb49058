/// The current state of the network, as reported by the system.
public struct NetworkPath: Sendable, Hashable {
    /// The kind of network.
    public enum Kind: String, Sendable, CaseIterable {
        case cellular, wiFi, wired
        /// Something else, or unknown.
        case other
    }

    /// Whether there is a way out at all. That a server can be reached, only an attempt can tell.
    public var isSatisfied: Bool
    public var kind: Kind
    /// Whether traffic is paid for by volume, as on most cellular networks and personal hotspots.
    public var isExpensive: Bool
    /// Whether the user has asked to save data.
    public var isConstrained: Bool

    public init(
        isSatisfied: Bool, kind: Kind = .other, isExpensive: Bool = false, isConstrained: Bool = false
    ) {
        self.isSatisfied = isSatisfied
        self.kind = kind
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }

    /// A network of an unknown kind.
    public static let satisfied = NetworkPath(isSatisfied: true)
    /// No way out.
    public static let unsatisfied = NetworkPath(isSatisfied: false)

    /// Whether a command may take it that is declared so.
    public func allows(_ use: NetworkUse) -> Bool {
        switch use {
        case .any: isSatisfied
        case .unmetered: isSatisfied && isUnmetered
        }
    }

    /// Whether traffic is free of volume charges and not to be saved.
    var isUnmetered: Bool { !isExpensive && !isConstrained }
}

/// Reports the state of the network. `SystemPathMonitor` asks the system, and a test supplies its own monitor.
public protocol PathMonitor: Sendable {
    /// The current state.
    var current: NetworkPath { get }
    /// The current state, and each change from then on. Any number of readers can follow it, each with a sequence of its own.
    /// The same path may come twice in a row.
    func paths() -> AsyncStream<NetworkPath>
}

/// Says that there always is a network: on a server, or if an attempt is the only way to know.
public struct AlwaysSatisfiedPath: PathMonitor {
    public init() {}
    public var current: NetworkPath { .satisfied }
    public func paths() -> AsyncStream<NetworkPath> {
        AsyncStream { continuation in
            continuation.yield(.satisfied)
            continuation.finish()
        }
    }
}
