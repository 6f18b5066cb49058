import ContractChecks
import ContractDiff
import ContractModel
import Diagnostics
import OpenAPI
import Pipeline

/// One side of a comparison: the contracts of a file, of a folder, of a commit, or of an OpenAPI document.
///
///     argument ─ DiffPlace ─▶ SourceProvider and paths ─ ContractResolver ─▶ DiffSide
///
/// A document is imported first. The notes of its import are not findings of the comparison.
package struct DiffSide: Sendable {
    /// The side as the command line names it.
    package let argument: String
    /// The contracts, all of them without errors, and each with a service of its own.
    package let contracts: [ContractExamination]
    /// The OpenAPI document that it was imported from.
    let document: DiffDocument?
    /// Whether it names one file, and not a folder.
    package let isOneFile: Bool
    private let texts: [String: [UInt8]]
    private let name: @Sendable (String) -> String

    /// Why a side cannot be compared: findings, and the texts that they point into.
    package struct Unusable: Error {
        package var findings: [Diagnostic]
        package var sources: [String: [UInt8]] = [:]
    }

    /// Reads a side.
    ///
    /// - Parameters:
    ///   - argument: a path, `git:REF` or `git:REF:PATH`. A path in a commit begins at the repository's top, and with `./` at the
    ///     working folder. Empty for the usual paths.
    ///   - service: what the service of a document is called; nil for the document's own name.
    package static func read(
        _ argument: String, _ options: DiffSideOptions, service: String? = nil
    ) throws(Unusable) -> DiffSide {
        let place = try DiffPlace(argument, options)
        let source = RecordedSource(place.provider)
        if let path = place.paths.first, place.paths.count == 1, let document = document(at: path, source) {
            let (imported, document) = try contract(of: document, at: path, source, place, service)
            // What a person still has to decide after an import is no reason not to compare.
            let analyzer = ContractAnalyzer(
                provider: imported, settings: .withoutRules, mostEndpoints: options.boundary.limits.endpoints)
            let analyses = [analyzer.analyze(path)]
            try refuse(analyses, [path: imported.bytes], place, options, isImported: true)
            return DiffSide(
                argument, analyses.map(\.examination), source.texts, document, isOneFile: true, name: place.name)
        }
        let analyzer = ContractAnalyzer(
            provider: source, settings: options.lint, mostEndpoints: options.boundary.limits.endpoints)
        let analyses = place.paths.map { analyzer.analyze($0) }
        let texts = source.texts
        try refuse(analyses, texts, place, options, isImported: false)
        return DiffSide(
            argument, analyses.map(\.examination), texts, nil, isOneFile: place.isOneFile, name: place.name)
    }

    private init(
        _ argument: String, _ contracts: [ContractExamination], _ texts: [String: [UInt8]], _ document: DiffDocument?,
        isOneFile: Bool, name: @escaping @Sendable (String) -> String
    ) {
        self.argument = argument
        self.contracts = contracts
        self.texts = texts
        self.document = document
        self.isOneFile = isOneFile
        self.name = name
    }

    // MARK: What a reader sees

    /// A place of these contracts, with the name of the file that a reader knows: `git:main:contracts/shop.contract.yaml`.
    package func shown(_ range: SourceRange) -> SourceRange { range.renamingFile(name) }

    /// A change of these contracts at the place that a reader knows, which is the document's own if there is one.
    func shown(_ change: Change) -> Change {
        var change = change
        if let document {
            let origin = document.origin(around: change.place)
            change.range = shown(origin.range)
            change.pointer = origin.pointer
        } else {
            change.range = change.range.map(shown)
        }
        return change
    }

    /// The name of a file that a reader knows.
    package func shown(_ file: String) -> String { name(file) }

    /// The texts of the files, by the names that a reader knows.
    package var sources: [String: [UInt8]] {
        Dictionary(texts.map { (name($0.key), $0.value) }) { first, _ in first }
    }

    // MARK: Reading

    private static func document(at path: String, _ source: RecordedSource) -> [UInt8]? {
        guard !ContractFiles.isContract(path), case .bytes(let bytes) = source.read(path),
            OpenAPIImporter.isDocument(bytes)
        else { return nil }
        return bytes
    }

    private static func contract(
        of bytes: [UInt8], at path: String, _ source: RecordedSource, _ place: DiffPlace, _ service: String?
    ) throws(Unusable) -> (text: OneText, document: DiffDocument) {
        var options = OpenAPIImporter.Options()
        options.service = service
        // Examples have no effect on an app, and one that does not fit would make the contract unusable.
        options.hasExamples = false
        options.isCompared = true
        let result = OpenAPIImporter(provider: source, options: options).run(path)
        // Beside a document without operations, every endpoint would be new or gone.
        if result.contract != nil, result.endpointCount == 0 {
            throw place.unusable(
                [
                    Diagnostic(
                        rule: .noContracts, message: "`\(path)` has no operation that a contract can have", file: path,
                        help: "name a document with `paths`")
                ], source.texts)
        }
        if let text = result.contract, let draft = result.draft {
            return (OneText(bytes: Array(text.utf8)), DiffDocument(draft, result.losses, path: path))
        }
        // A document that Errand has exported is no draft, and every part of it is in the contract.
        if let text = result.contract { return (OneText(bytes: Array(text.utf8)), DiffDocument(path: path)) }
        throw place.unusable(result.findings.filter { $0.severity == .error }, source.texts)
    }

    /// Throws the errors of the contracts. No app has the client of a contract that `generate` refuses, so nothing can break.
    private static func refuse(
        _ analyses: [ContractAnalysis], _ texts: [String: [UInt8]], _ place: DiffPlace, _ options: DiffSideOptions,
        isImported: Bool
    ) throws(Unusable) {
        var findings = DiagnosticBag()
        var services = DuplicateServiceCheck()
        for analysis in analyses {
            findings.add(
                contentsOf: analysis.findings.filter { $0.severity == .error && !options.mayHave($0) })
            findings.add(contentsOf: services.add(analysis.examination))
        }
        guard findings.hasErrors else { return }
        guard isImported else { throw place.unusable(findings.sorted(), texts) }
        throw Unusable(
            findings: findings.sorted().map { $0.renamingFiles { importedName(place.name($0)) } }.bounded(),
            sources: Dictionary(texts.map { (importedName(place.name($0.key)), $0.value) }) { first, _ in first })
    }

    /// The name of the contract that a document becomes.
    private static func importedName(_ document: String) -> String { "\(document) (imported)" }

    /// The text of an imported contract, which imports nothing.
    private struct OneText: SourceProvider {
        let bytes: [UInt8]
        func read(_ path: String) -> SourceReading { .bytes(bytes) }
    }
}

