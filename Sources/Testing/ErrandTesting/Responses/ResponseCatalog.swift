import ErrandJSON
import ErrandRuntime
import ErrandService

/// The form of a contract's responses, computed once for each command.
struct ResponseCatalog: Sendable {
    /// The catalog of all simulations in a process, since responses don't depend on a run's seed.
    static let shared = LockedState<ResponseCatalog> { ResponseCatalog(seed: 0) }

    private var payloads: [ObjectIdentifier: JSONValue] = [:]
    private var headers: [ObjectIdentifier: [(name: String, value: String)]] = [:]
    private var refusals: [ObjectIdentifier: [Verdict: Refusal]] = [:]
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    /// The payload of a command's response.
    mutating func payload<C: Command>(of type: C.Type) throws(ExampleDocument.NotFound) -> JSONValue {
        if let known = payloads[ObjectIdentifier(type)] { return known }
        let made: JSONValue
        switch C.endpoint.response {
        case .json: made = try ExampleDocument.response(of: type, seed: seed ^ C.endpoint.number)
        case .stream:
            let stream = type as? any StreamCommand.Type
            made =
                try stream.map { (stream) throws(ExampleDocument.NotFound) in
                    try ExampleDocument.element(of: stream, seed: seed ^ C.endpoint.number)
                } ?? .null
        case .bytes, .none, .headers: made = .null
        }
        payloads[ObjectIdentifier(type)] = made
        return made
    }

    /// The response to a command that was carried out.
    mutating func success<C: Command>(of type: C.Type) throws(ExampleDocument.NotFound) -> TransportResponse {
        try success(try payload(of: type), of: type)
    }

    /// The same with this payload.
    mutating func success<C: Command>(
        _ payload: JSONValue, of type: C.Type
    ) throws(ExampleDocument.NotFound) -> TransportResponse {
        var made = SimulatedResponse.success(payload, C.endpoint)
        for field in try fields(of: type) { made.headers.append(field.name, field.value) }
        return made
    }

    /// The declared headers of a command's response.
    private mutating func fields<C: Command>(
        of type: C.Type
    ) throws(ExampleDocument.NotFound) -> [(name: String, value: String)] {
        if let known = headers[ObjectIdentifier(type)] { return known }
        let made = try HeaderExample.fields(of: type, seed: seed ^ C.endpoint.number)
        headers[ObjectIdentifier(type)] = made
        return made
    }

    /// The response that a client classifies as an error or an outcome of its contract. Nil if the command's table doesn't
    /// contain it, or if no response can express it because only a transport's failure leads to it.
    mutating func refusal<C: Command>(_ verdict: Verdict, of type: C.Type) -> TransportResponse? {
        guard let refusal = self.refusals(of: type)[verdict] else { return nil }
        var message = "simulated"
        if case .error(let error) = verdict {
            let description = C.endpoint.service.errors.first { $0.declaredName == error }
            message = description?.message.map { MessageTemplate($0).text { _ in nil } } ?? error.description
        }
        func answer(_ data: JSONValue?) -> TransportResponse {
            SimulatedResponse.refusal(refusal, message, data: data, C.endpoint)
        }
        var data: JSONValue?
        if Classifier.dataFault(in: answer(nil), of: type) != nil {
            data = try? ExampleDocument.make(seed: seed) { data in Self.dataFault(of: answer(data), type) }
        }
        let made = answer(data)
        return Classifier.row(for: made, C.endpoint)?.verdict == verdict ? made : nil
    }

    /// The errors that a response can say, in the contract's order.
    mutating func errors<C: Command>(of type: C.Type) -> [DeclaredName] {
        let refusals = self.refusals(of: type)
        return C.endpoint.service.errors.map(\.declaredName).filter { refusals[.error($0)] != nil }
    }

    private mutating func refusals<C: Command>(of type: C.Type) -> [Verdict: Refusal] {
        let known = self.refusals[ObjectIdentifier(type)] ?? C.endpoint.refusals
        self.refusals[ObjectIdentifier(type)] = known
        return known
    }

    /// The fault of the data of an error or an outcome, with a path that starts at the data.
    private static func dataFault<C: Command>(of answer: TransportResponse, _ type: C.Type) -> JSONError? {
        guard var fault = Classifier.dataFault(in: answer, of: type) else { return nil }
        let envelope = C.endpoint.envelope
        guard let data = envelope.data, let path = JSONLocation(fault.path)
        else { return fault }
        let inside = path.steps.dropFirst(JSONLocation(dotted: data).steps.count)
        fault.path = inside.reduce("$") { path, step in
            switch step {
            case .key(let key): path + "['\(key)']"
            case .index(let index): path + "[\(index)]"
            }
        }
        return fault
    }
}

extension EndpointDescription {
    /// A number made of the names, the same in every process, so that two commands get different examples.
    fileprivate var number: UInt64 {
        (service.name + "." + name).utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
