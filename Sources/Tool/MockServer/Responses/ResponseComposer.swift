import ContractModel
import ErrandService
import JSONTree

/// Makes responses of an endpoint as its contract wants them, and says what a response means to a client.
struct ResponseComposer {
    let contract: ResolvedContract
    let endpoint: ResolvedEndpoint
    private let envelope: EnvelopeDefinition?
    private let table: DecisionTable

    init(_ endpoint: ResolvedEndpoint, in contract: ResolvedContract) {
        self.contract = contract
        self.endpoint = endpoint
        envelope = endpoint.envelope.flatMap(contract.envelope(named:))
        table = endpoint.table.table
    }

    // MARK: What a response means

    /// The row of the decision table that takes a response.
    ///
    /// - Parameters:
    ///   - headers: all that it is sent with.
    ///   - text: the body, if it is text that is no JSON.
    func row(
        status: Int, _ body: JSONNode, headers: [(name: String, value: String)] = [jsonType], text: String? = nil
    ) -> DecisionRow? {
        let text = text.map { Array($0.utf8) }.flatMap { bytes in
            (try? JSONParser.parse(bytes)) == nil ? TextPattern.compared(bytes) : nil
        }
        return table.row(status: status, code: code(in: body)) { match in
            let found: String? =
                switch match.place {
                case .body(let keys): body.value(at: keys[...])?.scalarText
                case .header(let name): headers.first { $0.name.lowercased() == name }?.value
                case .text: text
                }
            return found.map(match.pattern.matches) ?? false
        }
    }

    /// Whether a client takes a response for a success.
    func isSuccess(
        status: Int, _ body: JSONNode, headers: [(name: String, value: String)] = [jsonType]
    ) -> Bool {
        guard (200..<300).contains(status), row(status: status, body, headers: headers) == nil else { return false }
        guard let envelope, !envelope.isDecidedByStatus else { return true }
        if let error = envelope.error?.value, let value = body.value(at: error.keys[...]), value != .null,
            value != .array([])
        {
            return false
        }
        if envelope.success.isEmpty { return true }
        let code = code(in: body)
        return envelope.success.contains { $0.value.matches(code) }
    }

    private func code(in body: JSONNode) -> String {
        (envelope?.code?.value).flatMap { body.value(at: $0.keys[...])?.scalarText } ?? ""
    }

    /// Whether the payload is a list.
    private var isList: Bool {
        guard case .type(let type, _, _) = endpoint.response.value else { return false }
        return contract.expanded(type.unwrapped).type.isList
    }

    // MARK: Successes

    /// Whether a success has a payload or bytes.
    private var hasContent: Bool { if case .none = endpoint.response.value { false } else { true } }

    /// The path of the payload in a response's body. Empty if the body is the payload.
    var payloadPath: [String] {
        let path = isList ? envelope?.list?.value ?? envelope?.data?.value : envelope?.data?.value
        return path?.keys ?? []
    }

    /// The path of the data of an error or an outcome in a response's body.
    var failurePath: [String] { envelope?.data?.value.keys ?? [] }

    /// The response to a request that was carried out.
    ///
    /// - Parameters:
    ///   - payload: the data of the response; nil for an endpoint without any.
    ///   - headers: the values of the declared headers.
    ///   - change: changes the body, for example to add the total of a list.
    func success(
        _ payload: JSONNode?, headers: [(name: String, value: String)] = [],
        change: (inout JSONNode) -> Void = { _ in }
    ) -> MockResponse {
        var body = JSONNode.object([])
        if let payload { if payloadPath.isEmpty { body = payload } else { body.put(payload, at: payloadPath[...]) } }
        if let code = envelope?.success.first?.value.example, let place = envelope?.code?.value {
            body.put(.scalar(code), at: place.keys[...])
        }
        change(&body)
        // If the usual status is an outcome or an error, or has no room for the envelope, the next one.
        let hasBody = payload != nil || body.members?.isEmpty == false
        let usual =
            endpoint.definition.status?.value
            ?? EndpointDefinition.usualStatus(hasBody: hasBody || hasContent, of: endpoint.method)
        let statuses = [usual] + [200, 201, 202, 203]
        func isBare(_ status: Int) -> Bool { !hasBody || status == 204 || status == 205 }
        func all(_ status: Int) -> [(name: String, value: String)] { (isBare(status) ? [] : [Self.jsonType]) + headers }
        let status =
            statuses.first { isSuccess(status: $0, isBare($0) ? .object([]) : body, headers: all($0)) } ?? usual
        return MockResponse(status: status, headers: all(status), body: isBare(status) ? [] : body.bytes)
    }

