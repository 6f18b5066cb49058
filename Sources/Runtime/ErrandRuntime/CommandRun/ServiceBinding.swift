/// Where the commands of one client go: a server, the dispatcher that sends them, the session that
/// they carry, and what the contract adds to each of them.
///
/// Making one introduces the client to its session, which sends logins and renewals through it.
public struct ServiceBinding: Sendable {
    package let route: ServiceRoute
    /// The session that this client's commands carry.
    public let session: Session
    /// Asked about incidents before the dispatcher's responder, the last one first.
    var responders: [ResponderLevel] = []
    /// The caller's settings for its own commands.
    package var options = CommandOptions()

    /// - Parameters:
    ///   - service: what the contract says about the service.
    ///   - server: the base URL, `https://api.bank.example/v1`. One that isn't an http or https URL makes
    ///     every command fail as `invalidRequest`.
    ///   - roles: the base URLs of the endpoints that the contract sends to another origin, by the name of its role.
    ///   - pins: the keys that the server may have, at all of these URLs; nil for any.
    ///   - gateways: what the programs before these servers respond by themselves: under `url` for the base URL, and under the names of
    ///     roles. Without an entry, no response of such a program proves anything.
    ///   - dispatcher: what sends the commands, usually one per app.
    ///   - session: whose tokens they carry, usually one per app.
    ///   - common: writes the contract's common parameters into a request, once per attempt.
    ///   - credentials: the app's keys and passwords by their names in the contract. Nil and an empty text count as not given.
    ///   - signingKey: the app's key, if the contract signs requests.
    ///   - refresh: the command that renews the session, if the contract has one.
    public init(
        _ service: ServiceDescription, server: String, roles: [String: String] = [:], pins: PublicKeyPins? = nil,
        gateways: [String: GatewayRules] = [:], on dispatcher: Dispatcher, session: Session,
        common: (@Sendable (inout RequestEncoder) -> Void)? = nil, credentials: [String: String?] = [:],
        signingKey: String? = nil,
        refresh: (any RefreshCommand.Type)? = nil
    ) {
        route = ServiceRoute(
            service: service,
            server: ServerAddress(
                server, isConnection: service.connection != nil, pins: pins, gateways: gateways["url"]),
            roles: Dictionary(
                uniqueKeysWithValues: roles.compactMap { role, url in
                    ServerAddress(url, pins: pins, gateways: gateways[role]).map { (role, $0) }
                }),
            dispatcher: dispatcher, common: common,
            credentials: service.given(credentials),
            signingKey: signingKey, refresh: refresh, sender: PipelineLoginSender())
        self.session = session
        session.introduce(route)
    }

    init(route: ServiceRoute, session: Session) {
        self.route = route
        self.session = session
    }

    /// The dispatcher that sends this client's commands.
    public var dispatcher: Dispatcher { route.dispatcher }

    /// The hosts of this client's server: that of its `url`, then those of its roles. A host without a valid URL is missing.
    package var hosts: [Origin] {
        var seen: Set<Origin> = []
        let roles = route.roles.sorted { $0.key < $1.key }.map(\.value)
        return ([route.server].compactMap { $0 } + roles).map(\.origin).filter { seen.insert($0).inserted }
    }

    /// The host that the commands of an endpoint go to; nil if its URL is invalid.
    package func host(of endpoint: EndpointDescription) -> Origin? { route.server(of: endpoint)?.origin }

    /// The host of this client's server; nil if the server's URL is invalid.
    package var host: Origin? { route.server?.origin }

    /// Asked about incidents, one after the other.
    var responderChain: [ResponderLevel] { responders + (dispatcher.responder.map { [$0] } ?? []) }

    /// Carries a command out.
    func perform<C: Command>(
        _ command: C, as role: CommandRole = .ordinary
    ) async throws(C.Failure) -> Reply<C.Response> {
        try await makeCall(command, role).perform(command)
    }

    @inline(never)
    func makeCall<C: Command>(_ command: C, _ role: CommandRole = .ordinary) -> CommandExecution {
        CommandExecution(
            command: command, endpoint: C.endpoint, route: route, session: session, role: role, options: options,
            responders: responders)
    }

    /// Sends a command once more with the key that its earlier attempts had.
    func performAgain<C: Command>(_ receipt: Receipt, as type: C.Type) async throws(C.Failure) -> Reply<C.Response> {
        guard let intent = receipt.intent as? CommandIntent, let command = intent.command as? C else {
            throw C.Failure(refuseAgain(receipt, "must be that of a command of this type with an idempotency key"))
        }
        guard !intent.key.isExpired(C.endpoint.keyLifetime, at: dispatcher.environment.time.now) else {
            throw C.Failure(refuseAgain(receipt, "must be used while the server knows its key"))
        }
        return try await perform(command, as: .resubmission(intent.key, of: intent.membership(in: session)))
    }

    private func refuseAgain(_ receipt: Receipt, _ reason: String) -> CommandFault {
        let kind = CommandFault.Kind.invalidRequest
        return CommandFault(
            kind,
            FailureContext(
                name: kind.rawValue, category: kind.category, applied: .maybe, message: kind.message,
                service: receipt.context.service, endpoint: receipt.context.endpoint, method: receipt.context.method,
                brokenFields: [BrokenField(name: "receipt", reason: reason)]))
    }
}

extension ServiceBinding: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The service and its server. The route holds the app's key, and the session its tokens.
    public var description: String { "\(route)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: route.printed, displayStyle: .struct) }
}

