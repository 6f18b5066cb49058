import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter

/// One contract with all that is found in it: what reading it found, what rules found, and what the generator would refuse.
package struct ContractAnalysis: Sendable {
    package let examination: ContractExamination
    /// In the order that reports print. Those of the files that it imports are among them.
    package let findings: [Diagnostic]
    /// The contract from which a client is generated; nil if a finding prevents that.
    package let generated: ResolvedContract?
}

/// Analyzes contracts from any source. `errand lint` passes files, the language server passes the text in the editor.
///
///     path ─ ContractResolver ─▶ ContractExamination ─ customization ─ ClientEmitter.findings ─▶ what is generated
///                                                    ─ LintRunner ─▶ what rules find
///
/// Architecture invariant: `generate` emits every contract that this analysis accepts. It refuses nothing else in a contract or
/// in its settings in `errand.yaml`. `lint` reports every finding of this analysis, so that the two cannot disagree.
///
/// One analyzer for several contracts, or for several passes over one, decodes a file with unchanged bytes only once.
package struct ContractAnalyzer {
    let resolver: ContractResolver
    private let runner: LintRunner
    private let customization: ServiceCustomization

    /// - Parameters:
    ///   - customization: which endpoints are generated, and what things are called.
    ///   - mostEndpoints: how many endpoints all contracts may have together.
    package init(
        provider: any SourceProvider, settings: RuleSettings = RuleSettings(),
        customization: ServiceCustomization = ServiceCustomization(), mostEndpoints: Int = SizeLimits.usualEndpoints
    ) {
        resolver = ContractResolver(provider: provider, mostEndpoints: mostEndpoints)
        runner = LintRunner(settings: settings, today: .today)
        self.customization = customization
    }

    /// Reads a contract as far as `generate` needs it, without the rules.
    func read(_ path: String) -> ContractAnalysis {
        let examination = resolver.examine(path: path)
        guard let contract = examination.resolved else {
            return ContractAnalysis(examination: examination, findings: examination.findings, generated: nil)
        }
        let tailored = customization.customization(for: contract.service.value).apply(to: contract)
        let refused =
            tailored.diagnostics + ClientEmitter.findings(in: tailored.contract, hasProtocol: customization.hasProtocol)
        return ContractAnalysis(
            examination: examination, findings: DiagnosticBag(examination.findings + refused).sorted(),
            generated: refused.isEmpty ? tailored.contract : nil)
    }

    package func analyze(_ path: String) -> ContractAnalysis { analyze(path, with: runner) }

    /// The same with rules that weigh otherwise.
    package func analyze(_ path: String, with runner: LintRunner) -> ContractAnalysis {
        let read = read(path)
        var findings = DiagnosticBag(runner.run(read.examination))
        findings.add(contentsOf: read.findings)
        return ContractAnalysis(
            examination: read.examination, findings: findings.sorted(), generated: read.generated)
    }
}

/// The services of the contracts of one run: what only all of them together can get wrong.
package struct DuplicateServiceCheck {
    private var services: [String: Located<String>] = [:]
    private var isComplete = true

    package init() {}

    /// Counts a contract. Two services of one name, or of names that one file system takes for the same, would share a
    /// folder.
    package mutating func add(_ examination: ContractExamination) -> [Diagnostic] {
        guard let service = examination.written?.service else {
            isComplete = false
            return []
        }
        let key = service.value.lowercased()
        guard let earlier = services[key] else {
            services[key] = service
            return []
        }
        return [
            Diagnostic(
                rule: .duplicateService,
                message: "two contracts have the service name `\(service.value)`", at: service.range,
                notes: [DiagnosticNote("the other one", at: earlier.range)],
                help: "rename one of the services, or generate them into different folders")
        ]
    }

    /// Findings about services in `errand.yaml` that don't exist, if all contracts are known.
    func findings(_ customization: ServiceCustomization) -> [Diagnostic] {
        isComplete ? customization.findings(services: services.values.map(\.value).sorted()) : []
    }

    package var names: Set<String> { Set(services.values.map(\.value)) }
}
