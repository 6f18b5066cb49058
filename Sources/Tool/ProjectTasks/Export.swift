import ContractModel
import Diagnostics
import OpenAPI
import Pipeline
import YAMLTree

/// A contract in, an OpenAPI document out.
package enum Export {
    package enum Format: String, Sendable, CaseIterable { case yaml, json }

    package enum Outcome: Sendable {
        /// The document, and what of the contract is not in it.
        case document(String, lost: [Diagnostic], sources: [String: [UInt8]])
        /// The reasons why no document was made, with the texts that the findings point into.
        case findings([Diagnostic], sources: [String: [UInt8]])
    }

    /// - Parameter path: the contract's file.
    package static func openAPI(contract path: String, format: Format, in boundary: ProjectBoundary? = nil) -> Outcome {
        let boundary = boundary ?? ProjectBoundary(naming: [path])
        let found = ContractFiles.find([path], in: boundary)
        guard found.diagnostics.isEmpty, let file = found.files.first else {
            return .findings(found.diagnostics, sources: [:])
        }
        let files = ContractFiles(boundary)
        let resolver = ContractResolver(provider: files, mostEndpoints: boundary.limits.endpoints)
        let examination = resolver.examine(path: file)
        guard let contract = examination.resolved else {
            return .findings(examination.findings, sources: [file: files.bytes(of: file) ?? []])
        }
        let document = OpenAPIExport.document(of: contract)
        return .document(
            text(of: document, format: format), lost: OpenAPIExport.losses(of: contract),
            sources: [file: files.bytes(of: file) ?? []])
    }

    static func text(of document: ReportValue, format: Format) -> String {
        format == .json ? document.json : YAMLWriter.text(of: document)
    }

    /// Puts a document into a file; the findings say why it could not be.
    package static func write(_ document: String, to path: String) -> [Diagnostic] {
        ContractFiles.replace(path, with: Array(document.utf8), in: ProjectBoundary())
    }
}
