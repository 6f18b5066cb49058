import ErrandRuntime

/// What a simulated server knows of its connections.
struct ConnectionHub: Sendable {
    /// How a handshake is refused, and how often; nil for always.
    struct Refusal: Sendable {
        var response: TransportResponse
        var times: Int?
    }

    /// By the URL that clients connect to.
    var contracts: [String: FrameContract] = [:]
    var connections: [Int: SimulatedConnection] = [:]
    /// How many were opened.
    var opened = 0
    var refusal: Refusal?
    /// The elements of subscriptions that stay open, by command.
    var logs: [ObjectIdentifier: ElementLog] = [:]

    /// Takes the response to the next handshake, if it is refused.
    mutating func takeRefusal() -> TransportResponse? {
        guard let refusal, refusal.times.map({ $0 > 0 }) ?? true else { return nil }
        self.refusal?.times? -= 1
        return refusal.response
    }
}

/// The elements that a test has given to the subscriptions of a command. A subscription that is made again from a position gets those
/// after it.
struct ElementLog: Sendable {
    struct Entry: Sendable {
        let payload: String
        let position: StreamPosition?
        /// Whether a subscription gets it, by its request.
        let isFor: @Sendable (SimulatedCall) -> Bool
    }

    private(set) var entries: [Entry] = []

    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// The elements after a position; none if the position is unknown, or if there is none.
    func entries(after position: StreamPosition?) -> ArraySlice<Entry> {
        guard let position, let last = entries.lastIndex(where: { $0.position == position }) else { return [] }
        return entries[(last + 1)...]
    }
}
