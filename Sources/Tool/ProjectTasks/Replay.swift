import ContractChecks
import ContractModel
import Diagnostics
import Pipeline
import RecordedTraffic
import YAMLTree

/// Recordings and contracts in, findings out.
///
///     ReplayOptions ─ ContractFiles ─▶ [ResolvedContract] ─ RecordingStream, TrafficJudge ─▶ TrafficReport ─ settings, comments ─▶ ReplayReport
package enum Replay {
    /// The name of standard input as a recording.
    package static let standardInput = RecordingStream.standardInput

    package static func run(_ options: ReplayOptions) -> ReplayReport {
        let read = WholeContracts(at: options.contracts, in: options.boundary)
        guard read.findings.isEmpty else {
            return ReplayReport(outcome: .couldNotRun, findings: read.findings, sources: read.sources)
        }
        if let problem = problem(of: options.addresses, read.resolved) {
            return ReplayReport(outcome: .couldNotRun, findings: [problem], sources: [:])
        }
        var judge = TrafficJudge(read.resolved, at: options.addresses)
        // Without one of the files, the others need not be read.
        var unreadable = options.recordings.compactMap { RecordingStream.refusal(of: $0, in: options.boundary) }
        for file in options.recordings where unreadable.isEmpty {
            var reader = RecordingReader()
            let problem = RecordingStream.read(file, in: options.boundary) { chunk in
                judge.read(chunk, of: file, with: &reader)
            }
            if let problem { unreadable.append(problem) } else { judge.end(file, reader) }
        }
        let traffic = judge.report(options.recordings)
        // That a file is no recording is no finding that a setting could turn off.
        unreadable += traffic.noRecordings
        if !unreadable.isEmpty {
            return ReplayReport(outcome: .couldNotRun, findings: unreadable, sources: [:])
        }
        let found = DiagnosticBag(weighed(traffic.findings, read, options)).sorted()
        let fails = found.contains { $0.severity.weight >= options.failOn.weight }
        let shown = found.bounded(help: "correct what is shown, and judge the recording again")
        var report = ReplayReport(
            outcome: fails ? .findings : .fine, findings: shown, sources: [:])
        // Only the text of contracts is shown, and none of a recording.
        for file in read.resolved.flatMap(\.sources) { report.sources[file] = read.files.bytes(of: file) }
        report.files = read.resolved.map(\.file) + options.recordings
        report.failing = Set([Severity.error, .warning, .note].filter { $0.weight >= options.failOn.weight })
        report.traffic = traffic
        return report
    }

    /// An address of a service that no contract describes.
    private static func problem(of addresses: [RecordedAddress], _ contracts: [ResolvedContract]) -> Diagnostic? {
        let names = contracts.map(\.service.value)
        guard let unknown = addresses.lazy.compactMap(\.service).first(where: { !names.contains($0) }) else {
            return nil
        }
        let near = nearestSpelling(of: unknown, among: names)
        return Diagnostic(
            rule: .unknownService, message: "no contract has the service `\(printable(unknown))`", file: "--server",
            help: near.map { "did you mean `\($0)`?" } ?? "the services are \(names.joined(separator: ", "))")
    }

    /// The findings with the severities of `errand.yaml`, without those that a comment ignores.
    private static func weighed(
        _ findings: [Diagnostic], _ contracts: WholeContracts, _ options: ReplayOptions
    ) -> [Diagnostic] {
        var suppressions: [String: Suppressions] = [:]
        for (contract, examination) in contracts.examinations {
            suppressions[contract.file] = examination.document.map { Suppressions(in: $0) }
        }
        return findings.compactMap { finding in
            if suppressions[finding.file]?.apply(to: finding) == true { return nil }
            return options.settings.weighed(finding, in: finding.file)
        }
    }
}

/// The options of a run of ``Replay``.
package struct ReplayOptions: Sendable {
    /// Files, or `-` for standard input.
    package var recordings: [String]
    /// Contract files, and folders with contracts.
    package var contracts: [String]
    /// The base URLs at which services were recorded.
    package var addresses: [RecordedAddress] = []
    package var boundary: ProjectBoundary
    /// The severities that `errand.yaml` sets.
    package var settings = RuleSettings()
    /// The least severity that makes the run fail.
    package var failOn = Severity.warning

    package typealias Address = RecordedAddress

    package init(recordings: [String], contracts: [String], in boundary: ProjectBoundary) {
        self.recordings = recordings
        self.contracts = contracts
        self.boundary = boundary
    }
}

/// The result of a run of ``Replay``.
package struct ReplayReport: Sendable {
    package var outcome: LintReport.Outcome
    /// In the order that reports print.
    package var findings: [Diagnostic]
    /// The texts of contracts that findings point into, by file.
    package var sources: [String: [UInt8]]
    /// The contracts and the recordings.
    package var files: [String] = []
    /// The severities that make the run fail.
    package var failing: Set<Severity> = []
    /// What the recordings have; nil if the run could not begin.
    package var traffic: Traffic?

    package typealias Traffic = TrafficReport

    init(outcome: LintReport.Outcome, findings: [Diagnostic], sources: [String: [UInt8]]) {
        self.outcome = outcome
        self.findings = findings
        self.sources = sources
    }
}
