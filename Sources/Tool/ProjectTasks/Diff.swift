import ContractChecks
import ContractDiff
import ContractModel
import Diagnostics
import Pipeline

/// Compares two versions of contracts.
///
///     DiffOptions ─ DiffSides ─▶ two sides of ContractExamination ─ ContractComparison ─▶ [Change] ─ SignOffs ─▶ DiffReport
package enum Diff {
    /// Carries a run out.
    package static func run(_ options: DiffOptions) -> DiffReport {
        let sides: DiffSides
        do throws(DiffSide.Unusable) {
            sides = try DiffSides(options.old, options.new, options.sides)
        } catch {
            return failed(error.findings, error.sources)
        }
        if sides.old.isOneFile, sides.new.isOneFile, let difference = differentServices(sides) {
            return failed([difference], sides.sources)
        }
        var signOffs = SignOffFile.read(
            options.signOffPath, isNamed: options.signOffs != nil && options.newSignOff == nil,
            in: options.boundary)
        guard let known = signOffs.signOffs else { return failed(signOffs.diagnostics, signOffs.sources) }
        let services = compare(sides)
        if let new = options.newSignOff {
            let path = options.signOffPath
            let addition = known.addition(
                for: services.flatMap(\.breaks), reason: new.reason, expires: new.expires, today: options.today)
            let problems = SignOffFile.write(
                addition, over: signOffs.sources[path], to: path, in: options.boundary)
            guard problems.isEmpty else { return failed(problems, [:]) }
            // The findings point into the new text, if there is one.
            signOffs = SignOffFile.read(path, isNamed: false, in: options.boundary)
        }
        return report(services, signOffs, sides, options)
    }

    private static func report(
        _ services: [DiffReport.Service], _ loaded: SignOffFile.Loaded, _ sides: DiffSides, _ options: DiffOptions
    ) -> DiffReport {
        let signOffs = loaded.signOffs ?? SignOffs()
        let result = signOffs.applied(
            to: services.flatMap(\.breaks), ofServices: services.map(\.name), today: options.today)
        let services = services.map { $0.judged(only: options.only, on: options.today).accepting(result) }
        var all = DiagnosticBag(SignOffFile.findings(result))
        var shared = SharedFindings()
        for service in services {
            let changes =
                options.showsAll ? service.changes.map(AlikeChanges.init) : AlikeChanges.joined(service.changes)
            for alike in changes {
                let change = alike.first
                guard let found = alike.finding(in: service.file),
                    let finding = options.lint.weighed(found, in: service.file)
                else { continue }
                let isSignedOff = result.accepted[ChangeFingerprint(change, ofService: service.name)] != nil
                let isNote = change.isIgnored || isSignedOff || finding.severity == .note
                shared.add(
                    change.acceptance.map { finding.weighing(isNote ? .note : .warning, because: $0) }
                        ?? finding,
                    of: service.name)
            }
        }
        all.add(contentsOf: shared.findings)
        for service in services {
            all.add(contentsOf: service.unusedComments.compactMap { options.lint.weighed($0, in: service.file) })
        }
        // A contract compares all of the source.
        if options.only != [.source] {
            let others = DiffDocument.notCompared(sides.old, sides.new)
            all.add(contentsOf: others.compactMap { options.lint.weighed($0, in: $0.file) })
        }
        let versions = services.compactMap(\.version)
        if options.checksVersion { all.add(contentsOf: versions.compactMap(\.finding).map(sides.new.shown)) }
        let findings = all.sorted()
        let shown =
            options.showsAll
            ? findings
            : findings.bounded(help: "settle the changes that are shown, or print all of them with `--all-findings`")
        var report = DiffReport(
            outcome: findings.contains { $0.severity == .error } ? .breaks : .fine, services: services, findings: shown,
            sources: sides.sources.merging(loaded.sources) { first, _ in first })
        report.suggestions = versions.map(\.suggestion)
        return report
    }

    private static func failed(_ findings: [Diagnostic], _ sources: [String: [UInt8]]) -> DiffReport {
        DiffReport(
            outcome: .couldNotRun, services: [], findings: DiagnosticBag(findings).sorted(), sources: sources)
    }

    private static func differentServices(_ sides: DiffSides) -> Diagnostic? {
        guard let before = sides.old.contracts.first?.written?.service,
            let after = sides.new.contracts.first?.written?.service, before.value != after.value
        else { return nil }
        return Diagnostic(
            rule: .differentServices,
            message: "the contracts are of two services, `\(before.value)` and `\(after.value)`",
            at: sides.new.shown(after.range),
            notes: [DiagnosticNote("the old one", at: sides.old.shown(before.range))],
            help: "name two versions of the same service, or two folders")
    }

    private static func compare(_ sides: DiffSides) -> [DiffReport.Service] {
        var services: [DiffReport.Service] = []
        func add(_ contract: ContractExamination, of side: DiffSide, _ service: String, _ changes: [Change]) {
            let changes = changes.map { ($0.isInOld ? sides.old : sides.new).shown($0) }
            services.append(DiffReport.Service(name: service, file: side.shown(contract.file), changes: changes))
        }
        // A comment beside a definition is about all services that import it.
        var comments: [String: IgnoredChanges] = [:]
        for contract in sides.new.contracts {
            guard let service = contract.written?.service, let earlier = sides.old.contract(of: service.value) else {
                continue
            }
            comments[contract.file] = IgnoredChanges(in: contract, since: earlier)
        }
        var findings: [Diagnostic] = []
        for contract in sides.new.contracts {
            guard let service = contract.written?.service else { continue }
            guard let earlier = sides.old.contract(of: service.value) else {
                let change = ContractComparison.change(ofService: service, isAdded: true)
                add(contract, of: sides.new, service.value, [change])
                continue
            }
            let changes = TableVerdicts.refined(
                ContractComparison.changes(from: earlier, to: contract, sides.facts) ?? [], from: earlier, to: contract
            ).map { change in
                guard !change.isInOld, let finding = change.finding(in: contract.file) else { return change }
                findings.append(finding)
                return comments[finding.file]?.reason(toIgnore: finding).map { change.ignored(because: $0) } ?? change
            }
            add(contract, of: sides.new, service.value, changes)
            services[services.count - 1].wasDraft = earlier.written?.stability == .draft
            services[services.count - 1].version = DiffVersion(
                changes, old: earlier.written?.version?.value, wasDraft: services[services.count - 1].wasDraft,
                contract)
        }
        for contract in sides.new.contracts {
            guard let unused = comments[contract.file]?.unused(among: findings), !unused.isEmpty,
                let position = services.firstIndex(where: { $0.name == contract.written?.service.value })
            else { continue }
            services[position].unusedComments = unused.map(sides.new.shown)
        }
        for contract in sides.old.contracts {
            guard let service = contract.written?.service, sides.new.contract(of: service.value) == nil else {
                continue
            }
            let change = ContractComparison.change(ofService: service, isAdded: false)
            add(contract, of: sides.old, service.value, [change])
        }
        return services
    }
}

