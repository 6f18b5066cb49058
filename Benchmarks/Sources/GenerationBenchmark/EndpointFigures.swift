import FigureTables
import Foundation
import SyntheticProjects

/// Whole clients of contracts with many endpoints: generating and compiling them.
struct EndpointFigures {
    let workspace: Workspace
    let compiler: Compiler

    /// Figures of the best-known generator for Swift on the same work, from a trial on 2 cores; not measured by this run.
    private enum Reference {
        static let generation: [Int: (processor: Double, lines: Int)] = [100: (4.2, 60_221), 1000: (45, 600_671)]
        /// CPU seconds for 100 endpoints.
        static let compilation: [Compiler.Configuration: Double] = [.debug: 91, .release: 180]
    }

    /// With linear growth, ten times the endpoints take ten times the CPU. The limit adds a tenth for noise.
    private static let linearGrowth = Goal.atMost(11)

    func generation(counts: [Int]) throws -> FigureTable {
        var table = FigureTable(
            "Generating (median of 5 runs)",
            columns: [
                "endpoints", "CPU", "peak memory", "files", "lines", "bytes", "CPU, reference ÷ ours",
                "lines, reference ÷ ours", "promise", "",
            ])
        var previous: Double?
        for count in counts {
            let project = try project(count)
            let runs = try (0..<5).map { _ in try workspace.generate(project) }
            let median = runs.sorted { $0.processor < $1.processor }[2]
            let contents = try workspace.generatedFiles(project).map { try Data(contentsOf: $0) }
            let lines = contents.reduce(0) { $0 + $1.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }
            let reference = Reference.generation[count]
            table.add([
                "\(count)", duration(median.processor), megabytes(median.peakMemory), "\(contents.count)", "\(lines)",
                "\(contents.reduce(0) { $0 + $1.count })",
                reference.map { rounded($0.processor / median.processor) } ?? "",
                reference.map { rounded(Double($0.lines) / Double(lines)) } ?? "",
            ])
            if let previous, count == 1000 {
                let growth = median.processor / previous
                table.add(
                    ["100 → 1000", "\(rounded(growth)) ×", "", "", "", "", "", ""] + Self.linearGrowth.cells(growth))
            }
            previous = median.processor
        }
        return table
    }

    func compilation(isQuick: Bool) throws -> FigureTable {
        var table = FigureTable(
            "Compiling the whole client",
            columns: ["endpoints", "configuration", "figure", "", "reference ÷ ours", "promise", ""])
        if isQuick {
            try add(10, .debug, processor: nil, memory: nil, to: &table)
            return table
        }
        let small = try add(100, .debug, processor: .atMost(9, "s"), memory: nil, to: &table)
        try add(100, .release, processor: .atMost(20, "s"), memory: nil, to: &table)
        let large = try add(1000, .debug, processor: nil, memory: .atMost(2, "GB"), to: &table)
        let growth = large / small
        table.add(["100 → 1000", "debug", "CPU", "\(rounded(growth)) ×", ""] + Self.linearGrowth.cells(growth))
        return table
    }

    /// - Returns: CPU seconds.
    @discardableResult
    private func add(
        _ count: Int, _ configuration: Compiler.Configuration, processor: Goal?, memory: Goal?,
        to table: inout FigureTable
    ) throws -> Double {
        let project = try project(count)
        try workspace.generate(project)
        let folder = try workspace.makeFolder("endpoints-\(count)/\(configuration.rawValue)")
        let process = try compiler.compile(
            workspace.generatedFiles(project), module: "SyntheticClient", configuration, in: folder
        ).process
        let reference = count == 100 ? Reference.compilation[configuration] : nil
        table.add(
            [
                "\(count)", configuration.rawValue, "CPU", duration(process.processor),
                reference.map { rounded($0 / process.processor) } ?? "",
            ]
                + (processor?.cells(process.processor) ?? []))
        table.add(
            ["\(count)", configuration.rawValue, "peak memory", megabytes(process.peakMemory), ""]
                + (memory?.cells(Double(process.peakMemory) / Double(1 << 30)) ?? []))
        return process.processor
    }

    private func project(_ count: Int) throws -> URL {
        try workspace.project("endpoints-\(count)", contract: SyntheticContract.text(endpoints: count))
    }

    private func megabytes(_ bytes: Int) -> String { "\(bytes >> 20) MB" }
}
