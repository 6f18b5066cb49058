import ContractModel
import TestSeeds

/// Makes a contract that uses any key of the language anywhere, under names that no author would choose.
///
/// The keys of each mapping come from `LanguageKeys`, so a key that is added to the language is in these contracts. The
/// values mostly fit together, and now and then do not.
struct RandomContract {
    /// Where a field is, which decides what types it may have.
    enum Place { case payload, query, header, path, form, multipart }

    indirect enum Model {
        case scalar(String)
        case named(Int)
        case optional(Model)
        case list(Model)
        case map(Model)
    }

    enum Kind {
        case structure
        case enumeration([String])
        case union
        case alias(Model)
    }

    struct Declaration {
        var name: String
        var kind: Kind
        var isImported = false
    }

    /// The contract, and those that it imports by their paths.
    var root: ContractNode = .mapping([])
    private(set) var imports: [String: ContractNode] = [:]
    /// The keys that were used: `an endpoint.query`.
    var used: Set<String> = []
    var random: SeededGenerator
    var types: [Declaration] = []
    /// Names of errors that endpoints may list.
    var errors: [String] = []
    /// Those that settle the commands of some endpoints.
    var settling: [String] = []
    /// Those of them whose body is that of the success.
    var bringing: [String] = []
    var endpoints: [ContractNode.Entry] = []
    var envelopes: [String] = []
    /// The other origins of each server.
    var roles: [String] = []
    /// The groups that endpoints may be in.
    var groups: [String] = []
    /// The endpoints whose responses are cached.
    var cached: [String] = []
    /// The names on the wire of headers that every request has.
    var commonHeaders: [String] = []
    /// The names of the credentials that endpoints may carry.
    var credentials: [String] = []
    var hasSession = false
    /// The connection that carries the endpoints as frames; nil for HTTP.
    var connection: FrameRules?
    /// The number of the last name: each number is used once per contract.
    var serial = 0
    /// The cases of unions by keys, by the union's name.
    var keyUnions: [String: [(key: String, type: String)]] = [:]
    /// The unions that are cases of other unions, by the outer union's name.
    var innerUnions: [String: String] = [:]
    /// The structures of unions that have one for all other objects.
    var otherUnions: [String: (known: String, other: String)] = [:]
    /// Types whose fields are decided before their turn: login responses of a session, and cases of unions by keys.
    var grants: [String: ContractNode] = [:]

    init(service: String, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        if random.happens(150) { makeImported(service) }
        declareTypes(1 + random.below(6))
        var sections: [ContractNode.Entry] = []
        if random.happens(200) { connection = FrameRules(hasPayload: random.happens(700)) }
        let isOverHTTP = connection == nil
        var chosen = keys(of: LanguageKeys.contract, share: 600) {
            switch $0 {
            case "connection", "events": !isOverHTTP
            case "signing", "rateLimit", "credentials": isOverHTTP
            case "roles", "trust", "gateways": false  // below, since they go with servers
            default: true
            }
        }
        if !isOverHTTP, !chosen.contains("connection") { chosen.append("connection") }
        if !imports.isEmpty, !chosen.contains("imports") { chosen.insert("imports", at: 0) }
        hasSession = chosen.contains("session")
        if chosen.contains("envelopes") { envelopes = names(random.below(3), [], NastyNames.values, unlike: ["none"]) }
        for key in chosen where key != "imports" || !imports.isEmpty {
            let value: ContractNode
            switch key {
            case "service": value = .word(service)
            case "imports": value = .list(imports.keys.sorted().map { .text($0) })
            case "types", "endpoints": continue
            case "connection": value = connectionSection()
            case "events": value = events()
            case "common": value = common()
            case "session": value = session()
            case "credentials": value = credentialSection()
            case "groups":
                groups = names(1 + random.below(3), NastyNames.plainValues, NastyNames.values)
                value = .mapping(groups.map { .init(key: $0, value: .text(random.pick(NastyNames.texts))) })
            case "errors": value = declaredErrors()
            case "envelopes":
                value = .mapping(envelopes.map { .init(key: $0, value: mapping(LanguageKeys.envelope, share: 500)) })
            case "defaults": value = defaults()
            case "servers":
                if isOverHTTP, random.happens(500) {
                    roles = names(1 + random.below(2), NastyNames.plainValues, NastyNames.values, unlike: ["url"])
                }
                value = .mapping(
                    names(random.below(3), NastyNames.plainValues, NastyNames.values).map { name in
                        let url = ContractNode.text(isOverHTTP ? form(.serverURL) : socketURL())
                        guard !roles.isEmpty else { return .init(key: name, value: url) }
                        let others = roles.map { role in
                            ContractNode.Entry(
                                key: role,
                                value: .text(random.pick(["https://up.example", "http://127.0.0.1:{upload=81}/b"])))
                        }
                        return .init(key: name, value: .mapping([.init(key: "url", value: url)] + others))
                    })
            default: value = self.value(key, of: LanguageKeys.contract)
            }
            sections.append(.init(key: key, value: value))
        }
        if !roles.isEmpty {
            let contents =
                (hasSession ? ["session"] : []) + (chosen.contains("common") ? ["common"] : [])
                + (chosen.contains("signing") ? ["signature"] : []) + (credentials.isEmpty ? [] : ["credentials"])
            sections.append(.init(key: "roles", value: roleSection(contents)))
        }
        if isOverHTTP, roles.isEmpty, !chosen.contains("servers"), random.happens(400) { addTrust(to: &sections) }
        if case .mapping(let servers)? = sections.first(where: { $0.key == "servers" })?.value, random.happens(400) {
            addGateways(before: servers.map(\.key), to: &sections)
        }
        sections.append(.init(key: "types", value: typeSection()))
        for name in names(1 + random.below(3), NastyNames.plainValues, NastyNames.values) { add(endpoint: name) }
        sections.append(.init(key: "endpoints", value: .mapping(endpoints)))
        note(LanguageKeys.contract, ["types", "endpoints"])
        root = .mapping(sections)
    }