extension ChangeVerdict {
    /// The same with the consequences in some columns alone.
    fileprivate func with(_ columns: Set<DiffColumn>) -> ChangeVerdict {
        var verdict = self
        if !columns.contains(.source) { verdict.source = .none }
        if !columns.contains(.wire) { verdict.wire = .none }
        if !columns.contains(.behavior) { verdict.behavior = .none }
        if verdict.wire == .none, verdict.behavior == .none { verdict.direction = nil }
        return verdict
    }
}

extension DiffSides {
    /// What both documents say beside their contracts; nil unless both sides are documents.
    fileprivate var facts: (old: DocumentFacts, new: DocumentFacts)? {
        guard let before = old.document, let after = new.document else { return nil }
        return (before.facts, after.facts)
    }

    fileprivate var sources: [String: [UInt8]] { new.sources.merging(old.sources) { first, _ in first } }
}

extension DiffSide {
    fileprivate func contract(of service: String) -> ContractExamination? {
        contracts.first { $0.written?.service.value == service }
    }

    /// A finding about these contracts, with the names of files that a reader knows.
    fileprivate func shown(_ finding: Diagnostic) -> Diagnostic { finding.renamingFiles { shown($0) } }
}

/// A column of verdicts.
package enum DiffColumn: String, Sendable, CaseIterable { case source, wire, behavior }

