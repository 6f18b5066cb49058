import ContractModel

// What holds for the service as a whole: errors, the session, common parameters, defaults.
extension RandomContract {
    // MARK: Errors

    mutating func declaredErrors() -> ContractNode {
        var entries: [ContractNode.Entry] = []
        errors = names(
            1 + random.below(4), ["notFound", "outOfStock", "barred", "conflict"], NastyNames.values,
            unlike: ["fault", "shared", "unconfirmed", "category", "errorDescription", "context"])
        // Any endpoint may list the others, which are not all of them.
        var others: [String] = []
        for name in errors {
            let error = error(isBuiltIn: false, maySettle: !others.isEmpty)
            if error["settles"] == nil {
                others.append(name)
            } else if error["settles"]?["success"] == .word("payload") {
                bringing.append(name)
            } else {
                settling.append(name)
            }
            entries.append(.init(key: name, value: error))
        }
        errors = others
        if random.happens(150) {
            entries.append(
                .init(key: random.pick(["throttled", "serverFault", "rejected"]), value: error(isBuiltIn: true)))
        }
        return .mapping(entries)
    }

    private mutating func error(isBuiltIn: Bool, maySettle: Bool = false) -> ContractNode {
        var keys = keys(of: LanguageKeys.error, share: 250) {
            $0 == "when" ? false : $0 == "data" || $0 == "applied" ? !isBuiltIn : $0 == "settles" ? maySettle : true
        }
        if !isBuiltIn {
            keys.append("when")
            note(LanguageKeys.error, ["when"])
        }
        let category = random.pick(
            isBuiltIn ? ["retryable", "nonRetryable"] : ["retryable", "nonRetryable", "requiresLogout"])
        if category != "requiresLogout" { keys.removeAll { $0 == "renew" } }
        if category != "nonRetryable" { keys.removeAll { $0 == "settles" } }
        let settles = keys.contains("settles")
        return .mapping(
            keys.map { key in
                switch key {
                case "category": .init(key: key, value: .word(category))
                case "when": .init(key: key, value: conditions(LanguageKeys.condition, ofResponses: settles))
                case "data": .init(key: key, value: payload())
                default: .init(key: key, value: value(key, of: LanguageKeys.error))
                }
            })
    }

    /// - Parameter ofResponses: whether none is about a failure of the transport or a closed connection.
    private mutating func conditions(_ description: MappingDescription, ofResponses: Bool = false) -> ContractNode {
        let conditions = (0..<1 + random.below(2)).map { _ in condition(description, ofResponse: ofResponses) }
        return conditions.count == 1 ? conditions[0] : .list(conditions)
    }

    /// A condition that no other one overlaps.
    private mutating func condition(_ description: MappingDescription, ofResponse: Bool) -> ContractNode {
        let isOutcome = description.subject == LanguageKeys.outcomeCondition.subject
        let takesTransport = !ofResponse && random.happens(200)
        let takesClose = !ofResponse && connection != nil && !isOutcome && !takesTransport && random.happens(300)
        let keys = keys(of: description, share: 400) {
            switch $0 {
            case "transport": takesTransport
            case "close": takesClose
            default: !takesClose
            }
        }
        note(LanguageKeys.condition, keys)
        return .mapping(
            keys.map { key in
                let number = next()
                switch key {
                case "transport": return .init(key: key, value: value(key, of: description))
                case "close": return .init(key: key, value: .word(String(3100 + number % 1800)))
                case "status":
                    let status =
                        isOutcome && random.happens(500) ? random.pick([200, 201, 202, 208]) : 400 + number % 190
                    return .init(key: key, value: .word(String(status)))
                case "code":
                    return .init(
                        key: key,
                        value: random.happens(700)
                            ? .text(random.pick(["E", "\\(x)", ""]) + String(number))
                            : .text("\(number * 100)..\(number * 100 + 9)"))
                case "text": return .init(key: key, value: text(number))
                case "header": return .init(key: key, value: .mapping(["X-Left": text(number)]))
                default:
                    return .init(
                        key: key,
                        value: .mapping([.init(key: "error.kind", value: .text("kind \"\\(number)\(number)"))]))
                }
            })
    }

    /// A text, or the beginning of one. No other number has a text that matches it.
    private mutating func text(_ number: Int) -> ContractNode {
        .text("\(number)-" + random.pick(["busy", "*", "\\*"]))
    }

