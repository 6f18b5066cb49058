import ErrandJSON
public import ErrandRuntime

/// One step of a streamed response of a simulated server: `ScriptedTurn.streams(_:)`.
public struct ScriptedElement<C: Command>: Sendable {
    enum Wish: Sendable {
        case json(String)
        case usual
        case error(String)
        case failure(C.Failure)
        case pause(Duration)
        case heartbeat
        case cut
        case silence
    }

    let wish: Wish

    /// An element, as the server writes it: what the contract's envelope puts around it included.
    public static func json(_ text: String) -> ScriptedElement { ScriptedElement(wish: .json(text)) }

    /// An element that the server makes up, as without a script.
    public static var asUsual: ScriptedElement { ScriptedElement(wish: .usual) }

    /// An error in the place of an element. The server makes up its data.
    public static func fails(_ failure: C.Failure) -> ScriptedElement { ScriptedElement(wish: .failure(failure)) }

    /// The same by the name that the error has in the contract.
    public static func fails(_ name: String) -> ScriptedElement { ScriptedElement(wish: .error(name)) }

    /// Nothing comes for so long.
    public static func pause(_ duration: Duration) -> ScriptedElement { ScriptedElement(wish: .pause(duration)) }

    /// A sign of life that is no element: an event without data, an empty line, or a pong.
    public static var heartbeat: ScriptedElement { ScriptedElement(wish: .heartbeat) }

    /// The connection is lost. Later steps of the script are skipped.
    public static var cut: ScriptedElement { ScriptedElement(wish: .cut) }

    /// Nothing comes any more, and the connection stays open. So does a subscription over it.
    public static var silence: ScriptedElement { ScriptedElement(wish: .silence) }
}

extension ScriptedTurn where C: StreamCommand {
    /// The server carries the request out and responds with these elements, one after the other, and with the stream's end
    /// after the last of them. Server-sent events get ids that continue from the `Last-Event-ID` of the request.
    ///
    ///     try server.next(Market.WatchPrices.self, .streams(.json(#"{"price": "1.5"}"#), .asUsual, .cut))
    ///     try server.next(Market.WatchPrices.self, .streams(.pause(.seconds(5)), .fails(.marketClosed(.declared))))
    public static func streams(_ elements: ScriptedElement<C>...) -> ScriptedTurn { streams(elements) }

    /// The same with a list, which may be empty.
    public static func streams(_ elements: [ScriptedElement<C>]) -> ScriptedTurn {
        ScriptedTurn(wish: .stream(elements))
    }
}

/// A streamed response whose content is final.
struct ScriptedStream: Sendable {
    enum Step: Sendable {
        /// The text after `data:`, in the line or in the frame.
        case data(String, isFailure: Bool)
        /// An element that the server makes up.
        case usual
        case pause(Duration)
        case heartbeat
        case cut
        case silence
    }

    let steps: [Step]
    private let usual: String?
    private let description: StreamDescription

    /// - Throws: `UnknownContractError` for an element that the client cannot read, and for an error that no element says.
    init<C: Command>(_ elements: [ScriptedElement<C>]) throws(UnknownContractError) {
        let description = C.endpoint.stream ?? StreamDescription(.lines)
        var steps: [Step] = []
        var usual: String?
        for element in elements {
            switch element.wish {
            case .pause(let duration): steps.append(.pause(duration))
            case .heartbeat: steps.append(.heartbeat)
            case .cut: steps.append(.cut)
            case .silence: steps.append(.silence)
            case .usual:
                if usual == nil { usual = try Self.usual(of: C.self) }
                steps.append(.usual)
            case .json(let text): steps.append(.data(try Self.checked(text, of: C.self), isFailure: false))
            case .error(let name): steps.append(try Self.error(C.endpoint.service.declared(name), name, of: C.self))
            case .failure(let failure):
                let name: DeclaredName? =
                    if case .declared(let name)? = WrittenFailure(failure, of: C.endpoint).cause { name } else { nil }
                steps.append(try Self.error(name, "\(failure)", of: C.self))
            }
        }
        self.steps = steps
        self.usual = usual
        self.description = description
    }

