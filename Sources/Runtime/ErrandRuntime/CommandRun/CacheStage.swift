/// What a read with a cache has to do with it. Before anything else a command looks whether it needs the server at all, and before it
/// sends its request, because another command may have brought the response meanwhile.
final class CacheStage: CommandStage {
    /// What the cache had for the request when it was last asked.
    private var found: Found?
    /// The cache's part of the request under way; nil if the cache has none.
    private var exchange: CacheExchange?
    /// Why the cache has given the response; nil for a response of the server.
    private var lastHit: CacheHit?
    /// Whether the server is not asked to confirm anything, because it has confirmed another response than the one in question, or the
    /// caller wants the whole response.
    private lazy var isUnconditional = run.call.reloads

    private struct Found {
        let stored: StoredResponse
        let lookup: CacheLookup
        let request: AssembledRequest
    }

    private var cache: HTTPCache { run.dispatcher.cache }
    private var now: Duration { run.environment.time.now }
    private var isRevalidation: Bool { run.role.isRevalidation }

    override var hit: CacheHit? { lastHit }

    // MARK: Before the server is asked

    override func begin(to server: ServerAddress) -> ReceivedResponse? {
        guard !isRevalidation, !run.call.reloads, !run.session.isOver(run.membership),
            let request = unsentRequest(server),
            let lookup = lookup(of: request, for: run.membership)
        else { return nil }
        let now = now
        switch cache.look(lookup, at: now, watch: { watch(lookup.key.owner) }) {
        case .nothing:
            found = nil
            return nil
        case .fresh(let stored): return respond(with: stored, .fresh, to: request)
        case .whileRevalidating(let stored, let isFirst):
            if isFirst { revalidate(lookup, server) }
            return respond(with: stored, .whileRevalidating, to: request)
        case .stale(let stored):
            found = Found(stored: stored, lookup: lookup, request: request)
            // Without a network, it would wait at the gate for what it has already.
            guard let stale = staleResponse(at: now), !run.isOnline(server) else { return nil }
            return respond(with: stored, stale.mayBeUsedOffline ? .offline : .ifError, to: request)
        }
    }

    override func respondInstead() -> ReceivedResponse? {
        lastHit = nil
        exchange = nil
        // What is sent without a token is not the user's, whose session may only have expired.
        let owner = run.grant?.tokens == nil ? CommandEpoch.none : run.membership
        guard let request = run.request, let lookup = lookup(of: request, for: owner) else { return nil }
        let now = now
        let stored = cache.find(lookup, at: now) { watch(lookup.key.owner) }
        found = run.call.reloads ? nil : stored.map { Found(stored: $0, lookup: lookup, request: request) }
        if let stored = found?.stored, !isRevalidation, stored.isFresh(at: now, for: lookup.demand) {
            run.leaveHost()
            run.endTurn()
            run.request = nil
            return respond(with: stored, .fresh, to: request)
        }
        // Who joins the request of another command has that one's exchange.
        if run.shared == nil {
            exchange = cache.begin(lookup, validating: isUnconditional ? nil : stored, at: now)
        }
        return nil
    }

    /// Asks the server to confirm the stored response (RFC 9111 section 4.3.1).
    override func amend(_ request: AssembledRequest) {
        for (name, value) in exchange?.validated?.condition ?? [] { request.request.headers.set(name, value) }
    }

    override func lend(to attempt: SharedAttempt) { attempt.exchange = exchange }

    /// Takes over the cache's part of a request that another command has begun, or that this one has: whether something has happened
    /// meanwhile is noted for the request.
    override func join(_ attempt: SharedAttempt) { exchange = attempt.exchange }

    // MARK: After the server was asked

    /// Completes a response from the cache if the server has only confirmed what is there.
    override func take(_ received: ReceivedResponse) -> ReceivedResponse? {
        let response = received.response
        guard response.status == 304, let exchange, let stored = exchange.validated else { return received }
        guard !run.state.summary.isRedirected, let headers = stored.headers(confirmedBy: response.headers) else {
            cache.remove(exchange.lookup)
            isUnconditional = true
            self.exchange = nil
            run.observe(.success(response), received.request, received.observed, nil)
            run.leaveHost()
            run.endTurn()
            return nil
        }
        let age = response.headers["Age"].flatMap(DeltaSeconds.parse) ?? 0
        lastHit = CacheHit(age: .seconds(age) + (now - exchange.sent), basis: .validated)
        return ReceivedResponse(
            TransportResponse(status: stored.status, headers: headers, body: stored.body), to: received.request,
            received.redactor, received.observed, confirmation: ReceivedResponse.Confirmation(response))
    }

    /// Stores a success, if its headers allow it.
    override func keep(_ received: ReceivedResponse) {
        guard let rule = run.endpoint.cache, let exchange else { return }
        self.exchange = nil
        let (response, request, lookup) = (received.response, received.request.request, exchange.lookup)
        let sent = request.sent
        // An interceptor may have asked for something else, and a redirect leads there.
        let isAsked = sent?.line.map { $0.method == request.method && $0.url == request.url } ?? true
        var stored: StoredResponse?
        if isAsked, !run.state.summary.isRedirected, !run.state.summary.isOutcome {
            stored = StoredResponse(
                status: response.status, headers: response.headers, body: response.body, to: lookup.headers, rule: rule,
                sent: exchange.sent, received: now, date: RetryAfter.seconds(run.environment.wallTime()))
        }
        // The same for a field by which the response varies.
        if let headers = sent?.headers, stored?.selection.matches(headers) == false { stored = nil }
        cache.store(stored, of: exchange) { watch(lookup.key.owner) }
    }

