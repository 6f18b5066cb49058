/// The clients that share a session, in the order in which they came.
struct SessionRoutes: Sendable {
    private var all: [ServiceRoute] = []
    /// The dispatchers of all clients that there were: one whose client another one has taken the place of may have
    /// commands that wait.
    private var known: [KnownDispatcher] = []
    /// Through which client the session began; nil if it came from the store or from the app.
    var began: ServiceRoute? {
        didSet { if let began { preferred = began } }
    }
    /// Through which client a session began last.
    private var preferred: ServiceRoute?

    /// Remembers a client. One for the same server takes the place of an older one; one for another
    /// server is kept beside it, and no login goes there unasked.
    mutating func introduce(_ route: ServiceRoute) {
        if !known.contains(where: { $0.dispatcher === route.dispatcher }) {
            known.removeAll { $0.dispatcher == nil }
            known.append(KnownDispatcher(dispatcher: route.dispatcher))
        }
        if let index = all.firstIndex(where: { $0.leads(whereLeads: route) }) {
            all[index] = route
        } else {
            all.append(route)
        }
    }

    /// The dispatchers of all clients that there are, each once.
    var dispatchers: [Dispatcher] { known.compactMap(\.dispatcher) }

    /// Where the session's own tasks run, and its time.
    var environment: DispatcherEnvironment? { all.first?.dispatcher.environment }

    /// The client that sends a service's logins: that of the last login, else the first one.
    func login(of service: ServiceDescription) -> ServiceRoute? {
        if let preferred, preferred.service === service { return current(preferred) }
        return all.first { $0.service === service }
    }

    /// The client that renews tokens: the one that got them. A refresh token goes nowhere else, since
    /// it is as good as the session.
    func refresher(of tokens: SessionTokens) -> ServiceRoute? {
        if tokens.refresh == nil { return nil }
        if let began {
            let route = current(began)
            return route.refresh == nil ? nil : route
        }
        let able = all.filter { $0.refresh != nil }
        if let name = tokens.service { return able.first { $0.service.name == name } }
        // Their origin is unknown. It is unambiguous only if there is a single service.
        guard let first = able.first, able.allSatisfy({ $0.service === first.service }) else { return nil }
        return first
    }

    private func current(_ route: ServiceRoute) -> ServiceRoute {
        all.first { $0.leads(whereLeads: route) } ?? route
    }
}

/// A dispatcher that is kept alive elsewhere.
private struct KnownDispatcher: Sendable {
    weak var dispatcher: Dispatcher?
}

extension ServiceRoute {
    /// Whether it is the same service at the same server.
    fileprivate func leads(whereLeads other: ServiceRoute) -> Bool {
        service === other.service && server?.base == other.server?.base
            && roles.mapValues(\.base) == other.roles.mapValues(\.base)
    }
}
