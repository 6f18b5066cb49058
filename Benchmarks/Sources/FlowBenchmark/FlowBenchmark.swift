import FigureTables
import Foundation

/// Prints what bodies, pages, events and commands cost over sockets of this machine, beside plain code and curl. Each figure comes
/// from a process of its own.
///
/// Usage: FlowBenchmark FOLDER [--quick] [--markdown] [--async-http-client]
///   FOLDER               the folder of FlowServer and FlowContender
///   --async-http-client  also measures the contenders over AsyncHTTPClient; FlowContender must be built with them
@main
struct FlowBenchmark {
    static func main() { BenchmarkRun.main("FlowBenchmark", ["FOLDER"], more: " [--async-http-client]", measure) }

    private static func measure(_ run: BenchmarkRun) throws {
        let field = try Field(tools: URL(fileURLWithPath: run.operands[0], isDirectory: true))
        defer { field.remove() }
        let figures = FlowFigures(
            field: field, isQuick: run.isQuick,
            hasAsyncHTTPClient: run.has("--async-http-client"))
        print(machine() + "\n")
        for table in try [figures.bodies(), figures.pages(), figures.elements(), figures.commands()] {
            print(table.text(run.style))
        }
        if let table = try figures.frames() { print(table.text(run.style)) }
        if !figures.hasAsyncHTTPClient { print("AsyncHTTPClient was not built to compare with.\n") }
    }

    /// The machine, the peers and the day.
    private static func machine() -> String {
        let info = ProcessInfo.processInfo
        let day = Date().formatted(.iso8601.year().month().day())
        return """
            \(info.activeProcessorCount) cores, \(info.physicalMemory >> 30) GiB, \(info.operatingSystemVersionString), \(day).
            Server and contenders share the machine, over the loopback interface. Median of the rounds, in which all take turns.
            """
    }
}