    static let jsonType = (name: "Content-Type", value: "application/json")

    // MARK: Failures

    /// The response that a client takes for an error or an outcome. Nil if the endpoint's table does not have it, or if no response
    /// says it, for example because only a failure of the transport does.
    ///
    /// - Parameter preferred: the status, if the contract leaves it open.
    func refusal(_ verdict: Verdict, message: String?, data: JSONNode?, preferred: Int? = nil) -> MockResponse? {
        let refusal = Refusal.saying(
            verdict, in: table, hasCode: envelope?.code != nil, isDecidedByCode: envelope?.success.isEmpty == false,
            preferred: preferred
        ) { refusal in
            let body = refusal.text == nil ? body(of: refusal, message: message, data: data) : .object([])
            return row(status: refusal.status, body, headers: headers(of: refusal), text: refusal.text)?.verdict
        }
        return refusal.map { refusal in
            MockResponse(
                status: refusal.status, headers: headers(of: refusal),
                body: refusal.text.map { Array($0.utf8) } ?? body(of: refusal, message: message, data: data).bytes)
        }
    }

    private func headers(of refusal: Refusal) -> [(name: String, value: String)] {
        let own = refusal.headers
        let type = refusal.text == nil ? Self.jsonType : (name: "Content-Type", value: "text/plain")
        return own + (own.contains { $0.name == "content-type" } ? [] : [type])
    }

    private func body(of refusal: Refusal, message: String?, data: JSONNode?) -> JSONNode {
        var body = JSONNode.object([])
        if let data {
            if let place = envelope?.data?.value { body.put(data, at: place.keys[...]) } else { body = data }
        }
        for (path, text) in refusal.body {
            body.put(.scalar(text), at: path.split(separator: ".").map(String.init)[...])
        }
        if let code = refusal.code, let place = envelope?.code?.value {
            body.put(.scalar(code), at: place.keys[...])
        }
        add(message ?? refusal.row.verdict.name, to: &body)
        return body
    }

    /// Puts the message at its place, and something at the place that says that this is a failure. Without an envelope, a body that
    /// says nothing else has the message as a member.
    private func add(_ message: String, to body: inout JSONNode) {
        if envelope == nil, body.members?.isEmpty == true { body["message"] = .string(message) }
        for place in [envelope?.message?.value, envelope?.error?.value].compactMap({ $0 })
        where body.value(at: place.keys[...]) == nil {
            body.put(.string(message), at: place.keys[...])
        }
    }

    /// A response with one of these statuses that means nothing that the contract declares, so that a client takes it for a built-in
    /// error. Nil if the contract has a meaning for each.
    func undeclared(_ statuses: [Int], message: String) -> MockResponse? {
        let body = failure(message)
        let status = statuses.first { row(status: $0, body) == nil && !isSuccess(status: $0, body) }
        return status.map { unexplained($0, message: message) }
    }

    /// A response with a status and a message, whatever it means to a client.
    func unexplained(_ status: Int, message: String) -> MockResponse {
        MockResponse(status: status, headers: [Self.jsonType], body: failure(message).bytes)
    }

    /// What a response means that has this status, and nothing else that tells failures apart.
    func verdict(ofUnexplained status: Int) -> Verdict? { row(status: status, failure(""))?.verdict }

    private func failure(_ message: String) -> JSONNode {
        var body = JSONNode.object([])
        add(message, to: &body)
        return body
    }
}