    /// Removes what the cache has for a request whose response says that it is not so any more. An outage, and a refusal that concerns
    /// the sender, say nothing about it.
    override func refuse(_ received: ReceivedResponse) {
        let lookup = exchange?.lookup ?? (received.isFromCache ? found?.lookup : nil)
        exchange = nil
        lastHit = nil
        guard let lookup else { return }
        switch received.sent.status {
        case 401, 407, 408, 425, 429, 500...: if !received.isFromCache { return }
        default: break
        }
        found = nil
        cache.remove(lookup)
    }

    // MARK: In place of a failure

    override func add(to facts: inout CommandFacts) { facts.stale = staleResponse(at: facts.now) }

    override func respond(with stored: StoredResponse, _ basis: CacheHit.Basis) -> ReceivedResponse? {
        found.map { respond(with: stored, basis, to: $0.request) }
    }

    /// What the cache has in place of a failure; nil for nothing.
    private func staleResponse(at now: Duration) -> StaleResponse? {
        guard let found, !isRevalidation, cache.holds(found.stored, of: found.lookup.key) else { return nil }
        let demand = found.lookup.demand
        let stale = StaleResponse(
            response: found.stored, mayBeUsedIfError: found.stored.allows(.ifError, at: now, for: demand),
            mayBeUsedOffline: found.stored.allows(.offline, at: now, for: demand))
        return stale.mayBeUsedIfError || stale.mayBeUsedOffline ? stale : nil
    }

    // MARK: Parts

    /// The request as it would be sent now; nil if the command cannot make it.
    private func unsentRequest(_ server: ServerAddress) -> AssembledRequest? {
        // The gate of the session gives the token that is sent. Nothing is sent here, but `Vary` may name the token's field.
        let earlier = run.grant
        defer { run.grant = earlier }
        let current = run.session.currentGrant
        run.grant = if case .epoch(let number) = run.membership, current.epoch == number { current } else { nil }
        guard case .success(let request) = run.encode(server) else { return nil }
        return request
    }

    /// Nil for a request in which the cache has no part.
    ///
    /// - Parameter owner: the login that the response belongs to; `none` for a request without a token.
    private func lookup(of assembled: AssembledRequest, for owner: CommandEpoch) -> CacheLookup? {
        let request = assembled.request
        guard request.streamedBody == nil, request.frame == nil else { return nil }
        var tokenField: String?
        if owner != .none, case .header(let name, _, _)? = run.endpoint.service.session?.place { tokenField = name }
        let key = CacheKey(
            owner: CacheOwner(run.session.identity, owner), endpoint: request.endpoint,
            method: request.method.rawValue, url: request.url, headers: request.headers, body: request.body,
            tokenField: tokenField, tokenParameter: owner == .none ? nil : run.tokenParameter)
        let lookup = CacheLookup(key, request.headers, at: cache.files.flatMap { _ in place(of: owner) })
        return lookup.isOfTheCaller ? nil : lookup
    }

    /// Where the response is on the disk; nil for one that no later process finds again.
    private func place(of owner: CommandEpoch) -> CachePlace? {
        guard let rule = run.endpoint.cache else { return nil }
        if owner == .none { return CachePlace(login: nil, rule: rule) }
        guard run.session.isKept, let login = run.session.login(of: owner) else { return nil }
        return CachePlace(login: login, rule: rule)
    }

    /// Watches for the end of the login that stored responses belong to. They go with it.
    ///
    /// - Returns: how to end the watch; nil if there is nothing to watch.
    private func watch(_ owner: CacheOwner) -> (@Sendable () -> Void)? {
        let session = run.session
        let watch = session.watch(owner.epoch) { [weak cache] in cache?.remove(owner) }
        guard let watch else { return nil }
        return { [weak session] in session?.unwatch(watch) }
    }

    private func respond(
        with stored: StoredResponse, _ basis: CacheHit.Basis, to request: AssembledRequest
    ) -> ReceivedResponse {
        let now = now
        // No host has responded.
        run.state.host = nil
        run.state.summary.url = request.printedURL
        lastHit = CacheHit(age: stored.age(at: now), basis: basis)
        let redactor = ResponseRedactor(request, maximumBodySize: run.dispatcher.settings.maximumFailureBodySize)
        return ReceivedResponse(
            TransportResponse(status: stored.status, headers: stored.headers(at: now), body: stored.body), to: request,
            redactor, nil, isFromCache: true)
    }

    /// Asks for a newer response in a task of its own, unless that would have to wait for the network or for a login.
    private func revalidate(_ lookup: CacheLookup, _ server: ServerAddress) {
        let (cache, call) = (cache, run.call)
        guard run.isOnline(server), hasSession else { return cache.endRevalidation(of: lookup.key) }
        var options = CommandOptions()
        options.headers = call.headers
        options.priority = call.limits.priority
        options.opensIncidents = false
        let revalidation = CommandExecution(
            command: call.command, endpoint: call.endpoint, route: call.route, session: call.session,
            role: .revalidation(of: run.membership), options: options)
        _ = run.environment.startDetached {
            await revalidation.revalidate()
            cache.endRevalidation(of: lookup.key)
        }
    }

    /// Whether it would be sent without a wait for a login or a renewal.
    private var hasSession: Bool {
        if run.endpoint.session == .none { return true }
        if case .granted? = run.session.admitAtOnce(run.call, run.membership) { return true }
        return false
    }
}

extension CommandExecution {
    /// Carries the command out for the cache, which stores its response.
    fileprivate func revalidate() async { await Self.carryOut(command, self) }

    private static func carryOut<C: Command>(_ command: C, _ call: CommandExecution) async {
        _ = try? await call.perform(command)
    }
}
