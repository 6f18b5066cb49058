import FigureTables
import Foundation
import SyntheticProjects

/// Prints what linting contracts of 10, 100 and 1,000 endpoints costs, beside a well-known linter of YAML on the same file. An edit
/// in an editor lints the whole contract once.
///
/// Usage: LintBenchmark ERRAND YAMLLINT [--quick] [--markdown]
///   ERRAND    the tool, built in release
///   YAMLLINT  the other linter; empty if it isn't available
@main
struct LintBenchmark {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            print("usage: LintBenchmark ERRAND YAMLLINT [--quick] [--markdown]")
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
            workspace: workspace, other: arguments[2].isEmpty ? nil : arguments[2])
        let style: FigureTable.Style = arguments.contains("--markdown") ? .markdown : .terminal
        let counts = arguments.contains("--quick") ? [10, 100] : [10, 100, 1000]
        print(try figures.cold(counts).text(style))
        if arguments[2].isEmpty { print("yamllint was not there to compare with.\n") }
    }
}
