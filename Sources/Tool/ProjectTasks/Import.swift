import ContractChecks
import ContractModel
import Diagnostics
import OpenAPI
import Pipeline

/// An OpenAPI document in, a contract out.
///
///     ImportOptions ─ ContractFiles ─▶ bytes ─ OpenAPIImporter ─▶ text ─ ContractAnalyzer ─▶ what does not fit
///                                      text ─ ContractFiles.replace ─▶ ImportReport
///
/// The contract is looked at as `errand lint` looks at it before it is written, so that what is written can be generated.
/// Nothing is half written.
package enum Import {
    /// Carries a run out.
    package static func run(_ options: ImportOptions) -> ImportReport {
        let boundary = options.boundary ?? ProjectBoundary(naming: [options.document] + options.overlays)
        let files = ContractFiles(boundary, isDocument: true)
        var importing = OpenAPIImporter.Options()
        importing.overlays = options.overlays
        importing.only = options.only
        importing.service = options.service
        importing.hasGroups = options.hasGroups
        if options.showsAll { importing.mostFindings = 1_000_000 }
        // What the last import was told, if the command names its contract.
        let known = options.isUpdate ? options.output.map { ImportUpdate.reading($0, in: boundary) } : nil
        _ = known?.complete(&importing)
        var result = OpenAPIImporter(provider: files, options: importing).run(options.document)
        var report = ImportReport()
        guard result.contract != nil else { return failed(report, result, files) }
        let output =
            options.output
            ?? (options.isUpdate
                ? ImportPlace.ofUpdate(result.service, options.contracts, boundary)
                : ImportPlace.ofNew(result.service, options.contracts))
        let update = options.isUpdate ? known ?? ImportUpdate.reading(output, in: boundary) : nil
        if let failures = update?.failures, !failures.isEmpty {
            let others = options.output == nil ? ImportPlace.all(options.contracts, in: boundary) : []
            result.findings =
                others.isEmpty || !failures[0].isOf(.missingFile)
                ? failures
                : [
                    Diagnostic(
                        rule: .missingFile, message: failures[0].message, file: output,
                        help: "name the contract with `-o`: \(others.prefix(5).joined(separator: ", "))")
                ]
            return failed(report, result, files)
        }
        if known == nil, let update, update.complete(&importing) {
            result = OpenAPIImporter(provider: files, options: importing).run(options.document)
            guard result.contract != nil else { return failed(report, result, files) }
        }
        var problems = problems(of: result, as: output, options)
        guard var text = result.contract else { return failed(report, result, files) }
        let suppressed = suppressed(&text, problems)
        if !suppressed.isEmpty {
            result.contract = text
            result.reviews += suppressed
            problems.removeAll { $0.rule == "credential-in-url" }
            if !problems.isEmpty { problems = self.problems(of: result, as: output, options) }
        }
        let imported = text
        if let update {
            guard let merged = ContractMerge.merged(base: update.base, own: update.own, new: text, file: output) else {
                result.findings = [ImportUpdate.unreadable(output)]
                return failed(report, result, files)
            }
            text = merged.text
            result.contract = text
            report.changeCount = merged.changeCount
            problems = self.problems(of: result, as: output, options) + merged.findings
        }
        report.service = result.service
        report.reviews = result.reviews
        report.sensitiveCount = result.sensitiveCount
        report.fieldCount = result.fieldCount
        report.counts = (result.endpointCount, result.typeCount, result.errorCount, result.fileCount)
        var findings = DiagnosticBag(result.findings)
        findings.add(contentsOf: problems)
        // A missing endpoint is always reported, even if there are many smaller losses.
        let all = findings.sorted()
        let missing = all.filter { $0.isOf(.openAPIEndpointLost) }
        let others = all.filter { !$0.isOf(.openAPIEndpointLost) }
        report.findings =
            options.showsAll
            ? all : DiagnosticBag(missing.bounded(help: seeAll) + others.bounded(help: seeAll)).sorted()
        report.keepSources(from: files, output, text)
        let isComplete = !report.findings.contains { $0.severity != .note }
        report.openReviews = openReviews(in: text)
        let isOpen = options.failsOnReview && report.openReviews > 0
        report.outcome = isComplete && !isOpen ? .complete : .incomplete
        guard !options.isStrict || isComplete else { return report }
        guard !options.isDry else { return report }
        var written = write(text, to: output, options, boundary)
        if written.isEmpty { written = ImportUpdate.write(imported, importing, beside: output, in: boundary) }
        guard written.isEmpty else {
            report.findings = written
            report.outcome = .couldNotRun
            return report
        }
        report.written = output
        return report
    }

    /// How many places of a contract wait for a person.
    private static func openReviews(in text: String) -> Int {
        text.split(separator: "\n").count { $0.drop { $0 == " " }.hasPrefix("# errand:review") }
    }

    /// How to see the findings that a report leaves out.
    private static let seeAll = "`--all-findings` prints all of them"

    private static func failed(
        _ report: ImportReport, _ result: OpenAPIImporter.Result, _ files: ContractFiles
    ) -> ImportReport {
        var report = report
        report.findings = DiagnosticBag(result.findings).sorted().bounded()
        report.keepSources(from: files, "", "")
        report.outcome = .couldNotRun
        return report
    }

    private static func write(_ text: String, to path: String, _ options: ImportOptions, _ boundary: ProjectBoundary)
        -> [Diagnostic]
    {
        let folder = FilePath.folder(of: path)
        if let refusal = boundary.finding(aboutWriting: folder) { return [refusal] }
        do {
            let kind = try SystemCall.kind(of: path, followingLinks: false)
            guard kind == nil || options.isForced || options.isUpdate else {
                return [
                    Diagnostic(
                        rule: .fileInTheWay, message: "`\(path)` already exists, and an import would overwrite it",
                        file: path, help: "name another file with `-o`, or add `--force`")
                ]
            }
            try SystemCall.makeFolder(folder)
        } catch {
            return [
                Diagnostic(rule: .outputUnwritable, message: "`\(path)` cannot be written: \(error.text)", file: path)
            ]
        }
        return ContractFiles.replace(path, with: Array(text.utf8), in: boundary)
    }

    // MARK: Whether it is a contract

    /// The errors that prevent generation from the contract.
    private static func problems(
        of result: OpenAPIImporter.Result, as path: String, _ options: ImportOptions
    ) -> [Diagnostic] {
        guard let text = result.contract else { return [] }
        let settings = options.settings
        let rules = RuleCatalog.lint.filter { settings.severity(of: $0, in: path) == .error }
        let runner = LintRunner(settings: settings, rules: rules)
        let analyzer = ContractAnalyzer(provider: OneContract(text: text), settings: settings)
        return analyzer.analyze(path, with: runner).findings.filter { $0.severity == .error }
    }

    /// Where a service takes a credential in a URL, the contract says that the service wants it so.
    private static func suppressed(_ text: inout String, _ problems: [Diagnostic]) -> [(
        subject: String, reason: String
    )] {
        let rule = "credential-in-url"
        let found = Set(problems.filter { $0.rule == rule }.compactMap { $0.range?.start.line }).sorted(by: >)
        guard !found.isEmpty else { return [] }
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Substring($0)
        }
        var reviews: [(subject: String, reason: String)] = []
        for number in found where lines.indices.contains(number - 1) {
            let line = lines[number - 1]
            let indent = line.prefix { $0 == " " }
            lines.insert("\(indent)# errand:ignore \(rule) the document declares it this way", at: number - 1)
            reviews.append(
                (String(line.dropFirst(indent.count).prefix { $0 != ":" }), "a credential in a URL ends up in logs"))
        }
        text = lines.joined(separator: "\n")
        return reviews.reversed()
    }

    private struct OneContract: SourceProvider {
        let text: String
        func read(_ path: String) -> SourceReading { .bytes(Array(text.utf8)) }
    }
}

