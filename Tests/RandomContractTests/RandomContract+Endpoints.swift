import ContractModel

extension RandomContract {
    mutating func add(endpoint name: String) {
        if connection != nil { return addFrame(name) }
        if random.happens(120) { return addConfirmed(name) }
        if random.happens(140) { return addPaged(name) }
        if random.happens(120) { return addStream(name) }
        let endpoint = endpoint()
        endpoints.append(.init(key: name, value: endpoint))
        if let cache = endpoint["cache"], cache["http"] != .word("false") { cached.append(name) }
    }

    private mutating func endpoint() -> ContractNode {
        let methods = HTTPMethod.allCases.map(\.rawValue)
        let method = random.pick(methods)
        let hasBody = method != "get" && method != "head"
        let (hasErrors, hasEnvelopes, hasSession) = (!errors.isEmpty, !envelopes.isEmpty, hasSession)
        let (hasRoles, hasCredentials, hasGroups) = (!roles.isEmpty, !credentials.isEmpty, !groups.isEmpty)
        let hasCached = !cached.isEmpty
        var keys = keys(of: LanguageKeys.endpoint, share: 250) {
            switch $0 {
            case "body": hasBody
            case "errors": hasErrors
            case "envelope": hasEnvelopes
            case "session": hasSession
            case "server": hasRoles
            case "group": hasGroups
            case "credentials": hasCredentials
            case "confirm", "paginate", "frame", "delivery": false
            case "outcomes", "checksum": method != "head"
            case "query": method != "query"
            case "cache": method == "get" || method == "query"
            case "clears": hasCached && hasBody && method != "query"
            default: !methods.contains($0) || $0 == method
            }
        }
        // With a text, the key of the query's fields is the method.
        if method == "query" { keys = [method] + keys.filter { !methods.contains($0) && $0 != "frame" } }
        // Only a body is compressed.
        if !keys.contains("body") { keys.removeAll { $0 == "compression" } }
        // Only a read is shared.
        if hasBody && method != "query" || keys.contains("effect") {
            keys.removeAll { $0 == "share" || $0 == "cache" }
        }
        // Only bytes have a checksum.
        if keys.contains("checksum"), !keys.contains("response") { keys.append("response") }
        let hasChecksum = keys.contains("checksum")
        var taken: Set<String> = ["body"]
        var entries: [ContractNode.Entry] = []
        for key in keys {
            let value =
                key == method
                ? .text(path(&taken))
                : key == "effect"
                    ? effect(mayHaveField: Self.takesKey(entries.first { $0.key == "body" }?.value, method))
                    : key == "response" && hasChecksum
                        ? .word("bytes")
                        : key == "response" && method == "head"
                            ? .mapping(["headers": responseHeaders()]) : value(ofEndpoint: key, &taken)
            entries.append(.init(key: key, value: value))
        }
        settle(&entries, method)
        // Bytes are not cached, and a read makes nothing out of date.
        let response = entries.first { $0.key == "response" }?.value
        if response == .word("bytes") || response?["encoding"] == .word("bytes") {
            entries.removeAll { $0.key == "cache" }
        }
        if entries.contains(where: { $0.key == "effect" && $0.value == .word("read") }) {
            entries.removeAll { $0.key == "clears" }
        }
        return .mapping(entries)
    }

    /// Lists an error that settles the command, if it can.
    private mutating func settle(_ endpoint: inout [ContractNode.Entry], _ method: String) {
        func value(_ key: String) -> ContractNode? { endpoint.first { $0.key == key }?.value }
        guard random.happens(700), let position = endpoint.firstIndex(where: { $0.key == "errors" }) else { return }
        let response = value("response")
        let hasPayload = response != nil && response != .word("none")
        let settling = hasPayload ? bringing : settling
        if settling.isEmpty || hasPayload && value("delivery") != nil { return }
        let effect = value("effect")
        let isRepeated =
            effect.map { $0 != .word("read") && $0 != .word("once") } ?? (method == "put" || method == "delete")
        guard isRepeated, response != .word("bytes"), response?["encoding"] != .word("bytes") else { return }
        guard case .list(let names) = endpoint[position].value else { return }
        endpoint[position] = .init(key: "errors", value: .list(names + [.text(random.pick(settling))]))
    }

    /// Whether a body has room for the field of an idempotency key.
    private static func takesKey(_ body: ContractNode?, _ method: String) -> Bool {
        guard let body else { return method != "get" && method != "head" && method != "delete" }
        guard let encoding = body["encoding"] else { if case .mapping = body { return true } else { return false } }
        return body["fields"] != nil && encoding != .word("multipart")
    }