    /// A server with TLS, and the keys that it may have. The first server has none: the transports of these tests know no keys.
    private mutating func addTrust(to sections: inout [ContractNode.Entry]) {
        note(LanguageKeys.contract, ["servers", "trust"])
        let servers = names(2, NastyNames.plainValues, NastyNames.values)
        let url = ContractNode.text(random.pick(["https://pinned.example", "https://{let=main}.example/v1"]))
        sections.append(.init(key: "servers", value: .mapping(servers.map { .init(key: $0, value: url) })))
        let pins = ContractNode.list((0...random.below(2)).map { _ in .text(form(.pin)) })
        var keys: [ContractNode.Entry] = [.init(key: "pins", value: pins)]
        if random.happens(500) { keys.append(.init(key: "until", value: .text(form(.day)))) }
        note(ServiceKeys.trust.description, keys.map(\.key))
        sections.append(
            .init(key: "trust", value: .mapping(servers.dropFirst().map { .init(key: $0, value: .mapping(keys)) })))
    }

    /// The programs before some of the servers, and before the URLs of their roles.
    private mutating func addGateways(before servers: [String], to sections: inout [ContractNode.Entry]) {
        note(LanguageKeys.contract, ["gateways"])
        let entries = servers.filter { _ in random.happens(700) }.map { server in
            var keys: [ContractNode.Entry] = []
            if random.happens(800) { keys.append(.init(key: "url", value: gatewayList())) }
            if !roles.isEmpty, random.happens(500) {
                keys.append(.init(key: "roles", value: .mapping(roles.map { .init(key: $0, value: gatewayList()) })))
            }
            note(ServiceKeys.gateway.description, keys.map(\.key))
            return ContractNode.Entry(key: server, value: .mapping(keys))
        }
        sections.append(.init(key: "gateways", value: .mapping(entries)))
    }

    private mutating func gatewayList() -> ContractNode {
        .list((0...random.below(2)).map { _ in .word(random.pick(Gateway.allCases).rawValue) })
    }

    /// What is sent to the other origins.
    private mutating func roleSection(_ contents: [String]) -> ContractNode {
        note(LanguageKeys.contract, ["roles"])
        return .mapping(
            roles.map { role in
                guard !contents.isEmpty, random.happens(700) else { return .init(key: role, value: .mapping([])) }
                note(LanguageKeys.role, ["sends"])
                return .init(key: role, value: .mapping(["sends": .list(contents.map { .word($0) })]))
            })
    }

    /// A contract of types, each of which an endpoint takes and returns: `echo0`, `echo1` in the order of the types.
    init(echoing service: String, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        declareTypes(2 + random.below(5))
        let echoes = types.enumerated().map { index, type in
            ContractNode.Entry(
                key: "echo\(index)",
                value: .mapping([
                    "post": .text("/echo/\(index)"), "body": .text(type.name), "response": .text(type.name),
                ]))
        }
        root = .mapping([
            "errand": .word("1"), "service": .word(service), "types": typeSection(), "endpoints": .mapping(echoes),
        ])
    }

