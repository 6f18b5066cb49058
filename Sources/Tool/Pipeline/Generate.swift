import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter

/// Contracts in, Swift out.
///
///     GenerateOptions ─ ContractFiles ─▶ bytes ─ ContractAnalyzer ─▶ ResolvedContract ─ ClientEmitter ─▶ [OutputFile]
///                                                       ─ OutputFolder.changes ─▶ OutputChanges ─ apply ─▶ GenerateReport
///
/// Every stage returns what it made together with what it found. Nothing is written unless every contract of the run is
/// free of errors, including those of lint rules, so that the output is always that of one consistent set of contracts.
package struct Generate {
    private let options: GenerateOptions
    private let reading: LintReading?
    private let progress: (Progress) -> Void
    private let boundary: ProjectBoundary
    private let files: ContractFiles
    private var report = GenerateReport()

    /// How far a run has come: the contract that is being worked on.
    package struct Progress: Sendable {
        package let contract: String
        package let position: Int
        package let count: Int
    }

    /// Carries a run out.
    ///
    /// - Parameters:
    ///   - reading: contracts that a run of ``Lint`` without errors has analyzed. They are not read again.
    ///   - progress: called before each contract.
    package static func run(
        _ options: GenerateOptions, reading: LintReading? = nil, progress: @escaping (Progress) -> Void = { _ in }
    ) -> GenerateReport {
        var run = Generate(options: options, reading: reading, progress: progress)
        run.run()
        return run.report
    }

    private init(options: GenerateOptions, reading: LintReading?, progress: @escaping (Progress) -> Void) {
        self.options = options
        self.reading = reading
        self.progress = progress
        boundary = options.boundary ?? ProjectBoundary(naming: options.contracts)
        files = ContractFiles(boundary)
    }

    private mutating func run() {
        let clock = ContinuousClock()
        let start = clock.now
        defer { report.duration = clock.now - start }
        guard let catalog = catalog(), let contracts = contracts() else { return }
        let analyzer = ContractAnalyzer(
            provider: files, settings: options.lint, customization: options.customization,
            mostEndpoints: boundary.limits.endpoints)
        let emitter = ClientEmitter(templates: catalog, options: options.emitter)
        var output: [OutputFile] = []
        var services = DuplicateServiceCheck()
        for (position, path) in contracts.enumerated() {
            progress(Progress(contract: path, position: position + 1, count: contracts.count))
            let began = clock.now
            let analysis = reading?.contract(at: path) ?? analyzer.analyze(path)
            let repeated = services.add(analysis.examination)
            let stopping = analysis.findings.filter { $0.severity.weight >= options.failOn.weight }
            report.add(stopping + repeated)
            guard let contract = analysis.generated, repeated.isEmpty, stopping.isEmpty else { continue }
            let emitted = emitter.emit(contract)
            report.add(emitted.diagnostics)
            output += emitted.files
            report.contracts.append(
                GenerateReport.ContractEntry(
                    path: path, service: contract.service.value, files: emitted.files.count,
                    lines: emitted.files.reduce(0) { $0 + $1.lineCount }, duration: clock.now - began,
                    products: contract.clientProducts))
        }
        // Of one contract among several nothing is known of the others.
        if options.isWholeProject { report.add(services.findings(options.customization)) }
        report.keepSources(from: files)
        guard !report.findings.diagnostics.contains(where: { $0.severity.weight >= options.failOn.weight }) else {
            report.outcome = .findings
            return
        }
        write(output, services: options.isWholeProject ? nil : services.names)
    }

    private mutating func catalog() -> TemplateCatalog? {
        let loaded = TemplateFolder.catalog(options.templates, in: boundary)
        report.add(loaded.diagnostics)
        report.sources.merge(loaded.sources) { first, _ in first }
        if loaded.catalog == nil { report.outcome = loaded.isReadable ? .findings : .couldNotRun }
        return loaded.catalog
    }

    private mutating func contracts() -> [String]? {
        let found = ContractFiles.find(options.contracts, in: boundary)
        guard found.diagnostics.isEmpty else {
            fail(found.diagnostics)
            return nil
        }
        return found.files
    }

    private mutating func write(_ output: [OutputFile], services: Set<String>?) {
        // A build names its own folder, which a link of the package's owner may lead to.
        if options.fileStem == nil,
            let refusal = boundary.finding(aboutWriting: options.output, isNamed: options.isOutputNamed)
        {
            return fail([refusal])
        }
        let output = options.fileStem.map { stem in output.map { $0.renamed(stem) } } ?? output
        let services = options.fileStem == nil ? services : []
        var report = report
        let isCheck = options.isCheck
        let problems = OutputFolder(path: options.output).alone(isCheck: isCheck) { folder in
            let changes = folder.changes(for: output, services: services)
            report.changes = changes
            guard changes.diagnostics.isEmpty else { return changes.diagnostics }
            report.outcome = isCheck && !changes.isEmpty ? .stale : .fine
            return isCheck ? [] : folder.apply(changes)
        }
        self.report = report
        if !problems.isEmpty { fail(problems) }
    }

    private mutating func fail(_ diagnostics: [Diagnostic]) {
        report.add(diagnostics)
        report.outcome = .couldNotRun
    }
}

/// The options of a run of ``Generate``.
package struct GenerateOptions: Sendable {
    /// Contract files, and folders with contracts.
    package var contracts: [String]
    /// The folder that generated code is written into.
    package var output: String
    /// The prefix of the names of the files, which are then written into ``output`` itself. With `nil`, each service has a
    /// folder named after it, in which the names begin with the service's.
    package var fileStem: String?
    /// Whether the command line names ``output``, or nothing does, and not `errand.yaml`.
    package var isOutputNamed = true
    package var templates: String?
    /// The files that the run may read and write; `nil` for those of the project that the contracts are in.
    package var boundary: ProjectBoundary?
    /// The options of generated code.
    package var emitter: EmitterOptions
    /// Which endpoints are generated, and what things are called.
    package var customization: ServiceCustomization
    /// The settings of lint rules.
    package var lint: RuleSettings
    /// The lowest severity of a finding that prevents generation, as in a build.
    package var failOn: Severity
    /// Whether these are all contracts of the project, so that what no contract makes any more is removed.
    package var isWholeProject: Bool
    /// Compares only and writes nothing.
    package var isCheck: Bool

    /// Takes a project's options from its configuration.
    package init(_ configuration: ProjectConfiguration) {
        contracts = configuration.contracts
        output = configuration.output
        templates = configuration.templates
        emitter = EmitterOptions(
            access: configuration.access, conformances: configuration.conformances, imports: configuration.imports,
            hasProtocol: configuration.customization.hasProtocol)
        customization = configuration.customization
        lint = configuration.lint
        failOn = configuration.failOn ?? .error
        isWholeProject = true
        isCheck = false
    }
}
