import ContractModel
import Diagnostics

/// The features of the contract language that generated code does not support yet. Each one is reported.
enum UnsupportedFeatures {
    static func findings(in contract: ResolvedContract) -> [Diagnostic] {
        contract.endpoints.filter(\.isDurable).map { endpoint in
            Diagnostic(
                rule: .featureNotYetGenerated,
                message:
                    "this version of Errand cannot generate durable commands yet, so `durable` is not supported",
                at: endpoint.name.range, help: "remove `durable` until a later version supports it"
            )
        }
    }
}