    /// A contract of types only.
    private mutating func makeImported(_ service: String) {
        var other = RandomContract(random: SeededGenerator(seed: random.next()))
        other.declareTypes(1 + other.random.below(3))
        for index in other.types.indices { other.types[index].name = "Imported" + other.types[index].name }
        imports["imported.contract.yaml"] = .mapping([
            "errand": .word("1"), "service": .word(service + "Imported"), "types": other.typeSection(),
            "session": .mapping(["header": .word("X-Imported")]), "endpoints": .mapping([ContractNode.Entry]()),
        ])
        types = other.types.map { declaration in
            var declaration = declaration
            declaration.isImported = true
            return declaration
        }
    }

    private init(random: SeededGenerator) { self.random = random }

    // MARK: Keys

    /// Keys that are valid together, by the rules of the mapping.
    mutating func keys(
        of description: MappingDescription, share: Int = 250, mistakes: Int = 1,
        where fits: (String) -> Bool = { _ in true }
    ) -> [String] {
        var chosen: Set<String> = []
        for key in description.keys {
            let fits = fits(key.name) || random.happens(mistakes)
            if key.isRequired || fits && random.happens(share) { chosen.insert(key.name) }
        }
        for _ in 0..<2 where !random.happens(mistakes) {
            for rule in description.rules { settle(rule, &chosen, where: fits) }
        }
        let keys = description.names.filter(chosen.contains)
        note(description, keys)
        return keys
    }

    private mutating func settle(_ rule: KeyRule, _ chosen: inout Set<String>, where fits: (String) -> Bool) {
        switch rule {
        case .required(let names): chosen.formUnion(names)
        case .forbidden(let names): chosen.subtract(names)
        // A key that counts with a text only is chosen with its value.
        case .exactlyOne(let names, let texts):
            one(of: names.filter { !texts.contains($0) }, &chosen, where: fits, isNeeded: true)
        case .atMostOne(let names): one(of: names, &chosen, where: fits, isNeeded: false)
        case .atLeastOne(let names):
            if chosen.isDisjoint(with: names) { chosen.insert(random.pick(names.filter(fits) + names.prefix(1))) }
        case .explained(let rule, _): settle(rule, &chosen, where: fits)
        case .needs(let key, let other), .onlyWith(let key, let other): if chosen.contains(key) { chosen.insert(other) }
        case .needsOne(let key, let others):
            if chosen.contains(key), chosen.isDisjoint(with: others) { chosen.insert(random.pick(others)) }
        case .excludes(let key, let others): if chosen.contains(key) { chosen.subtract(others) }
        case .where: break  // depends on a value, which is chosen elsewhere
        }
    }

    private mutating func one(
        of names: [String], _ chosen: inout Set<String>, where fits: (String) -> Bool, isNeeded: Bool
    ) {
        let present = names.filter(chosen.contains)
        guard present.count != 1, isNeeded || present.count > 1 else { return }
        let candidates = (present.isEmpty ? names : present).filter(fits)
        chosen.subtract(names)
        chosen.insert(random.pick(candidates.isEmpty ? names : candidates))
    }

    mutating func note(_ description: MappingDescription, _ keys: [String]) {
        for key in keys { used.insert("\(description.subject).\(key)") }
    }

    // MARK: Names

    /// Different names, some of them nasty.
    mutating func names(
        _ count: Int, _ plain: [String], _ nasty: [String], unlike others: Set<String> = []
    ) -> [String] {
        var taken = Set(others.map(Self.folded))
        return (0..<count).map { _ in
            var name = plain.isEmpty || random.happens(400) ? random.pick(nasty) : random.pick(plain)
            // A name that differs from another in letter case only.
            if random.happens(8), let other = taken.sorted().first { name = other.capitalized }
            while !taken.insert(Self.folded(name)).inserted, !random.happens(3) {
                name = random.pick(plain.isEmpty ? nasty : plain) + String(random.below(100))
            }
            return name
        }
    }

    static func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    mutating func next() -> Int {
        serial += 1
        return serial
    }

    // MARK: Values

    mutating func mapping(
        _ description: MappingDescription, share: Int = 250, where fits: (String) -> Bool = { _ in true }
    ) -> ContractNode {
        .mapping(
            keys(of: description, share: share, where: fits).map { .init(key: $0, value: value($0, of: description)) })
    }

    mutating func value(_ key: String, of description: MappingDescription) -> ContractNode {
        switch key {
        case "doc": return .text(random.pick(NastyNames.texts))
        case "message" where description.subject == LanguageKeys.error.subject:
            return .text(random.pick(NastyNames.texts))
        case "deprecated" where random.happens(700):
            return random.happens(500) ? .word("true") : .text(random.pick(NastyNames.texts) + ".")
        case "swift": return .text(random.pick(["renamed", "inSwift", "called"]) + String(next()))
        default: break
        }
        guard let shape = description.keys.first(where: { $0.name == key })?.shape else { return .text("") }
        return value(shape)
    }

