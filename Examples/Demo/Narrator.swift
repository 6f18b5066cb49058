import ErrandRuntime

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Prints the demo's story: what is done, and what came of it. Color on a terminal only.
final class Narrator: Sendable {
    private let isColored: Bool
    private let broken = LockedState<Int> { 0 }

    init() {
        let forbidden = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        isColored = isatty(1) == 1 && !forbidden
    }

    func title(_ text: String) { print(marked(text, "1")) }

    func remark(_ text: String) { print("    " + marked(text, "2")) }

    /// One step: the code that a screen would have.
    func step(_ code: String) {
        print("\n  " + marked(code, "36"))
        // A bar goes to standard error, and is to follow what it belongs to where both are one pipe.
        fflush(nil)
    }

    /// What happened, if it did.
    func claim(_ holds: Bool, _ text: String) {
        if holds { print("    \(marked("✓", "32")) \(text)") } else { contradict(text) }
    }

    /// What happened in place of what the demo wanted to show.
    func contradict(_ text: String) {
        broken.withLock { $0 += 1 }
        print("    \(marked("✗ not as promised:", "31")) \(text)")
    }

    /// The progress of many commands, if the output is a terminal.
    func progress(_ title: String, total: Int) -> ProgressBar? {
        isatty(1) == 1 ? ProgressBar("    " + title, total: total) : nil
    }

    /// Ends the process: with 1 where anything was not as promised.
    func finish() {
        let broken = broken.withLock { $0 }
        if broken > 0 { print("\n" + marked("\(broken) of the lines above are not as promised", "31")) }
        exit(broken > 0 ? 1 : 0)
    }

    private func marked(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
