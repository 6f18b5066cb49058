import FigureTables
import Foundation
import SyntheticProjects

/// Lints contracts, each in a process of its own.
struct LintFigures {
    let workspace: Workspace
    /// yamllint, if it is installed.
    let other: String?

    private static let runs = 5
    /// Its rules for prose are off, because contracts aren't prose.
    private static let otherRules = "{extends: relaxed, rules: {line-length: disable}}"

    func cold(_ counts: [Int]) throws -> FigureTable {
        var table = FigureTable(
            "Linting, a process each (median of \(Self.runs) runs in turns)",
            columns: [
                "endpoints", "CPU", "of it starting", "peak memory", "yamllint, CPU", "yamllint ÷ errand", "promise",
                "",
            ])
        for count in counts {
            let project = try project(count)
            var ours: [MeasuredProcess] = []
            var starts: [Double] = []
            var theirs: [Double] = []
            for _ in 0..<Self.runs {
                ours.append(try workspace.lint(project))
                starts.append(try workspace.start().processor)
                if let other {
                    theirs.append(
                        try MeasuredProcess.run(
                            other, ["-d", Self.otherRules, "contracts/synthetic.contract.yaml"], in: project
                        ).processor)
                }
            }
            let lint = ours.sorted { $0.processor < $1.processor }[Self.runs / 2]
            let their = theirs.isEmpty ? nil : Self.median(theirs)
            table.add(
                [
                    "\(count)", duration(lint.processor), duration(Self.median(starts)), "\(lint.peakMemory >> 20) MB",
                    their.map(duration) ?? "",
                    their.map { "\(rounded($0 / lint.processor)) ×" } ?? "",
                ] + (count == 1000 ? Goal.atMost(100, "ms").cells(lint.processor * 1000) : []))
        }
        return table
    }

    /// Compares two versions, beside linting both of them, which reads and resolves them as well.
    func comparison(_ counts: [Int]) throws -> FigureTable {
        var table = FigureTable(
            "Comparing two versions, a process each (median of \(Self.runs) runs in turns)",
            columns: ["endpoints", "CPU", "peak memory", "linting both, CPU", "diff ÷ linting both", "promise", ""])
        for count in counts {
            let project = try project(count)
            let old = try workspace.project("diff-\(count)", contract: SyntheticContract.draft(endpoints: count))
            var ours: [MeasuredProcess] = []
            var both: [Double] = []
            for _ in 0..<Self.runs {
                ours.append(try workspace.diff(project, from: old.appendingPathComponent("contracts").path))
                both.append(try workspace.lint(project).processor + workspace.lint(old).processor)
            }
            let diff = ours.sorted { $0.processor < $1.processor }[Self.runs / 2]
            let lint = Self.median(both)
            table.add(
                [
                    "\(count)", duration(diff.processor), "\(diff.peakMemory >> 20) MB", duration(lint),
                    "\(rounded(diff.processor / lint)) ×",
                ] + (count == 1000 ? Goal.atMost(1, "s").cells(diff.processor) : []))
        }
        return table
    }

    /// Writes reference pages, beside linting the same contract.
    func pages(_ counts: [Int]) throws -> FigureTable {
        var table = FigureTable(
            "Reference pages, a process each (median of \(Self.runs) runs in turns)",
            columns: [
                "endpoints", "CPU", "peak memory", "largest page", "linting, CPU", "docs ÷ linting", "promise", "",
            ])
        for count in counts {
            let project = try project(count)
            var ours: [MeasuredProcess] = []
            var lints: [Double] = []
            for _ in 0..<Self.runs {
                ours.append(try workspace.docs(project))
                lints.append(try workspace.lint(project).processor)
            }
            let docs = ours.sorted { $0.processor < $1.processor }[Self.runs / 2]
            let lint = Self.median(lints)
            table.add(
                [
                    "\(count)", duration(docs.processor), "\(docs.peakMemory >> 20) MB",
                    "\(try Self.largestPage(in: project) / 1000) kB", duration(lint),
                    "\(rounded(docs.processor / lint)) ×",
                ] + (count == 1000 ? Goal.atMost(2, "s").cells(docs.processor) : []))
        }
        return table
    }

    private static func largestPage(in project: URL) throws -> Int {
        let pages = project.appendingPathComponent("site/Synthetic")
        return try FileManager.default.contentsOfDirectory(at: pages, includingPropertiesForKeys: [.fileSizeKey]).map {
            try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }.max() ?? 0
    }

    private func project(_ count: Int) throws -> URL {
        try workspace.project("lint-\(count)", contract: SyntheticContract.text(endpoints: count))
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
