import ErrandRuntime

/// A bar that shows the progress of long work. Messages appear above it, and a prompt takes its place for as long as it asks.
///
///     let progress = terminal.progress("Uploading", total: parts.count)
///     for part in parts {
///         try await media.upload(part)
///         progress.advance()
///     }
///     progress.finish()
///
/// Without a terminal, it is a plain line for each quarter.
public final class TerminalProgress: Sendable {
    private struct State: Sendable {
        var done = 0
        /// The progress in the last line, in hundredths.
        var printed = -1
        var isFinished = false
    }

    private let title: String
    private let total: Int
    private let output: TerminalOutput
    private let state = LockedState<State> { State() }

    /// A bar on its own, for a program that shows nothing else below it.
    ///
    /// - Parameter total: the number of steps, or of bytes.
    public convenience init(_ title: String, total: Int, on streams: TerminalStreams = .standard) {
        self.init(DisplayText.line(title, limit: 60), total: total, on: TerminalOutput(streams))
    }

    init(_ title: String, total: Int, on output: TerminalOutput) {
        self.title = title
        self.total = max(1, total)
        self.output = output
        advance(by: 0)
    }

    deinit { finish() }

    /// The part that is done, from 0 to 1.
    public var fraction: Double { state.withLock { Double($0.done) / Double(total) } }

    /// Some steps more are done. What goes beyond the total is not counted.
    public func advance(by steps: Int = 1) {
        draw { state in
            let (sum, isTooMuch) = state.done.addingReportingOverflow(max(0, steps))
            state.done = isTooMuch ? self.total : min(sum, self.total)
        }
    }

    /// So much is done.
    public func update(to done: Int) { draw { $0.done = max(0, min(done, self.total)) } }

    /// Takes the bar away. Later steps show nothing.
    public func finish() {
        let wasFinished = state.withLock { state in
            defer { state.isFinished = true }
            return state.isFinished
        }
        if !wasFinished, output.streams.isInteractive { output.change(to: "") }
    }

    private func draw(_ step: (inout State) -> Void) {
        state.withLock { state in
            if state.isFinished { return }
            step(&state)
            let percent = Int((Double(state.done) / Double(total) * 100).rounded(.down))
            // A line for each byte would be more work than what it tells of.
            guard percent != state.printed else { return }
            if output.streams.isInteractive {
                output.change(to: Self.bar(title, percent, width: output.streams.width()))
            } else if state.printed < 0 || percent / 25 > state.printed / 25 {
                output.line("\(title) \(percent) %")
            }
            state.printed = percent
        }
    }

    /// One line that a terminal does not break.
    static func bar(_ title: String, _ percent: Int, width: Int) -> String {
        let number = "\(String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0))\(percent) %"
        let room = min(40, width - title.count - number.count - 5)
        guard room >= 4 else { return String("\(title) \(number)".prefix(max(1, width - 1))) }
        let filled = room * percent / 100
        return
            "\(title) [\(String(repeating: "#", count: filled))\(String(repeating: ".", count: room - filled))] \(number)"
    }
}
