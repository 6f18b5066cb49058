import ContractModel
import JSONTree

/// A request that fits the contract, made from its types and, if it is given, from an example.
package struct RequestSample {
    private let contract: ResolvedContract
    private let seed: UInt64
    private let token: String
    private let refresh: String
    private let completesExamples: Bool

    /// A field of a form in parts.
    package struct Part {
        package var name: String
        package var value: String
        /// Whether its value is the content of a file.
        package var isFile: Bool
    }

    /// A word of a request in place of a value that only a client has.
    package enum StandIn: Sendable, CaseIterable { case token, refresh, credential, key }

    /// What stands for an idempotency key, and for a credential.
    private static let key = "key-1"
    private static let credential = "CREDENTIAL"

    /// - Parameters:
    ///   - token: the session's token.
    ///   - refresh: the token that renews the session.
    ///   - completesExamples: whether a request has the optional inputs that its example lacks.
    package init(
        _ contract: ResolvedContract, seed: UInt64, token: String, refresh: String, completesExamples: Bool = true
    ) {
        (self.contract, self.seed, self.token, self.refresh) = (contract, seed, token, refresh)
        self.completesExamples = completesExamples
    }

    /// Nil for an endpoint without a path.
    ///
    /// - Parameters:
    ///   - base: the path before that of the endpoint.
    ///   - example: the inputs of an example. The types give those that it lacks.
    package func request(of endpoint: ResolvedEndpoint, base: String, example: ExampleValue? = nil) -> MockRequest? {
        sample(of: endpoint, base: base, example: example)?.request
    }

    /// The same with the fields of the body, if it is a form in parts, and with the words in place of values.
    package func sample(
        of endpoint: ResolvedEndpoint, base: String, example: ExampleValue? = nil
    ) -> (request: MockRequest, parts: [Part], standIns: Set<StandIn>)? {
        guard let path = endpoint.path, case .path(let parts) = path, let method = endpoint.method else { return nil }
        var generator = SampleGenerator(contract, seed: seed, for: "request of " + endpoint.name.value)
        let examples = ExampleValues(contract: contract)
        let inputs = PayloadMaker(contract: contract, seed: seed).inputs(of: endpoint)
        let known = example.map { examples.node($0, fields: inputs) } ?? .object([])
        var standIns: Set<StandIn> = []
        // Another origin gets what belongs to the service only if its role says so.
        let role = endpoint.definition.server.flatMap { contract.role(named: $0.value) }
        let common = role?.sends(.common) ?? true ? contract.common : CommonParameters()
        func value(_ field: FieldDefinition) -> JSONNode {
            if field.name.value == contract.session?.refreshInput {
                standIns.insert(.refresh)
                return .string(refresh)
            }
            if let known = known[field.wireName], known != .null { return known }
            return generator.value(of: field, type: field.type.unwrapped)
        }
        /// The text of a single value, or of a joined list.
        func text(_ field: FieldDefinition, _ encoded: (String) -> String = { $0 }) -> String {
            let separator = encoded(String((field.joining?.value ?? .commas).separator))
            return RequestTexts.texts(value(field)).map(encoded).joined(separator: separator == "%2C" ? "," : separator)
        }
        /// The pairs of a query.
        func queryPairs(_ field: FieldDefinition) -> [String] {
            let name = encoded(field.wireName)
            guard field.joining == nil else {
                let text = text(field, encoded)
                return text.isEmpty && field.type.isList ? [] : ["\(name)=\(text)"]
            }
            return RequestTexts.texts(value(field)).map { "\(name)=\(encoded($0))" }
        }
        // An example is shown as its author wrote it.
        let isWhole = completesExamples || example == nil
        func isSent(_ field: FieldDefinition) -> Bool { isWhole || field.isRequired || known[field.wireName] != nil }
        var form: [Part] = []
        var request = MockRequest(method: method.rawValue.uppercased(), path: base)
        for part in parts {
            switch part {
            case .text(let text): request.path += text
            case .parameter(let field): request.path += text(field, encoded)
            }
        }
        var query = endpoint.query.filter(isSent).flatMap(queryPairs)
        for field in endpoint.headers.filter(isSent) { request.headers.append((field.wireName, text(field))) }
        // They are fields of the body, or travel in the query if it cannot have them.
        var fields: [(String, String)] = []
        let areInQuery = method.sendsParametersInQuery || endpoint.body?.takesParameters == false
        if endpoint.effect == .keyed {
            standIns.insert(.key)
            switch endpoint.keyPlace {
            case .header(let name)?: request.headers.append((name.value, Self.key))
            case .field(let name)?: fields.append((name.value, Self.key))
            case nil: request.headers.append((IdempotencyKeyDefinition.standardHeader, Self.key))
            }
        }
        func texts(_ parameter: CommonParameter) -> [String] {
            if case .constant(let constant) = parameter.source { return [constant] }
            return parameter.field.joining == nil ? RequestTexts.texts(value(parameter.field)) : [text(parameter.field)]
        }
        func pairs(_ parameters: [CommonParameter]) -> [(String, String)] {
            parameters.flatMap { parameter in texts(parameter).map { (parameter.field.wireName, $0) } }
        }
        for parameter in common.headers {
            request.headers.append((parameter.field.wireName, texts(parameter).joined(separator: ",")))
        }
        query += pairs(common.query).map { "\(encoded($0.0))=\(encoded($0.1))" }
        fields += pairs(common.parameters)
        switch endpoint.session == .none ? nil : contract.session?.placement {
        case .header(let name, let prefix, let suffix)?:
            standIns.insert(.token)
            request.headers.append((name, prefix + token + suffix))
        case .parameter(let name)?:
            standIns.insert(.token)
            fields.append((name, token))
        case .attached?, nil: break
        }
        var cookies = endpoint.cookies.filter(isSent).map { "\($0.wireName)=\(text($0))" }
        for name in endpoint.credentials.first?.names ?? [] {
            standIns.insert(.credential)
            switch contract.credentials.first(where: { $0.name.value == name })?.placement {
            case .header(let header, let prefix, let suffix)?:
                request.headers.append((header, prefix + Self.credential + suffix))
            case .basic?: request.headers.append(("Authorization", "Basic " + Self.credential))
            case .query(let parameter)?: query.append("\(encoded(parameter))=\(Self.credential)")
            case .cookie(let cookie)?: cookies.append("\(cookie)=\(Self.credential)")
            case nil: break
            }
        }
        if !cookies.isEmpty { request.headers.append(("Cookie", cookies.joined(separator: "; "))) }
        if areInQuery || endpoint.body == nil {
            query += fields.map { "\(encoded($0.0))=\(encoded($0.1))" }
            fields = []
        }
        request.query = query.joined(separator: "&")
        guard let body = endpoint.body else { return (request, [], standIns) }
        let own: [FieldDefinition] =
            switch body.content {
            case .fields(let fields): fields
            case .type(let type, _): contract.structure(type)?.fields ?? []
            case .bytes: []
            }
        switch (body.encoding, body.content) {
        case (.json, .fields), (.json, .type):
            request.body = json(body.content, of: endpoint, known, isWhole: isWhole, fields, &generator)?.bytes ?? []
        case (.form, _):
            let all = own.filter(isSent).flatMap { field -> [(name: String, value: String)] in
                field.joining == nil
                    ? RequestTexts.pairs(field.wireName, value(field)) : [(field.wireName, text(field))]
            }
            let pairs = all.map { ($0.name, $0.value) } + fields
            request.body = Array(pairs.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&").utf8)
        case (.multipart, _):
            request.headers.append(("Content-Type", "multipart/form-data; boundary=mark"))
            form = own.filter(isSent).flatMap { RequestTexts.parts($0, value($0), body.nesting) }
            form += fields.map { Part(name: $0.0, value: $0.1, isFile: false) }
            let parts = form.map {
                "--mark\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.value)\r\n"
            }
            request.body = Array((parts.joined() + "--mark--\r\n").utf8)
        default: request.body = Array("bytes".utf8)
        }
        return (request, form, standIns)
    }

    /// The frame that carries a request, as JSON. Nil for an endpoint without one.
    package func frame(
        of endpoint: ResolvedEndpoint, example: ExampleValue? = nil
    ) -> (message: JSONNode, standIns: Set<StandIn>)? {
        guard let connection = contract.connection, let frame = endpoint.frame else { return nil }
        var generator = SampleGenerator(contract, seed: seed, for: "request of " + endpoint.name.value)
        let inputs = PayloadMaker(contract: contract, seed: seed).inputs(of: endpoint)
        let known = example.map { ExampleValues(contract: contract).node($0, fields: inputs) } ?? .object([])
        var fields: [(String, String)] = []
        if endpoint.effect == .keyed, case .field(let name)? = endpoint.keyPlace {
            fields.append((name.value, Self.key))
        }
        let payload = endpoint.body.flatMap {
            json(
                $0.content, of: endpoint, known, isWhole: completesExamples || example == nil, fields, &generator)
        }
        let texts = FrameText(connection: connection)
        let id = endpoint.delivery == .none ? nil : texts.sampleID
        return (texts.node(frame.kind.value, id: id, payload: payload), fields.isEmpty ? [] : [.key])
    }

    /// The JSON of a body; nil for bytes.
    ///
    /// - Parameters:
    ///   - known: the inputs of an example.
    ///   - isWhole: whether it has the optional members that the example lacks.
    ///   - fields: further members.
    private func json(
        _ content: BodyDefinition.Content, of endpoint: ResolvedEndpoint, _ known: JSONNode, isWhole: Bool,
        _ fields: [(String, String)], _ generator: inout SampleGenerator
    ) -> JSONNode? {
        switch content {
        case .fields(let own):
            let members = known.having(own)
            var value = isWhole ? generator.complete(members, fields: own) : members
            for (name, text) in fields { value[name] = .string(text) }
            return value
        case .type(let type, _):
            // An example that has values for parameters only says nothing of the body.
            let inBody = known.without(endpoint.parameters)
            if inBody.members?.isEmpty != false { return generator.value(of: type) }
            return isWhole ? generator.complete(known, type: type) : inBody
        case .bytes: return nil
        }
    }

    private func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 128, character.isLetter || character.isNumber || "-._~".contains(character) {
                return String(character)
            }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}

extension JSONNode {
    /// The members that are values of these fields.
    fileprivate func having(_ fields: [FieldDefinition]) -> JSONNode {
        .object((members ?? []).filter { member in fields.contains { $0.wireName == member.name } })
    }

    /// The members that are no values of these fields.
    fileprivate func without(_ fields: [FieldDefinition]) -> JSONNode {
        .object((members ?? []).filter { member in !fields.contains { $0.wireName == member.name } })
    }
}

extension ResolvedEndpoint {
    /// The inputs outside of the body.
    fileprivate var parameters: [FieldDefinition] { (path?.parameters ?? []) + query + headers + cookies }
}
