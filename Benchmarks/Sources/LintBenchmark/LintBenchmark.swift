import FigureTables
import Foundation
import SyntheticProjects

/// Prints what linting contracts of 10, 100 and 1,000 endpoints costs, beside a well-known linter of YAML on the same file. An edit
/// in an editor lints the whole contract once. Also prints what comparing two versions of such contracts costs, and what their
/// reference pages cost.
///
/// Usage: LintBenchmark ERRAND YAMLLINT [--quick] [--markdown]
///   ERRAND    the tool, built in release
///   YAMLLINT  the other linter; empty if it isn't available
@main
struct LintBenchmark {
    static func main() { BenchmarkRun.main("LintBenchmark", ["ERRAND", "YAMLLINT"], measure) }

    private static func measure(_ run: BenchmarkRun) throws {
        let workspace = try Workspace(tool: run.operands[0])
        defer { workspace.remove() }
        let figures = LintFigures(
            workspace: workspace, other: run.operands[1].isEmpty ? nil : run.operands[1])
        let style = run.style
        let counts = run.isQuick ? [10, 100] : [10, 100, 1000]
        print(try figures.cold(counts).text(style))
        print(try figures.comparison(counts).text(style))
        print(try figures.pages(counts).text(style))
        if run.operands[1].isEmpty { print("yamllint was not there to compare with.\n") }
    }
}
