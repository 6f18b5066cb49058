import Diagnostics
import GenerationTemplates

/// The text of one template and the name under which the reader knows it.
package struct TemplateText: Sendable {
    package let file: String
    package let text: String

    package init(file: String, text: String) {
        self.file = file
        self.text = text
    }
}

/// The text of a template and its tags. A template that several others take in is read once.
struct ScannedTemplate {
    let text: TemplateText
    let tokens: TemplateTokens

    init(_ text: TemplateText) {
        self.text = text
        tokens = TemplateTokens(text.text)
    }
}

/// The templates that output is rendered from: the built-in ones, and those that a user put in their place.
package struct TemplateCatalog: Sendable {
    private let templates: [String: Template]

    /// The file names of all templates, in alphabetical order.
    package static var fileNames: [String] { BuiltInTemplates.files.map(\.name).sorted() }

    /// Checks and parses all templates; the catalog is `nil` if one of them is not valid.
    ///
    /// - Parameter overrides: templates by their file name, `structure.mustache`.
    package static func load(
        overrides: [String: TemplateText] = [:]
    ) -> (catalog: TemplateCatalog?, diagnostics: [Diagnostic]) {
        let builtIn = BuiltInTemplates.files.map { file in
            TemplateText(file: file.name, text: String(decoding: file.bytes, as: UTF8.self))
        }
        let loaded = load(
            builtIn, overrides: overrides,
            inputs: [
                ("client", ClientInput.schema), ("errors", ErrorsInput.schema), ("types", TypesInput.schema),
                ("commands", CommandsInput.schema),
            ])
        return (loaded.templates.map(TemplateCatalog.init), loaded.diagnostics)
    }

    /// Checks and parses a set of built-in templates and those in their place; nil if one of them is not valid.
    ///
    /// - Parameter inputs: the templates that are rendered by themselves, with the names that each may use.
    static func load(
        _ builtIn: [TemplateText], overrides: [String: TemplateText], inputs: [(name: String, schema: TemplateSchema)]
    ) -> (templates: [String: Template]?, diagnostics: [Diagnostic]) {
        var diagnostics: [Diagnostic] = []
        var texts: [String: TemplateText] = [:]
        for file in builtIn {
            texts[templateName(file.file)] = TemplateText(file: "templates/" + file.file, text: file.text)
        }
        for (name, template) in overrides.sorted(by: { $0.key < $1.key }) {
            guard texts[templateName(name)] != nil, name.hasSuffix(suffix) else {
                diagnostics.append(unknownFile(name, template, among: builtIn.map(\.file).sorted()))
                continue
            }
            texts[templateName(name)] = template
        }
        let scanned = texts.mapValues { ScannedTemplate($0) }
        var checker = TemplateChecker(catalog: scanned)
        for input in inputs { checker.check(input.name, against: input.schema) }
        diagnostics += checker.diagnostics
        guard diagnostics.isEmpty else { return (nil, diagnostics) }
        return (scanned.mapValues { Template($0.text.text, $0.tokens) }, [])
    }

    private init(_ templates: [String: Template]) { self.templates = templates }

    func render(_ input: some TemplateInput, with name: String) -> Layout {
        var renderer = TemplateRenderer(templates)
        return renderer.render(name, with: input)
    }

    private static let suffix = ".mustache"

    private static func templateName(_ file: String) -> String {
        file.hasSuffix(suffix) ? String(file.dropLast(suffix.count)) : file
    }

    private static func unknownFile(_ name: String, _ template: TemplateText, among fileNames: [String]) -> Diagnostic {
        Diagnostic(
            rule: .templateFileUnknown,
            message: "`\(name)` does not replace any of Errand's templates",
            file: template.file,
            help: nearestSpelling(of: name, among: fileNames).map { "did you mean `\($0)`?" }
                ?? "the templates are \(fileNames.joined(separator: ", "))"
        )
    }
}
