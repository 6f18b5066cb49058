import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter

/// Contracts in, findings out.
///
///     LintOptions ─ ContractFiles ─▶ bytes ─ ContractResolver ─▶ ContractExamination ─ LintRunner ─▶ [Diagnostic] ─▶ LintReport
///                                                                     └─ ClientEmitter.findings ──────▲
///
/// What the generator would refuse is among the findings, and the rest of a contract is looked at all the same.
package struct Lint {
    /// So many times fixes are made and the result is looked at again; each run may bring out what the one before hid.
    private static let mostPasses = 10

    /// Carries a run out.
    package static func run(_ options: LintOptions) -> LintReport {
        let found = ContractFiles.find(options.contracts)
        guard found.diagnostics.isEmpty else {
            return LintReport(outcome: .couldNotRun, files: [], findings: found.diagnostics, sources: [:])
        }
        var fixCount = 0
        var pass = check(found.files, options)
        if options.isFixing {
            for _ in 0..<mostPasses {
                switch makeFixes(pass) {
                case .success(0): return pass.report(options, fixCount: fixCount)
                case .success(let count): fixCount += count
                case .failure(let problem):
                    return LintReport(outcome: .couldNotRun, files: found.files, findings: problem.findings, sources: [:], fixCount: fixCount)
                }
                pass = check(found.files, options)
            }
        }
        return pass.report(options, fixCount: fixCount)
    }

    /// What one look at the contracts brought.
    private struct Pass {
        var paths: [String]
        var findings: [Diagnostic]
        var files: ContractFiles

        func report(_ options: LintOptions, fixCount: Int) -> LintReport {
            let fails = findings.contains { $0.severity.weight >= options.failOn.weight }
            var sources: [String: [UInt8]] = [:]
            for file in findings.flatMap({ [$0.file] + $0.notes.compactMap { $0.range?.file } }) { sources[file] = files.bytes(of: file) }
            return LintReport(outcome: fails ? .findings : .fine, files: paths, findings: findings, sources: sources, fixCount: fixCount)
        }
    }

    private struct Problem: Error {
        var findings: [Diagnostic]
    }

    private static func check(_ paths: [String], _ options: LintOptions) -> Pass {
        let files = ContractFiles()
        let resolver = ContractResolver(provider: files)
        let runner = LintRunner(settings: options.settings)
        var findings = DiagnosticBag()
        for path in paths {
            let examination = resolver.examine(path: path)
            findings.add(contentsOf: runner.run(examination))
            if let contract = examination.resolved { findings.add(contentsOf: ClientEmitter.findings(in: contract)) }
        }
        return Pass(paths: paths, findings: findings.sorted(), files: files)
    }

    /// Makes the certain fixes; answers how many.
    private static func makeFixes(_ pass: Pass) -> Result<Int, Problem> {
        var count = 0
        for path in pass.paths {
            let fixes = pass.findings.filter { $0.file == path }.compactMap(\.fix).filter { $0.applicability == .certain }
            guard !fixes.isEmpty, let bytes = pass.files.bytes(of: path) else { continue }
            let applied = FixApplication(fixes, to: bytes, of: path)
            guard applied.bytes != bytes else { continue }
            let problems = ContractFiles.replace(path, with: applied.bytes)
            guard problems.isEmpty else { return .failure(Problem(findings: problems)) }
            count += applied.count
        }
        return .success(count)
    }
}

/// What a run of ``Lint`` is asked to do.
package struct LintOptions: Sendable {
    /// Contract files, and folders with contracts.
    package var contracts: [String]
    package var settings: RuleSettings
    /// The least severity that makes the run fail.
    package var failOn: Severity
    /// Whether to make the certain fixes.
    package var isFixing: Bool

    package init(contracts: [String], settings: RuleSettings = RuleSettings(), failOn: Severity = .warning, isFixing: Bool = false) {
        self.contracts = contracts
        self.settings = settings
        self.failOn = failOn
        self.isFixing = isFixing
    }
}

/// What a run of ``Lint`` found.
package struct LintReport: Sendable {
    /// How a run ended.
    package enum Outcome: Sendable {
        /// Nothing was found that weighs as much as the run was asked to fail on.
        case fine
        case findings
        /// Something that the run needs is not there or cannot be used; the findings say what.
        case couldNotRun
    }

    package var outcome: Outcome
    /// The contracts that were looked at.
    package var files: [String]
    /// In the order that reports print.
    package var findings: [Diagnostic]
    /// The texts that findings point into, by file.
    package var sources: [String: [UInt8]]
    /// How many fixes were made.
    package var fixCount = 0
}

extension Severity {
    /// The greater weighs more.
    package var weight: Int {
        switch self {
        case .error: 3
        case .warning: 2
        case .note: 1
        }
    }
}

/// The rules with their pages, for a report or a list.
package enum RuleList {
    package static var all: [ReportedRule] {
        RuleCatalogue.all.map { ReportedRule(name: $0.name, severity: $0.severity, summary: $0.summary, page: $0.page) }.sorted { $0.name < $1.name }
    }

    /// What rules are about: rule → tags.
    package static func tags(of name: String) -> [String] { RuleCatalogue.rule(named: name)?.tags.map(\.rawValue) ?? [] }
}
