import ErrandRuntime
import Foundation

@testable import ErrandUI

/// A terminal that a test types into and reads.
final class FakeTerminal: Sendable {
    private struct State: Sendable {
        var text = ""
        var waiters: [(part: String, after: Int, done: Suspension<Bool>)] = []
        var isHidden: [Bool] = []
    }

    private let state = LockedState<State> { State() }
    private let typed = AsyncStream.makeStream(of: String.self)
    let isInteractive: Bool
    let width: Int

    private let canHide: Bool

    init(isInteractive: Bool = true, width: Int = 60, canHide: Bool = true) {
        self.isInteractive = isInteractive
        self.width = width
        self.canHide = canHide
    }

    /// When what is typed was hidden, and shown again.
    var isHidden: [Bool] { state.withLock { $0.isHidden } }

    var streams: TerminalStreams {
        TerminalStreams(
            isInteractive: isInteractive, width: { [width] in width }, lines: { [typed] in typed.stream },
            write: { [self] in write($0) },
            hideInput: { [self] isHidden in
                if canHide { state.withLock { $0.isHidden.append(isHidden) } }
                return canHide
            })
    }

    var text: String { state.withLock { $0.text } }

    func type(_ line: String) { typed.continuation.yield(line) }
    func endInput() { typed.continuation.finish() }

    private func write(_ text: String) {
        let done = state.withLock { state in
            state.text += text
            let met = state.waiters.filter { Self.has($0.part, after: $0.after, in: state.text) }
            state.waiters.removeAll { waiter in met.contains { $0.done === waiter.done } }
            return met.map(\.done)
        }
        for waiter in done { waiter.end(true) }
    }

    /// Waits until something is written, so many times over.
    func reads(_ part: String, times: Int = 1) async {
        let done = Suspension<Bool>()
        let isThere = state.withLock { state in
            if Self.has(part, after: times, in: state.text) { return true }
            state.waiters.append((part, times, done))
            return false
        }
        if !isThere { _ = await done.value(ifCancelled: false) }
    }

    private static func has(_ part: String, after times: Int, in text: String) -> Bool {
        text.components(separatedBy: part).count > times
    }
}