    mutating func outcomes() -> ContractNode {
        .mapping(
            names(
                1 + random.below(3), ["pending", "partly", "onCredit"], NastyNames.values,
                unlike: Set(errors + ["completed"])
            )
            .map { name in
                let keys = keys(of: LanguageKeys.outcome, share: 400)
                return .init(
                    key: name,
                    value: .mapping(
                        keys.map { key in
                            switch key {
                            case "when": .init(key: key, value: conditions(LanguageKeys.outcomeCondition))
                            case "data": .init(key: key, value: payload())
                            default: .init(key: key, value: value(key, of: LanguageKeys.outcome))
                            }
                        }))
            })
    }

    /// Fields, or one type.
    private mutating func payload() -> ContractNode {
        random.happens(500) ? fields(.payload, 1 + random.below(4)) : .text(text(model(.payload, below: nil)))
    }

    // MARK: Common parameters and defaults

    mutating func common() -> ContractNode {
        var taken: Set<String> = []
        return .mapping(
            keys(of: LanguageKeys.common, share: 500).map { key in
                let place: Place = key == "headers" ? .header : .query
                let names = names(1 + random.below(2), NastyNames.plainValues, NastyNames.values, unlike: taken)
                taken.formUnion(names)
                return .init(
                    key: key,
                    value: .mapping(
                        names.map { name in
                            let name = place == .header ? "X-Common-\(next())" : name
                            let field = commonField(place)
                            if place == .header {
                                if case .text(let wire)? = field["wire"] {
                                    commonHeaders.append(wire)
                                } else {
                                    commonHeaders.append(name)
                                }
                            }
                            return .init(key: name, value: field)
                        }))
            })
    }

    private mutating func commonField(_ place: Place) -> ContractNode {
        if random.happens(600), case .mapping(let entries) = field(place, below: nil) {
            let entries = entries.filter { $0.key != "contentType" }
            note(LanguageKeys.commonField, entries.map(\.key))
            return .mapping(entries)
        }
        let source = random.pick(["const", "each"])
        let keys = keys(of: LanguageKeys.commonField, share: 200) {
            ["doc", "deprecated", "sensitive", source].contains($0)
        }
        return .mapping(
            keys.map { key in
                switch key {
                case "type": .init(key: key, value: .text(text(model(place, below: nil))))
                case "const":
                    .init(
                        key: key,
                        value: .text(place == .header ? "a \"b\" \\(c)" : random.pick(NastyNames.texts)))
                default: .init(key: key, value: value(key, of: LanguageKeys.commonField))
                }
            })
    }

    mutating func defaults() -> ContractNode {
        let (hasErrors, hasEnvelopes, hasSession) = (!errors.isEmpty, !envelopes.isEmpty, hasSession)
        let isOverHTTP = connection == nil
        let hasCredentials = !credentials.isEmpty
        let keys = keys(of: LanguageKeys.defaults, share: 300) {
            switch $0 {
            case "redirects", "compression": isOverHTTP
            case "envelope": hasEnvelopes
            case "errors": hasErrors
            case "session": hasSession
            case "credentials": hasCredentials
            default: true
            }
        }
        return .mapping(
            keys.map { key in
                switch key {
                case "envelope": .init(key: key, value: .text(random.pick(envelopes + ["none"])))
                case "errors":
                    .init(key: key, value: .list([.text(random.pick(errors.isEmpty ? ["missing"] : errors))]))
                default: .init(key: key, value: value(key, of: LanguageKeys.defaults))
                }
            })
    }

    // MARK: Credentials

    /// Credentials in every place of a request.
    mutating func credentialSection() -> ContractNode {
        credentials = names(
            1 + random.below(3), ["admin", "tenant", "key"],
            ["let", "default", "self_", "server1", "signingKey2", "_0", "aB"],
            unlike: ["none", "required", "optional", "session", "server", "dispatcher", "binding", "common", "on"])
        return .mapping(
            credentials.map { name in
                if random.happens(300) { return .init(key: name, value: .word(random.pick(["bearer", "basic"]))) }
                let keys = keys(of: LanguageKeys.credential, share: 400)
                let entries = keys.map { key in
                    let isQuery = key == "query"
                    return ContractNode.Entry(
                        key: key,
                        value: isQuery
                            ? .text(random.pick(["key", "a b", "\\(x)"]) + String(next()))
                            : value(key, of: LanguageKeys.credential))
                }
                return .init(key: name, value: .mapping(entries))
            })
    }

    /// One alternative of an endpoint.
    mutating func alternative() -> String {
        guard !credentials.isEmpty, random.happens(900) else { return "none" }
        let one = random.pick(credentials)
        let other = random.pick(credentials)
        return one == other || random.happens(700) ? one : "\(one) + \(other)"
    }

    // MARK: Session

