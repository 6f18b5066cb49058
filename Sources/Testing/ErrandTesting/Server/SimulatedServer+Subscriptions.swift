import ErrandJSON
import ErrandRuntime

/// Subscriptions: requests with several replies.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension SimulatedServer {
    /// Begins a subscription that was accepted. One that stays open gets what a test sends. Another one gets three elements, and
    /// from a position what is left of them.
    func beginSubscription(_ call: FrameCall, _ response: TransportResponse, on connection: SimulatedConnection) {
        guard let id = call.correlation else { return }
        let type = ObjectIdentifier(call.command)
        let (log, isHandled) = state.withLock { ($0.hub.logs[type], $0.handlers[type] != nil) }
        let position = resumePosition(in: call.request, call.command)
        if let log {
            connection.state.withLock { $0.subscriptions[id] = SimulatedSubscription(call: call) }
            for entry in log.entries(after: position) where entry.isFor(SimulatedCall(request: call.request, number: 0))
            {
                deliver(entry.payload, isFailure: false, to: call, on: connection)
            }
            return
        }
        if isHandled {
            // A test's own response has an element in each line.
            let lines = response.body.split(separator: UInt8(ascii: "\n"))
            let steps = lines.map { ScriptedStream.Step.data(String(decoding: $0, as: UTF8.self), isFailure: false) }
            return play(steps, endsAfterwards: call.command.endpoint.stream?.end != nil, call, on: connection)
        }
        let rest = max(0, SimulatedResponse.elementCount - (position?.ordinal ?? 0))
        play(
            Array(repeating: .usual, count: rest), endsAfterwards: call.command.endpoint.stream?.end != nil, call,
            on: connection)
    }

    /// Plays the steps of a subscription.
    func play(
        _ steps: [ScriptedStream.Step], endsAfterwards: Bool, _ call: FrameCall, on connection: SimulatedConnection
    ) {
        guard let id = call.correlation else { return }
        connection.state.withLock { $0.subscriptions[id] = SimulatedSubscription(call: call) }
        let first = (resumePosition(in: call.request, call.command)?.ordinal ?? 0) + 1
        time.start { [self] in
            var number = first
            for step in steps {
                guard connection.state.withLock({ $0.subscriptions[id] != nil }) else { return }
                switch step {
                case .data(let text, let isFailure):
                    deliver(text, isFailure: isFailure, to: call, on: connection)
                    if isFailure { return }
                case .usual:
                    guard let text = usualElement(call.command, number) else { return }
                    deliver(text, isFailure: false, to: call, on: connection)
                    number += 1
                case .pause(let duration):
                    do { try await time.sleep(until: time.now + duration) } catch { return }
                case .heartbeat: connection.deliver(.pong, in: .events, after: drawTravel(), reply: nil)
                case .cut:
                    connection.end(.lost)
                    return
                case .silence: return
                }
            }
            if endsAfterwards { endSubscription(id, call, on: connection) }
        }
    }

    /// Sends an element, or the failure that ends a subscription.
    private func deliver(_ text: String, isFailure: Bool, to call: FrameCall, on connection: SimulatedConnection) {
        guard let id = call.correlation,
            let message = call.contract.reply(Array(text.utf8), isFailure: isFailure, to: call)
        else { return }
        if isFailure { connection.state.withLock { $0.subscriptions[id] = nil } }
        connection.deliver(message, in: .reply(id), after: drawTravel(), reply: nil)
    }

    // MARK: On demand

    func send<C: StreamCommand>(
        _ step: ScriptedStream.Step, to type: C.Type, where isFor: @escaping @Sendable (SimulatedCall) -> Bool
    ) {
        let text: String
        let isFailure: Bool
        switch step {
        case .data(let data, let fails): (text, isFailure) = (data, fails)
        case .usual:
            let number = state.withLock { ($0.hub.logs[ObjectIdentifier(type)]?.entries.count ?? 0) + 1 }
            guard let element = usualElement(type, number) else { return }
            (text, isFailure) = (element, false)
        case .cut: return cut()
        case .silence: return fallSilent()
        case .heartbeat, .pause: return
        }
        // A failure ends those that are there, and says nothing to later ones.
        if !isFailure {
            let position = Self.position(ofElement: text, type)
            let entry = ElementLog.Entry(payload: text, position: position, isFor: isFor)
            state.withLock { $0.hub.logs[ObjectIdentifier(type), default: ElementLog()].add(entry) }
        }
        for connection in connections {
            for subscription in subscriptions(to: type, on: connection)
            where isFor(SimulatedCall(request: subscription.request, number: 0)) {
                deliver(text, isFailure: isFailure, to: subscription, on: connection)
            }
        }
    }

    func endSubscriptions<C: StreamCommand>(of type: C.Type, on connection: SimulatedConnection) {
        for call in subscriptions(to: type, on: connection) {
            if let id = call.correlation { endSubscription(id, call, on: connection) }
        }
    }

    private func subscriptions<C: StreamCommand>(to type: C.Type, on connection: SimulatedConnection) -> [FrameCall] {
        connection.state.withLock { state in
            state.subscriptions.sorted { $0.key < $1.key }.map(\.value.call).filter { $0.command == type }
        }
    }

    private func endSubscription(_ id: UInt64, _ call: FrameCall, on connection: SimulatedConnection) {
        guard connection.state.withLock({ $0.subscriptions.removeValue(forKey: id) }) != nil,
            let end = call.command.endpoint.stream?.end, let message = call.contract.message(end, id, nil)
        else { return }
        connection.deliver(message, in: .reply(id), after: drawTravel(), reply: nil)
    }

    // MARK: Positions

    /// An element that the server makes up, at a position if elements have one.
    private func usualElement(_ command: any Command.Type, _ number: Int) -> String? {
        func make<C: Command>(_ type: C.Type) -> String? {
            let made = ResponseCatalog.shared.withLock { book in Result { try book.payload(of: type) } }
            guard case .success(let payload) = made else { return nil }
            var placed = payload
            if let type = type as? any ResumableCommand.Type { placed = Self.place(number, in: payload, type) }
            return SimulatedResponse.element(placed, C.endpoint)
        }
        return make(command)
    }

    /// Puts a position where the command finds it.
    private static func place<C: ResumableCommand>(_ number: Int, in payload: JSONValue, _ type: C.Type) -> JSONValue {
        let numbers = payload.numberPlaces().map { ($0, JSONValue.number(JSONNumber(number))) }
        let texts = payload.textPlaces().map { ($0, JSONValue.string("position-\(number)")) }
        for (steps, value) in numbers + texts {
            var trial = payload
            trial.put(value, at: steps[...])
            if position(in: trial, type)?.ordinal == number { return trial }
        }
        return payload
    }

    private static func position<C: ResumableCommand>(in payload: JSONValue, _ type: C.Type) -> StreamPosition? {
        let element = try? JSON.scan(Array(payload.description.utf8)) { reader in C.element(from: &reader) }
        return element.flatMap(C.position(of:))
    }

    /// The position of an element with its envelope around it.
    private static func position<C: StreamCommand>(ofElement text: String, _ type: C.Type) -> StreamPosition? {
        guard let type = type as? any ResumableCommand.Type, let element = try? JSONValue(parsing: text) else {
            return nil
        }
        let place = C.endpoint.envelope.data.map { JSONLocation(dotted: $0).steps } ?? []
        return element.value(at: place[...]).flatMap { position(in: $0, type) }
    }

    /// The position that a request continues from; nil if it begins anew.
    private func resumePosition(in request: TransportRequest, _ command: any Command.Type) -> StreamPosition? {
        guard let member = command.endpoint.stream?.resume, let body = request.body,
            let value = (try? JSONValue(parsing: body))?[member]
        else { return nil }
        if let text = value.string { return StreamPosition(text) }
        return value.number.flatMap { Int($0.text) }.map { StreamPosition($0) }
    }
}

extension StreamPosition {
    /// The number of an element that the server has made up.
    fileprivate var ordinal: Int? { number ?? text.flatMap { Int($0.split(separator: "-").last ?? "") } }
}
