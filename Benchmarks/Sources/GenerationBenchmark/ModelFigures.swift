import FigureTables
import Foundation
import SyntheticProjects

/// Generated models that are read and written, beside the same models with synthesized `Codable`: what they cost the
/// compiler, and how much code comes out.
struct ModelFigures {
    let workspace: Workspace
    let compiler: Compiler

    /// - Parameter runs: how often each side is compiled; the median of the ratios counts.
    func compilation(_ count: Int, runs: Int) throws -> FigureTable {
        var table = FigureTable(
            "Compiling \(count) models, read and write, beside synthesized Codable",
            columns: ["configuration", "figure", "ours", "Codable", "ratio", "promise", ""])
        let sources = try sources(count)
        for (configuration, goal) in [(Compiler.Configuration.debug, Goal.atMost(0.8)), (.release, .atMost(0.9))] {
            try add(count, configuration, goal, runs: runs, sources, to: &table)
        }
        return table
    }

    /// The same models twice, in the same number of files.
    private struct Sources {
        let ours: [URL]
        let codable: [URL]
    }

    private func add(
        _ count: Int, _ configuration: Compiler.Configuration, _ goal: Goal, runs: Int, _ sources: Sources,
        to table: inout FigureTable
    ) throws {
        // The sides take turns, so that both run under the same conditions.
        let pairs = try (0..<runs).map { run in
            let name = "models-\(count)/\(configuration.rawValue)-\(run)"
            return (
                ours: try compiler.compile(
                    sources.ours, module: "SyntheticModels", configuration, in: workspace.makeFolder(name + "-ours")),
                codable: try compiler.compile(
                    sources.codable, module: "SyntheticTwins", configuration,
                    in: workspace.makeFolder(name + "-codable"))
            )
        }
        let ratios = pairs.map { $0.ours.process.processor / $0.codable.process.processor }.sorted()
        let pair = pairs[runs / 2]
        table.add(
            [
                configuration.rawValue, "CPU", duration(pair.ours.process.processor),
                duration(pair.codable.process.processor),
                "\(rounded(ratios[runs / 2])) ×",
            ] + goal.cells(ratios[runs / 2]))
        if let ours = pair.ours.objectCode, let codable = pair.codable.objectCode {
            let ratio = Double(ours) / Double(codable)
            table.add(
                [
                    configuration.rawValue, "object code", "\(ours >> 10) KB", "\(codable >> 10) KB",
                    "\(rounded(ratio)) ×",
                ]
                    + Goal.atMost(0.95).cells(ratio))
        }
    }

    private func sources(_ count: Int) throws -> Sources {
        let project = try workspace.project("models-\(count)", contract: SyntheticModels.contract(count))
        try workspace.generate(project)
        // Only the types are measured here. The endpoints measure the cost of a client and its command.
        let types = try workspace.generatedFiles(project).filter { $0.lastPathComponent.hasPrefix("SyntheticTypes") }
        let namespace = project.appendingPathComponent("Namespace.swift")
        try Data("public enum Synthetic {}\n".utf8).write(to: namespace)
        let twins = try SyntheticModels.twins(count, files: types.count).enumerated().map { index, text in
            let file = project.appendingPathComponent("Twins\(index).swift")
            try Data(text.utf8).write(to: file)
            return file
        }
        return Sources(ours: types + [namespace], codable: twins + [namespace])
    }
}
