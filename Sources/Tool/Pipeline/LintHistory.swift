import ContractChecks
import ContractModel
import Diagnostics
import YAMLTree

/// The findings in the contracts as they were at a commit, so that only newer findings count.
///
///     GitHistory ─ ContractAnalyzer ─▶ [Diagnostic] ─▶ Baseline
///
/// Contracts and their imports are read from the same commit. A change of an imported file therefore counts in the contracts
/// that it affects. A contract that moved is identified by its service. Rules have their current severities.
struct LintHistory {
    private let history: GitHistory
    /// A file of today → its path at the commit.
    private var earlierPaths: [String: String] = [:]
    private var found: Baseline

    /// `reference` is the text after `git:`.
    init(_ reference: String, of files: [String], _ options: LintOptions) throws(GitHistory.Unusable) {
        let settings = options.settings
        history = try GitHistory(reference, options.boundary)
        found = Baseline([])
        let analyzer = ContractAnalyzer(
            provider: history, settings: settings, customization: options.customization,
            mostEndpoints: options.boundary.limits.endpoints)
        var gone: [String: String]?
        for file in files {
            guard let path = history.path(of: file) else {
                throw GitHistory.Unusable(
                    message: "`\(file)` is outside the repository, so its earlier text is unknown",
                    help: "run the command in the repository of that file")
            }
            if history.has(path) {
                earlierPaths[file] = path
                continue
            }
            let services = gone ?? Self.services(of: history.goneContracts, analyzer.resolver)
            gone = services
            let today = ContractResolver(provider: ContractFiles(options.boundary)).examine(path: file)
            if let service = today.written?.service.value, let earlier = services[service] {
                earlierPaths[file] = earlier
            }
        }
        var findings = DiagnosticBag()
        var documents: [String: YAMLDocument] = [:]
        for file in files {
            guard let path = earlierPaths[file] else { continue }
            let analysis = analyzer.analyze(
                path,
                with: LintRunner(
                    settings: settings.moved(from: file, to: path), today: .today))
            documents[path] = analysis.examination.document
            findings.add(contentsOf: analysis.findings)
        }
        found = Baseline(findings.diagnostics.map { Fingerprint($0, in: documents[$0.file]) })
    }

    /// The findings that were not there.
    func new(_ findings: [Diagnostic], in documents: [String: YAMLDocument]) -> [Diagnostic] {
        var found = found
        return findings.filter { finding in
            let path = earlierPaths[finding.file] ?? history.path(of: finding.file)
            return !found.takes(Fingerprint(finding, in: documents[finding.file], file: path))
        }
    }

    private static func services(of paths: [String], _ resolver: ContractResolver) -> [String: String] {
        let pairs = paths.compactMap { path in resolver.examine(path: path).written.map { ($0.service.value, path) } }
        return Dictionary(pairs) { first, _ in first }
    }
}
