import Foundation

/// A benchmark's command line: `NAME OPERAND… [--quick] [--markdown]`.
public struct BenchmarkRun {
    public let operands: [String]
    private let options: [String]

    /// Whether what takes minutes is left out.
    public var isQuick: Bool { has("--quick") }
    public var style: FigureTable.Style { has("--markdown") ? .markdown : .terminal }

    public func has(_ option: String) -> Bool { options.contains(option) }

    /// Runs a benchmark. Ends the process with 2 if operands are missing, and with 1 after an error.
    ///
    /// - Parameters:
    ///   - operands: the names of the required operands, as the usage has them.
    ///   - more: further options, as the usage has them.
    public static func main(
        _ name: String, _ operands: [String], more: String = "", _ measure: (BenchmarkRun) throws -> Void
    ) {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= operands.count else {
            print("usage: \(name) \((operands + ["[--quick] [--markdown]"]).joined(separator: " "))\(more)")
            exit(2)
        }
        do {
            try measure(
                BenchmarkRun(
                    operands: Array(arguments.prefix(operands.count)),
                    options: Array(arguments.dropFirst(operands.count))))
        } catch {
            print("\(name): \(error)")
            exit(1)
        }
    }
}
