import ContractChecks
import ContractModel
import Diagnostics
import YAMLTree

/// Checks contracts and returns findings.
///
///     LintOptions ─ ContractFiles ─▶ bytes ─ ContractAnalyzer ─▶ ContractAnalysis ─▶ [Diagnostic]
///                                              [Diagnostic] ─ fixes, Baseline ─▶ LintReport
///
/// The findings include those for which the generator refuses a contract. The rest of such a contract is checked as well.
package struct Lint {
    /// So many times fixes are made and the result is looked at again; each run may bring out what the one before hid.
    private static let mostPasses = 10

    /// Carries a run out.
    package static func run(_ options: LintOptions) -> LintReport {
        let found = ContractFiles.find(options.contracts, in: options.boundary)
        guard found.diagnostics.isEmpty else {
            return LintReport(outcome: .couldNotRun, files: [], findings: found.diagnostics, sources: [:])
        }
        do throws(Problem) {
            return try run(found.files, options)
        } catch {
            return LintReport(outcome: .couldNotRun, files: found.files, findings: error.findings, sources: [:])
        }
    }

    private static func run(_ files: [String], _ options: LintOptions) throws(Problem) -> LintReport {
        var baseline = try options.baseline.map { path throws(Problem) in try readBaseline(path, options) } ?? nil
        let history = try options.changedSince.map { reference throws(Problem) in
            try readHistory(reference, files, options)
        }
        var pass = check(files, options, since: history)
        var fixCount = 0
        if options.isFixing {
            for _ in 0..<mostPasses {
                let count = try makeFixes(pass, options)
                guard count > 0 else { break }
                fixCount += count
                pass = check(files, options, since: history)
            }
        }
        if options.isUpdatingBaseline, let path = options.baseline {
            let new = Baseline(
                pass.findings.filter(Baseline.covers).map { Fingerprint($0, in: pass.documents[$0.file]) })
            let problems = ContractFiles.replace(path, with: Array(new.text.utf8), in: options.boundary)
            guard problems.isEmpty else { throw Problem(findings: problems) }
            baseline = new
        }
        var report = pass.report(except: &baseline, options)
        report.fixCount = fixCount
        return report
    }

    /// The baseline on the disk. It need not exist if the command is about to write it.
    private static func readBaseline(_ path: String, _ options: LintOptions) throws(Problem) -> Baseline? {
        switch options.boundary.readNamed(path) {
        case .bytes(let bytes): return Baseline(reading: String(decoding: bytes, as: UTF8.self))
        case .failure(.missingFile, _, _) where options.isUpdatingBaseline: return nil
        case .failure(let rule, let message, let help):
            let help = rule == .missingFile ? "add `--update-baseline` to write it" : help
            throw Problem(findings: [Diagnostic(rule: rule, message: message, file: path, help: help)])
        }
    }

    private static func readHistory(_ reference: String, _ files: [String], _ options: LintOptions) throws(Problem)
        -> LintHistory
    {
        do throws(GitHistory.Unusable) {
            return try LintHistory(reference, of: files, options)
        } catch {
            throw Problem(findings: [
                Diagnostic(rule: .unusableHistory, message: error.message, file: "git:" + reference, help: error.help)
            ])
        }
    }

    /// The result of checking the contracts once.
    private struct Pass {
        /// As findings name them.
        var paths: [String]
        var findings: [Diagnostic]
        var files: ContractFiles
        /// The texts of templates and catalogs that findings may point into.
        var templates: [String: [UInt8]]
        var documents: [String: YAMLDocument]
        /// How many findings were there before.
        var earlierCount: Int
        var reading: LintReading

        func report(except baseline: inout Baseline?, _ options: LintOptions) -> LintReport {
            let findings = findings.filter { finding in
                guard Baseline.covers(finding) else { return true }
                return baseline?.takes(Fingerprint(finding, in: documents[finding.file])) != true
            }
            let fails = findings.contains { $0.severity.weight >= options.failOn.weight }
            var sources: [String: [UInt8]] = [:]
            let shown = findings.bounded()
            for file in Set(shown.flatMap { [$0.file] + $0.notes.compactMap { $0.range?.file } }) {
                // The configuration is not among what contracts name, and findings point into it as well.
                if ProjectConfiguration.isConfiguration(file) { _ = files.read(file) }
                sources[file] = templates[file] ?? files.bytes(of: file)
            }
            var report = LintReport(
                outcome: fails ? .findings : .fine, files: paths, findings: shown, sources: sources)
            report.failing = Set([Severity.error, .warning, .note].filter { $0.weight >= options.failOn.weight })
            report.knownCount = self.findings.count - findings.count
            report.earlierCount = earlierCount
            report.reading = reading
            return report
        }
    }

    private struct Problem: Error {
        var findings: [Diagnostic]
    }

    private static func check(_ paths: [String], _ options: LintOptions, since history: LintHistory?) -> Pass {
        let files = ContractFiles(options.boundary)
        let analyzer = ContractAnalyzer(
            provider: files, settings: options.settings, customization: options.customization,
            mostEndpoints: options.boundary.limits.endpoints)
        var findings = DiagnosticBag()
        var services = DuplicateServiceCheck()
        var documents: [String: YAMLDocument] = [:]
        var names: [String] = []
        var analyses: [String: ContractAnalysis] = [:]
        for path in paths {
            let analysis = analyzer.analyze(path)
            analyses[path] = analysis
            names.append(analysis.examination.file)
            documents[analysis.examination.file] = analysis.examination.document
            findings.add(contentsOf: analysis.findings)
            findings.add(contentsOf: services.add(analysis.examination))
        }
        var templates: [String: [UInt8]] = [:]
        if options.isWholeProject {
            findings.add(contentsOf: services.findings(options.customization))
            // The built-in templates are tested where they are built; reading them would take a twentieth of a large contract's lint.
            if let folder = options.templates {
                let loaded = TemplateFolder.catalog(folder, in: options.boundary)
                findings.add(contentsOf: loaded.diagnostics)
                templates = loaded.sources
            }
            if !options.catalogs.isEmpty {
                let found = CatalogLint(paths.compactMap { analyses[$0]?.examination.resolved }, of: paths.count)
                    .check(options.catalogs, in: options.boundary)
                findings.add(contentsOf: found.findings)
                templates.merge(found.sources) { own, _ in own }
            }
        }
        let all = findings.sorted()
        let counted = history?.new(all, in: documents) ?? all
        return Pass(
            paths: names, findings: counted, files: files, templates: templates, documents: documents,
            earlierCount: all.count - counted.count,
            reading: LintReading(analyses))
    }

    /// Makes the certain fixes, and returns their number.
    private static func makeFixes(_ pass: Pass, _ options: LintOptions) throws(Problem) -> Int {
        var count = 0
        for path in pass.paths {
            let fixes = pass.findings.filter { $0.file == path }.compactMap(\.fix).filter {
                $0.applicability == .certain
            }
            guard !fixes.isEmpty, let bytes = pass.files.bytes(of: path) else { continue }
            let applied = FixApplication(fixes, to: bytes, of: path)
            guard applied.bytes != bytes else { continue }
            let problems = ContractFiles.replace(path, with: applied.bytes, in: options.boundary)
            guard problems.isEmpty else { throw Problem(findings: problems) }
            count += applied.count
        }
        return count
    }
}