    private mutating func effect(mayHaveField: Bool) -> ContractNode {
        guard random.happens(200) else { return .word(random.pick(["read", "idempotent", "keyed", "once"])) }
        note(LanguageKeys.effect, ["keyed"])
        let keys = keys(of: LanguageKeys.idempotencyKey, share: 600) { $0 != "field" || mayHaveField }
        return .mapping([
            "keyed": .mapping(
                keys.map { key in
                    .init(
                        key: key,
                        value: key == "field"
                            ? .text(random.pick(["idempotency_key", "a b", "\\(x) \"key\""]) + " \(next())")
                            : value(key, of: LanguageKeys.idempotencyKey))
                })
        ])
    }

    mutating func value(ofEndpoint key: String, _ taken: inout Set<String>) -> ContractNode {
        switch key {
        case "query": return fields(.query, 1 + random.below(3), taken: &taken)
        case "headers", "cookies": return fields(.header, 1 + random.below(2), taken: &taken)
        case "body": return body(&taken)
        case "response": return response()
        case "errors": return .list([.text(random.pick(errors.isEmpty ? ["missing"] : errors))])
        case "envelope": return .text(random.pick(envelopes + ["none"]))
        case "outcomes": return outcomes()
        case "examples":
            return .mapping(["usual": .mapping(["request": .mapping(["any": .word("1")])])])
        case "session": return .word(random.pick(["required", "optional", "none"]))
        case "group": return .text(random.pick(groups.isEmpty ? ["missing"] : groups))
        case "server": return .text(random.pick(roles.isEmpty ? ["missing"] : roles))
        case "credentials":
            let (first, second) = (alternative(), alternative())
            if first == "none" || first == second || random.happens(500) { return .text(first) }
            return .list([.text(first), .text(second)])
        case "clears": return .list([.text(random.pick(cached.isEmpty ? ["missing"] : cached))])
        // No outcome has one of these, and each allows a body.
        case "status": return .word(random.pick(["203", "207", "226"]))
        case "swift": return .text("method\(next())")
        default: return value(key, of: LanguageKeys.endpoint)
        }
    }

    private mutating func path(_ taken: inout Set<String>) -> String {
        if random.happens(30) { return "{address:url}" }
        var path = "/\(random.pick(["items", "ä", "a%20b", "let", "x.y"]))\(next())"
        for name in names(
            random.below(3), NastyNames.plainValues, NastyNames.values.filter(Self.fitsPath), unlike: taken)
        {
            taken.insert(name)
            path += random.happens(400) ? "/{\(name)}" : "/{\(name):\(text(model(.path, below: nil)))}/more"
        }
        return path
    }

    private static func fitsPath(_ name: String) -> Bool { !name.contains { " =/?#&{}\"':\n\\$*".contains($0) } }

    private mutating func body(_ taken: inout Set<String>) -> ContractNode {
        switch random.below(6) {
        case 0: return .text("bytes")
        case 1: return .text(text(model(.payload, below: nil)))
        case 2, 3: return fields(.payload, 1 + random.below(5), taken: &taken)
        default: break
        }
        let encoding = random.pick(["json", "form", "multipart", "multipart", "bytes", "xml"])
        let isDocument = encoding == "json" || encoding == "xml"
        let content = isDocument && random.happens(500) ? "type" : "fields"
        var keys = ["encoding"]
        if encoding != "bytes" { keys.append(content) }
        if encoding == "xml" { keys.append("element") }
        if encoding == "bytes" || isDocument, random.happens(500) { keys.append("contentType") }
        if encoding == "multipart", random.happens(300) { keys.append("nesting") }
        note(LanguageKeys.body, keys)
        var entries: [ContractNode.Entry] = []
        for key in keys {
            switch key {
            case "encoding": entries.append(.init(key: key, value: .word(encoding)))
            case "fields":
                let hasBrackets = encoding == "form" || keys.contains("nesting")
                let place: Place = hasBrackets ? .form : isDocument ? .payload : .multipart
                entries.append(.init(key: key, value: fields(place, 1 + random.below(4), taken: &taken)))
            case "nesting": entries.append(.init(key: key, value: .word("brackets")))
            case "contentType":
                let types =
                    isDocument
                    ? ["application/vnd.api+\(encoding)"] : ["application/pdf", "application/geo+json"]
                entries.append(.init(key: key, value: .text(random.pick(types))))
            case "element": entries.append(.init(key: key, value: .text(random.pick(["order", "{urn:x}order"]))))
            default: entries.append(.init(key: key, value: value(key, of: LanguageKeys.body)))
            }
        }
        return .mapping(entries)
    }

