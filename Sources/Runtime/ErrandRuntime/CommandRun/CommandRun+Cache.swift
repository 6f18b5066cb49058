/// What one command has to do with the cache. An object of the one task that carries the command out.
final class CacheWork {
    /// What the cache had for the request when it was last asked.
    var found: Found?
    /// The cache's part of the request under way; nil if the cache has none.
    var exchange: CacheExchange?
    /// Why the cache has given the response; nil for a response of the server.
    var hit: CacheHit?
    /// Whether the server is not asked to confirm anything, because it has confirmed another response than the one in question.
    var isUnconditional = false
    /// Where a write was sent that the server may have carried out; nil for a read.
    var target: String?

    struct Found {
        let stored: StoredResponse
        let lookup: CacheLookup
        let request: AssembledRequest
    }
}

// Reads with a cache. Before anything else a command looks whether it needs the server at all, and before it sends its request, because
// another command may have brought the response meanwhile.
extension CommandRun {
    /// The response to a command that needs no server, or that has none now; nil for a command that goes on.
    @inline(never)
    func respondFromCache(_ server: ServerAddress) -> ReceivedResponse? {
        guard role.isCacheable, !role.isRevalidation, !session.isOver(membership),
            let request = requestForCache(server),
            let lookup = lookup(of: request, for: membership)
        else { return nil }
        let caching = caching ?? CacheWork()
        self.caching = caching
        let now = environment.time.now
        switch dispatcher.cache.look(lookup, at: now, watch: { watch(lookup.key.owner) }) {
        case .nothing:
            caching.found = nil
            return nil
        case .fresh(let stored): return respond(with: stored, .fresh, to: request)
        case .whileRevalidating(let stored, let isFirst):
            if isFirst { revalidate(lookup, server) }
            return respond(with: stored, .whileRevalidating, to: request)
        case .stale(let stored):
            caching.found = CacheWork.Found(stored: stored, lookup: lookup, request: request)
            // Without a network, it would wait at the gate for what it has already.
            guard let stale = staleResponse(caching, at: now), !isOnline(server) else { return nil }
            return respond(with: stored, stale.mayBeUsedOffline ? .offline : .ifError, to: request)
        }
    }

    /// Takes a stale response in place of a failure.
    @inline(never)
    func respond(with stored: StoredResponse, _ basis: CacheHit.Basis) -> ReceivedResponse {
        // The step exists only with what was found.
        let request =
            caching?.found?.request
            ?? AssembledRequest(
                request: TransportRequest(method: endpoint.method, url: ""), printedURL: state.summary.url, secrets: [])
        return respond(with: stored, basis, to: request)
    }

    /// Looks once more when everything is ready to be sent, and notes what is sent now.
    ///
    /// - Returns: nil if the request has to be sent.
    @inline(never)
    func prepareExchange() -> ReceivedResponse? {
        caching?.hit = nil
        caching?.exchange = nil
        // What is sent without a token is not the user's, whose session may only have expired.
        let owner = grant?.tokens == nil ? CommandEpoch.none : membership
        guard role.isCacheable, carriage == nil, let request, let lookup = lookup(of: request, for: owner) else {
            return nil
        }
        let caching = caching ?? CacheWork()
        self.caching = caching
        let now = environment.time.now
        let stored = dispatcher.cache.find(lookup, at: now) { watch(lookup.key.owner) }
        caching.found = stored.map { CacheWork.Found(stored: $0, lookup: lookup, request: request) }
        if let stored, !role.isRevalidation, stored.isFresh(at: now, for: lookup.demand) {
            leaveHost()
            endTurn()
            self.request = nil
            return respond(with: stored, .fresh, to: request)
        }
        // Who joins the request of another command has that one's exchange.
        if shared == nil {
            let validated = caching.isUnconditional ? nil : stored
            caching.exchange = dispatcher.cache.begin(lookup, validating: validated, at: now)
        }
        return nil
    }

    /// The response to a request, completed from the cache if the server has only confirmed what is there.
    ///
    /// - Returns: nil if the request has to be sent once more, because the server has confirmed something else.
    @inline(never)
    func complete(
        _ response: TransportResponse, _ request: AssembledRequest, _ observed: Observation.BegunAttempt?,
        _ caching: CacheWork
    ) -> ReceivedResponse? {
        let redactor = ResponseRedactor(request, maximumBodySize: dispatcher.settings.maximumFailureBodySize)
        guard response.status == 304, let exchange = caching.exchange, let stored = exchange.validated else {
            return ReceivedResponse(response, to: request, redactor, observed)
        }
        guard !state.summary.isRedirected, let headers = stored.headers(confirmedBy: response.headers) else {
            dispatcher.cache.remove(exchange.lookup)
            caching.isUnconditional = true
            caching.exchange = nil
            observe(.success(response), request, observed, nil)
            leaveHost()
            endTurn()
            return nil
        }
        let age = response.headers["Age"].flatMap(DeltaSeconds.parse) ?? 0
        caching.hit = CacheHit(age: .seconds(age) + (environment.time.now - exchange.sent), basis: .validated)
        return ReceivedResponse(
            TransportResponse(status: stored.status, headers: headers, body: stored.body), to: request, redactor,
            observed, confirmation: ReceivedResponse.Confirmation(response))
    }