/// The files that a comparison may read.
package struct DiffSideOptions: Sendable {
    package var boundary: ProjectBoundary
    /// The paths of the contracts for a side that names only a commit: those of the other side, or those of `errand.yaml`.
    package var usualPaths: [String]
    /// The folder that paths begin at.
    package var base = "."
    /// Whether a commit may have no contracts at all, as before the first one is added.
    package var mayBeEmpty = false
    /// The settings of lint rules, whose errors prevent a comparison.
    package var lint = RuleSettings()
    /// Whether it is the side from before the change, which need not obey what `errand.yaml` says more strictly than the rules.
    fileprivate var isOld = false

    package init(boundary: ProjectBoundary, usualPaths: [String] = ["contracts"]) {
        self.boundary = boundary
        self.usualPaths = usualPaths
    }

    /// Whether an error is none of the rule itself, on the side from before the change.
    fileprivate func mayHave(_ finding: Diagnostic) -> Bool {
        guard isOld, let rule = RuleCatalog.all.first(where: { $0.name == finding.rule }) else { return false }
        return rule.severity != .error
    }
}

/// Both sides of a comparison.
package struct DiffSides: Sendable {
    package let old: DiffSide
    package let new: DiffSide

    /// Reads both sides. A document that is compared with one service is imported under the name of that service.
    package init(_ old: String, _ new: String, _ options: DiffSideOptions) throws(DiffSide.Unusable) {
        var options = options
        // `git:main shop.contract.yaml` compares one contract with what it was.
        if let path = [old, new].first(where: { !DiffPlace.isCommit($0) && !$0.isEmpty }) {
            options.usualPaths = [path]
        }
        let before: DiffSide
        var earlier = options
        earlier.mayBeEmpty = true
        earlier.isOld = true
        do throws(DiffSide.Unusable) {
            before = try DiffSide.read(old, earlier)
        } catch {
            // The other side is read as well, so that one run reports all problems.
            var all = error
            do throws(DiffSide.Unusable) { _ = try DiffSide.read(new, options) } catch {
                all.findings += error.findings
                all.sources.merge(error.sources) { first, _ in first }
            }
            throw all
        }
        var after = try DiffSide.read(new, options)
        let services = (before.services, after.services)
        if services.0.count == 1, services.1.count == 1, services.0 != services.1 {
            if after.document != nil {
                after = try DiffSide.read(new, options, service: services.0[0])
            } else if before.document != nil {
                self.old = try DiffSide.read(old, earlier, service: services.1[0])
                self.new = after
                return
            }
        }
        self.old = before
        self.new = after
    }
}

extension DiffSide {
    fileprivate var services: [String] { contracts.compactMap { $0.written?.service.value } }
}
