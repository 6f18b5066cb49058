import ErrandRuntime
import ErrandUI

/// The terminal of the demo: what `TerminalHost` writes is printed, and what a person would type comes from the script.
final class ScriptedTerminal: Sendable {
    private struct State: Sendable {
        /// Everything since `forget()`.
        var text = ""
        /// A question that waits for its answer. It is printed together with the answer, so that the demo's other lines come
        /// between questions.
        var line = ""
    }

    private let state = LockedState<State> { State() }
    private let typed = AsyncStream.makeStream(of: String.self)

    var streams: TerminalStreams {
        TerminalStreams(
            isInteractive: true, width: { 80 }, lines: { [typed] in typed.stream }, write: { [self] in write($0) })
    }

    /// Whether a question waits for its answer.
    var isAsking: Bool { state.withLock { !$0.line.isEmpty } }

    /// How many messages were shown.
    var messages: Int { state.withLock { $0.text.split(separator: "\n").count { $0.hasPrefix("! ") } } }

    /// Whether a text is there and waits for an answer.
    func asks(about text: String) -> Bool { state.withLock { !$0.line.isEmpty && $0.text.contains(text) } }

    /// A person types a line.
    func type(_ line: String) {
        write(line + "\n")
        typed.continuation.yield(line)
    }

    func forget() { state.withLock { $0.text = "" } }

    private func write(_ text: String) {
        state.withLock { state in
            state.text += text
            for character in text {
                if character != "\n" {
                    state.line.append(character)
                } else {
                    print("      " + state.line)
                    state.line = ""
                }
            }
        }
    }
}
