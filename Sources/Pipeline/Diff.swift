import ContractDiff
import ContractModel
import Diagnostics

/// Compares two versions of contracts.
///
///     DiffOptions ─ ContractFiles ─▶ two sides of ContractExamination ─ ContractComparison ─▶ [Change] ─▶ DiffReport
package enum Diff {
    /// Carries a run out.
    package static func run(_ options: DiffOptions) -> DiffReport {
        let files = ContractFiles(options.boundary)
        let old = side(options.old, files, options)
        let new = side(options.new, files, options)
        var problems = DiagnosticBag(old.problems)
        problems.add(contentsOf: new.problems)
        if problems.isEmpty, !old.isFolder, !new.isFolder, let difference = differentServices(old, new) {
            problems.add(difference)
        }
        guard problems.isEmpty else {
            let findings = problems.sorted()
            return DiffReport(
                outcome: .couldNotRun, services: [], findings: findings, sources: sources(of: findings, files))
        }
        let services = compare(old, new)
        let findings = DiagnosticBag(
            services.flatMap { service in service.changes.compactMap { $0.finding(in: service.file) } }
        ).sorted()
        let breaks = services.contains { $0.changes.contains { $0.verdict.level == .breaks } }
        let shown = findings.bounded(help: "settle the changes that are shown, and compare the contracts again")
        return DiffReport(
            outcome: breaks ? .breaks : .fine, services: services, findings: shown, sources: sources(of: shown, files))
    }

    /// One side of a comparison.
    private struct Side {
        var isFolder = false
        /// In the order of the files.
        var contracts: [ContractExamination] = []
        var problems: [Diagnostic] = []

        func contract(of service: String) -> ContractExamination? {
            contracts.first { $0.written?.service.value == service }
        }
    }

    private static func side(_ path: String, _ files: ContractFiles, _ options: DiffOptions) -> Side {
        var side = Side()
        let found = ContractFiles.find([path], in: options.boundary)
        guard found.diagnostics.isEmpty else {
            side.problems = found.diagnostics
            return side
        }
        side.isFolder = found.files != [path]
        let resolver = ContractResolver(provider: files, mostEndpoints: options.boundary.limits.endpoints)
        var services = DuplicateServiceCheck()
        for file in found.files {
            let examination = resolver.examine(path: file)
            side.problems += services.add(examination)
            if examination.isWhole {
                side.contracts.append(examination)
            } else {
                side.problems += examination.findings.filter { $0.severity == .error }
            }
        }
        return side
    }

    private static func differentServices(_ old: Side, _ new: Side) -> Diagnostic? {
        guard let before = old.contracts.first?.written?.service, let after = new.contracts.first?.written?.service,
            before.value != after.value
        else { return nil }
        return Diagnostic(
            rule: .differentServices,
            message: "the contracts are of two services, `\(before.value)` and `\(after.value)`", at: after.range,
            notes: [DiagnosticNote("the old one", at: before.range)],
            help: "name two versions of the same service, or two folders")
    }

    private static func compare(_ old: Side, _ new: Side) -> [DiffReport.Service] {
        var services: [DiffReport.Service] = []
        for contract in new.contracts {
            guard let service = contract.written?.service else { continue }
            let changes: [Change]
            if let earlier = old.contract(of: service.value) {
                changes = ContractComparison.changes(from: earlier, to: contract) ?? []
            } else {
                changes = [ContractComparison.change(ofService: service, isAdded: true)]
            }
            services.append(DiffReport.Service(name: service.value, file: contract.file, changes: changes))
        }
        for contract in old.contracts {
            guard let service = contract.written?.service, new.contract(of: service.value) == nil else { continue }
            let change = ContractComparison.change(ofService: service, isAdded: false)
            services.append(DiffReport.Service(name: service.value, file: contract.file, changes: [change]))
        }
        return services
    }

    private static func sources(of findings: [Diagnostic], _ files: ContractFiles) -> [String: [UInt8]] {
        var sources: [String: [UInt8]] = [:]
        for file in Set(findings.flatMap { [$0.file] + $0.notes.compactMap { $0.range?.file } }) {
            sources[file] = files.bytes(of: file)
        }
        return sources
    }
}

/// The options of a run of ``Diff``.
package struct DiffOptions: Sendable {
    /// A contract, or a folder with contracts.
    package var old: String
    package var new: String
    /// The files that the run may read.
    package var boundary: ProjectBoundary

    package init(old: String, new: String, in boundary: ProjectBoundary? = nil) {
        self.old = old
        self.new = new
        self.boundary = boundary ?? ProjectBoundary(naming: [old, new])
    }
}

/// The changes that a run of ``Diff`` found.
package struct DiffReport: Sendable {
    /// How a run ended.
    package enum Outcome: Sendable {
        /// Nothing breaks.
        case fine
        case breaks
        /// A side is missing or has errors; the findings say what.
        case couldNotRun
    }

    /// The changes of one service.
    package struct Service: Sendable {
        package var name: String
        /// The new contract, or the old one if the service is gone.
        package var file: String
        package var changes: [Change]
    }

    package var outcome: Outcome
    package var services: [Service]
    /// The changes with a consequence, in the order that reports print.
    package var findings: [Diagnostic]
    /// The texts that findings point into, by file.
    package var sources: [String: [UInt8]]

    /// The changes as Markdown for a pull request.
    package var markdown: String {
        services.map { ChangeMarkdown().table(of: $0.changes, service: $0.name) }.joined(separator: "\n")
    }

    /// The changes as Markdown for a changelog.
    package var changelog: String {
        services.map { ChangeMarkdown().changelog(of: $0.changes, service: $0.name) }.joined(separator: "\n")
    }

    /// The number of all changes, also of those without a consequence.
    package var changeCount: Int { services.reduce(0) { $0 + $1.changes.count } }
}
