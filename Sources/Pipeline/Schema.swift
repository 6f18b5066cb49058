import ContractModel
import Diagnostics

/// What editors and other validators take to check a file with while it is written.
package enum Schema: Sendable {
    case contract
    /// `errand.yaml`.
    case configuration

    /// JSON Schema (draft 2020-12); the same bytes from every run.
    package var text: String {
        switch self {
        case .contract: ContractSchema.value.json
        case .configuration: ConfigurationKeys.schema.json
        }
    }

    /// Puts it into a file; the findings say why it could not be.
    package func write(to path: String) -> [Diagnostic] { ContractFiles.replace(path, with: Array(text.utf8)) }
}
