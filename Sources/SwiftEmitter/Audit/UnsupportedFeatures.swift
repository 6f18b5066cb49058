import ContractModel
import Diagnostics

/// The features of the contract language that generated code does not support yet. Each one is reported.
enum UnsupportedFeatures {
    static func findings(in contract: ResolvedContract) -> [Diagnostic] {
        contract.endpoints.compactMap { endpoint in
            guard let durable = endpoint.definition.durable, durable.value else { return nil }
            return Diagnostic(
                rule: .featureNotYetGenerated,
                message:
                    "this version of Errand cannot generate durable commands yet, so `durable` is not supported",
                at: endpoint.name.range, help: "remove `durable` until a later version supports it"
            )
        }
    }
}
