import ErrandRuntime

/// The lines that a person types, handed to the one who asks at the moment. What is typed while nothing asks is dropped: an answer to
/// a question that has gone must not be taken for one to the next.
final class TerminalInput: Sendable {
    private struct State: Sendable {
        var asker: Suspension<String?>?
        var isEnded = false
        var isStarted = false
    }

    private let state = LockedState<State> { State() }
    private let streams: TerminalStreams

    init(_ streams: TerminalStreams) { self.streams = streams }

    /// The next line that is typed from now on. Nil where the input has ended or the task is cancelled.
    func nextLine() async -> String? {
        let line = Suspension<String?>()
        let (isEnded, mustStart) = state.withLock { state in
            state.asker?.end(nil)
            state.asker = line
            defer { state.isStarted = true }
            return (state.isEnded, !state.isStarted)
        }
        if isEnded { return nil }
        if mustStart { start() }
        return await line.value(ifCancelled: nil)
    }

    /// Not a child of the one who asks: lines are read for all who will.
    private func start() {
        let lines = streams.lines()
        Task.detached { [weak self] in
            for await text in lines { self?.take(text) }
            self?.end()
        }
    }

    private func take(_ text: String) {
        let asker = state.withLock { state in
            defer { state.asker = nil }
            return state.asker
        }
        asker?.end(text)
    }

    private func end() {
        let asker = state.withLock { state in
            state.isEnded = true
            defer { state.asker = nil }
            return state.asker
        }
        asker?.end(nil)
    }
}