    /// Stores a success, if its headers allow it.
    @inline(never)
    func keep(_ received: ReceivedResponse, _ caching: CacheWork) {
        guard let rule = endpoint.cache, let exchange = caching.exchange else { return }
        caching.exchange = nil
        let (response, request, lookup) = (received.response, received.request.request, exchange.lookup)
        let sent = request.sent
        // An interceptor may have asked for something else, and a redirect leads there.
        let isAsked = sent?.line.map { $0.method == request.method && $0.url == request.url } ?? true
        var stored: StoredResponse?
        if isAsked, !state.summary.isRedirected, !state.summary.isOutcome {
            stored = StoredResponse(
                status: response.status, headers: response.headers, body: response.body, to: lookup.headers, rule: rule,
                sent: exchange.sent, received: environment.time.now, date: RetryAfter.seconds(environment.wallTime()))
        }
        // The same for a field by which the response varies.
        if let headers = sent?.headers, stored?.selection.matches(headers) == false { stored = nil }
        dispatcher.cache.store(stored, of: exchange) { watch(lookup.key.owner) }
    }

    /// Removes what the cache has for a request whose response says that it is not so any more. An outage, and a refusal that concerns
    /// the sender, say nothing about it.
    @inline(never)
    func forget(_ received: ReceivedResponse, _ caching: CacheWork) {
        let lookup = caching.exchange?.lookup ?? (received.isFromCache ? caching.found?.lookup : nil)
        caching.exchange = nil
        caching.hit = nil
        guard let lookup else { return }
        switch received.sent.status {
        case 401, 407, 408, 425, 429, 500...: if !received.isFromCache { return }
        default: break
        }
        caching.found = nil
        dispatcher.cache.remove(lookup)
    }

    /// Notes a success for which nothing was sent. It shows nothing about the host, and takes nothing from its budget.
    @inline(never)
    func succeedFromCache() -> Bool {
        payBack()
        state.handle(.responded)
        reportConnectivity()
        return true
    }

    /// What the cache has in place of a failure; nil for nothing.
    @inline(never)
    func staleResponse(_ caching: CacheWork, at now: Duration) -> StaleResponse? {
        guard let found = caching.found, !role.isRevalidation,
            dispatcher.cache.holds(found.stored, of: found.lookup.key)
        else { return nil }
        let demand = found.lookup.demand
        let stale = StaleResponse(
            response: found.stored, mayBeUsedIfError: found.stored.allows(.ifError, at: now, for: demand),
            mayBeUsedOffline: found.stored.allows(.offline, at: now, for: demand))
        return stale.mayBeUsedIfError || stale.mayBeUsedOffline ? stale : nil
    }

    /// Watches for the end of the login that stored responses belong to. They go with it.
    ///
    /// - Returns: how to end the watch; nil if there is nothing to watch.
    private func watch(_ owner: CacheOwner) -> (@Sendable () -> Void)? {
        let watch = session.watch(owner.epoch) { [weak cache = dispatcher.cache] in cache?.remove(owner) }
        guard let watch else { return nil }
        return { [weak session] in session?.unwatch(watch) }
    }

    // MARK: Parts

    /// The request as it would be sent now; nil if the command cannot make it.
    private func requestForCache(_ server: ServerAddress) -> AssembledRequest? {
        // The gate of the session gives the token that is sent. Nothing is sent here, but `Vary` may name the token's field.
        let earlier = grant
        defer { grant = earlier }
        let current = session.currentGrant
        grant = if case .epoch(let number) = membership, current.epoch == number { current } else { nil }
        guard case .success(let request) = encode(server) else { return nil }
        return request
    }

