import Diagnostics

// The connection of a contract: its servers, its sections, and the kinds of its frames.
extension Resolution {
    mutating func checkConnection(
        _ endpoints: [ResolvedEndpoint], _ errors: [ErrorDefinition], _ envelopes: [EnvelopeDefinition]
    ) {
        guard let connection = contract.connection else { return checkWithoutConnection() }
        checkSections(beside: connection)
        checkSharedPayloads(beside: connection, endpoints, errors, envelopes)
        for endpoint in endpoints {
            guard case .http(let method, let path) = endpoint.target else { continue }
            report(
                .connectionWithoutFrame,
                "`\(endpoint.name.value)` is a request of HTTP, and the contract has a `connection`",
                at: path.range, notes: [DiagnosticNote("the connection", at: connection.range)],
                help:
                    "write `frame: NAME` in place of `\(method.rawValue)`, or move the endpoint into a contract of its own"
            )
        }
        checkMembers(of: connection)
        if case .after(let every, let timeout)? = connection.ping?.value, let range = connection.ping?.range {
            let usual = ConnectionDefinition.usualPing
            if (timeout ?? usual.timeout) <= (every ?? usual.every) {
                report(
                    .pingTimeoutTooShort,
                    "`ping` has a `timeout` that is not longer than `every`, so the connection would end before a pong arrives",
                    at: range, help: "write a longer `timeout`, such as `{every: 20s, timeout: 45s}`")
            }
        }
        checkPauses(of: connection)
        checkKinds(of: connection, endpoints)
    }

    /// The pauses double from `base`, up to `cap`.
    private mutating func checkPauses(of connection: ConnectionDefinition) {
        let (base, cap) = (connection.reconnect?.base, connection.reconnect?.cap)
        let usual = ConnectionDefinition.usualReconnect
        let (first, longest) = (base?.value ?? usual.base, cap?.value ?? usual.cap)
        guard first > longest, let range = (base ?? cap)?.range else { return }
        let limit = ContractDecoder.duration(longest)
        report(
            .reconnectBaseAboveCap,
            "the `base` of `reconnect` is \(ContractDecoder.duration(first))\(base == nil ? " without the key" : ""), which is longer than its `cap`, \(limit)\(cap == nil ? " without the key" : "")",
            at: range,
            notes: base == nil ? [] : cap.map { [DiagnosticNote("the longest pause", at: $0.range)] } ?? [],
            help: "write a `base` of at most `\(limit)`, or a longer `cap`")
    }

    // MARK: Without a connection

    private mutating func checkWithoutConnection() {
        let frame = contract.endpoints.lazy.compactMap(\.frame).first
        if let place = frame?.kind.range ?? contract.events.first?.name.range {
            report(
                .frameWithoutConnection,
                frame == nil
                    ? "the contract has events, but no `connection` that they come over"
                    : "the contract has a frame, but no `connection` that carries it",
                at: place,
                help: "add `connection: {}`, or the members of its frames: `connection: {kind: type, payload: data}`"
            )
            return
        }
        if let attach = contract.session?.attach {
            report(
                .frameKeyAtRequest, "`attach` is only valid in a contract with a `connection`", at: attach.range,
                help: "write `header: Authorization` with `format: \"Bearer {token}\"`, or `parameter: token`")
        }
        for endpoint in contract.endpoints where endpoint.stream?.format == .frames {
            report(
                .frameKeyAtRequest, "`stream: frames` is only valid in a contract with a `connection`",
                at: endpoint.delivery?.range ?? endpoint.name.range, help: "write `stream: events` or `stream: lines`")
        }
        for error in contract.errors {
            for close in error.conditions.compactMap(\.close.first) {
                report(
                    .frameKeyAtRequest,
                    "`close` is only valid in a contract with a `connection`, because HTTP has no close codes",
                    at: close.range, help: "write a `status`, or `transport: lost`")
            }
        }
        refuseServers(
            ofWebSocket: true, "has a URL of WebSocket, and the contract has no `connection`",
            help: "write a URL that begins with `https://`, or add `connection` and frames")
    }

    private mutating func refuseServers(ofWebSocket isWebSocket: Bool, _ why: String, help: String) {
        for server in contract.servers
        where server.urls.contains(where: { !$0.isEmpty && $0.isWebSocket == isWebSocket }) {
            report(
                .serverOfOtherProtocol, "the server `\(server.name.value)` \(why)", at: server.name.range, help: help)
        }
    }

    // MARK: Sections