    private mutating func response() -> ContractNode {
        switch random.below(8) {
        case 0: return .word(random.pick(["none", "bytes"]))
        case 1, 2, 3: return .text(text(model(.payload, below: nil)))
        case 4, 5: return fields(.payload, 1 + random.below(5))
        default: break
        }
        let list = Model.list(model(.payload, below: nil))
        let keys = keys(of: LanguageKeys.response, share: 500)
        let hasPayload = keys.contains("type") || keys.contains("fields")
        return .mapping(
            keys.map { key in
                switch key {
                case "encoding": .init(key: key, value: .word(hasPayload ? "xml" : "bytes"))
                case "type": .init(key: key, value: .text(text(list)))
                case "fields": .init(key: key, value: fields(.payload, 1 + random.below(4)))
                case "headers": .init(key: key, value: responseHeaders())
                default: .init(key: key, value: value(key, of: LanguageKeys.response))
                }
            })
    }

    private mutating func responseHeaders() -> ContractNode {
        let fields = fields(.header, 1 + random.below(3))
        guard case .mapping(let entries) = fields, random.happens(300) else { return fields }
        let list = random.pick(["[string]", "[int]?", "[bool] = []", "[uuid]?", "[decimal]"])
        return .mapping(entries + [.init(key: "X-List-\(next())", value: .text(list))])
    }

    /// A command whose response is a stream.
    private mutating func addStream(_ name: String) {
        let response =
            random.happens(500) ? fields(.payload, 1 + random.below(4)) : .text(text(model(.payload, below: nil)))
        var delivery = ContractNode.word("stream")
        if random.happens(700) {
            let keys = keys(of: LanguageKeys.stream, share: 500) { !["position", "resume", "cancel"].contains($0) }
            let isOfEvents = keys.contains("failures") || keys.contains("name") || random.happens(500)
            delivery = .mapping(
                keys.map { key in
                    .init(
                        key: key,
                        value: key == "stream"
                            ? .word(isOfEvents ? "events" : "lines") : value(key, of: LanguageKeys.stream))
                })
        }
        note(LanguageKeys.endpoint, ["delivery", "response"])
        endpoints.append(
            .init(
                key: name,
                value: .mapping([
                    .init(key: random.pick(["get", "post"]), value: .text("/streams\(next())")),
                    .init(key: "response", value: response), .init(key: "delivery", value: delivery),
                ])))
    }

    /// A command with the read that tells whether it took effect.
    private mutating func addConfirmed(_ name: String) {
        var taken: Set<String> = []
        let response = fields(.payload, 1 + random.below(3))
        let type = Model.scalar(random.pick(["string", "int", "uuid", "date", "timestamp", "decimal"]))
        let inputs = names(1, NastyNames.plainValues, NastyNames.values.filter(Self.fitsPath), unlike: taken)
        let other = random.pick(NastyNames.plainValues) + "Asked"
        taken.formUnion(inputs)
        let read = "read\(next())"
        let isKeyed = random.happens(500)
        note(LanguageKeys.endpoint, ["confirm"])
        note(LanguageKeys.confirm, LanguageKeys.confirm.names)
        var command: [ContractNode.Entry] = [
            .init(key: "post", value: .text("/orders\(next())")),
            .init(key: "body", value: .mapping([.init(key: inputs[0], value: .text(text(type)))])),
            .init(key: "response", value: response),
            .init(key: "effect", value: .word(isKeyed ? "keyed" : "once")),
        ]
        var confirm: [ContractNode.Entry] = [.init(key: "endpoint", value: .text(read))]
        confirm.append(
            .init(
                key: "with", value: .mapping([.init(key: other, value: .text(isKeyed ? "idempotencyKey" : inputs[0]))]))
        )
        if random.happens(300) { confirm.append(.init(key: "found", value: .word("completed"))) }
        command.append(.init(key: "confirm", value: .mapping(confirm)))
        endpoints.append(.init(key: name, value: .mapping(command)))
        endpoints.append(
            .init(
                key: read,
                value: .mapping([
                    "get": .text("/orders\(next())/{\(other):\(isKeyed ? "string" : text(type))}"),
                    "response": response,
                ])))
    }
}
