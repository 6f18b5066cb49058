import ErrandRuntime

/// Hands the lines that a person types to the question on the screen. Only one question is shown at a time, and others wait for
/// their turn.
///
/// Lines that are typed without a question are dropped: an answer to an earlier question must not be taken for an answer to the
/// next.
final class TerminalInput: Sendable {
    private struct Question: Sendable {
        let text: String
        let isHidden: Bool
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
    ///
    /// - Parameter isHidden: whether the typed text must not be shown. Nil is returned if the terminal shows it nevertheless.
    func ask(_ text: String, isHidden: Bool = false) async -> String? {
        let question = Question(text: text, isHidden: isHidden, line: Suspension())
        let mustStart = state.withLock { state -> Bool? in
            if state.isEnded { return nil }
            state.questions.append(question)
            if state.questions.count == 1 { show(question) }
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
            let removed = state.questions.remove(at: index)
            guard index == 0 else { return }
            if removed.isHidden { _ = output.streams.hideInput(false) }
            output.endPrompt(isAnswered: isAnswered)
            if let next = state.questions.first { show(next) }
        }
    }

    /// Puts a question on the screen. Its input is hidden before a person can see it.
    private func show(_ question: Question) {
        guard !question.isHidden || output.streams.hideInput(true) else {
            // The question ends without an answer, and takes itself off the screen.
            question.line.end(nil)
            return
        }
        output.prompt(question.text)
    }

    private func end() {
        let questions = state.withLock { state in
            state.isEnded = true
            return state.questions
        }
        for question in questions { question.line.end(nil) }
    }
}
