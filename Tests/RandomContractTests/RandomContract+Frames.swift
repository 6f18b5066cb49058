import ContractModel

/// How the frames of a random contract look.
struct FrameRules {
    /// Whether the payload has a member of its own. Without one, only fields can be a payload.
    let hasPayload: Bool
}

// Contracts whose endpoints are frames of one connection.
extension RandomContract {
    func frameKind(_ number: Int) -> String { "frame.\(number)" }

    mutating func socketURL() -> String {
        random.pick(["wss://api.example/v1", "ws://127.0.0.1:{port=8080}/v1", "wss://{let=main}.example"])
    }

    mutating func connectionSection() -> ContractNode {
        let hasPayload = connection?.hasPayload ?? true
        var keys = keys(of: LanguageKeys.connection, share: 400) { $0 != "payload" || hasPayload }
        if hasPayload, !keys.contains("payload") { keys.append("payload") }
        note(LanguageKeys.connection, keys)
        return .mapping(
            keys.map { key in
                switch key {
                case "kind": .init(key: key, value: .text(random.pick(["op", "let", "a b", "\\(x)"])))
                case "correlation": .init(key: key, value: correlation())
                case "payload": .init(key: key, value: .text(random.pick(["data", "body", "\"x\""])))
                case "reply": .init(key: key, value: .text(random.pick(["{frame}.reply", "{frame}", "reply"])))
                case "failure": .init(key: key, value: .text("failure"))
                case "ping": .init(key: key, value: ping())
                default: .init(key: key, value: value(key, of: LanguageKeys.connection))
                }
            })
    }

    private mutating func correlation() -> ContractNode {
        guard random.happens(500) else { return .text("seq") }
        note(LanguageKeys.correlation, ["member", "as"])
        return .mapping(["member": .text("seq"), "as": .word(random.pick(["int", "string"]))])
    }

    private mutating func ping() -> ContractNode {
        guard random.happens(700) else { return .word("never") }
        note(LanguageKeys.ping, ["every", "timeout"])
        return .mapping(["every": .text("500ms"), "timeout": .text(random.pick(["1s", "2m"]))])
    }

    mutating func events() -> ContractNode {
        .mapping(
            names(1 + random.below(3), NastyNames.plainValues, NastyNames.values).map { name in
                let keys = keys(of: LanguageKeys.event, share: 400)
                return .init(
                    key: name,
                    value: .mapping(
                        keys.map { key in
                            switch key {
                            case "frame": .init(key: key, value: .text("event.\(next())"))
                            case "data": .init(key: key, value: framePayload(1 + random.below(3)))
                            case "swift": .init(key: key, value: .text("Renamed\(next())"))
                            default: .init(key: key, value: value(key, of: LanguageKeys.event))
                            }
                        }))
            })
    }

    /// Fields, or one type where the payload has a member of its own.
    private mutating func framePayload(_ count: Int) -> ContractNode {
        guard connection?.hasPayload == true, random.happens(400) else { return fields(.payload, count) }
        return .text(text(model(.payload, below: nil)))
    }

    /// A session whose token is presented by a command, or in the handshake.
    mutating func sessionOverFrames() -> ContractNode {
        let names = names(3, ["logIn", "attach", "logOut"], NastyNames.values)
        func frame(_ body: ContractNode?, _ response: ContractNode?, session: Bool = false) -> ContractNode {
            var entries: [ContractNode.Entry] = [.init(key: "frame", value: .text(frameKind(next())))]
            if let body { entries.append(.init(key: "body", value: body)) }
            if let response { entries.append(.init(key: "response", value: response)) }
            if !session { entries.append(.init(key: "session", value: .word("none"))) }
            entries.append(.init(key: "effect", value: .word("idempotent")))
            return .mapping(entries)
        }
        let secret = ContractNode.mapping(["type": .text("string"), "sensitive": .word("true")])
        endpoints.append(
            .init(
                key: names[0],
                value: frame(.mapping(["user": .text("string")]), .mapping(["token": secret, "owner": .text("int")]))))
        var keys: [ContractNode.Entry] = [
            .init(key: "login", value: .text(names[0])), .init(key: "token", value: .text("token")),
        ]
        if random.happens(700) {
            keys.append(.init(key: "attach", value: .text(names[1])))
            endpoints.append(
                .init(
                    key: names[1],
                    value: frame(.mapping([.init(key: random.pick(["token", "let"]), value: secret)]), nil)))
        } else {
            keys.append(.init(key: "header", value: .word("X-Session")))
        }
        if random.happens(500) {
            keys.append(.init(key: "logout", value: .text(names[2])))
            endpoints.append(.init(key: names[2], value: frame(nil, nil, session: true)))
        }
        if random.happens(500) { keys.append(.init(key: "identity", value: .text("owner"))) }
        note(LanguageKeys.session, keys.map(\.key))
        return .mapping(keys)
    }