/// The options of a run of ``Lint``.
package struct LintOptions: Sendable {
    /// Contract files, and folders with contracts.
    package var contracts: [String]
    /// The files that the run may read and write.
    package var boundary: ProjectBoundary
    package var settings: RuleSettings
    /// The endpoints and names that `errand.yaml` requests, which `generate` may refuse.
    package var customization = ServiceCustomization()
    /// A folder with templates that take the place of built-in ones.
    package var templates: String?
    /// Catalogs with the texts of all contracts.
    package var catalogs: [Located<String>] = []
    /// Whether these are all contracts of the project.
    package var isWholeProject = false
    /// The least severity that makes the run fail.
    package var failOn: Severity
    /// Whether to make the certain fixes.
    package var isFixing = false
    /// A file with the findings of an earlier day, which do not count.
    package var baseline: String?
    /// Whether to write today's findings into the baseline.
    package var isUpdatingBaseline = false
    /// A commit, by any name that git knows; only findings that were not there count.
    package var changedSince: String?

    package init(contracts: [String], settings: RuleSettings = RuleSettings(), failOn: Severity = .warning) {
        self.contracts = contracts
        boundary = ProjectBoundary(naming: contracts)
        self.settings = settings
        self.failOn = failOn
    }
}

/// The findings of a run of ``Lint``.
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
    /// The severities that make the run fail.
    package var failing: Set<Severity> = [.error, .warning, .note]
    /// How many fixes were made.
    package var fixCount = 0
    /// How many findings the baseline took away.
    package var knownCount = 0
    /// How many findings were there at the commit that the run was asked to compare with.
    package var earlierCount = 0
    /// The analyzed contracts. Releasing them takes time, which a process that ends anyway can save.
    package var reading: LintReading?
}

/// The contracts of a run, as they were analyzed.
package final class LintReading: Sendable {
    private let analyses: [String: ContractAnalysis]

    init(_ analyses: [String: ContractAnalysis]) { self.analyses = analyses }

    /// The contract at a path, without its findings, which are in the report.
    func contract(at path: String) -> ContractAnalysis? {
        analyses[path].map { ContractAnalysis(examination: $0.examination, findings: [], generated: $0.generated) }
    }
}
