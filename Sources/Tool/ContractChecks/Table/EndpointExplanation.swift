import ContractModel

/// One endpoint as `errand explain SERVICE ENDPOINT` shows it: its decision table, which the generated parser is printed
/// from, what is sent again in which case, and how long that can take.
package struct EndpointExplanation: Sendable {
    package struct Row: Sendable {
        /// The required response.
        package var answer: String
        package var means: String
        package var category: String
        package var applied: String
        package var then: String
    }

    /// `POST /transfers`, or `FRAME info.query`.
    package var request: String
    /// One sentence about the other origin that it is sent to; nil for the server's `url`.
    package var server: String?
    /// One sentence about the group that an app finds it in; nil for none.
    package var group: String?
    /// Sentences about the headers of its response that the app reads.
    package var headers: [String]
    /// One sentence about the credentials that a request carries; nil without credentials.
    package var credentials: String?
    /// One sentence about sending it twice.
    package var effect: String
    /// One sentence about how an outbox keeps it; nil if none can.
    package var durable: String?
    /// One sentence about reads that share a request; nil for a command that always sends its own.
    package var share: String?
    /// Sentences about stored responses: those that it uses, and those that it makes out of date.
    package var cache: [String]
    /// One sentence about the pages of a list; nil if the endpoint has no pages.
    package var pages: String?
    /// In the order in which they are looked at; success and the built-in errors are after the declared rows. A built-in error that
    /// no response or failure reaches is left out, except for the replies and the handshake of a connection.
    package var rows: [Row]
    /// One sentence about the redirects that are not followed, because the contract says so; nil if it says nothing.
    package var redirects: String?
    /// One sentence about the fields of the response that are read leniently; nil if there are none.
    package var reading: String?
    /// Sentences about the connection that carries it; empty over HTTP.
    package var connection: [String]
    /// The limit of waiting for the network, a login or a person.
    package var patience: String
    /// Each attempt with its time, if every attempt and pause takes its maximum.
    package var timeline: [String]
    /// The same as times, for a drawing.
    package var attempts: AttemptTimeline
    /// The header that says when the service's rate limit ends.
    package var rateLimit: String
    /// Sentences about the servers whose keys are compared; empty if there are none.
    package var trust: [String]
    /// Sentences about what a response of a gateway proves; empty if the contract names none.
    package var gateways: [String]

    /// Nil if the contract has no endpoint with this name.
    package init?(_ name: String, in contract: ResolvedContract) {
        guard let endpoint = contract.endpoints.first(where: { $0.name.value == name }) else { return nil }
        self.init(endpoint, in: contract)
    }

    package init(_ endpoint: ResolvedEndpoint, in contract: ResolvedContract) {
        let table = ExplainedTable(endpoint, contract)
        request = Self.request(endpoint)
        server = endpoint.server.flatMap { contract.role(named: $0.value) }.map(Self.sentence)
        group = endpoint.group.map { "It is in the group `\($0.value)`." }
        headers = Self.sentences(about: endpoint.responseHeaders)
        credentials = Self.credentials(of: endpoint)
        effect = Self.sentence(endpoint)
        durable = endpoint.durable.map(Self.sentence)
        share =
            endpoint.isShared
            ? "equal reads of one login that are under way at the same time share one request; none joins a request that was sent before a write has ended"
            : nil
        cache = Self.sentences(aboutCacheOf: endpoint, in: contract)
        pages = endpoint.definition.pagination.map { Self.sentence($0.value) }
        attempts = AttemptTimeline(endpoint, connection: contract.connection)
        connection = contract.connection.map { Self.sentences(endpoint, over: $0, contract) } ?? []
        patience = Self.sentence(endpoint.patience, deadline: attempts.deadline)
        rows = table.rows
        redirects = endpoint.frame == nil ? Self.redirects(endpoint) : nil
        reading = Self.reading(endpoint, contract)
        timeline = Self.timeline(attempts, of: endpoint, sentAtMost: Self.mostAttempts(of: endpoint, contract))
        trust = contract.trust.map(Self.sentence)
        gateways = contract.gateways.flatMap { Self.sentences(endpoint, behind: $0, contract) }
        rateLimit =
            contract.connection == nil
            ? Self.sentence(contract.rateLimit)
            : "it pauses for as long as `Retry-After` of a refused handshake says, and fails at once for more than an hour"
    }

    private static func request(_ endpoint: ResolvedEndpoint) -> String {
        switch endpoint.target {
        case .frame(let frame): return "FRAME \(frame.kind.value)"
        case .http(let method, let path):
            let parts: [String] =
                switch path.value {
                case .wholeURL(let field): ["{\(field.name.value)}"]
                case .path(let parts):
                    parts.map { part in
                        switch part {
                        case .text(let text): text
                        case .parameter(let field): "{\(field.name.value)}"
                        }
                    }
                }
            return "\(method.rawValue.uppercased()) \(parts.joined())"
        }
    }

    private static func sentences(
        _ endpoint: ResolvedEndpoint, over connection: ConnectionDefinition, _ contract: ResolvedContract
    ) -> [String] {
        guard let frame = endpoint.frame else { return [] }
        let reply = connection.reply(to: frame)
        var sentences: [String] = []
        switch endpoint.delivery {
        case .none: sentences.append("it ends when its frame is written, because it has no reply")
        case .reply: sentences.append("its reply is the frame of kind `\(reply)` with its id")
        case .stream:
            let end = endpoint.definition.stream?.end.map { ", up to one of kind `\($0)`" } ?? ""
            sentences.append("its elements are the frames of kind `\(reply)` with its id\(end)")
            if !endpoint.isReopened {
                let why = endpoint.effect == .once ? "`once` is not sent again" : "of `reopen: never`"
                sentences.append("after a lost connection it ends, because \(why)")
            } else if let position = endpoint.definition.stream?.position,
                let resume = endpoint.definition.stream?.resume
            {
                sentences.append(
                    "after a lost connection it subscribes again, with the last `\(position.value)` as `\(resume.value)`, so that no element is missing or comes twice"
                )
            } else {
                sentences.append(
                    "after a lost connection it subscribes again, and the app is told that elements may be missing")
            }
        }
        switch (endpoint.session, contract.session?.placement) {
        case (.none, _), (_, nil): break
        case (_, .attached):
            sentences.append(
                "`\(contract.session?.attach ?? "attach")` presents the token on each new connection first")
        case (_, .header), (_, .parameter): sentences.append("the handshake of each connection presents the token")
        }
        let pauses = (1...3).map { TimeText.of(connection.reconnectRule.longestPause(after: $0).milliseconds) }
        sentences.append(
            "a lost connection is opened again at a random moment of each of these times, one after the other: \(pauses.joined(separator: ", ")) and so on, at most \(TimeText.of(connection.reconnectRule.cap.milliseconds))"
        )
        sentences.append(
            "if it was not sent when the connection ended, it is sent on the next one, whatever its effect")
        return sentences
    }

    private static func credentials(of endpoint: ResolvedEndpoint) -> String? {
        let alternatives = endpoint.credentials
        if alternatives.isEmpty { return nil }
        let words = alternatives.map { alternative in
            alternative.names.isEmpty
                ? "no credential" : alternative.names.map { "`\($0)`" }.joined(separator: " with ")
        }
        let which = words.count == 1 ? "" : ", the first of these that the app has given"
        let beside = endpoint.session == .none ? "" : "; the session's token goes with each"
        return "a request carries \(words.joined(separator: ", or "))\(which)\(beside)"
    }

    private static func sentence(_ trust: TrustDefinition) -> String {
        let keys = trust.pins.count == 1 ? "one key" : "one of \(trust.pins.count) keys"
        let end = trust.until.map { ", until \($0.value.text)" } ?? ""
        return
            "the client sends nothing to `\(trust.server.value)` unless the server has \(keys)\(end); otherwise it ends as `insecure`"
    }

    private static func sentences(
        _ endpoint: ResolvedEndpoint, behind entry: GatewayDefinition, _ contract: ResolvedContract
    ) -> [String] {
        let gateways = entry.gateways(before: endpoint.definition).uniqued
        let refusals = gateways.flatMap { gateway in gateway.refusals.map { (gateway, $0) } }
        guard !refusals.isEmpty, endpoint.effect != .read else { return [] }
        let common = contract.common.headers.map(\.field)
        if let repeater = gateways.first(where: { endpoint.definition.isRepeated(by: $0, common: common) }) {
            return [
                "at `\(entry.server.value)`, no response of a gateway proves that nothing was done, because \(repeater.title) may have sent the request twice"
            ]
        }
        return refusals.map { gateway, refusal in
            "at `\(entry.server.value)`, nothing was done if \(gateway.title) itself responds with \(refusal.status), which it does when \(refusal.occasion)"
        }
    }

    private static func sentence(_ role: ServerRoleDefinition) -> String {
        func words(_ contents: [ServerRoleDefinition.Content]) -> String {
            contents.map { content in
                switch content {
                case .session: "the session's token"
                case .common: "the common parameters"
                case .credentials: "the credentials"
                case .signature: "the signature"
                }
            }.joined(separator: ", ")
        }
        let sent = ServerRoleDefinition.Content.allCases.filter(role.sends)
        let what = sent.isEmpty ? "without what belongs to the service" : "with \(words(sent))"
        return "the client sends it to the URL of the role `\(role.name.value)`, \(what)"
    }

    private static func sentence(_ endpoint: ResolvedEndpoint) -> String {
        switch endpoint.effect {
        case .read: "the request only reads, so the client may send it again"
        case .idempotent: "a second request changes nothing more, so the client may send it again"
        case .keyed:
            "the server recognizes it by its key\(endpoint.keyPlace.map { " in \(Self.words(for: $0))" } ?? "")\(endpoint.keyLifetime.map { " for \(TimeText.of($0))" } ?? ""), so the client may send it again with the same key"
        case .once: "the client sends it again only if the server certainly did nothing"
        }
    }

    private static func sentence(_ durable: DurableDefinition) -> String {
        let lifetime = TimeText.of(durable.lifetime?.value ?? CommandDefaults.durableLifetime.milliseconds)
        let order = durable.lane.map { ", after the earlier commands of the lane `\($0)`" } ?? ""
        return "an outbox sends it for up to \(lifetime) after its submission, also after the app has ended\(order)"
    }

    private static func sentences(about headers: [FieldDefinition]) -> [String] {
        func list(_ headers: [FieldDefinition]) -> String {
            headers.map { "`\($0.wireName)`" }.joined(separator: ", ")
        }
        let required = headers.filter(\.isRequired)
        let others = headers.filter { !$0.isRequired }
        var sentences: [String] = []
        if !required.isEmpty {
            sentences.append(
                "a success without a valid value of \(list(required)) fails as `malformed`, although the command was carried out"
            )
        }
        if !others.isEmpty {
            sentences.append("a header with a wrong value counts as absent: \(list(others))")
        }
        return sentences
    }

    private static func sentence(_ pages: PaginationDefinition) -> String {
        let next: String
        var last: String
        switch pages.style {
        case .page(let parameter, let total):
            next = "the next number in `\(parameter.value)`"
            last = total.map { "the page whose number is `\($0.value.text)`, or an empty page" } ?? "an empty page"
        case .offset(let parameter, _, let total):
            next = "the number of elements so far in `\(parameter.value)`"
            last = total.map { "the page with element number `\($0.value.text)`, or an empty page" } ?? "an empty page"
        case .cursor(let parameter, .response(let path), let more):
            next = "the value of `\(path.value.text)` in `\(parameter.value)`"
            last = "a page without this value" + (more.map { " or with a false `\($0.value.text)`" } ?? "")
        case .cursor(let parameter, .lastElement(let path), let more):
            next = "the `\(path.value.text)` of the last element in `\(parameter.value)`"
            last = "a page without elements" + (more.map { " or with a false `\($0.value.text)`" } ?? "")
        case .link(let place, let foreign):
            switch place {
            case .header(let relation): next = "the URL of the link `\(relation.value)` in the header `Link`"
            case .response(let path): next = "the URL in `\(path.value.text)`"
            }
            last = "a page without this link"
            switch foreign {
            case .refused: last += "; a link to another origin fails"
            case .own: last += "; a link to another origin goes to the service's own"
            case .anonymous: break
            }
        }
        if let past = pages.past { last += "; status \(past) after the first page is the end, too" }
        return "each page of the list is a command of its own: the next one has \(next), and the last one is \(last)"
    }

    private static func redirects(_ endpoint: ResolvedEndpoint) -> String? {
        let final = endpoint.table.table.finalRedirects
        let limit = endpoint.redirects
        if limit == 0 { return "the client follows no redirect" }
        let most = limit.map { ", at most \($0) in a row" } ?? ""
        guard !final.isEmpty else { return limit.map { "the client follows at most \($0) redirects in a row" } }
        let list = final.map(String.init).joined(separator: ", ")
        return
            "the client does not follow a redirect with status \(list), which has a row here; it follows others\(most)"
    }

    /// Names the first fields, in the order of the contract.
    private static func reading(_ endpoint: ResolvedEndpoint, _ contract: ResolvedContract) -> String? {
        var open: [String]
        var fields: [String] = []
        switch endpoint.response.value {
        case .fields(let own):
            fields = own.filter(\.isLenient).map(\.name.value)
            open = own.flatMap(\.type.names).map(\.value)
        case .type(let type, _, _): open = type.names.map(\.value)
        case .none, .bytes: open = []
        }
        for outcome in endpoint.outcomes {
            if case .fields(let own)? = outcome.data { fields += own.filter(\.isLenient).map(\.name.value) }
            open += outcome.data?.mentionedNames.map(\.value) ?? []
        }
        var reached = Set<String>()
        while let name = open.popLast() {
            if reached.insert(name).inserted {
                open += contract.type(named: name)?.mentionedNames.map(\.value) ?? []
            }
        }
        for type in contract.types where reached.contains(type.name.value) {
            guard case .structure(let own) = type.form else { continue }
            fields += own.filter(\.isLenient).map { "\(type.name.value).\($0.name.value)" }
        }
        guard !fields.isEmpty else { return nil }
        let names = fields.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
        let others = fields.count > 5 ? " and \(fields.count - 5) more fields" : ""
        let report = endpoint.stream == nil ? "`Reply.skipped` reports it" : "nothing reports it"
        return "a wrong value of \(names)\(others) is no failure: it is nil or empty, and \(report)"
    }

    private static func words(for place: IdempotencyKeyDefinition.Place) -> String {
        switch place {
        case .header(let name): "the header `\(name.value)`"
        case .field(let name): "the field `\(name.value)`"
        }
    }

    private static func sentence(_ patience: WaitLimit?, deadline: Int) -> String {
        switch patience {
        case .forever: "it waits for the network, a login or a person without a limit"
        case .upTo(0): "it never waits for the network, a login or a person"
        case .upTo(let limit):
            "it waits for the network, a login or a person for at most \(TimeText.of(limit)) in total"
        case nil:
            "it waits for the network for at most \(TimeText.of(deadline)), its deadline, and for a login or a person for at most ten minutes, unless the app's dispatcher has other limits"
        }
    }

    private static func sentence(_ limit: RateLimitDefinition?) -> String {
        var names = ["Retry-After", "RateLimit"]
        if let limit { names.removeAll { $0.lowercased() == limit.reset.value.lowercased() } }
        var said = names.map { "`\($0)`" }
        if let limit {
            let unit = limit.unit.value == .timestamp ? "seconds since 1970" : limit.unit.value.rawValue
            said.insert("`\(limit.reset.value)` (in \(unit))", at: 0)
        }
        let list = said.dropLast().joined(separator: ", ") + " and " + (said.last ?? "")
        return "it pauses for as long as \(list) say, and fails at once for more than an hour"
    }

    /// How many times it is sent if each failure comes at once. The rule of an error overrides the endpoint's.
    private static func mostAttempts(of endpoint: ResolvedEndpoint, _ contract: ResolvedContract) -> Int {
        let listed = endpoint.errors.compactMap { contract.error(named: $0) } + contract.redeclared
        let repeated = listed.filter { error in
            error.category.value == .retryable && (endpoint.effect != .once || error.declaredApplied?.value != .maybe)
        }
        let own = repeated.compactMap { $0.retry?.value }
        return (own.map { endpoint.retryRule(ofError: $0) } + [endpoint.retryRule(ofError: nil)]).map(\.attempts).max()
            ?? 1
    }

    private static func timeline(
        _ timeline: AttemptTimeline, of endpoint: ResolvedEndpoint, sentAtMost requests: Int
    ) -> [String] {
        var lines = timeline.steps.enumerated().map { position, step in
            "attempt \(position + 1)  from \(TimeText.of(step.start)) to \(TimeText.of(step.end))"
        }
        let last = timeline.steps.last?.end ?? 0
        if timeline.begun < timeline.attempts {
            lines.append(
                "attempts \(timeline.begun + 1) to \(timeline.attempts) begin only if those before end sooner: the deadline is \(TimeText.of(timeline.deadline))"
            )
        } else {
            lines.append(
                "ends after \(TimeText.of(last)) at the latest; the deadline is \(TimeText.of(timeline.deadline))")
        }
        if endpoint.stream != nil {
            lines.append("an attempt lasts until the stream is open; the time for which it is open does not count")
        } else if endpoint.frame == nil {
            let requests = requests == 1 ? "one request" : "\(requests) requests"
            let rest = if case .bytes = endpoint.response.value { ", the rest of a download" } else { "" }
            let read = endpoint.confirm == nil ? "" : ", the read that confirms"
            lines.append(
                "the server gets \(requests) at most, apart from replays after a login, other tries that a responder wants or that follow the end of an outage, redirects that are followed\(rest)\(read), and what it has provably not processed"
            )
        }
        if endpoint.isReopened { lines.append(reopening(endpoint.patience)) }
        if let stream = endpoint.definition.stream, stream.format != .frames, stream.reopening == .always {
            lines.append("without the id of the last element, it tells the app then that elements may be missing")
        }
        return lines
    }

    private static func reopening(_ patience: WaitLimit?) -> String {
        if case .upTo(0) = patience { return "once an element has arrived, a loss ends it, because its patience is 0s" }
        let limit =
            switch patience {
            case .forever: "without a limit"
            case .upTo(let limit): "for up to \(TimeText.of(limit)), its patience"
            case nil: "for up to ten minutes, unless the app's dispatcher has another patience"
            }
        return
            "once an element has arrived, it is opened again \(limit), whatever attempts and deadline say, until the server refuses it; each element begins that time anew"
    }
}