/// The options of a run of ``Import``.
package struct ImportOptions: Sendable {
    package var document: String
    /// The contract's file; `nil` names it after the service.
    package var output: String?
    package var service: String?
    /// The files that the run may read and write; `nil` for those of the project that the document is in.
    package var boundary: ProjectBoundary?
    /// Tags and endpoints to import; empty for all.
    package var only: [String] = []
    /// The overlays to apply to the document, in their order.
    package var overlays: [String] = []
    /// Makes a group of each tag.
    package var hasGroups = false
    /// Writes nothing where anything is lost.
    package var isStrict = false
    /// Takes a contract with places that nobody has reviewed for an incomplete one.
    package var failsOnReview = false
    /// Overwrites a contract that is there.
    package var isForced = false
    /// Brings a newer document into a contract that people have edited.
    package var isUpdate = false
    /// Reports all findings, and not only the first ones of each file.
    package var showsAll = false
    /// The project's contracts, as `errand.yaml` names them: files and folders.
    package var contracts: [String] = ["contracts"]
    /// The severities of the lint rules, as `errand.yaml` sets them.
    package var settings = RuleSettings()
    /// Writes nothing at all.
    package var isDry = false

    package init(document: String, _ configuration: ProjectConfiguration = ProjectConfiguration()) {
        self.document = document
        contracts = configuration.contracts
        settings = configuration.lint
    }
}

/// The results and findings of a run of ``Import``.
package struct ImportReport: Sendable {
    package enum Outcome: Sendable {
        case complete
        /// Something of the document is not in the contract, or is to be reviewed where the options say so.
        case incomplete
        case couldNotRun
    }

    package var outcome = Outcome.couldNotRun
    package var service = ""
    /// The file that was written.
    package var written: String?
    package var findings: [Diagnostic] = []
    /// How many values an update has changed.
    package var changeCount: Int?
    /// Proposals that a person should review.
    package var reviews: [(subject: String, reason: String)] = []
    /// How many marks for a review the contract has. An update keeps those that nobody has removed.
    package var openReviews = 0
    /// The number of fields that the import has marked `sensitive` because of their names.
    package var sensitiveCount = 0
    /// The fields with a schema, and those of them that are `json`.
    package var fieldCount = (all: 0, untyped: 0)
    package var counts = (endpoints: 0, types: 0, errors: 0, files: 0)
    /// The texts that findings point into, by file.
    package var sources: [String: [UInt8]] = [:]

    mutating func keepSources(from files: ContractFiles, _ contract: String, _ text: String) {
        for file in Set(findings.map(\.file)) {
            sources[file] = file == contract ? Array(text.utf8) : files.bytes(of: file)
        }
    }
}
