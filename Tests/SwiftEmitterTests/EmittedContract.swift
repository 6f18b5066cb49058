import ContractModel
import Diagnostics
import Testing

@testable import SwiftEmitter

/// A contract of a test's own, resolved and emitted.
struct EmittedContract {
    let files: [OutputFile]
    let diagnostics: [Diagnostic]

    init(
        _ text: String, file: String = "test.contract.yaml", options: EmitterOptions = EmitterOptions(),
        overrides: [String: TemplateText] = [:]
    ) throws {
        let resolved = ContractResolver(provider: Source(text: text)).resolve(path: file)
        guard let contract = resolved.contract else {
            files = []
            diagnostics = resolved.diagnostics
            return
        }
        let catalog = try #require(TemplateCatalog.load(overrides: overrides).catalog)
        (files, diagnostics) = ClientEmitter(templates: catalog, options: options).emit(contract)
    }

    /// All files as one text.
    var text: String { files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "\n") }

    /// Rules with their places: `swift-name-collision 4:3`.
    var findings: [String] {
        diagnostics.map { "\($0.rule) \($0.range.map { "\($0.start.line):\($0.start.column)" } ?? "")" }
    }

    private struct Source: SourceProvider {
        let text: String
        func read(_ path: String) -> SourceReading { .bytes(Array(text.utf8)) }
    }

    /// The beginning that every contract has.
    static func contract(_ rest: String, service: String = "Shop") -> String {
        "errand: 1\nservice: \(service)\nservers: {main: https://shop.example}\n\(rest)"
    }
}
