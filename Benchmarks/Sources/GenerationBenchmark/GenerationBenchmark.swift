import FigureTables
import Foundation
import SyntheticProjects

/// Prints what generating a client costs for contracts of 10, 100 and 1,000 endpoints, what compiling it costs, and how
/// generated models compile beside the same models with synthesized `Codable`.
///
/// Usage: GenerationBenchmark ERRAND MODULES MAPS [--quick] [--markdown]
///   ERRAND   the tool, built in release
///   MODULES  the folder with ErrandRuntime.swiftmodule
///   MAPS     the file with what scripts/module-maps prints
@main
struct GenerationBenchmark {
    static func main() { BenchmarkRun.main("GenerationBenchmark", ["ERRAND", "MODULES", "MAPS"], measure) }

    private static func measure(_ run: BenchmarkRun) throws {
        let workspace = try Workspace(tool: run.operands[0])
        defer { workspace.remove() }
        let compiler = try Compiler(modules: run.operands[1], maps: run.operands[2])
        let isQuick = run.isQuick
        let style = run.style
        let endpoints = EndpointFigures(workspace: workspace, compiler: compiler)
        let models = ModelFigures(workspace: workspace, compiler: compiler)

        print(
            "What follows is of whole processes, as the operating system accounts for them: CPU, and the memory of the largest.\n"
        )
        show(try endpoints.generation(counts: isQuick ? [10, 100] : [10, 100, 1000]).text(style))
        print(
            "reference: figures of another generator on the same work, from an earlier trial, not measured by this run\n"
        )
        show(try endpoints.compilation(isQuick: isQuick).text(style))
        // Runs at two sizes, so that the figures of the small one need not wait for the large one.
        for count in isQuick ? [10] : [100, 1000] {
            show(try models.compilation(count, runs: isQuick || count > 100 ? 1 : 3).text(style))
        }
        if !compiler.canSize { print("Object code was not measured: there is no `size` in the PATH.\n") }
    }

    /// Prints a table as soon as it is complete, also into a file, because all tables take many minutes.
    private static func show(_ table: String) {
        print(table)
        fflush(nil)
    }
}
