import ContractModel
import ErrandService
import JSONTree

/// The service of a contract, without a network: takes a request as a value, and gives a response as a value.
///
/// It has state (sessions, keys, and the things that clients make) and a dial of failures. What it remembers is bounded.
///
/// Architecture invariant: it has no clock, no socket and no randomness of its own. The same requests with the same seed and the
/// same times get the same responses. What it sends on a connection later has a time, at which the host asks for it.
///
///     MockRequest ─ RouteTable ─▶ endpoint ─ failures ─ session ─ RequestCheck ─ key ─ resources, pages ─ tag ─▶ MockReply
package struct MockEngine: Sendable {
    package private(set) var contract: ResolvedContract
    package var settings: MockSettings
    /// The settings of the command line and of the scenario, without the changes of the page.
    private var configured: MockSettings
    private(set) var routes: RouteTable
    private(set) var resources: ResourceModel
    var store = ResourceStore()
    /// Tokens are fingerprints, and so are keys with the requests that they were used for.
    var desk = SessionDesk<Fingerprint>()
    var ledger = KeyLedger<Fingerprint, MockResponse>()
    var history = AttemptHistory()
    var chance: SeededRandom
    /// How many requests each rule has met, and how many of them had its failure.
    var met: [Int: (requests: Int, failures: Int)] = [:]
    /// Counts the entries of the log.
    var number = 0
    /// The open connections by their numbers, of which the last one was given.
    var connections = OpenConnections()
    var lastConnection = 0
    /// The entries of the last connections that were lost, by their clients, until these connect again.
    var losses = RecentMap<Fingerprint, (entry: Int, moment: Duration)>(most: AttemptHistory.mostAttempts)
    /// The entries of the last subscriptions, without the place from which they go on.
    var resumptions = RecentMap<Fingerprint, Int>(most: AttemptHistory.mostAttempts)

    package init(_ contract: ResolvedContract, _ settings: MockSettings = MockSettings()) {
        self.contract = contract
        self.settings = settings
        configured = settings
        routes = RouteTable(contract)
        resources = ResourceModel(contract)
        chance = SeededRandom(seed: settings.seed, for: "chance")
    }

    /// The path of the service's base URL.
    package var basePath: String { routes.usualBase }

    /// Takes a contract and settings that were edited. Sessions and keys stay; the things of the service are made anew. What the
    /// page has changed stays too, unless the edit changed it.
    ///
    /// - Parameter contract: nil if only the settings were edited, so that connections stay open.
    package mutating func replace(_ contract: ResolvedContract?, _ edited: MockSettings) {
        if let contract {
            self.contract = contract
            routes = RouteTable(contract)
            resources = ResourceModel(contract)
            closeConnections()
        }
        store = ResourceStore()
        met = [:]
        settings.eventInterval = edited.eventInterval
        settings.rules = edited.rules
        settings.sessionLifetime = edited.sessionLifetime
        if edited.latency != configured.latency { settings.latency = edited.latency }
        if edited.seed != settings.seed {
            settings.seed = edited.seed
            chance = SeededRandom(seed: edited.seed, for: "chance")
        }
        configured = edited
    }

    /// Ends every session. Refresh tokens stay good.
    package mutating func expireSessions() { desk.expireAll() }

    // MARK: One request

    /// A request on its way through the engine.
    struct Call {
        let request: MockRequest
        let route: RouteTable.Match
        let endpoint: ResolvedEndpoint
        let content: RequestContent
        let composer: ResponseComposer
        let now: Duration
        var findings: [String] = []
        /// The number of the connection that the request came on as a frame; nil over HTTP.
        var connection: Int?
        /// The token of the session that the connection belongs to.
        var attachedToken: String?
    }

    /// What became of a request.
    struct Handled {
        var response: MockResponse
        var result: LogEntry.Result
        var name: String?
        /// The code with which the connection is closed in place of a reply.
        var close: UInt16?
    }

    /// Handles a request. The response to HEAD has the body of GET, which the host leaves out: its length is in the head.
    ///
    /// - Parameter now: the time since the server began.
    package mutating func respond(to request: MockRequest, at now: Duration) -> MockReply {
        number += 1
        let route: RouteTable.Match
        switch routes.match(method: request.method, path: request.path) {
        case .match(let match): route = match
        case .none(let status, let message, let allowed):
            return noEndpoint(request, status, message, allowed: allowed, at: now)
        }
        let endpoint = contract.endpoints[route.endpoint]
        let content = RequestContent(request, of: endpoint)
        var call = Call(
            request: request, route: route, endpoint: endpoint, content: content,
            composer: ResponseComposer(endpoint, in: contract), now: now)
        let plan = failurePlan(&call)
        if plan.expiresSessions { desk.expireAll() }
        var handled = validated(handle(&call, plan), call)
        if plan.failure == .wire(.unavailableAfter) {
            handled.response = MockResponse(
                status: 503, headers: [("Content-Type", "text/plain")], body: Array("upstream connection lost".utf8))
        }
        var reply = MockReply(
            response: handled.response, delivery: plan.delivery,
            entry: LogEntry(
                number: number, moment: now, method: request.method, target: printedTarget(call),
                endpoint: endpoint.name.value, status: handled.response.status, result: handled.result,
                name: handled.name, findings: call.findings))
        finish(&reply, plan, call)
        return reply
    }

    /// What the log says of an attempt, and what belongs to every response.
    private mutating func finish(_ reply: inout MockReply, _ plan: FailurePlan, _ call: Call) {
        if let failure = plan.failure, case .wire(let wire) = failure, !wire.isModifier {
            reply.entry.result = .wire
            reply.entry.name = wire.name
            if wire != .cutInside, wire != .unavailableAfter { reply.entry.status = 0 }
        }
        let identity = identity(
            of: call, ledgerKey(call),
            [Array(call.request.method.utf8), Array(call.request.target.utf8), call.request.body])
        let repetition = history.repetition(identity, at: call.now)
        reply.entry.remark = repetition?.remark
        reply.entry.earlier = repetition?.number
        history.note(identity, number: number, isSuccess: reply.entry.result == .success, at: call.now)
        // RFC 9110, section 11.6.1.
        if reply.response.status == 401, reply.response.header("WWW-Authenticate") == nil {
            reply.response.headers += challenges(call.endpoint.credentials.flatMap(\.names)).map {
                ("WWW-Authenticate", $0)
            }
        }
        if !reply.entry.findings.isEmpty {
            reply.response.headers.append(
                (Self.findingHeader, Self.headerText(reply.entry.findings.joined(separator: "; "))))
        }
    }

    /// What the attempts of a request have in common: its key, or the client and what it sends.
    func identity(of call: Call, _ key: Fingerprint?, _ parts: [[UInt8]]) -> AttemptHistory.Identity {
        if let key { return AttemptHistory.Identity(own: key, isKey: true) }
        let program = Fingerprint(parts + [client(call.request, nil)])
        guard let token = sessionToken(in: call), desk.owner(of: Fingerprint(token)) != nil else {
            return AttemptHistory.Identity(own: program)
        }
        return AttemptHistory.Identity(own: Fingerprint(parts + [client(call.request, token)]), withoutUser: program)
    }

    /// The header of a response that says what is wrong with the request.
    package static let findingHeader = "Errand-Mock-Finding"
    /// The header of a request that asks for failures.
    package static let failureHeader = "Errand-Mock"

    private func noEndpoint(
        _ request: MockRequest, _ status: Int, _ message: String, allowed: [String], at now: Duration
    ) -> MockReply {
        let body = JSONNode.object([JSONNode.Member("message", .string(message))])
        var headers = [ResponseComposer.jsonType, (Self.findingHeader, Self.headerText(message))]
        // RFC 9110, section 15.5.6.
        if status == 405 { headers.append(("Allow", allowed.joined(separator: ", "))) }
        return MockReply(
            response: MockResponse(status: status, headers: headers, body: body.bytes),
            entry: LogEntry(
                number: number, moment: now, method: request.method, target: request.path,
                status: status,
                result: .refused, findings: [message]))
    }

    /// Path and query without what the contract calls sensitive.
    private func printedTarget(_ call: Call) -> String {
        var path = call.request.path
        if call.route.parameters.contains(where: { $0.field.isSensitive }), let template = call.endpoint.path {
            path = call.route.base + template.shape
        }
        var hidden = Set(call.endpoint.query.filter(\.isSensitive).map(\.wireName))
        hidden.formUnion(contract.common.all.map(\.field).filter(\.isSensitive).map(\.wireName))
        if case .parameter(let name)? = contract.session?.placement { hidden.insert(name) }
        for credential in contract.credentials {
            if case .query(let name) = credential.placement { hidden.insert(name) }
        }
        let pairs = call.request.query.split(separator: "&").map { pair -> String in
            let name = pair.prefix { $0 != "=" }
            // A map has a parameter for each of its keys: `filter[name]`, or `filter.name`.
            let whole = PercentText.validated(name, isForm: true) ?? ""
            if hidden.contains(whole) { return "\(name)=…" }
            let field = String(whole.prefix { $0 != "[" && $0 != "." })
            return hidden.contains(field) ? "\(PercentText.path(field))[…]=…" : String(pair)
        }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }

    /// A text as the value of a header: visible ASCII, of bounded length.
    static func headerText(_ text: String) -> String {
        let ascii = text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
        return String(ascii.prefix(1000))
    }
}

/// What a person chooses for a run.
package struct MockSettings: Sendable {
    package var seed: UInt64 = 0
    /// The time before each response.
    package var latency = Duration.zero...Duration.zero
    /// How long a session lasts; nil for an hour if the contract tells the client, and for no end otherwise.
    package var sessionLifetime: Duration?
    /// The failures of the command line and of the scenario, the first that applies first.
    package var rules: [FailureRule] = []
    /// The failures that the page has switched on, by the names of endpoints.
    package var switches: [String: String] = [:]
    /// The time between two events of a connection; nil for none.
    package var eventInterval: Duration? = .seconds(10)
    /// The part of all requests that fail as if the service were down.
    package var errorRate = 0.0

    package init() {}
}