    private mutating func checkSections(beside connection: ConnectionDefinition) {
        refuseServers(
            ofWebSocket: false, "has a URL of HTTP, and the contract has a `connection`",
            help: "write a URL that begins with `wss://`")
        for role in roles {
            report(
                .httpKeyAtFrame, "the role `\(role.name.value)` is another origin, and all frames share one connection",
                at: role.name.range, help: "remove the role")
        }
        for credential in contract.credentials {
            report(
                .httpKeyAtFrame,
                "the credential `\(credential.name.value)` is a part of HTTP requests, and frames have none",
                at: credential.name.range, help: "remove it, or send it as a field of `common`")
        }
        if let signing = contract.signing {
            report(
                .httpKeyAtFrame, "`signing` is about the parameters and headers of HTTP requests, and frames have none",
                at: signing.algorithm.range, help: "remove `signing`; the session can present a token with `attach`")
        }
        if let limit = contract.rateLimit {
            report(
                .httpKeyAtFrame, "`rateLimit` is about a header of HTTP responses, and frames have none",
                at: limit.reset.range, help: "remove `rateLimit`")
        }
        let settings = contract.defaults.settings
        for (key, isPresent) in [
            ("redirects", settings.redirects != nil), ("compression", settings.compression != nil),
        ]
        where isPresent {
            report(
                .httpKeyAtFrame, "`\(key)` in `defaults` is about HTTP requests, and the contract has a `connection`",
                at: connection.range, help: "remove `\(key)` from `defaults`")
        }
    }

    // MARK: Members and kinds

    private mutating func checkMembers(of connection: ConnectionDefinition) {
        let members: [(what: String, name: String, range: SourceRange?)] = [
            ("kind", connection.kindMember, connection.kind?.range),
            ("correlation", connection.correlationMember, connection.correlation?.range),
            ("payload", connection.payload?.value ?? "", connection.payload?.range),
        ]
        for (position, member) in members.enumerated() {
            guard !member.name.isEmpty, let earlier = members[..<position].first(where: { $0.name == member.name })
            else { continue }
            report(
                .frameMemberClash, "`\(earlier.what)` and `\(member.what)` are the same member, `\(member.name)`",
                at: member.range ?? earlier.range ?? connection.range, help: "give each another name")
        }
    }

    /// A kind of frame and what it means.
    private struct FrameMeaning {
        let what: String
        let kind: Located<String>
    }

    private mutating func checkKinds(of connection: ConnectionDefinition, _ endpoints: [ResolvedEndpoint]) {
        var requests: [String: FrameMeaning] = [:]
        var replies: [String: FrameMeaning] = [:]
        if let failure = connection.failure {
            replies[failure.value] = FrameMeaning(what: "a failure", kind: failure)
        }
        func claim(_ meaning: FrameMeaning, in known: inout [String: FrameMeaning], unless isShared: Bool = false) {
            guard let earlier = known[meaning.kind.value] else {
                known[meaning.kind.value] = meaning
                return
            }
            if !isShared { reportRepeated(meaning, earlier) }
        }
        for endpoint in endpoints {
            guard let frame = endpoint.frame else { continue }
            let name = "`\(endpoint.name.value)`"
            claim(FrameMeaning(what: "the request of \(name)", kind: frame.kind), in: &requests)
        }
        // Any number of subscriptions may end with one kind, because the frame has the id of the request.
        var cancellations: Set<String> = []
        for endpoint in endpoints {
            guard let frame = endpoint.frame else { continue }
            let name = "`\(endpoint.name.value)`"
            if let cancel = endpoint.definition.stream?.cancel {
                let isShared = !cancellations.insert(cancel.value).inserted
                claim(FrameMeaning(what: "the end of \(name)", kind: cancel), in: &requests, unless: isShared)
            }
            guard endpoint.delivery != Delivery.none else { continue }
            let place = frame.reply?.range ?? frame.kind.range
            let reply = FrameMeaning(
                what: "a reply to \(name)", kind: Located(connection.reply(to: frame), at: place))
            // Replies of several endpoints may have one kind, because each has the id of its request.
            let isFailure = reply.kind.value == connection.failure?.value
            claim(reply, in: &replies, unless: !isFailure)
            if let end = endpoint.definition.stream?.end {
                let end = FrameMeaning(
                    what: "the end of \(name)", kind: Located(end, at: endpoint.definition.delivery?.range ?? place))
                if end.kind.value == reply.kind.value { reportRepeated(end, reply) }
                claim(end, in: &replies, unless: end.kind.value != connection.failure?.value)
            }
        }
        for event in contract.events {
            claim(FrameMeaning(what: "the event `\(event.name.value)`", kind: event.frame), in: &replies)
        }
    }

    private mutating func reportRepeated(_ meaning: FrameMeaning, _ earlier: FrameMeaning) {
        report(
            .frameNameRepeated,
            "a frame of kind `\(meaning.kind.value)` would be both \(earlier.what) and \(meaning.what)",
            at: meaning.kind.range, notes: [DiagnosticNote("the other one", at: earlier.kind.range)],
            help: "give each a kind of its own")
    }

    // MARK: Events

    mutating func resolvedEvent(_ event: EventDefinition) -> EventDefinition {
        var event = event
        event.data = checked(event.data, naming: contract.defaults.naming)
        guard let connection = contract.connection else { return event }
        switch event.data {
        case .fields(let fields): reportClash(of: fields, with: connection)
        case .type(let type, let range): checkBeside(connection, type, at: range, "the data of `\(event.name.value)`")
        case nil: break
        }
        return event
    }
}
