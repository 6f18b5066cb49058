import ErrandRuntime
import Foundation

/// Measures the largest growth of the process's memory since the beginning. It works only on Linux, by reading a file.
final class MemoryWatch: Sendable {
    private let start: Int
    private let state: LockedState<(most: Int, isRunning: Bool)>

    init() {
        let start = Self.resident()
        let state = LockedState<(most: Int, isRunning: Bool)> { (start, true) }
        (self.start, self.state) = (start, state)
        Thread.detachNewThread {
            while Self.look(state) { usleep(2_000) }
        }
    }

    /// Ends the measurement: the growth in bytes.
    func stop() -> Int {
        state.withLock { state in
            state.isRunning = false
            return state.most - start
        }
    }

    private static func look(_ state: LockedState<(most: Int, isRunning: Bool)>) -> Bool {
        let now = resident()
        return state.withLock { state in
            state.most = max(state.most, now)
            return state.isRunning
        }
    }

    /// The second number of `statm`, in pages (proc_pid_statm(5)).
    private static func resident() -> Int {
        #if os(Linux)
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
        #else
        return 0
        #endif
    }
}
