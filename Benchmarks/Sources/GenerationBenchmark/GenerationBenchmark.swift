import FigureTables
import Foundation

/// Prints what generating a client costs for contracts of 10, 100 and 1,000 endpoints, what compiling it costs, and how
/// generated models compile beside the same models with synthesised `Codable`.
///
/// Usage: GenerationBenchmark ERRAND MODULES [--quick] [--markdown]
///   ERRAND   the tool, built in release
///   MODULES  the folder with ErrandRuntime.swiftmodule
@main
struct GenerationBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            print("usage: GenerationBenchmark ERRAND MODULES [--quick] [--markdown]")
            exit(2)
        }
        let workspace = try Workspace(tool: arguments[1])
        defer { workspace.remove() }
        let compiler = try Compiler(modules: arguments[2])
        let isQuick = arguments.contains("--quick")
        let style: FigureTable.Style = arguments.contains("--markdown") ? .markdown : .terminal
        let endpoints = EndpointFigures(workspace: workspace, compiler: compiler)
        let models = ModelFigures(workspace: workspace, compiler: compiler)

        print("What follows is of whole processes, as the operating system accounts for them: CPU, and the memory of the largest.\n")
        print(try endpoints.generation(counts: isQuick ? [10, 100] : [10, 100, 1000]).text(style))
        print("reference: figures of another generator on the same work, from an earlier trial, not measured by this run\n")
        print(try endpoints.compilation(isQuick: isQuick).text(style))
        print(try models.compilation(isQuick: isQuick).text(style))
        if !compiler.canSize { print("Object code was not measured: there is no `size` in the PATH.\n") }
    }
}
