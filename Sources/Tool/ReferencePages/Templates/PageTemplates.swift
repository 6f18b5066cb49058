import Diagnostics
import SwiftEmitter

/// The templates of one format: the built-in ones, and those that a user puts in their place.
package struct PageTemplates: Sendable {
    let format: PageFormat
    private let templates: MarkupTemplates

    /// Checks all templates of a format; the result is nil if one of them is not valid.
    ///
    /// - Parameter overrides: templates by their file name, `endpoint.html.mustache`.
    package static func load(
        _ format: PageFormat, overrides: [String: TemplateText] = [:]
    ) -> (templates: PageTemplates?, diagnostics: [Diagnostic]) {
        let builtIn = BuiltInPages.files.map { file in
            TemplateText(file: file.name, text: String(decoding: file.bytes, as: UTF8.self))
        }
        var inputs: [(name: String, schema: TemplateSchema)] = []
        for format in PageFormat.allCases {
            inputs += [
                ("site" + format.suffix, SiteInput.schema), ("contract" + format.suffix, ContractInput.schema),
                ("endpoint" + format.suffix, EndpointInput.schema), ("errors" + format.suffix, ErrorsInput.schema),
                ("types" + format.suffix, TypesInput.schema),
            ]
        }
        inputs += [("style.css", NoInput.schema), ("search.js", NoInput.schema)]
        let loaded = MarkupTemplates.load(
            builtIn, overrides: overrides, inputs: inputs,
            language: { name in
                name.hasSuffix(".html.mustache") ? .html : name.hasSuffix(".md.mustache") ? .markdown : nil
            }, links: ["href", "root"])
        return (loaded.templates.map { PageTemplates(format: format, templates: $0) }, loaded.diagnostics)
    }

    /// A page with the line by which Errand knows its own.
    ///
    /// - Parameter limits: the longest text of a value. Names are values, too, and a contract can have names of any length.
    func render(_ input: some TemplateInput, _ name: String, _ limits: PageLimits) -> String {
        GeneratedMarker.line(as: .markup) + "\n"
            + templates.render(input, with: name + format.suffix) { value, text in
                format.escape(Prose.bounded(value, limits.value), &text)
            }
    }

    /// A file beside the pages.
    func file(_ name: String) -> String {
        GeneratedMarker.line(as: .block) + "\n" + templates.render(NoInput(), with: name) { $1 += $0 }
    }

    /// The input of files that say nothing of a contract.
    private struct NoInput: TemplateInput {
        static let table = TagTable<NoInput>("a style or a script", [])
    }
}
