import ContractModel
import Diagnostics
import SwiftEmitter

@testable import OpenAPI
@testable import Pipeline
@testable import ProjectTasks

/// A document of a test, imported from texts.
struct ImportedDocument {
    let result: OpenAPIImporter.Result
    var contract: String { result.contract ?? "" }
    /// The findings, without the number of components that a test does not use.
    var findings: [String] { all.filter { !$0.hasPrefix("openapi-unused") } }
    var all: [String] { result.findings.map { "\($0.rule): \($0.message)" } }

    /// Imports `main` of several files.
    init(
        files: [String: String], main: String = "api.yaml", overlays: [String] = [], only: [String] = [],
        hasExamples: Bool = true,
        hasGroups: Bool = false, mostParts: Int? = nil, mostOverlaySteps: Int? = nil,
        passes: [ImportPass] = ImportPass.all
    ) {
        var options = OpenAPIImporter.Options()
        if let mostParts { options.mostParts = mostParts }
        if let mostOverlaySteps { options.mostOverlaySteps = mostOverlaySteps }
        options.overlays = overlays
        options.only = only
        options.hasExamples = hasExamples
        options.hasGroups = hasGroups
        options.passes = passes
        result = OpenAPIImporter(provider: Texts(texts: files), options: options).run(main)
    }

    /// Imports paths and components of an OpenAPI 3.1 document.
    init(paths: String, components: String = "", version: String = "3.1.0", only: [String] = []) {
        var text =
            "openapi: \(version)\ninfo: {title: Sample, version: 1.0.0}\nservers: [{url: https://api.sample.example}]\n"
        text += "paths:\n" + Self.indented(paths)
        if !components.isEmpty { text += "components:\n" + Self.indented(components) }
        self.init(files: ["api.yaml": text], only: only)
    }

    /// Imports schemas, each the response of an operation: `GET /0`, `GET /1` …
    init(schemas: String, version: String = "3.1.0") {
        let names = schemas.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        let paths = names.map { name in
            "/\(name): {get: {operationId: get\(name), responses: {200: {description: Fine, content: "
                + "{application/json: {schema: {$ref: '#/components/schemas/\(name)'}}}}, 404: {description: None}}}}"
        }
        self.init(
            paths: paths.joined(separator: "\n"), components: "schemas:\n" + Self.indented(schemas), version: version)
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(separator: "\n") + "\n"
    }

    /// What keeps the contract from being generated.
    var problems: [String] {
        guard let text = result.contract else { return ["there is no contract"] }
        let analysis = ContractAnalyzer(provider: Texts(texts: ["a.contract.yaml": text])).analyze("a.contract.yaml")
        return analysis.findings.filter { $0.severity == .error }.map {
            "\($0.rule): \($0.message) at \($0.range?.description ?? "")"
        }
    }

    /// The Swift of it.
    var generated: [OutputFile] { client(of: "a.contract.yaml") }

    /// The Swift of it, as from a file with a name.
    func client(of file: String) -> [OutputFile] {
        guard let text = result.contract, let catalog = TemplateCatalog.load(overrides: [:]).catalog else {
            return []
        }
        let analysis = ContractAnalyzer(provider: Texts(texts: [file: text])).analyze(file)
        guard let contract = analysis.generated else { return [] }
        return ClientEmitter(templates: catalog, options: EmitterOptions()).emit(contract).files
    }

    /// The lines of the contract from one that is `first`, with what is indented below it.
    func block(_ first: String) -> String {
        let lines = contract.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(where: { $0.trimmingPrefix(while: { $0 == " " }) == first }) else {
            return ""
        }
        let depth = lines[start].prefix { $0 == " " }.count
        let rest = lines[(start + 1)...].prefix { line in line.isEmpty || line.prefix { $0 == " " }.count > depth }
        return ([lines[start]] + rest).filter { !$0.isEmpty }.map { String($0.dropFirst(depth)) }.joined(
            separator: "\n")
    }
}

/// Texts as files.
struct Texts: SourceProvider {
    let texts: [String: String]

    func read(_ path: String) -> SourceReading {
        texts[path].map { .bytes(Array($0.utf8)) }
            ?? .failure(rule: .missingFile, message: "there is no file `\(path)`", help: nil)
    }
}