/// Sends what a session and a connection send like every other command.
private struct PipelineLoginSender: LoginSender {
    func send<C: LoginCommand>(
        _ command: C, through route: ServiceRoute, in session: Session, from start: SessionVersion
    ) async throws(C.Failure) {
        _ = try await ServiceBinding(route: route, session: session).perform(command, as: .renewal(start))
    }

    func present<C: Command>(
        _ command: C, on connection: any ConnectionHandle, through route: ServiceRoute, in session: Session
    ) async throws(C.Failure) {
        var binding = ServiceBinding(route: route, session: session)
        // The connection is opened again if it fails.
        binding.options.attempts = 1
        _ = try await binding.perform(command, as: .attachment(connection))
    }
}

extension CommandExecution {
    /// Carries a command out.
    @inline(__always)
    func perform<C: Command>(_ command: C) async throws(C.Failure) -> Reply<C.Response> {
        try await perform(command, with: CommandReader<C>())
    }

    /// Carries a command out, whose response is read by a reader of its own. Its success may begin or end the session.
    @inline(__always)
    func perform<C: Command, Reader: ResponseReader<C.Response>>(
        _ command: C, with reader: Reader
    ) async throws(C.Failure) -> Reply<C.Response> {
        // Few commands do, so the others have no room for the response beside what they return.
        if isLogin || isLogout { return try await performForSession(command, with: reader) }
        let run = CommandRun(self)
        do throws(CommandRun.Ending) {
            let reply = try await run.respond(with: reader)
            succeed(command, reply, run)
            return reply
        } catch {
            throw failure(of: error, command)
        }
    }

    @inline(never)
    private func performForSession<C: Command, Reader: ResponseReader<C.Response>>(
        _ command: C, with reader: Reader
    ) async throws(C.Failure) -> Reply<C.Response> {
        if isOwnLogin { session.noteLogin(started: self) }
        let run = CommandRun(self)
        do throws(CommandRun.Ending) {
            let reply = try await run.respond(with: reader)
            var change = run.state.summary.isOutcome ? .none : C.sessionChange(after: reply.value)
            if case .begin(let tokens) = change {
                // The lifetime counts from this response. The question may wait for the network.
                change = .begin(try await identified(tokens.issued(at: environment.wallTime())))
            }
            await session.apply(change, of: self)
            // Before others are told of the end: what they send then is not to wait for this login.
            run.endLogin(change.access)
            if isOwnLogin { session.noteLogin(ended: self) }
            succeed(command, reply, run)
            return reply
        } catch {
            run.endLogin(nil)
            if isOwnLogin { session.noteLogin(ended: self) }
            throw failure(of: error, command)
        }
    }

    /// The tokens of a login with their user, whom another command has to be asked for if the contract says so.
    ///
    /// - Throws: the failure of that command, as the login's.
    @inline(never)
    private func identified(_ tokens: SessionTokens) async throws(CommandRun.Ending) -> SessionTokens {
        guard tokens.identity == nil, !tokens.access.isEmpty, let question = identification else { return tokens }
        return try await identified(tokens, by: question)
    }

    private func identified<C: IdentityCommand>(
        _ tokens: SessionTokens, by question: C
    ) async throws(CommandRun.Ending) -> SessionTokens {
        var binding = ServiceBinding(route: route, session: session)
        // It is a part of the login, and waits no longer than the login may.
        binding.options.patience = limits.patience
        binding.options.deadline = limits.deadline
        do throws(C.Failure) {
            let reply = try await binding.perform(question, as: .identification(token: tokens.access))
            return tokens.identified(as: C.identity(in: reply.value))
        } catch {
            let kind = CommandFault.Kind(rawValue: error.context.name) ?? .rejected
            throw .fault(CommandFault(kind, error.context.carriedOut))
        }
    }

    /// Tells observers and followers of a success.
    @inline(never)
    private func succeed<C: Command>(_ command: C, _ reply: Reply<C.Response>, _ run: CommandRun) {
        noteWrite()
        for stage in run.stages { stage.succeed() }
        observation?.settle(
            run.state.summary.isOutcome ? .outcome : .success, doneAlready: run.state.doneAlready?.description,
            cached: run.hit)
        let completions = route.dispatcher.completions
        if completions.areFollowed { completions.tell(command, .success(reply)) }
    }

    /// Tells the reads that share attempts of a command's end. Whatever that is, the command may have changed what a later read has to
    /// show.
    @inline(__always)
    func noteWrite() {
        if endpoint.effect != .read { route.dispatcher.sharedAttempts.noteWrite() }
    }

    /// The failure that a command ends with. It is reported to followers.
    @inline(never)
    func failure<C: Command>(of ending: CommandRun.Ending, _ command: C) -> C.Failure {
        let failure = C.Failure(ending)
        noteWrite()
        observation?.settle(.failure(failure.context))
        let completions = route.dispatcher.completions
        if completions.areFollowed { completions.tell(command, .failure(failure)) }
        return failure
    }
}

extension CommandFailure {
    /// The failure of an endpoint for how its command ended.
    init(_ ending: CommandRun.Ending) {
        switch ending {
        case .declared(let error, let match):
            self = Self(declared: error, match) ?? Self(CommandFault(.rejected, match.context))
        case .fault(let fault): self = Self(fault)
        case .unconfirmed(let receipt):
            self =
                Self(declared: ErrorMatch.open, ErrorMatch(receipt))
                ?? Self(CommandFault(.unconfirmed, receipt.context))
        }
    }
}
