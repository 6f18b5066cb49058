import ErrandRuntime

/// Hands the lines that a person types to the question on the screen. Only one question is shown at a time, and others wait for
/// their turn.
///
/// Lines that are typed without a question are dropped: an answer to an earlier question must not be taken for an answer to the
/// next.
final class TerminalInput: Sendable {
    private struct Question: Sendable {
        let text: String
        let line: Suspension<String?>
    }

    private struct State: Sendable {
        /// The first one is on the screen.
        var questions: [Question] = []
        var isEnded = false
        var isStarted = false
    }

    private let state = LockedState<State> { State() }
    private let output: TerminalOutput

    init(_ output: TerminalOutput) { self.output = output }

    /// Asks, and waits for the line. Nil if the input has ended or the task is cancelled.
    func ask(_ text: String) async -> String? {
        let question = Question(text: text, line: Suspension())
        let mustStart = state.withLock { state -> Bool? in
            if state.isEnded { return nil }
            state.questions.append(question)
            if state.questions.count == 1 { output.prompt(text) }
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard let mustStart else { return nil }
        if mustStart { start() }
        let line = await question.line.value(ifCancelled: nil)
        if line == nil { finish(question.line, isAnswered: false) }
        return line
    }

    /// Not a child of the asking task, because it reads lines for all questions.
    private func start() {
        let lines = output.streams.lines()
        Task.detached { [weak self] in
            for await text in lines { self?.take(text) }
            self?.end()
        }
    }

    private func take(_ text: String) {
        // The current question may have just been cancelled. The line was nevertheless meant for it.
        guard let question = state.withLock({ $0.questions.first }) else { return }
        finish(question.line, isAnswered: true)
        question.line.end(text)
    }

    /// Takes a question off the screen, and puts the next one there.
    private func finish(_ line: Suspension<String?>, isAnswered: Bool) {
        state.withLock { state in
            guard let index = state.questions.firstIndex(where: { $0.line === line }) else { return }
            state.questions.remove(at: index)
            guard index == 0 else { return }
            output.endPrompt(isAnswered: isAnswered)
            if let next = state.questions.first { output.prompt(next.text) }
        }
    }

    private func end() {
        let questions = state.withLock { state in
            state.isEnded = true
            return state.questions
        }
        for question in questions { question.line.end(nil) }
    }
}
