import ErrandRuntime

/// A request on a connection, between the task that waits for its reply and the connection.
final class PendingFrame: Sendable {
    /// How an attempt over a connection ends. Indirect, so that a request that waits has no room for its response yet.
    indirect enum Outcome: Sendable {
        case response(TransportResponse)
        case fault(TransportFault)
        /// A subscription is on its way, and its elements come through the buffer.
        case subscribed
        case cancelled
    }

    let place = Suspension<Outcome>()
    let endpoint: EndpointDescription
    let replies: FrameDescription.Replies
    /// The elements of a subscription; nil for a request with one reply or none.
    let elements: FrameBuffer?
    /// The reply of a login, whose success may be the presentation of its token; nil for other requests.
    let login: LoginReply?

    init(_ endpoint: EndpointDescription, _ replies: FrameDescription.Replies, _ login: LoginReply? = nil) {
        self.endpoint = endpoint
        self.replies = replies
        self.login = login
        elements = replies == .many ? FrameBuffer() : nil
    }

    /// What a frame is for a request.
    enum Meaning: Sendable {
        case reply
        /// It ends the elements of a subscription.
        case end
        case failure
        /// It is no reply to this request.
        case wrong
    }

    func meaning(of kind: String, failure: String?) -> Meaning {
        if kind == failure { return .failure }
        if kind == endpoint.frame?.reply { return .reply }
        if replies == .many, kind == endpoint.stream?.end { return .end }
        return .wrong
    }

    /// Ends it with a fault.
    func fail(_ fault: TransportFault) {
        elements?.finish(fault)
        place.end(.fault(fault))
    }
}

/// The elements of a subscription between its connection and the task that reads them.
final class FrameBuffer: Sendable {
    private struct State {
        var elements: [ArraySlice<UInt8>] = []
        var size = 0
        var isOver = false
        var fault: TransportFault?
        var reader: Suspension<Void>?
    }

    private enum Turn: Sendable {
        case elements([ArraySlice<UInt8>], size: Int)
        case end(TransportFault?)
        case wait(Suspension<Void>)
    }

    private let state = LockedState<State> { State() }

    /// - Parameter size: how many bytes of the connection's buffer they take.
    func append(_ elements: [ArraySlice<UInt8>], size: Int) {
        let reader = state.withLock { state -> Suspension<Void>? in
            if state.isOver { return nil }
            state.elements += elements
            state.size += size
            defer { state.reader = nil }
            return state.reader
        }
        reader?.end(())
    }

    /// Ends the elements, after those that are there. The first end counts.
    func finish(_ fault: TransportFault? = nil) {
        let reader = state.withLock { state -> Suspension<Void>? in
            if state.isOver { return nil }
            (state.isOver, state.fault) = (true, fault)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.end(())
    }

    /// Ends them at once.
    func cancel() {
        let reader = state.withLock { state -> Suspension<Void>? in
            (state.elements, state.size) = ([], 0)
            (state.isOver, state.fault) = (true, TransportFault(.cancelled, evidence: .responded))
            defer { state.reader = nil }
            return state.reader
        }
        reader?.end(())
    }

    /// The elements that have arrived, as one chunk; nil after the last.
    ///
    /// - Parameter note: is told how many bytes were taken.
    func next(_ note: (Int) -> Void) async throws(TransportFault) -> [UInt8]? {
        while true {
            if Task.isCancelled { cancel() }
            switch state.withLock({ Self.turn(&$0) }) {
            case .elements(let elements, let size):
                note(size)
                return FrameParser.chunk(of: elements)
            case .end(let fault?): throw fault
            case .end(nil): return nil
            case .wait(let reader): await reader.value(ifCancelled: ())
            }
        }
    }

    private static func turn(_ state: inout State) -> Turn {
        if !state.elements.isEmpty {
            defer { (state.elements, state.size) = ([], 0) }
            return .elements(state.elements, size: state.size)
        }
        if state.isOver { return .end(state.fault) }
        let reader = Suspension<Void>()
        state.reader = reader
        return .wait(reader)
    }
}