    /// A command over the connection, with any keys that a frame can have.
    mutating func addFrame(_ name: String) {
        let others = Set(
            HTTPMethod.allCases.map(\.rawValue) + [
                "server", "credentials", "query", "headers", "cookies", "paginate", "redirects", "compression",
                "checksum", "durable", "share", "cache", "clears", "status",
                "confirm", "delivery",
            ])
        let (hasErrors, hasEnvelopes, hasSession) = (!errors.isEmpty, !envelopes.isEmpty, hasSession)
        let hasGroups = !groups.isEmpty
        let delivery = random.below(5)
        var chosen = keys(of: LanguageKeys.endpoint, share: 250) {
            switch $0 {
            case "group": hasGroups
            case "errors": hasErrors && delivery != 0
            case "envelope": hasEnvelopes
            case "session": hasSession
            case "outcomes": delivery > 1
            case "response": delivery != 0
            default: !others.contains($0)
            }
        }
        for key in ["effect"] + (delivery == 1 ? ["response"] : []) where !chosen.contains(key) { chosen.append(key) }
        if delivery < 2 { chosen.append("delivery") }
        note(LanguageKeys.endpoint, chosen)
        var entries: [ContractNode.Entry] = []
        var taken: Set<String> = ["body"]
        let isPlaced = delivery == 1 && random.happens(500)
        for key in chosen {
            let value: ContractNode
            switch key {
            case "frame": value = frame()
            case "effect":
                let isKeyed = random.happens(200)
                value =
                    isKeyed
                    ? .mapping(["keyed": .mapping(["field": .text("key \(next())")])])
                    : .word(random.pick((delivery == 0 ? [] : ["read"]) + ["idempotent", "once"]))
            case "body":
                value =
                    isPlaced ? .mapping(["after": .text("int?")]) : fields(.payload, 1 + random.below(4), taken: &taken)
            case "response":
                value =
                    isPlaced
                    ? .mapping(["place": .text("int"), "rest": .text("string?")])
                    : framePayload(1 + random.below(4))
            case "delivery": value = delivery == 0 ? .word("none") : stream(isPlaced: isPlaced)
            default: value = self.value(ofEndpoint: key, &taken)
            }
            entries.append(.init(key: key, value: value))
        }
        if isPlaced, !chosen.contains("body") {
            entries.append(.init(key: "body", value: .mapping(["after": .text("int?")])))
        }
        endpoints.append(.init(key: name, value: .mapping(entries)))
    }

    private mutating func frame() -> ContractNode {
        let kind = ContractNode.text(frameKind(next()))
        guard random.happens(400) else { return kind }
        note(LanguageKeys.frame, ["name", "reply"])
        return .mapping(["name": kind, "reply": .text("reply.\(next())")])
    }

    private mutating func stream(isPlaced: Bool) -> ContractNode {
        if !isPlaced, random.happens(300) { return .word("stream") }
        var keys = keys(of: LanguageKeys.stream, share: 500) {
            ["stream", "end", "reopen", "cancel"].contains($0)
        }
        if isPlaced { keys += ["position", "resume"] }
        note(LanguageKeys.stream, keys)
        return .mapping(
            keys.map { key in
                switch key {
                case "stream": .init(key: key, value: .word("frames"))
                case "end": .init(key: key, value: .text("end.\(next())"))
                case "cancel": .init(key: key, value: .text("cancel.\(next())"))
                case "position": .init(key: key, value: .text("place"))
                case "resume": .init(key: key, value: .text("after"))
                default: .init(key: key, value: value(key, of: LanguageKeys.stream))
                }
            })
    }
}
