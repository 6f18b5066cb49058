import ErrandJSON
import ErrandRuntime
import ErrandService

/// Answers as a contract wants them, with what its envelope puts around a payload.
enum SimulatedResponse {
    /// The response to a command that was carried out.
    ///
    /// - Parameter payload: the data of the response; ignored if the endpoint's response has none.
    static func success(_ payload: JSONValue, _ endpoint: EndpointDescription) -> TransportResponse {
        if let stream = endpoint.stream { return elements(payload, stream, endpoint) }
        let body = body(of: payload, endpoint)
        // Where the contract says no status, and 200 means an outcome or an error, the next usual one.
        let answers = ([endpoint.status].compactMap { $0 } + [200, 201, 202, 204]).map { status in
            let bytes = status == 204 || status == 205 ? [] : body.bytes
            var headers: HTTPHeaders = ["Content-Type": body.contentType]
            if let field = endpoint.checksum?.field(for: bytes) { headers.append(field.name, field.value) }
            return TransportResponse(status: status, headers: headers, body: bytes)
        }
        return answers.first { Classifier.isSuccess($0, endpoint) } ?? answers[0]
    }

    /// How many elements a stream gives.
    static let elementCount = 3

    /// An element of a stream.
    static func element(_ payload: JSONValue, _ endpoint: EndpointDescription) -> String {
        String(decoding: body(of: payload, endpoint).bytes, as: UTF8.self)
    }

    /// A stream of equal elements, each with an id if its format has ids, so that one that is cut is carried on.
    private static func elements(
        _ payload: JSONValue, _ stream: StreamDescription, _ endpoint: EndpointDescription
    ) -> TransportResponse {
        let element = element(payload, endpoint)
        var text = ""
        for number in 1...elementCount {
            switch stream.format {
            case .events: text += "id: \(number)\ndata: \(element)\n\n"
            case .lines, .frames: text += element + "\n"
            }
        }
        // Over a connection, the end is a frame of its own.
        if let end = stream.end, stream.format != .frames {
            text += stream.format == .events ? "data: \(end)\n\n" : end + "\n"
        }
        let type = stream.format == .events ? "text/event-stream" : "application/x-ndjson"
        return TransportResponse(
            status: endpoint.status ?? 200, headers: ["Content-Type": type], body: Array(text.utf8))
    }

    private static func body(
        of payload: JSONValue, _ endpoint: EndpointDescription
    ) -> (bytes: [UInt8], contentType: String) {
        if endpoint.response == .bytes { return (Array("simulated".utf8), "application/octet-stream") }
        let envelope = endpoint.envelope
        let hasPayload = endpoint.response == .json || endpoint.response == .stream
        if envelope.isNone {
            return (
                Array((hasPayload ? payload : .object(JSONObject())).description.utf8),
                "application/json"
            )
        }
        var body = JSONValue.object(JSONObject())
        if hasPayload {
            if envelope.data == nil {
                body = payload
            } else if let place = endpoint.isList ? envelope.list ?? envelope.data : envelope.data {
                body.put(payload, at: JSONLocation(dotted: place).steps[...])
            }
        }
        if let code = envelope.successCode, let place = envelope.code {
            body.put(scalar(code), at: JSONLocation(dotted: place).steps[...])
        }
        return (Array(body.description.utf8), "application/json")
    }

    /// A response that refuses the command.
    ///
    /// - Parameters:
    ///   - refusal: what the contract's decision table tests.
    ///   - data: the data of the error; nil for an error without data.
    static func refusal(_ refusal: Refusal, _ message: String, data: JSONValue?, _ endpoint: EndpointDescription)
        -> TransportResponse
    {
        if let text = refusal.text {
            return TransportResponse(
                status: refusal.status, headers: headers(of: refusal, "text/plain"), body: Array(text.utf8))
        }
        var body = JSONValue.object(JSONObject())
        let envelope = endpoint.envelope
        if let data {
            if envelope.data == nil { body = data }
            if let place = envelope.data { body.put(data, at: JSONLocation(dotted: place).steps[...]) }
        }
        for (path, text) in refusal.body { body.put(scalar(text), at: JSONLocation(dotted: path).steps[...]) }
        if let code = refusal.code, let place = envelope.code {
            body.put(scalar(code), at: JSONLocation(dotted: place).steps[...])
        }
        for place in [envelope.message, envelope.error] {
            guard let place else { continue }
            let steps = JSONLocation(dotted: place).steps
            if body.value(at: steps[...]) == nil { body.put(.string(message), at: steps[...]) }
        }
        return TransportResponse(
            status: refusal.status, headers: headers(of: refusal, "application/json"),
            body: Array(body.description.utf8))
    }

    private static func headers(of refusal: Refusal, _ contentType: String) -> HTTPHeaders {
        var headers: HTTPHeaders = ["Content-Type": contentType]
        for (name, value) in refusal.headers { headers.set(name, value) }
        return headers
    }

    /// A code as servers send it: a number if it is one.
    private static func scalar(_ text: String) -> JSONValue {
        if let number = Int(text), String(number) == text { return .number(JSONNumber(number)) }
        return .string(text)
    }
}

extension EndpointDescription {
    /// How each error and each outcome looks that a response can say.
    var refusals: [Verdict: Refusal] {
        var found: [Verdict: Refusal] = [:]
        // A frame has no status, and counts as 200.
        let statuses = frame == nil ? 200...599 : 200...200
        for verdict in Set(table.rows.map(\.verdict)) {
            found[verdict] = Refusal.saying(
                verdict, in: table, hasCode: envelope.code != nil, isDecidedByCode: envelope.successCode != nil,
                among: statuses
            ) { refusal in
                var response = SimulatedResponse.refusal(refusal, "", data: nil, self)
                if frame != nil { response.frame = .reply }
                return Classifier.row(for: response, self)?.verdict
            }
        }
        return found
    }
}

extension EnvelopeDescription {
    /// A code that tells a success; nil if none has to.
    fileprivate var successCode: String? {
        switch success {
        case .status, .withoutError: nil
        case .codes(let codes), .codesWithoutError(let codes): codes.example
        }
    }
}
