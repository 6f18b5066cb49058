import JSONTree

/// The open connections by their numbers, with the bytes that wait for all of them together.
struct OpenConnections: Sendable {
    private var all: [Int: OpenConnection] = [:]
    private(set) var waitingBytes = 0

    var numbers: [Int] { all.keys.sorted() }

    subscript(_ number: Int) -> OpenConnection? {
        get { all[number] }
        // In place: what waits is not copied for each frame.
        _modify {
            waitingBytes -= all[number]?.waitingBytes ?? 0
            defer { waitingBytes += all[number]?.waitingBytes ?? 0 }
            yield &all[number]
        }
    }
}

/// What a mock server remembers of a connection, all of it bounded.
struct OpenConnection: Sendable {
    /// A subscription that gets elements.
    struct Subscription: Sendable {
        /// The position of the endpoint in the contract.
        let endpoint: Int
        let id: JSONNode?
        /// The number of the next element, from 1.
        var next: Int
        var due: Duration
        /// The number of the element at which the connection ends; nil for none.
        let cut: Int?
        /// Whether each element comes twice.
        let isTwice: Bool
        let bytesPerSecond: Int?
    }

    private struct Waiting: Sendable {
        let due: Duration
        let frame: MockFrame
    }

    let opening: MockRequest
    /// The failures that the handshake's header asks for.
    let rules: [FailureRule]
    /// The token that the connection belongs to.
    var token: String?
    var subscriptions: [String: Subscription] = [:]
    /// When the next event is due; nil for none.
    var nextEvent: Duration?
    /// How many events were sent by the clock.
    var events = 0
    /// Whether its end was given to the host, so that nothing more is done.
    private(set) var isEnding = false
    private var waiting: [Waiting] = []
    private(set) var waitingBytes = 0

    static let mostSubscriptions = 64
    static let mostWaiting = 1_024
    static let mostWaitingBytes = 1 << 20
    /// The bytes that wait for all connections together.
    static let mostWaitingBytesOfAll = 64 << 20

    init(_ opening: MockRequest, _ rules: [FailureRule], nextEvent: Duration?) {
        self.opening = opening
        self.rules = rules
        self.nextEvent = nextEvent
    }

    /// Sends a frame at a time. With too many that wait, the connection is closed.
    mutating func send(_ frame: MockFrame, at due: Duration) {
        guard !isEnding else { return }
        guard waiting.count < Self.mostWaiting else {
            return close(because: "more than \(Self.mostWaiting) replies wait")
        }
        guard waiting.isEmpty || waitingBytes + frame.size <= Self.mostWaitingBytes else {
            return close(because: "replies of more than \(Self.mostWaitingBytes >> 10) KiB wait")
        }
        waitingBytes += frame.size
        let place = waiting.firstIndex { $0.due > due } ?? waiting.endIndex
        waiting.insert(Waiting(due: due, frame: frame), at: place)
    }

    /// Closes the connection in place of everything that waits.
    mutating func close(because reason: String) {
        guard !isEnding else { return }
        waiting = [Waiting(due: .zero, frame: .close(code: 1008, reason: reason))]
        waitingBytes = 0
    }

    /// The next frame that is due.
    mutating func take(at now: Duration) -> MockFrame? {
        guard let first = waiting.first, first.due <= now, !isEnding else { return nil }
        waiting.removeFirst()
        waitingBytes -= first.frame.size
        if first.frame.isLast { end() }
        return first.frame
    }

    /// Forgets everything that is still to be sent.
    mutating func end() {
        isEnding = true
        waiting = []
        waitingBytes = 0
        subscriptions = [:]
        nextEvent = nil
    }

    /// The subscription whose element is due first, in an order that does not change from run to run.
    func nextSubscription(at now: Duration) -> String? {
        let due = subscriptions.filter { $0.value.due <= now }
        return due.min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }?.key
    }

    /// When something is due next.
    var due: Duration? {
        ([waiting.first?.due, nextEvent] + subscriptions.values.map(\.due)).compactMap { $0 }.min()
    }
}
