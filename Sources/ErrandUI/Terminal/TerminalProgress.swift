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
/// The total may be unknown. The bar then has a block that moves, and the number of steps in place of a percentage. A transfer
/// has bytes as its steps: ``follow(_:)`` shows it, with a total that is unknown for as long as the transfer's is.
///
/// Without a terminal, it is a plain line for each quarter, or each time that the number of steps has doubled.
public final class TerminalProgress: Sendable {
    private struct State: Sendable {
        var done = 0
        /// Nil if it is unknown.
        var total: Int?
        /// Whether the steps are bytes.
        var isBytes = false
        /// What the last line shows.
        var shown: Shown?
        var isFinished = false
        /// How many bars without a total were drawn, which is where their block is.
        var ticks = 0
    }

    private enum Shown: Sendable, Equatable {
        case percent(Int)
        /// So much is done of an unknown total.
        case count(Int)
    }

    private let title: String
    private let output: TerminalOutput
    private let state: LockedState<State>

    /// A bar on its own, for a program that shows nothing else below it.
    ///
    /// - Parameter total: the number of steps, or of bytes; nil if it is unknown.
    public convenience init(_ title: String, total: Int?, on streams: TerminalStreams = .standard) {
        self.init(DisplayText.line(title, limit: 60), total: total, on: TerminalOutput(streams))
    }

    init(_ title: String, total: Int?, on output: TerminalOutput) {
        self.title = title
        self.output = output
        let total = total.map { max(1, $0) }
        state = LockedState { State(total: total) }
        advance(by: 0)
    }

    deinit { finish() }

    /// The part that is done, from 0 to 1; nil if the total is unknown.
    public var fraction: Double? {
        state.withLock { state in state.total.map { Double(state.done) / Double($0) } }
    }

    /// Some steps more are done. What goes beyond the total is not counted.
    public func advance(by steps: Int = 1) {
        draw { state in
            let (sum, isTooMuch) = state.done.addingReportingOverflow(max(0, steps))
            state.done = min(isTooMuch ? .max : sum, state.total ?? .max)
        }
    }

    /// So much is done.
    public func update(to done: Int) { draw { $0.done = max(0, min(done, $0.total ?? .max)) } }

    /// A transfer is so far. Its total takes the place of the bar's.
    public func update(to transfer: TransferState) {
        draw { state in
            state.isBytes = true
            state.total = transfer.total.map { max(1, $0) }
            // An empty file is complete.
            state.done = transfer.total == 0 ? 1 : max(0, min(transfer.bytes, state.total ?? .max))
        }
    }

    /// Shows a transfer until it ends, or until the task is cancelled.
    ///
    ///     let bar = terminal.progress("Downloading", total: nil)
    ///     async let follower: Void = bar.follow(download.progress)
    ///     try await download.finish()
    ///     await follower
    ///     bar.finish()
    public func follow(_ transfer: TransferProgress) async {
        for await state in transfer { update(to: state) }
    }

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
            // A line for each byte would be more work than what it tells of.
            guard let next = Self.next(state) else { return }
            if output.streams.isInteractive {
                output.change(to: Self.bar(title, next, &state, width: output.streams.width()))
            } else if Self.isWorthALine(next, after: state.shown) {
                output.line("\(title) \(Self.text(next, state.isBytes))")
            } else if case .count = next {
                return
            }
            state.shown = next
        }
    }

    /// What the bar shows next; nil if the shown one is still good enough.
    private static func next(_ state: State) -> Shown? {
        if let total = state.total {
            let percent = Shown.percent(Int((Double(state.done) / Double(total) * 100).rounded(.down)))
            return percent == state.shown ? nil : percent
        }
        guard case .count(let shown)? = state.shown else { return .count(state.done) }
        // Not every byte, and each hundredth of what is there.
        let isMuch = state.done - shown >= max(1, shown / 100)
        return isMuch || state.done < shown ? .count(state.done) : nil
    }

    private static func isWorthALine(_ next: Shown, after last: Shown?) -> Bool {
        switch (last, next) {
        case (.percent(let old)?, .percent(let new)): new / 25 != old / 25
        case (.count(let old)?, .count(let new)): new < old || new / 2 >= max(1, old)
        default: true
        }
    }

    private static func text(_ shown: Shown, _ isBytes: Bool) -> String {
        switch shown {
        case .percent(let percent): "\(percent) %"
        case .count(let count): isBytes ? size(count) : "\(count)"
        }
    }

    /// A number of bytes in a unit of the SI: `1.5 MB`.
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1_000 else { return "\(bytes) B" }
        var (tenths, unit) = (bytes / 100, 0)
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        while tenths >= 10_000, unit < units.count - 1 { (tenths, unit) = (tenths / 1_000, unit + 1) }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    private static func bar(_ title: String, _ shown: Shown, _ state: inout State, width: Int) -> String {
        switch shown {
        case .percent(let percent): return bar(title, percent, width: width)
        case .count:
            state.ticks += 1
            return bar(title, text(shown, state.isBytes), tick: state.ticks - 1, width: width)
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

    /// The same without a total: a block goes to and fro.
    static func bar(_ title: String, _ count: String, tick: Int, width: Int) -> String {
        let room = min(40, width - title.count - count.count - 5)
        guard room >= 4 else { return String("\(title) \(count)".prefix(max(1, width - 1))) }
        let block = max(1, room / 8)
        let way = room - block
        let place = way - abs(tick % (2 * way) - way)
        let dots = (String(repeating: ".", count: place), String(repeating: ".", count: way - place))
        return "\(title) [\(dots.0)\(String(repeating: "#", count: block))\(dots.1)] \(count)"
    }
}