    mutating func value(_ shape: ValueShape) -> ContractNode {
        switch shape {
        case .text: .text(random.pick(NastyNames.texts))
        case .form(let form): .text(self.form(form))
        case .words(let words): .word(random.pick(words))
        case .flag: .word(random.pick(["true", "false"]))
        case .integer(let bounds): .word(String(bounds.lowerBound + random.below(min(bounds.count, 5))))
        case .oneOrMore(let shape, let least):
            random.happens(500) ? value(shape) : .list((0..<max(least, 1 + random.below(2))).map { _ in value(shape) })
        case .named(let shape, _, let least):
            .mapping(
                names(max(least, random.below(3)), NastyNames.plainValues, NastyNames.values).map {
                    .init(key: $0, value: value(shape))
                })
        case .either(let one, let other): random.happens(500) ? value(one) : value(other)
        case .namedExcept(_, _, let others, _): value(.named(others))
        case .mapping(let description): value(description())
        case .type: .text(text(model(.payload, below: nil)))
        case .longForm, .enumeration, .literal: .mapping([ContractNode.Entry]())
        case .definition, .anything: .mapping(["any": .word("1"), "thing": .list([.text("x")])])
        }
    }

    private mutating func value(_ description: MappingDescription) -> ContractNode {
        switch description.name {
        case LanguageKeys.signing.name:
            // An old digest needs what is put after the parameters.
            let hasHeaders = !commonHeaders.isEmpty
            let fits = { (key: String) in key != "headers" || hasHeaders }
            let chosen = Set(keys(of: LanguageKeys.signing, share: 500, where: fits)).union(["append"])
            return .mapping(
                LanguageKeys.signing.names.filter(chosen.contains).map { key in
                    .init(
                        key: key,
                        value: key == "key"
                            ? .text(random.pick(NastyNames.values + ["session", "server", "common", "init"]))
                            : key == "headers" && hasHeaders
                                ? .list([.text(random.pick(commonHeaders))]) : value(key, of: LanguageKeys.signing))
                })
        case LanguageKeys.signingPlacement.name:
            note(LanguageKeys.signingPlacement, LanguageKeys.signingPlacement.names)
            return random.pick([
                .mapping(["header": .text("X-Sign\(next())")]), .mapping(["query": .text("sign\(next())")]),
                .mapping(["body": .text("sign \(next())")]),
            ])
        default: return mapping(description, share: 500)
        }
    }

    mutating func form(_ form: TextForm) -> String {
        switch form {
        case .nonEmpty: random.pick(["sub", "a b", "\\(x)"])
        case .duration: random.pick(["500ms", "20s", "2m", "1h"])
        case .patience: random.pick(["forever", "0s", "2m"])
        case .path: random.pick(["data", "data.list", "error.code", "a.b.c", "code", "let.var"])
        case .headerName: "X-Header-\(next())"
        case .headerValue: random.pick(["value", "a \\(b) \"c\"", ""])
        case .tokenFormat: random.pick(["Bearer {token}", "{token}", "\"{token}\\("])
        case .keyTemplate: random.pick(["&key={key}", "{key}", "\\(x){key}\""])
        case .serverURL:
            random.pick([
                "https://api.example/v1", "http://127.0.0.1:{port=8080}/v1", "https://{let=main}.example",
                "https://{class=a}{url=b}.example/{server=c}", "{base=https://x.example}",
            ])
        case .target: "/\(next())"
        case .serviceName: "Service\(next())"
        case .typeName: random.pick(NastyNames.plainTypes)
        case .envelopeName: random.pick(NastyNames.plainValues)
        case .numberBounds: random.pick(["0..9", "..100", "1..", "5"])
        case .countBounds: random.pick(["0..9", "..100", "1..", "5"])
        case .status: String(400 + next() % 99)
        case .zone: random.pick(["UTC", "+08:00", "-05:30"])
        case .code: random.pick(["100", "ok", "\\(x)", "-3..7"])
        case .durationOrNever: random.pick(["never", "20s", "2m"])
        case .frameKind: random.pick(["frame.\(next())", "\\(x) \(next())", "{frame}\(next())"])
        case .closeCode: random.pick(["1012", "4000..4099", "3000"])
        case .credentialName: "key\(next())"
        case .credentials: alternative()
        case .pin:
            // No pin occurs twice.
            "sha256/" + String("\(1_000_000 + next() % 1_000_000)".suffix(6)) + String(repeating: "A", count: 37) + "="
        case .day: random.pick(["2099-06-01", "2020-02-29"])
        }
    }
}
