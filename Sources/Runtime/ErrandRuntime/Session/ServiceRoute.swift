/// A client without its session. The session keeps this part of the clients that share it, so that client and session don't
/// keep each other alive.
package final class ServiceRoute: Sendable {
    package let service: ServiceDescription
    /// Nil if the app gave stubs, or something that isn't a server.
    let server: ServerAddress?
    /// The other origins of the server, by their roles.
    let roles: [String: ServerAddress]
    package let dispatcher: Dispatcher
    package let common: (@Sendable (inout RequestEncoder) -> Void)?
    /// The credentials that the app has given, by their names in the contract.
    let credentials: [String: GivenCredential]
    let signingKey: String?
    let refresh: (any RefreshCommand.Type)?
    /// Sends what the session itself sends.
    package let sender: any LoginSender
    /// The stubs that carry out commands in place of a server, by the type of the command; nil for a client with a
    /// server.
    let stubs: [ObjectIdentifier: any CommandStub]?
    /// What the followers of events get from stubs, by the type of the event: arrays of it.
    package let stubbedEvents: [ObjectIdentifier: any Sendable]

    init(
        service: ServiceDescription, server: ServerAddress?, roles: [String: ServerAddress] = [:],
        dispatcher: Dispatcher,
        common: (@Sendable (inout RequestEncoder) -> Void)?, credentials: [String: GivenCredential] = [:],
        signingKey: String?,
        refresh: (any RefreshCommand.Type)?, sender: any LoginSender,
        stubs: [ObjectIdentifier: any CommandStub]? = nil, stubbedEvents: [ObjectIdentifier: any Sendable] = [:]
    ) {
        self.service = service
        self.server = server
        self.roles = roles
        self.dispatcher = dispatcher
        self.common = common
        self.credentials = credentials
        self.signingKey = signingKey
        self.refresh = refresh
        self.sender = sender
        self.stubs = stubs
        self.stubbedEvents = stubbedEvents
    }

    /// Where the commands of an endpoint go; nil if the app gave stubs, or no server for the endpoint's role.
    func server(of endpoint: EndpointDescription) -> ServerAddress? {
        endpoint.server.map { roles[$0.name] } ?? server
    }

    /// The credentials that a command carries: those of the first alternative that the app has given. Nil if it has given none.
    func credentials(of endpoint: EndpointDescription) -> [GivenCredential]? {
        if endpoint.credentials.isEmpty || endpoint.server?.sendsCredentials == false { return [] }
        for names in endpoint.credentials {
            let given = names.compactMap { credentials[$0] }
            if given.count == names.count { return given }
        }
        return nil
    }

    /// The same route with stubs in place of the server.
    func stubbed(
        by stubs: [ObjectIdentifier: any CommandStub], events: [ObjectIdentifier: any Sendable]
    ) -> ServiceRoute {
        ServiceRoute(
            service: service, server: nil, dispatcher: dispatcher, common: common, credentials: credentials,
            signingKey: signingKey, refresh: refresh, sender: sender, stubs: stubs, stubbedEvents: events)
    }
}

extension ServiceRoute: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(service.name) at \(server?.origin.description ?? "?")" }
    package var customMirror: Mirror { Mirror(self, children: printed, displayStyle: .class) }
    /// The properties that may be printed. The key and the credentials are secret, and the other values that the app
    /// gave the client might be.
    var printed: KeyValuePairs<String, Any> {
        ["service": service.name, "server": server?.origin.description as Any]
    }
}

/// Sends the logins and renewals of a session, and presents its token on a connection, through the pipeline, which is above both.
package protocol LoginSender: Sendable {
    /// - Parameter start: what the session was when its renewal began.
    /// - Throws: the command's own failure.
    func send<C: LoginCommand>(
        _ command: C, through route: ServiceRoute, in session: Session, from start: SessionVersion
    ) async throws(C.Failure)

    /// - Throws: the command's own failure.
    func present<C: Command>(
        _ command: C, on connection: any ConnectionHandle, through route: ServiceRoute, in session: Session
    ) async throws(C.Failure)
}

/// A command, as its session sees it.
protocol SessionCommand: AnyObject, Sendable {
    var command: any Command { get }
    var endpoint: EndpointDescription { get }
    var route: ServiceRoute { get }
    var role: CommandRole { get }
    /// The state of the session when the command, or the renewal that sends it, was started.
    var basis: SessionVersion { get }
    /// Whether a responder sends it, in any task: an incident may wait for its end.
    var isSentByResponder: Bool { get }
    /// Whether it starts a session.
    var isLogin: Bool { get }
    /// Whether it ends a session.
    var isLogout: Bool { get }
}

extension SessionCommand {
    var environment: DispatcherEnvironment { route.dispatcher.environment }
}