    /// The response to one request.
    func makeResponse(
        to request: TransportRequest, pause: @escaping @Sendable (Duration) async throws(TransportFault) -> Void
    ) -> TransportResponse {
        let type = description.format == .events ? "text/event-stream" : "application/x-ndjson"
        let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
        let place = LockedState<(next: Int, id: Int)> { (0, last) }
        let isOver = LockedState { false }
        let body = StreamedBody { [self] () async throws(TransportFault) -> [UInt8]? in
            while true {
                if isOver.withLock({ $0 }) { throw TransportFault(.cancelled, evidence: .sent) }
                let (step, id) = place.withLock { place -> (Step?, Int) in
                    guard place.next < steps.count else {
                        defer { place.next = steps.count + 1 }
                        return (
                            place.next == steps.count ? description.end.map { .data($0, isFailure: false) } : nil,
                            place.id
                        )
                    }
                    defer { place.next += 1 }
                    switch steps[place.next] {
                    case .data, .usual: place.id += 1
                    case .pause, .heartbeat, .cut, .silence: break
                    }
                    return (steps[place.next], place.id)
                }
                switch step {
                case nil: return nil
                case .data(let data, let isFailure)?: return Array(text(of: data, isFailure, id).utf8)
                case .usual?: return Array(text(of: usual ?? "", false, id).utf8)
                case .pause(let duration)?: try await pause(duration)
                case .heartbeat?: return Array((description.format == .events ? "data:\n\n" : "\n").utf8)
                case .cut?: throw TransportFault(.lost, evidence: .sent)
                case .silence?:
                    try await pause(.seconds(86_400 * 365))
                    throw TransportFault(.lost, evidence: .sent)
                }
            }
        } cancel: {
            isOver.withLock { $0 = true }
        }
        return TransportResponse(status: 200, headers: ["Content-Type": type], stream: body)
    }

    private func text(of data: String, _ isFailure: Bool, _ id: Int) -> String {
        switch description.format {
        case .lines, .frames: return data + "\n"
        case .events:
            let name = isFailure ? description.failures.first : nil
            return (name.map { "event: \($0)\n" } ?? "") + "id: \(id)\ndata: \(data)\n\n"
        }
    }

    // MARK: The bytes

    private static func usual<C: Command>(of type: C.Type) throws(UnknownContractError) -> String {
        let made = ResponseCatalog.shared.withLock { book in Result { try book.payload(of: type) } }
        guard case .success(let payload) = made else {
            throw UnknownContractError(
                endpoint: C.endpoint.fullName, error: "asUsual", reason: "no element can be made up")
        }
        return SimulatedResponse.element(payload, C.endpoint)
    }

    /// The element in one line, as both formats want it.
    private static func checked<C: Command>(_ text: String, of type: C.Type) throws(UnknownContractError) -> String {
        do throws(JSONError) {
            return try JSONValue(parsing: text).description
        } catch {
            throw UnknownContractError(
                endpoint: C.endpoint.fullName, error: text, reason: "the element is not JSON: \(error.expectation)")
        }
    }

    /// The error in the form of an element.
    private static func error<C: Command>(
        _ name: DeclaredName?, _ text: String, of type: C.Type
    ) throws(UnknownContractError) -> Step {
        let endpoint = C.endpoint
        if let name, let said = ResponseCatalog.shared.withLock({ $0.refusal(.error(name), of: type) }) {
            let element = TransportResponse(status: 200, body: said.body)
            if Classifier.row(for: element, endpoint)?.verdict == .error(name) {
                return .data(String(decoding: said.body, as: UTF8.self), isFailure: true)
            }
        }
        throw UnknownContractError(
            endpoint: endpoint.fullName, error: text, reason: "no element says it: script it as a turn of its own")
    }
}

extension ServiceDescription {
    fileprivate func declared(_ name: String) -> DeclaredName? {
        errors.first { $0.name == name }?.declaredName
    }
}
