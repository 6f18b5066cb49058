/// One submitted command: its description, its destination and its limits. Nothing of it changes. `CommandRun` carries it out.
final class CommandExecution: SessionCommand {
    let command: any Command
    let endpoint: EndpointDescription
    let route: ServiceRoute
    let session: Session
    let role: CommandRole
    let limits: CommandLimits
    /// The caller's own headers, by name.
    let headers: [String: String]
    /// Whether the cache is not used, and nothing that it has is asked about.
    let reloads: Bool
    let opensIncidents: Bool
    /// Looked up once, because a look at a conformance is not cheap.
    let isLogin: Bool
    let isLogout: Bool
    /// Asked about incidents before the dispatcher's responder.
    let responders: [ResponderLevel]
    /// The state of the session when the command, or the renewal that sends it, was started.
    let basis: SessionVersion
    /// Which login the command belonged to when it was submitted.
    let membership: CommandEpoch
    /// Nil without observers.
    let observation: Observation?

    @inline(never)
    init(
        command: any Command, endpoint: EndpointDescription, route: ServiceRoute, session: Session,
        role: CommandRole, options: CommandOptions = CommandOptions(), responders: [ResponderLevel] = []
    ) {
        self.command = command
        self.endpoint = endpoint
        self.route = route
        self.session = session
        self.role = role
        self.responders = responders
        limits = CommandLimits(endpoint, options)
        reloads = options.reloads && endpoint.effect == .read && endpoint.frame == nil
        let asks = reloads && !options.headers.keys.contains { HTTPHeaders.isEqual($0, "Cache-Control") }
        headers = asks ? options.headers.merging(["Cache-Control": "no-cache"]) { $1 } : options.headers
        opensIncidents = options.opensIncidents
        isLogin = command is any LoginCommand
        isLogout = command is any LogoutCommand
        switch role {
        case .renewal(let start):
            basis = start
            membership = .none
        case .attachment, .identification:
            basis = session.basis
            membership = .none
        case .confirmation(let of), .resubmission(_, let of), .rest(let of), .recorded(_, let of),
            .revalidation(let of):
            basis = session.basis
            membership = of
        case .page(let of?, _), .carried(_, let of?):
            basis = session.basis
            membership = of
        case .ordinary, .page(nil, _), .carried(_, nil):
            basis = session.basis(continuing: options.continuation)
            membership = session.membership(of: endpoint.session, isLogout: isLogout)
        }
        observation = route.dispatcher.observers?.begin(endpoint, route.dispatcher.environment.time)
    }

    /// Where the command goes; nil if the app gave stubs, or something that isn't a server.
    var server: ServerAddress? { route.server(of: endpoint) }

    /// Asked about incidents, one after the other.
    var chain: [ResponderLevel] { responders + (route.dispatcher.responder.map { [$0] } ?? []) }

    /// Whether it is a login that the app makes. Until the session has what a login gave, other commands wait for it.
    var isOwnLogin: Bool { isLogin && role.isOrdinary }

    var isSentByResponder: Bool { !opensIncidents || ResponderScope.isOpen }

    /// The fields of the command that break its contract.
    @inline(never)
    func check() -> [BrokenField] {
        var check = RequestCheck()
        (command as? any CheckedCommand)?.validate(&check)
        guard check.broken.isEmpty, route.stubs == nil else { return check.broken }
        if server == nil { return [Self.brokenServer(endpoint.service)] }
        // An earlier process has sent it. A further attempt is checked when its request is made.
        if case .carried(let carrier, _) = role, carrier.earlier != nil { return [] }
        if route.credentials(of: endpoint) == nil { return [Self.missingCredentials(endpoint)] }
        // A login whose user cannot be asked for would spend its code or its password in vain.
        guard isLogin, let asked = identification.map({ type(of: $0).endpoint }),
            route.credentials(of: asked) == nil
        else { return [] }
        return [Self.missingCredentials(asked)]
    }

    /// The command that says whose the token of this login is; nil if nothing has to be asked.
    var identification: (any IdentityCommand)? {
        command is any RefreshCommand ? nil : endpoint.service.identification?() as? any IdentityCommand
    }

    /// Names the credentials of the contract, never a value.
    static func missingCredentials(_ endpoint: EndpointDescription) -> BrokenField {
        let names = endpoint.credentials.map { $0.joined(separator: " and ") }.joined(separator: ", or ")
        return BrokenField(name: "credentials", reason: "must be given to the client: \(names)")
    }

    static func brokenServer(_ service: ServiceDescription) -> BrokenField {
        let schemes = service.connection == nil ? "an http or https" : "a ws or wss"
        return BrokenField(name: "server", reason: "must be \(schemes) URL")
    }
}
