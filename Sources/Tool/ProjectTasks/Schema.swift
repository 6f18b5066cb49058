import ContractModel
import Diagnostics
import MockServer
import Pipeline

/// The JSON Schemas that editors and other validators use while a file is written.
package enum Schema: Sendable {
    case contract
    /// `errand.yaml`.
    case configuration
    /// The scenarios of `errand mock`.
    case scenario

    /// JSON Schema (draft 2020-12); the same bytes from every run.
    package var text: String {
        switch self {
        case .contract: ContractSchema.value.json
        case .configuration: ConfigurationKeys.schema.json
        case .scenario: ScenarioKeys.schema.json
        }
    }

    /// Puts it into a file; the findings say why it could not be.
    package func write(to path: String) -> [Diagnostic] {
        ContractFiles.replace(path, with: Array(text.utf8), in: ProjectBoundary())
    }
}
