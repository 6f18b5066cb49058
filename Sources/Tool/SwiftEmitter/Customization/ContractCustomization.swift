import ContractModel
import Diagnostics

/// The differences from the contract that `errand.yaml` requests: the selection of endpoints, and Swift names.
///
///     ResolvedContract ─ EndpointSelection ─▶ ResolvedContract ─ SwiftNames ─▶ ResolvedContract
///
/// Architecture invariant: what comes out is a resolved contract like any other, so that nothing after it knows of this.
package struct ContractCustomization: Sendable, Equatable {
    /// The endpoints to generate; `nil` for all.
    package var endpoints: [Located<String>]?
    package var names: SwiftNames?

    package init(endpoints: [Located<String>]? = nil, names: SwiftNames? = nil) {
        self.endpoints = endpoints
        self.names = names
    }

    /// The tailored contract, and findings for names that the contract does not have.
    package func apply(to contract: ResolvedContract) -> (contract: ResolvedContract, diagnostics: [Diagnostic]) {
        var result = contract
        var findings: [Diagnostic] = []
        // Names first: a name for a definition that is left out is valid.
        names?.apply(to: &result, &findings)
        if let endpoints {
            let selection = EndpointSelection(endpoints, of: result)
            findings += selection.findings
            result = selection.contract
        }
        return (result, findings)
    }

    /// Says that the contract has nothing of a name, with the nearest that it has.
    static func missing(
        _ rule: FindingKind, _ what: String, _ name: Located<String>, in contract: ResolvedContract,
        among names: [String]
    ) -> Diagnostic {
        let near = NearSpelling(of: name.value, among: names)
        let help =
            near.map { "did you mean `\($0.candidate)`?" }
            ?? (names.isEmpty
                ? "it has none" : "it has \(names.prefix(12).joined(separator: ", "))\(names.count > 12 ? " …" : "")")
        return Diagnostic(
            rule: rule, message: "`\(contract.service.value)` has no \(what) `\(name.value)`",
            at: name.range, help: help, fix: near?.fix(at: name.range))
    }
}
