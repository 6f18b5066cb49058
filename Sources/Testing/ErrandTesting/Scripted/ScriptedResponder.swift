public import ErrandRuntime

/// Answers incidents as a test says, and keeps what it was asked.
///
/// ```swift
/// let responder = ScriptedResponder { _ in .fail }
/// let dispatcher = simulation.makeDispatcher(responder: responder)
/// …
/// #expect(responder.asked.count == 1)
/// ```
public final class ScriptedResponder: Responder {
    private struct State {
        var asked: [Incident] = []
        var current = 0
        var mostAtOnce = 0
        var cancelled = 0
    }

    public let maximumQuestions: Int
    private let state = LockedState<State> { State() }
    private let answer: @Sendable (Incident) async -> IncidentAnswer

    /// - Parameters:
    ///   - maximumQuestions: how many questions it takes at a time.
    ///   - answer: decides, and may take its time. In a simulation, wait with `simulation.sleep(for:)`.
    public init(maximumQuestions: Int = 1, _ answer: @escaping @Sendable (Incident) async -> IncidentAnswer) {
        self.maximumQuestions = maximumQuestions
        self.answer = answer
    }

    /// The incidents that it was asked about, in their order, as they were at that moment.
    public var asked: [Incident] { state.withLock { $0.asked } }
    /// The number of questions that it was asked at the same time, at most.
    public var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }
    /// The number of questions that were withdrawn while it was at them.
    public var cancelled: Int { state.withLock { $0.cancelled } }

    public func respond(to incident: Incident) async -> IncidentAnswer {
        state.withLock { state in
            state.asked.append(incident)
            state.current += 1
            state.mostAtOnce = max(state.mostAtOnce, state.current)
        }
        let decided = await answer(incident)
        let isCancelled = Task.isCancelled
        state.withLock { state in
            state.current -= 1
            if isCancelled { state.cancelled += 1 }
        }
        return decided
    }
}
