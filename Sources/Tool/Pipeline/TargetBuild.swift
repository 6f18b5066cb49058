import ContractModel
import Diagnostics

/// One contract of a target, as a build runs it: lint, then generate, in one step.
///
///     TargetBuildOptions ─ what a build could not know of ─▶ Lint ─ nothing that stops it ─▶ Generate ─▶ TargetBuildReport
///
/// The build system needs the names of the outputs before the contract is read, so they come from the contract's file. Their
/// content is that of ``Generate`` for the same contract.
package struct TargetBuild {
    private let options: TargetBuildOptions
    private var findings = DiagnosticBag()

    /// Carries the step out. The working folder is the target's from then on, so that paths mean what they mean in `errand.yaml`.
    package static func run(_ options: TargetBuildOptions) -> TargetBuildReport {
        var step = TargetBuild(options: options)
        let outcome = step.run()
        return TargetBuildReport(outcome: outcome, findings: step.findings.sorted())
    }

    private init(options: TargetBuildOptions) {
        self.options = options
    }

    private mutating func run() -> GenerateReport.Outcome {
        if let problem = WorkingFolder.enter(options.folder) { return stop(.couldNotRun, [problem]) }
        let loaded = ProjectConfiguration.load()
        findings.add(contentsOf: loaded.diagnostics)
        guard let configuration = loaded.configuration else { return .couldNotRun }
        let boundary = ProjectBoundary(configuration, naming: options.contracts)
        findings.add(contentsOf: boundary.findings(in: configuration, of: []))
        findings.add(contentsOf: Self.refused(in: configuration))
        guard !findings.hasErrors else { return .findings }

        var lintOptions = LintOptions(
            contracts: [options.contract], settings: configuration.lint, failOn: configuration.failOn ?? .error)
        lintOptions.customization = configuration.customization
        lintOptions.boundary = boundary
        let lint = Lint.run(lintOptions)
        checkContracts(lint.reading?.contract(at: options.contract), configuration, boundary)
        guard !findings.hasErrors else { return .findings }
        findings.add(contentsOf: lint.findings)
        if lint.outcome == .couldNotRun { return .couldNotRun }
        guard lint.outcome == .fine, !findings.hasErrors else { return .findings }

        var generate = GenerateOptions(configuration)
        generate.contracts = [options.contract]
        generate.boundary = boundary
        generate.output = options.output
        generate.fileStem = options.fileStem
        generate.emitter.shards = options.shards
        generate.isWholeProject = false
        let report = Generate.run(generate, reading: lint.reading)
        findings.add(contentsOf: report.findings.diagnostics)
        return report.outcome
    }

    private mutating func stop(_ outcome: GenerateReport.Outcome, _ problems: [Diagnostic]) -> GenerateReport.Outcome {
        findings.add(contentsOf: problems)
        return outcome
    }

    // MARK: The rest of the target

    /// The settings that are invalid in a target's folder: the build determines the contracts and the output folder.
    static func refused(in configuration: ProjectConfiguration) -> [Diagnostic] {
        var refused = [
            (
                "contracts", "a build always uses the contracts of the target",
                "remove it; the build uses every `*.contract.yaml` among the target's sources"
            ),
            (
                "output", "a build always writes into its own folder",
                "remove it; the build compiles the files automatically"
            ),
        ].compactMap { key, message, help in
            configuration.places[key].map {
                Diagnostic(
                    rule: .meaninglessInTarget, message: "`\(key)` has no effect here: \(message)", at: $0.range,
                    help: help)
            }
        }
        if let templates = configuration.templates, let place = configuration.places["templates"],
            templates.hasPrefix("/") || templates.split(separator: "/").contains("..")
        {
            refused.append(
                Diagnostic(
                    rule: .outsideTarget,
                    message:
                        "the templates in `\(templates)` are outside the target, so the build would not see them change",
                    at: place.range, help: "move the folder into the target's"
                ))
        }
        return refused
    }

    /// Checks what all contracts of the target together can get wrong. Of the others, only the names of their services matter.
    private mutating func checkContracts(
        _ own: ContractAnalysis?, _ configuration: ProjectConfiguration, _ boundary: ProjectBoundary
    ) {
        let resolver = ContractResolver(
            provider: ContractFiles(boundary), mostEndpoints: boundary.limits.endpoints)
        var services: [(path: String, name: Located<String>)] = []
        for path in options.contracts {
            let isOwn = path == options.contract
            guard let contract = isOwn ? own?.examination.written : resolver.written(path: path) else { continue }
            services.append((path, contract.service))
            if isOwn { checkImports(of: contract) }
        }
        guard let own = services.first(where: { $0.path == options.contract }) else { return }
        if let other = services.first(where: {
            $0.path != own.path && $0.name.value.lowercased() == own.name.value.lowercased()
        }) {
            findings.add(
                Diagnostic(
                    rule: .duplicateService,
                    message: "two contracts of this target have the service name `\(own.name.value)`",
                    at: own.name.range,
                    notes: [DiagnosticNote("the other one", at: other.name.range)],
                    help: "rename one of the services, or move one contract into another target"
                ))
        }
        // A contract that could not be read says so in its own step; until it does, its service's name is not known.
        if services.count == options.contracts.count {
            findings.add(
                contentsOf: configuration.customization.findings(services: services.map(\.name.value).sorted()))
        }
    }

    /// The build would not notice a change of an import outside the target.
    private mutating func checkImports(of contract: Contract) {
        for path in contract.imports + [contract.session?.from].compactMap({ $0 }) where !path.value.hasPrefix("/") {
            let target = ContractResolver.path(ofImport: path.value, in: contract.file)
            guard !options.contracts.contains(target) else { continue }
            let isOutside = target.hasPrefix("..")
            let why = isOutside ? "outside the target's folder" : "not a part of the target"
            findings.add(
                Diagnostic(
                    rule: .outsideTarget, message: "`\(path.value)` is \(why), so the build would not see it change",
                    at: path.range,
                    help: isOutside
                        ? "move it, or a copy of it, into the target's folder"
                        : "end its name in `.contract.yaml`, and do not exclude it in Package.swift"
                ))
        }
    }
}

/// The options of a build step.
package struct TargetBuildOptions: Sendable {
    /// The target's folder, absolute; other paths but the output are relative to it.
    package var folder: String
    package var contract: String
    /// All contracts of the target.
    package var contracts: [String]
    /// The folder that the files are written into, absolute.
    package var output: String
    /// The prefix of the names of the files.
    package var fileStem: String
    /// How many files hold types, and how many hold commands.
    package var shards: Int

    package init(
        folder: String, contract: String, contracts: [String], output: String, fileStem: String, shards: Int
    ) {
        self.folder = folder
        self.contract = contract
        self.contracts = contracts
        self.output = output
        self.fileStem = fileStem
        self.shards = shards
    }
}

/// The findings of a build step.
package struct TargetBuildReport: Sendable {
    package let outcome: GenerateReport.Outcome
    /// In the order that reports print; files are relative to the target's folder.
    package let findings: [Diagnostic]
}
