import FigureTables
import Foundation
import SyntheticProjects

/// Prints what linting contracts of 10, 100 and 1,000 endpoints costs, cold and after one edit, beside a well-known linter of
/// YAML on the same file.
///
/// Usage: LintBenchmark ERRAND EDITTIMER YAMLLINT [--quick] [--markdown]
///   ERRAND     the tool, built in release
///   EDITTIMER  what times edits, built in release
///   YAMLLINT   the other linter; empty where it could not be had
@main
struct LintBenchmark {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4 else {
            print("usage: LintBenchmark ERRAND EDITTIMER YAMLLINT [--quick] [--markdown]")
            exit(2)
        }
        do {
            try measure(arguments)
        } catch {
            print("LintBenchmark: \(error)")
            exit(1)
        }
    }

    private static func measure(_ arguments: [String]) throws {
        let workspace = try Workspace(tool: arguments[1])
        defer { workspace.remove() }
        let figures = LintFigures(
            workspace: workspace, editTimer: arguments[2], other: arguments[3].isEmpty ? nil : arguments[3])
        let style: FigureTable.Style = arguments.contains("--markdown") ? .markdown : .terminal
        let counts = arguments.contains("--quick") ? [10, 100] : [10, 100, 1000]
        print(try figures.cold(counts).text(style))
        if arguments[3].isEmpty { print("yamllint was not there to compare with.\n") }
        print(try figures.edits(counts).text(style))
    }
}
