import Diagnostics
import YAMLTree

/// The keys of an endpoint: what is sent, what comes back, and how it is repeated. ``SettingsKeys`` has those that `defaults` has
/// too.
package enum EndpointKeys {
    typealias Key = LanguageKey<EndpointDefinition>

    package static let mapping = LanguageMapping<EndpointDefinition>(
        "endpoint", "an endpoint",
        [
            TargetKeys.group, server, group, headers, cookies, body, response, status, envelope, session,
            SettingsKeys.credentials.of(\.settings), effect, confirm,
            SettingsKeys.timeout.of(\.settings), SettingsKeys.deadline.of(\.settings),
            SettingsKeys.patience.of(\.settings), SettingsKeys.retry.of(\.settings), errors, outcomes, delivery,
            durable, share, cache, clears, SettingsKeys.priority.of(\.settings), network,
            SettingsKeys.redirects.of(\.settings),
            compression,
            checksum, paginate, examples, doc,
            deprecated, swift,
        ],
        rules: [
            .exactlyOne(TargetKeys.names, texts: [TargetKeys.query]).explained(
                missing: "the endpoint does not have a method", add: "add a method, such as `get: /accounts`",
                remove: "an endpoint has one method; write an endpoint for each"),
            .excludes(
                "frame",
                [
                    "server", "credentials", "query", "headers", "cookies", "paginate", "redirects", "compression",
                    "checksum", "share", "cache", "clears", "status",
                ]
            )
            .explained(
                refused: .httpKeyAtFrame,
                remove: "remove the key; the inputs of a frame are its `body`"),
            .excludes("frame", ["durable"]).explained(
                refused: .durableNotPossible,
                conflict: "an outbox keeps a command as its request of HTTP, so it cannot keep a frame",
                remove: "remove `durable`"),
            .onlyWith("checksum", "response").explained(
                remove: "declare `response: bytes`, or remove `checksum`"),
            .onlyWith("compression", "body").explained(
                remove: "declare a `body`, or remove `compression`"),
        ])

    // MARK: What is sent

    private static let server = Key(
        "server", \.server, .text, "role of the origin that it is sent to, in place of the server's `url`"
    ).referring(to: .name(.role))
    private static let group = Key(
        "group", \.group, .text, "name of the group in which an app finds it, besides under its own name",
        hasKeyword: true
    ).referring(to: .name(.group))
    private static let headers = Key("headers", \.headers, .fields, "fields sent as headers", hasKeyword: true)
    private static let cookies = Key("cookies", \.cookies, .fields, "fields sent as cookies", hasKeyword: true)
    private static let body = Key(
        "body", \.body, .body, "fields, one type, or `{encoding: json|xml|form|multipart|bytes, fields: …}`",
        hasKeyword: true)

    // MARK: What comes back

    private static let responseCodec = Codec<DeclaredResponse>.response
    private static let response = Key(
        "response", responseCodec.shape,
        "a type, fields, `none`, `bytes`, or `{type: …, encoding: xml, headers: …}`", hasKeyword: true,
        read: { decoder, pair, endpoint in
            endpoint.hasResponse = true
            let name = endpoint.name.value
            decoder.owner = .response(of: name)
            let response = responseCodec.read(&decoder, pair.value, ValueName(key: "response"))
            decoder.owner = .endpoint(name)
            if let response {
                endpoint.response = response.map(\.payload)
                endpoint.responseHeaders = response.value.headers
                endpoint.xmlResponse = response.value.isXML ? response.range : nil
            }
            return response != nil
        },
        write: { endpoint, scope in
            endpoint.hasResponse
                ? responseCodec.write(
                    DeclaredResponse(
                        payload: endpoint.response.value, headers: endpoint.responseHeaders,
                        isXML: endpoint.xmlResponse != nil), scope)
                : nil
        })
    private static let status = Key(
        "status", \.status, .integer(200...299),
        "status of a usual success; without the key 200, or 204 if the response has no payload")
    private static let envelope = SettingsKeys.envelope.of(
        \EndpointDefinition.settings, "envelope of the response, or `none`")
    private static let outcomes = Key(
        "outcomes", \.outcomes, .outcomes, "name → a successful result other than the usual one", hasKeyword: true)
    private static let errors = Key(
        list: "errors", \.errors, .text, "errors of this endpoint, in addition to the errors of `defaults`",
        hasKeyword: true
    ).referring(to: .name(.error))
    private static let delivery = Key(
        "delivery", .either(.words(of: Delivery.self), .mapping { PolicyKeys.stream.description }),
        "`reply` (default), `none`, `stream`, or `{stream: events|lines|frames, …}`",
        read: { decoder, pair, endpoint in
            let name = ValueName(key: "delivery")
            if pair.value.mapping == nil {
                endpoint.delivery = Codec<Delivery>.word.read(&decoder, pair.value, name)
            } else if let stream = streamCodec.read(&decoder, pair.value, name) {
                endpoint.delivery = stream.map { _ in .stream }
                endpoint.stream = stream.value
            }
            return endpoint.delivery != nil
        },
        write: { endpoint, scope in
            endpoint.stream.map { streamCodec.write($0, scope) } ?? endpoint.delivery.map { .text($0.value.rawValue) }
        })
    private static let streamCodec = Codec<StreamDefinition>.mapping(
        { PolicyKeys.stream }, empty: { _ in StreamDefinition() })
    private static let checksum = Key(
        "checksum", Codec<ChecksumDefinition>.checksum.shape,
        "checksum that the bytes of the response must have: `sha256` in `Repr-Digest` (RFC 9530), or `{algorithm: sha256, header: NAME}`",
        read: { decoder, pair, endpoint in
            let checksum = Codec<ChecksumDefinition>.checksum.read(&decoder, pair.value, ValueName(key: "checksum"))
            if case .bytes = endpoint.response.value {
                endpoint.checksum = checksum?.value
            } else if endpoint.hasResponse {
                // Without a response, the rule of the key has said so.
                decoder.report(
                    .conflictingKeys, "only `response: bytes` has a `checksum`", at: pair.key.range,
                    help: "declare `response: bytes`, or remove `checksum`")
            }
            return endpoint.checksum != nil
        },
        write: { endpoint, scope in
            endpoint.checksum.map { Codec<ChecksumDefinition>.checksum.write($0, scope) }
        })
    private static let paginate = Key(
        "paginate", \.pagination,
        .mapping(
            { PolicyKeys.paginate }, empty: { _ in PaginateKeys() }, value: { $1.definition },
            keys: { pagination, _ in PaginateKeys(pagination) }), "how a client loads the pages of a list")

    // MARK: How it is sent

    private static let session = SettingsKeys.session.of(\EndpointDefinition.settings)
    private static let effect = Key(
        "effect", .either(.words(of: Effect.self), .mapping { PolicyKeys.effect.description }),
        "whether the client may send it twice: `read`, `idempotent`, `keyed`, `once`, or `{keyed: {header: NAME}}`",
        read: { decoder, pair, endpoint in
            let name = ValueName(key: "effect")
            if let long = pair.value.mapping {
                let key = keyCodec.read(&decoder, pair.value, name)
                guard let keyed = long.pair(forKey: "keyed") else { return false }
                endpoint.declaredEffect = Located(.keyed, at: keyed.key.range)
                endpoint.idempotencyKey = key?.value
            } else {
                endpoint.declaredEffect = Codec<Effect>.word.read(&decoder, pair.value, name)
            }
            return endpoint.declaredEffect != nil
        },
        write: { endpoint, scope in
            endpoint.idempotencyKey.map { keyCodec.write($0, scope) }
                ?? endpoint.declaredEffect.map { .text($0.value.rawValue) }
        })
    private static let keyCodec = Codec<IdempotencyKeyDefinition>.mapping(
        { PolicyKeys.effect }, empty: { _ in IdempotencyKeyDefinition() })
    private static let confirm = Key(
        "confirm", \.confirm,
        .mapping(
            { PolicyKeys.confirm },
            empty: { ConfirmDefinition(endpoint: Located("", at: $0), arguments: [], found: nil) }),
        "the read that settles an `unconfirmed` command")
    private static let durable = Key(
        "durable", \.durable, .durable,
        "`true`, or `{lifetime: 48h, lane: messages}`: an outbox can keep the command, which then outlasts the app")
    private static let share = Key(
        "share", \.share, .flag,
        "`true`: equal reads that are under way at the same time share one request")
    private static let cache = Key(
        "cache", \.cache, .cache,
        "`http`, or `{http: true, offline: 1h}`: responses are used again for as long as their headers say")
    private static let clears = Key(
        list: "clears", \.clears, .text, "endpoints whose cached responses may be out of date after the command"
    ).referring(to: .name(.endpoint))
    private static let network = Key("network", \.network, .word, "`any` or `unmetered`", usual: .any)
    private static let compression = SettingsKeys.compression.of(
        \EndpointDefinition.settings,
        "content coding of the body: `gzip`, `none` (default), or `{encoding: gzip, minimumSize: 4096}`")

    // MARK: What is said about it

    private static let examples = Key(
        "examples", \.examples, .examples, "name → examples of `request`, `response`, and each error and outcome"
    ).naming(nil, .error)
    private static let doc = Key("doc", \.doc, .text, "what it does", hasKeyword: true)
    private static let deprecated = Key.deprecated(\.deprecated, hasKeyword: true)
    private static let swift = Key("swift", \.swiftName, .text, "another Swift name")
}

