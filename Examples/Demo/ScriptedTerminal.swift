import ErrandRuntime

/// The terminal of the demo: what is written is printed, and what a person would type comes from the script.
final class ScriptedTerminal: Sendable {
    private struct State: Sendable {
        /// The messages since `forget()`.
        var text = ""
        /// The answer to the question that waits for it. A question is printed together with its answer, so that the demo's other
        /// lines come between questions.
        var answer: Suspension<String?>?
    }

    private let state = LockedState<State> { State() }

    /// Whether a question waits for its answer.
    var isAsking: Bool { state.withLock { $0.answer != nil } }

    /// How many messages were shown.
    var messages: Int { state.withLock { $0.text.split(separator: "\n").count { $0.hasPrefix("! ") } } }

    /// Whether a text is there and waits for an answer.
    func asks(about text: String) -> Bool { state.withLock { $0.answer != nil && $0.text.contains(text) } }

    func writeLine(_ line: String) {
        state.withLock { state in
            state.text += line + "\n"
            print("      " + line)
        }
    }

    /// Asks, and waits for the line. Nil if the task is cancelled. There is one question at a time.
    func ask(_ question: String) async -> String? {
        let answer = Suspension<String?>()
        state.withLock { $0.answer = answer }
        let line = await answer.value(ifCancelled: nil)
        state.withLock { state in
            print("      " + question + (line ?? ""))
            state.answer = nil
        }
        return line
    }

    /// A person types a line. Without a question, it is dropped.
    func type(_ line: String) { state.withLock { $0.answer }?.end(line) }

    func forget() { state.withLock { $0.text = "" } }
}