/// The options of a run of ``Diff``.
package struct DiffOptions: Sendable {
    /// A contract, a folder with contracts, a commit, or an OpenAPI document.
    package var old: String
    /// The same; empty for the usual contracts.
    package var new: String
    /// The files that the run may read.
    package var boundary: ProjectBoundary
    /// The contracts of a commit, and of an empty side: those of `errand.yaml`.
    package var usualPaths = ["contracts"]
    /// The settings of lint rules, whose errors prevent a comparison.
    package var lint = RuleSettings()
    /// The file with accepted breaks; nil for the usual one, which need not exist.
    package var signOffs: String?
    /// Accepts all breaks of this run.
    package var newSignOff: NewSignOff?
    /// The columns of verdicts that count; empty for all.
    package var only: Set<DiffColumn> = []
    /// Whether each change is a finding of its own, however many are alike.
    package var showsAll = false
    /// The folder of `errand.yaml`, which the usual file is beside.
    package var folder = "."
    /// Whether a contract with too low a version is a finding.
    package var checksVersion = false
    /// The day of the run, for entries that have ended.
    package var today: CalendarDay

    package init(old: String, new: String, in boundary: ProjectBoundary? = nil) {
        self.old = old
        self.new = new
        let paths = [old, new].filter { !$0.isEmpty && !DiffPlace.isCommit($0) }
        self.boundary = boundary ?? ProjectBoundary(naming: paths)
        today = .today
    }

    /// A decision to accept breaks.
    package struct NewSignOff: Sendable {
        let reason: String
        let expires: CalendarDay

        /// Whether its last day is over.
        package func isOver(on today: CalendarDay = .today) -> Bool { expires < today }

        /// Nil if the text of the last day is not a date such as `2026-12-31`.
        package init?(_ reason: String, expires: String) {
            guard let date = CalendarDay(expires) else { return nil }
            self.reason = reason
            self.expires = date
        }
    }

    fileprivate var signOffPath: String { signOffs ?? FilePath.joined(folder, SignOffFile.name) }

    fileprivate var sides: DiffSideOptions {
        var sides = DiffSideOptions(boundary: boundary, usualPaths: usualPaths)
        sides.lint = lint
        return sides
    }

    /// Whether a side names a commit.
    package static func isCommit(_ side: String) -> Bool { DiffPlace.isCommit(side) }
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
        /// Whether the old contract is a draft, which may break.
        package var wasDraft = false
        var version: DiffVersion?
        /// The findings about new comments that ignore no change.
        var unusedComments: [Diagnostic] = []

        /// The service, with the consequences in some columns alone, and with breaks that were announced for a day that has come.
        fileprivate func judged(only columns: Set<DiffColumn>, on today: CalendarDay) -> Service {
            var service = self
            for (position, change) in changes.enumerated() {
                if !columns.isEmpty { service.changes[position].verdict = change.verdict.with(columns) }
                if let sunset = change.sunset, sunset < today, change.acceptance == nil, change.verdict.level == .breaks
                {
                    service.changes[position].acceptance = "its sunset was on \(sunset.text)"
                }
            }
            return service
        }

        /// The service, whose breaks say why they do not fail.
        fileprivate func accepting(_ result: SignOffs.Result) -> Service {
            var service = self
            for (position, change) in changes.enumerated() where change.verdict.level == .breaks {
                if let entry = result.accepted[ChangeFingerprint(change, ofService: name)] {
                    service.changes[position].acceptance =
                        "signed off until \(entry.expires.text): \(entry.reason)"
                } else if wasDraft, change.acceptance == nil {
                    service.changes[position].acceptance = "a draft may break"
                } else if let version, version.announcesBreaks, change.acceptance == nil {
                    service.changes[position].acceptance = "the version \(version.text) says so"
                }
            }
            return service
        }

        /// The identities of the changes that break something.
        var breaks: [ChangeFingerprint] {
            changes.filter { $0.verdict.level == .breaks }.map { ChangeFingerprint($0, ofService: name) }
        }
    }

    package var outcome: Outcome
    package var services: [Service]
    /// The changes with a consequence, in the order that reports print.
    package var findings: [Diagnostic]
    /// The texts that findings point into, by file.
    package var sources: [String: [UInt8]]

    /// The next version of each contract, in a line.
    package var suggestions: [String] = []

    /// The changes as Markdown for a pull request.
    package var markdown: String {
        written(sections.map { ChangeMarkdown().table(of: $0.changes, service: $0.name) })
    }

    /// The changes as Markdown for a changelog.
    package var changelog: String {
        written(sections.map { ChangeMarkdown().changelog(of: $0.changes, service: $0.name) })
    }

    /// The sections, and the findings that are about no change.
    private func written(_ sections: [String]) -> String {
        let others = ChangeMarkdown().others(findings.filter { !$0.isOfChange })
        return (sections + [others]).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// How many findings of a severity are about changes, and how many about anything else.
    package func count(_ severity: Severity) -> (changes: Int, others: Int) {
        let found = findings.filter { $0.severity == severity }
        let changes = found.count { $0.isOfChange }
        return (changes, found.count - changes)
    }

    /// The number of all changes, also of those without a consequence.
    package var changeCount: Int { sections.reduce(0) { $0 + $1.changes.count } }

    /// The changes of each service, and then those that several services have, because they import the same definition.
    private var sections: [SharedChanges.Section] { SharedChanges(services).sections }
}

extension Diagnostic {
    /// Whether it is about a change of a contract.
    fileprivate var isOfChange: Bool {
        [.wireBreak, .behaviorBreak, .sourceBreak, .changeToReview, .notCompared].contains { isOf($0) }
    }
}
