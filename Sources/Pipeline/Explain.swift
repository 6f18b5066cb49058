import ContractChecks
import ContractModel
import Diagnostics

/// A service and an endpoint by their names in, what the contract says of it out.
package enum Explain {
    package typealias Explanation = EndpointExplanation

    package enum Answer: Sendable {
        case endpoint(Explanation)
        /// There is no such service or endpoint, or its contract has errors; the findings say which, and `sources` are the
        /// texts that they point into.
        case findings([Diagnostic], sources: [String: [UInt8]])
    }

    /// Looks for the service among the contracts, a name of which may differ in case.
    package static func run(service: String, endpoint: String, contracts: [String]) -> Answer {
        let found = ContractFiles.find(contracts)
        guard found.diagnostics.isEmpty else { return .findings(found.diagnostics, sources: [:]) }
        let files = ContractFiles()
        let resolver = ContractResolver(provider: files)
        var services: [String] = []
        for path in found.files {
            let examination = resolver.examine(path: path)
            guard let written = examination.written else { continue }
            services.append(written.service.value)
            guard written.service.value.lowercased() == service.lowercased() else { continue }
            guard let contract = examination.resolved else {
                return .findings(examination.findings, sources: [path: files.bytes(of: path) ?? []])
            }
            if let explanation = EndpointExplanation(endpoint, in: contract) { return .endpoint(explanation) }
            let names = contract.endpoints.map(\.name.value)
            let help =
                nearestSpelling(of: endpoint, among: names).map { "did you mean `\($0)`?" }
                ?? "it has \(names.joined(separator: ", "))"
            let message = "`\(written.service.value)` has no endpoint `\(endpoint)`"
            return .findings(
                [Diagnostic(rule: .unknownEndpoint, message: message, file: path, help: help)], sources: [:])
        }
        let help =
            nearestSpelling(of: service, among: services).map { "did you mean `\($0)`?" }
            ?? "there are \(services.joined(separator: ", "))"
        let message = "no contract is of a service `\(service)`"
        return .findings(
            [
                Diagnostic(
                    rule: .unknownService, message: message, file: contracts.joined(separator: ", "), help: help)
            ], sources: [:])
    }
}
