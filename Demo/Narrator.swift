#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Prints the demo's story: what is done, and what came of it. Colour on a terminal only.
struct Narrator {
    private let isColoured: Bool

    init() {
        let forbidden = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        isColoured = isatty(1) == 1 && !forbidden
    }

    func title(_ text: String) { print(marked(text, "1")) }

    func remark(_ text: String) { print("    " + marked(text, "2")) }

    /// One step: the code that a screen would have.
    func step(_ code: String) { print("\n  " + marked(code, "36")) }

    func success(_ text: String) { print("    \(marked("✓", "32")) \(text)") }

    func outcome(_ text: String) { print("    \(marked("◆", "33")) \(text)") }

    func failure(_ text: String) { print("    \(marked("✗", "31")) \(text)") }

    private func marked(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
