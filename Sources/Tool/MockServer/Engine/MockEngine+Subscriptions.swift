import ContractModel
import JSONTree

/// The elements of subscriptions: as many as a stream over HTTP has, and after them the end that the contract names. A subscription
/// without an end goes on at the interval of events.
extension MockEngine {
    /// Begins a subscription. Returns what the log says of it.
    mutating func subscribe(
        _ call: Call, _ frame: FrameText.Request, _ plan: FailurePlan, _ due: Duration
    ) -> String {
        guard let number = call.connection, let connection = connections[number] else { return "no reply" }
        let key = FrameText.key(frame.id)
        guard connection.subscriptions[key] != nil || connection.subscriptions.count < OpenConnection.mostSubscriptions
        else {
            let reason = "more than \(OpenConnection.mostSubscriptions) subscriptions"
            send(.close(code: 1008, reason: reason), to: number, at: call.now)
            return "closed with 1008"
        }
        let first = (resumption(call).flatMap { Self.ordinal(of: $0.place) } ?? 0) + 1
        // With an end, the last element arrives: a client that resumes after each cut comes to it within the usual three attempts.
        let hasEnd = call.endpoint.definition.stream?.end != nil
        let isCut = plan.delivery.cut == .insideBody && (!hasEnd || first < Self.streamedElements)
        let cut = first + Self.streamedElements / 2
        connections[number]?.subscriptions[key] = OpenConnection.Subscription(
            endpoint: call.route.endpoint, id: frame.id, next: first, due: due,
            cut: isCut ? (hasEnd ? min(cut, Self.streamedElements) : cut) : nil,
            isTwice: plan.failure == .wire(.twice),
            bytesPerSecond: plan.delivery.bytesPerSecond)
        return isCut ? "elements, then the connection is cut" : "elements"
    }

    /// The place from which a request goes on, and the input that has it.
    func resumption(_ call: Call) -> (wireName: String, place: String)? {
        guard let name = call.endpoint.definition.stream?.resume?.value else { return nil }
        let inputs = PayloadMaker(contract: contract, seed: settings.seed).inputs(of: call.endpoint)
        guard let field = inputs.first(where: { $0.name.value == name }),
            let place = input(of: call)[field.wireName]?.scalarText
        else { return nil }
        return (field.wireName, place)
    }

    /// The number of the element with this place. A number of a client is not believed to be small.
    private static func ordinal(of place: String) -> Int? {
        Int(place).map { min(max(0, $0), 1_000_000_000) }
    }

    /// Sends the next element of a subscription, or its end.
    mutating func sendElement(of key: String, on number: Int, at now: Duration) {
        guard let definition = contract.connection, var subscription = connections[number]?.subscriptions[key] else {
            return
        }
        let endpoint = contract.endpoints[subscription.endpoint]
        guard let target = endpoint.frame else { return }
        let texts = FrameText(connection: definition)
        let end = endpoint.definition.stream?.end
        if subscription.next == subscription.cut {
            send(.cut, to: number, at: now)
            return
        }
        if let end, subscription.next > Self.streamedElements {
            connections[number]?.subscriptions[key] = nil
            send(.text(texts.message(end, id: subscription.id, payload: nil)), to: number, at: now)
            return
        }
        let composer = ResponseComposer(endpoint, in: contract)
        let body = composer.success(element(subscription.next, of: endpoint)).body.bytes
        let text = texts.message(
            definition.reply(to: target), id: subscription.id, payload: try? JSONParser.parse(body))
        for _ in 0..<(subscription.isTwice ? 2 : 1) {
            send(.text(text, bytesPerSecond: subscription.bytesPerSecond), to: number, at: now)
        }
        subscription.next += 1
        var pause = Self.streamPause
        if subscription.next > Self.streamedElements, end == nil { pause = settings.eventInterval ?? .seconds(3600) }
        subscription.due = now + pause
        connections[number]?.subscriptions[key] = subscription
    }

    /// Ends the subscription that a frame cancels. Nil if the frame cancels none.
    mutating func cancellation(_ frame: FrameText.Request, on number: Int, _ now: Duration) -> LogEntry? {
        let endpoint = contract.endpoints.first { $0.definition.stream?.cancel?.value == frame.kind }
        guard let endpoint, !contract.endpoints.contains(where: { $0.frame?.kind.value == frame.kind }) else {
            return nil
        }
        let known = connections[number]?.subscriptions.removeValue(forKey: FrameText.key(frame.id))
        return LogEntry(
            number: self.number, moment: now, method: "#\(number) ->", target: frame.kind,
            endpoint: endpoint.name.value, status: 0, result: .success,
            findings: known == nil ? ["the frame cancels a subscription that is not open"] : [], reply: "canceled")
    }
}
