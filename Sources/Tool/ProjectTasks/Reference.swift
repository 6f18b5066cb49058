import ContractChecks
import ContractModel
import Diagnostics
import Pipeline
import ReferencePages
import SwiftEmitter

/// Contracts in, reference pages out: one site for all of them.
///
/// As in ``Generate``, nothing is written unless every contract is free of errors, also of those that lint finds: the examples on
/// the pages are then ones that a client can read.
package enum Reference {
    package typealias Format = PageFormat

    package struct Options: Sendable {
        package var contracts: [String]
        /// The folder of the site.
        package var output: String
        /// Whether the command line names the folder.
        package var isOutputNamed = true
        package var format = Format.html
        /// A folder with templates that replace built-in ones.
        package var templates: String?
        package var lint: RuleSettings
        package var customization: ServiceCustomization
        /// Whether the pages are only compared.
        package var isCheck = false

        /// Takes a project's options from its configuration.
        package init(_ configuration: ProjectConfiguration, output: String) {
            contracts = configuration.contracts
            self.output = output
            templates = configuration.docs.templates?.value
            lint = configuration.lint
            customization = configuration.customization
        }
    }

    package enum Outcome: Sendable {
        /// The pages are up to date now, or were only compared.
        case done(OutputChanges)
        /// Errors in contracts or in templates, with the texts that they point into.
        case findings([Diagnostic], sources: [String: [UInt8]])
        case couldNotRun([Diagnostic], sources: [String: [UInt8]])
    }

    package static func run(_ options: Options, in boundary: ProjectBoundary) -> Outcome {
        var overrides: [String: TemplateText] = [:]
        if let folder = options.templates {
            let read = TemplateFolder.read(folder, in: boundary)
            guard read.diagnostics.isEmpty else { return .couldNotRun(read.diagnostics, sources: [:]) }
            overrides = read.templates
        }
        let loaded = PageTemplates.load(options.format, overrides: overrides)
        guard let templates = loaded.templates else {
            let sources = Dictionary(overrides.values.map { ($0.file, Array($0.text.utf8)) }) { first, _ in first }
            return .findings(loaded.diagnostics, sources: sources)
        }
        let found = ContractFiles.find(options.contracts, in: boundary)
        guard found.diagnostics.isEmpty else { return .couldNotRun(found.diagnostics, sources: [:]) }
        let files = ContractFiles(boundary)
        let analyzer = ContractAnalyzer(
            provider: files, settings: options.lint, customization: options.customization,
            mostEndpoints: boundary.limits.endpoints)
        var services = DuplicateServiceCheck()
        var findings = DiagnosticBag()
        var contracts: [ResolvedContract] = []
        for path in found.files {
            let analysis = analyzer.analyze(path)
            findings.add(contentsOf: analysis.findings.filter { $0.severity == .error })
            findings.add(contentsOf: services.add(analysis.examination))
            if let contract = analysis.generated { contracts.append(contract) }
        }
        let errors = findings.sorted()
        guard errors.isEmpty else { return .findings(errors, sources: files.sources(of: errors)) }
        return write(Site.files(of: contracts, templates), options, in: boundary)
    }

    private static func write(_ files: [OutputFile], _ options: Options, in boundary: ProjectBoundary) -> Outcome {
        if let refusal = boundary.finding(aboutWriting: options.output, isNamed: options.isOutputNamed) {
            return .couldNotRun([refusal], sources: [:])
        }
        var planned = OutputChanges()
        let list = OutputList(name: ".errand-\(options.format.rawValue)-pages", suffixes: options.format.suffixes)
        let files = files + [list.file(of: files)]
        let folder = OutputFolder(path: options.output, for: .listed(list))
        let problems = folder.alone(isCheck: options.isCheck) { folder in
            planned = folder.changes(for: files, services: nil)
            guard planned.diagnostics.isEmpty else { return planned.diagnostics }
            return options.isCheck ? [] : folder.apply(planned)
        }
        return problems.isEmpty ? .done(planned) : .couldNotRun(problems, sources: [:])
    }
}