    /// A session with the endpoints that it names.
    mutating func session() -> ContractNode {
        if connection != nil { return sessionOverFrames() }
        if !imports.isEmpty, random.happens(400) {
            note(LanguageKeys.session, ["from"])
            return .mapping(["from": .text("imported.contract.yaml")])
        }
        let chosen = keys(of: LanguageKeys.session, share: 600) { $0 != "from" && $0 != "attach" }
        let names = names(3, ["logIn", "renew", "logOut"], NastyNames.values)
        var chosenSet = Set(chosen)
        if chosenSet.contains("refresh") { chosenSet.insert("refreshToken") }
        let nested = random.happens(300)
        let path = random.pick(["token", "accessToken", "let", "init2", "id"])
        let prefix = nested ? "grant." : ""
        var fields: [ContractNode.Entry] = [.init(key: path, value: text("string"))]
        var other = "renewal"
        if random.happens(200) { other = "description" }
        fields.append(.init(key: other, value: text("string")))
        let seconds = random.pick(["int", "int64", "uint", "double", "float", "decimal", "int32"])
        fields.append(.init(key: "lifetime", value: lifetime(seconds)))
        fields.append(.init(key: "owner", value: text(random.pick(["string", "int", "uuid", "uint", "int64"]))))
        if nested { types.append(Declaration(name: "Grant\(next())", kind: .structure)) }
        let response: ContractNode
        if nested, let grant = types.last {
            grants[grant.name] = .mapping(fields)
            response = .mapping(["grant": .text(grant.name + random.pick(["", "?"])), "rest": .text("int")])
        } else {
            response = .mapping(fields)
        }
        if chosenSet.contains("login") {
            endpoints.append(
                .init(
                    key: names[0],
                    value: .mapping([
                        "post": .text("/login"), "body": .mapping(["user": .text("string")]), "response": response,
                    ])))
        }
        if chosenSet.contains("refresh") {
            endpoints.append(
                .init(
                    key: names[1],
                    value: .mapping([
                        "post": .text("/renewal"),
                        "body": .mapping([random.pick(["refreshToken", "let", "old"]): .text("string")]),
                        "response": response,
                    ])))
        }
        if chosenSet.contains("logout") {
            endpoints.append(.init(key: names[2], value: .mapping(["delete": .text("/login")])))
        }
        let identity = chosenSet.contains("identity") ? identity(prefix + "owner") : .text("")
        return .mapping(
            LanguageKeys.session.names.filter(chosenSet.contains).map { key in
                switch key {
                case "header": .init(key: key, value: .word("X-Session"))
                case "parameter": .init(key: key, value: .text("sessionParameter"))
                case "login": .init(key: key, value: .text(names[0]))
                case "refresh": .init(key: key, value: .text(names[1]))
                case "logout": .init(key: key, value: .text(names[2]))
                case "token": .init(key: key, value: .text(prefix + path))
                case "expiresIn": .init(key: key, value: .text(prefix + "lifetime"))
                case "refreshToken": .init(key: key, value: .text(prefix + other))
                case "identity": .init(key: key, value: identity)
                default: .init(key: key, value: value(key, of: LanguageKeys.session))
                }
            })
    }

    /// Who is logged in: a path, a claim, or what another endpoint says.
    private mutating func identity(_ path: String) -> ContractNode {
        switch random.below(3) {
        case 0: return .text(path)
        case 1:
            note(LanguageKeys.identitySource, ["claim"])
            return .mapping(["claim": .word("sub")])
        default:
            note(LanguageKeys.identitySource, ["from", "at"])
            let name = random.pick(["whoAmI", "getMe", "verify"])
            let field = random.pick(["id", "self", "number"])
            var keys: [ContractNode.Entry] = [
                .init(key: "get", value: .text("/me")),
                .init(key: "response", value: .mapping([field: text(random.pick(["string", "int", "uuid"]))])),
                .init(key: "session", value: .word("required")),
            ]
            if random.happens(300) { keys.append(.init(key: "query", value: .mapping(["trial": .text("bool?")]))) }
            endpoints.append(.init(key: name, value: .mapping(keys)))
            return .mapping(["from": .text(name), "at": .text(field)])
        }
    }

    private mutating func text(_ type: String) -> ContractNode {
        switch random.below(4) {
        case 0: .mapping(["type": .text(type), "sensitive": .word("true")])
        case 1: .mapping(["type": .text(type), "deprecated": .word("true")])
        case 2: .text(type + "?")
        default: .text(type)
        }
    }

    private mutating func lifetime(_ type: String) -> ContractNode {
        switch random.below(30) {
        case 0: .mapping(["type": .text(type + "?"), "nullable": .word("distinct")])
        case 1...12: text(type)
        case 13...15: .mapping(["type": .text(type), "default": .word("7")])
        default: .text(type)
        }
    }
}