    /// Nil for a request in which the cache has no part.
    ///
    /// - Parameter owner: the login that the response belongs to; `none` for a request without a token.
    private func lookup(of assembled: AssembledRequest, for owner: CommandEpoch) -> CacheLookup? {
        let request = assembled.request
        guard request.streamedBody == nil, request.frame == nil else { return nil }
        var tokenField: String?
        if owner != .none, case .header(let name, _, _)? = endpoint.service.session?.place { tokenField = name }
        let key = CacheKey(
            owner: CacheOwner(session.identity, owner), endpoint: request.endpoint,
            method: request.method.rawValue, url: request.url, headers: request.headers, body: request.body,
            tokenField: tokenField, tokenParameter: owner == .none ? nil : tokenParameter)
        let lookup = CacheLookup(key, request.headers, at: dispatcher.cache.files.flatMap { _ in place(of: owner) })
        return lookup.isOfTheCaller ? nil : lookup
    }

    /// The parameter of the query that has the session's token; nil for a token that is elsewhere.
    private var tokenParameter: String? {
        if membership != .none, case .parameter(let name)? = endpoint.service.session?.place { name } else { nil }
    }

    /// Where the response is on the disk; nil for one that no later process finds again.
    private func place(of owner: CommandEpoch) -> CachePlace? {
        guard let rule = endpoint.cache else { return nil }
        if owner == .none { return CachePlace(login: nil, rule: rule) }
        guard session.isKept, let login = session.login(of: owner) else { return nil }
        return CachePlace(login: login, rule: rule)
    }

    private func respond(
        with stored: StoredResponse, _ basis: CacheHit.Basis, to request: AssembledRequest
    ) -> ReceivedResponse {
        let now = environment.time.now
        // No host has responded.
        state.host = nil
        state.summary.url = request.printedURL
        caching?.hit = CacheHit(age: stored.age(at: now), basis: basis)
        let redactor = ResponseRedactor(request, maximumBodySize: dispatcher.settings.maximumFailureBodySize)
        return ReceivedResponse(
            TransportResponse(status: stored.status, headers: stored.headers(at: now), body: stored.body), to: request,
            redactor, nil, isFromCache: true)
    }

    /// Asks for a newer response in a task of its own, unless that would have to wait for the network or for a login.
    private func revalidate(_ lookup: CacheLookup, _ server: ServerAddress) {
        let cache = dispatcher.cache
        guard isOnline(server), hasSession else { return cache.endRevalidation(of: lookup.key) }
        var options = CommandOptions()
        options.headers = call.headers
        options.priority = limits.priority
        options.opensIncidents = false
        let call = CommandExecution(
            command: call.command, endpoint: endpoint, route: call.route, session: session,
            role: .revalidation(of: membership), options: options)
        _ = environment.startDetached {
            await call.revalidate()
            cache.endRevalidation(of: lookup.key)
        }
    }

    /// Whether it would be sent without a wait for a login or a renewal.
    private var hasSession: Bool {
        if endpoint.session == .none { return true }
        if case .granted? = session.admitAtOnce(call, membership) { return true }
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

extension CacheExchange {
    /// Asks the server to confirm the stored response (RFC 9111 section 4.3.1).
    func ask(in assembled: AssembledRequest) {
        for (name, value) in validated?.condition ?? [] { assembled.request.headers.set(name, value) }
    }
}

// Writes, after which stored responses may be out of date.
extension CommandRun {
    /// Removes what a write may have changed (RFC 9111 section 4.4), by its response. A refusal has changed nothing.
    @inline(never)
    func invalidate(_ response: TransportResponse, _ assembled: AssembledRequest) {
        guard !(400..<500).contains(response.status), endpoint.frame == nil, !dispatcher.cache.isIdle else { return }
        let url = assembled.request.sent?.line?.url ?? assembled.request.url
        var targets = CacheKey.targets(ofWriteTo: url, response.headers, without: tokenParameter)
        if let moved = response.redirectedTo { targets.append(CacheKey.target(moved, without: tokenParameter)) }
        invalidate(targets)
    }

    /// The same for a write without a response. It may be carried out later, so that its end counts once more.
    @inline(never)
    func invalidate(after fault: TransportFault, _ assembled: AssembledRequest) {
        guard endpoint.frame == nil, fault.evidence == .sent || fault.evidence == .responded else { return }
        let caching = caching ?? CacheWork()
        self.caching = caching
        let target = CacheKey.target(
            assembled.request.sent?.line?.url ?? assembled.request.url, without: tokenParameter)
        caching.target = target
        invalidate([target])
    }

    /// Removes what was stored since an attempt of which only now is known that it was carried out.
    @inline(never)
    func invalidateAgain(_ caching: CacheWork) {
        if let target = caching.target { invalidate([target]) }
    }

    private func invalidate(_ targets: [String]) {
        let service = endpoint.service.name
        dispatcher.cache.invalidate(targets: targets, endpoints: endpoint.clears.map { "\(service).\($0)" })
    }
}
