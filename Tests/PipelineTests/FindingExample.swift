import ContractModel
import Diagnostics
import OpenAPI
import SwiftEmitter
import YAMLTree

@testable import Pipeline

/// Reads the lines of a page as the file that they are a part of.
struct FindingExample {
    let form: FindingKind.Form
    let text: String

    /// The findings of the stage that reads such a file; `nil` if the lines cannot be read alone.
    var findings: [Diagnostic]? {
        switch form {
        case .yaml: YAMLParser().parse(text, file: "sample.yaml").diagnostics
        case .contract: Self.findings(inContract: contract)
        case .configuration: ProjectConfiguration.decode(Array(text.utf8), file: "errand.yaml").diagnostics
        case .template: Self.findings(inTemplate: text)
        case .openAPI: Self.findings(inDocument: document)
        case .lines: nil
        }
    }

    /// The OpenAPI document that the paths are a part of.
    private var document: String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return "openapi: 3.1.0\ninfo: {title: Sample, version: 1.0.0}\npaths:\n"
            + lines.map { "  " + $0 }.joined(separator: "\n") + "\n"
    }

    static func findings(inDocument text: String, overlay: String? = nil) -> [Diagnostic] {
        var options = OpenAPIImporter.Options()
        if overlay != nil { options.overlays = ["overlay.yaml"] }
        let files = Texts(texts: ["api.yaml": text, "overlay.yaml": overlay ?? ""])
        return OpenAPIImporter(provider: files, options: options).run("api.yaml").findings
    }

    /// The contract that the lines are a part of: sections, or else endpoints.
    private var contract: String {
        if text.hasPrefix("errand:") { return text }
        let first = text.prefix { $0 != ":" }
        let isSection = LanguageKeys.contract.allows(String(first))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let part = isSection ? text : "endpoints:\n" + lines.map { "  " + $0 }.joined(separator: "\n")
        let hasEndpoints = !isSection || lines.contains { $0.hasPrefix("endpoints:") }
        return "errand: 1\nservice: Sample\n\(part)\n" + (hasEndpoints ? "" : "endpoints: {}\n")
    }

    static func findings(inContract text: String, _ others: [String: String] = [:]) -> [Diagnostic] {
        var texts = others
        texts["sample.contract.yaml"] = text
        let resolved = ContractResolver(provider: Texts(texts: texts)).resolve(path: "sample.contract.yaml")
        return resolved.diagnostics + (resolved.contract.map { ClientEmitter.findings(in: $0) } ?? [])
    }

    static func findings(inTemplate text: String, as name: String = "enumeration.mustache") -> [Diagnostic] {
        TemplateCatalog.load(overrides: [name: TemplateText(file: name, text: text)]).diagnostics
    }

    private struct Texts: SourceProvider {
        let texts: [String: String]

        func read(_ path: String) -> SourceReading {
            texts[path].map { .bytes(Array($0.utf8)) }
                ?? .failure(rule: .missingFile, message: "there is no file `\(path)`", help: nil)
        }
    }
}