/// The keys that `defaults` has for every endpoint, and an endpoint for itself.
package enum SettingsKeys {
    typealias Key = LanguageKey<EndpointSettings>

    static let envelope = Key("envelope", \.envelope, .text, "envelope of the responses").referring(
        to: .name(.envelope))
    static let timeout = Key(
        "timeout", \.timeout, .timeout, "maximum time of one attempt: `20s`, or `{any: 20s, constrained: 60s}`")
    static let deadline = Key(
        "deadline", \.deadline, .duration, "maximum time of all attempts and the pauses between them")
    static let patience = Key(
        "patience", \.patience, .patience,
        "maximum time to wait for a person, a login or the network: `2m`, `0s` or `forever`")
    static let session = Key(
        "session", \.session, .word, "`required`, `optional` or `none`", hasKeyword: true)
    static let credentials = Key(
        list: "credentials", \.credentials, .credentials,
        "credentials of a request: a name, names with `+` between them, or a list of alternatives; `none` for none")
    static let retry = Key("retry", \.retry, .retry, "`{attempts, base, cap}` or `never`")
    static let priority = Key(
        "priority", \.priority, .word, "`high`, `normal` or `low`")
    static let redirects = Key(
        "redirects", \.redirects, .integer(0...10),
        "how many redirects an attempt follows: `5` unless the app sets another number, `0` for none")
    static let compression = Key(
        "compression", \.compression, .compression,
        "content coding of bodies: `gzip`, `none` (default), or `{encoding: gzip, minimumSize: 4096}`")

    package static let defaults = LanguageMapping<EndpointDefaults>(
        "defaults", "`defaults`",
        [
            envelope.of(\.settings), timeout.of(\.settings), deadline.of(\.settings), patience.of(\.settings),
            session.of(\.settings), credentials.of(\.settings), errors, retry.of(\.settings), priority.of(\.settings),
            redirects.of(\.settings), compression.of(\.settings), naming,
            reading,
        ])
    private static let errors = LanguageKey<EndpointDefaults>(
        list: "errors", \.errors, .text, "errors that every endpoint can fail with"
    ).referring(to: .name(.error))
    private static let naming = LanguageKey<EndpointDefaults>(
        "naming", \.naming, .word,
        "wire names of fields: `snake_case`, `camelCase`, `kebab-case` or `PascalCase`", usual: .asWritten)
    private static let reading = LanguageKey<EndpointDefaults>(
        "reading", \.reading, .word,
        "`strict` (default), or `lenient`: a wrong value of an optional is nil, and a wrong list is empty",
        usual: .strict)
}

extension ContractDecoder {
    /// One entry of `endpoints`. Without a target it isn't an endpoint, but its other keys are still checked.
    mutating func endpoint(_ name: Located<String>, _ node: YAMLNode) -> EndpointDefinition? {
        owner = .endpoint(name.value)
        var endpoint = EndpointDefinition(
            name: name, target: .frame(FrameTarget(name)), response: Located(.none, at: name.range))
        return read(node, as: EndpointKeys.mapping, into: &endpoint) ? endpoint : nil
    }
}
