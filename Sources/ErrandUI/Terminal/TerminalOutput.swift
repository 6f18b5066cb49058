import ErrandRuntime

/// Writes lines, with at most one line below them that changes: a progress bar. Lines of several tasks do not mix.
final class TerminalOutput: Sendable {
    private struct State: Sendable {
        /// The line that changes; empty for none.
        var changing = ""
        /// Whether a prompt has the place of that line.
        var isPrompting = false
    }

    let streams: TerminalStreams
    private let state = LockedState<State> { State() }

    init(_ streams: TerminalStreams) { self.streams = streams }

    /// Writes a line above the one that changes.
    func line(_ text: String) {
        state.withLock { state in
            let start = state.isPrompting ? "\n" : erasure(of: state.changing)
            streams.write(start + text + "\n" + (state.isPrompting ? "" : state.changing))
        }
    }

    /// Asks at the end of a line.
    func prompt(_ text: String) {
        state.withLock { state in
            streams.write((state.isPrompting ? "\n" : erasure(of: state.changing)) + text)
            state.isPrompting = true
        }
    }

    /// A prompt is over.
    ///
    /// - Parameter isAnswered: whether a person has ended its line.
    func endPrompt(isAnswered: Bool) {
        state.withLock { state in
            guard state.isPrompting else { return }
            state.isPrompting = false
            streams.write((isAnswered ? "" : "\n") + state.changing)
        }
    }

    /// Shows another line that changes; an empty one takes it away.
    func change(to text: String) {
        state.withLock { state in
            guard state.changing != text else { return }
            if !state.isPrompting { streams.write(erasure(of: state.changing) + text) }
            state.changing = text
        }
    }

    /// Back to the first column, and what is there is erased (ECMA-48, sections 8.3.15 and 8.3.41).
    private func erasure(of line: String) -> String { line.isEmpty ? "" : "\r\u{1B}[K" }
}
