/// Tells commands apart, those of other dispatchers too.
public struct CommandIdentity: Sendable, Hashable, Identifiable {
    private let facts: Facts

    /// Counted from 1 by each dispatcher.
    public var id: Int { facts.id }
    /// The service's name in its contract.
    public var service: String { facts.endpoint.service.name }
    /// The endpoint's name in its contract.
    public var endpoint: String { facts.endpoint.name }
    public var method: HTTPMethod { facts.endpoint.method }

    init(id: Int, _ endpoint: EndpointDescription) { facts = Facts(id: id, endpoint: endpoint) }

    /// The identity's data. It is one object for each command, so that requests, which carry it, stay small without observers.
    private final class Facts: Sendable {
        let id: Int
        let endpoint: EndpointDescription

        init(id: Int, endpoint: EndpointDescription) {
            self.id = id
            self.endpoint = endpoint
        }
    }

    public static func == (first: CommandIdentity, second: CommandIdentity) -> Bool { first.facts === second.facts }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(facts)) }
}

extension CommandIdentity: CustomReflectable {
    public var customMirror: Mirror {
        Mirror(
            self, children: ["id": id, "service": service, "endpoint": endpoint, "method": method.rawValue],
            displayStyle: .struct)
    }
}

/// Tells attempts apart.
public struct AttemptIdentity: Sendable, Hashable {
    public let command: CommandIdentity
    /// The first is 1.
    public let number: Int
}
