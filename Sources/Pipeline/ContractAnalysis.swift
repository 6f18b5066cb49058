import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter

/// One contract with all that is found in it: what reading it found, what rules found, and what the generator would refuse.
package struct ContractAnalysis: Sendable {
    package let examination: ContractExamination
    /// In the order that reports print. Those of the files that it imports are among them.
    package let findings: [Diagnostic]
}

/// Looks at contracts, wherever their text comes from. `errand lint` hands over files, the language server what is typed.
///
/// One analyser for several contracts, or for several looks at one, decodes a file whose bytes are the same once.
package struct ContractAnalyser {
    let resolver: ContractResolver
    private let runner: LintRunner

    package init(provider: any SourceProvider, settings: RuleSettings) {
        resolver = ContractResolver(provider: provider)
        runner = LintRunner(settings: settings)
    }

    package func analyse(_ path: String) -> ContractAnalysis { analyse(path, with: runner) }

    /// The same with rules that weigh otherwise.
    func analyse(_ path: String, with runner: LintRunner) -> ContractAnalysis {
        let examination = resolver.examine(path: path)
        var findings = DiagnosticBag(runner.run(examination))
        if let contract = examination.resolved { findings.add(contentsOf: ClientEmitter.findings(in: contract)) }
        return ContractAnalysis(examination: examination, findings: findings.sorted())
    }
}
