import Diagnostics

/// Templates of pages, in a language such as HTML in which a text must not be taken for markup.
///
/// Every value of an input is escaped, no tag leaves a value as it is, and `MarkupCheck` refuses a value at a place that escaping
/// does not protect. The text of a contract can therefore become markup in no template, also not in one of a user.
package struct MarkupTemplates: Sendable {
    private let templates: [String: Template]

    /// Checks and parses all templates; the result is `nil` if one of them is not valid.
    ///
    /// - Parameters:
    ///   - builtIn: the templates by their file names, `page.html.mustache`.
    ///   - overrides: templates in their place, by the same names.
    ///   - inputs: the templates that are rendered by themselves, with the names that each may use.
    ///   - language: the language of a template, by the name of its file. Nil for one whose inputs have no values.
    ///   - links: the names of values that are URLs of the site.
    package static func load(
        _ builtIn: [TemplateText], overrides: [String: TemplateText], inputs: [(name: String, schema: TemplateSchema)],
        language: (String) -> MarkupLanguage?, links: Set<String>
    ) -> (templates: MarkupTemplates?, diagnostics: [Diagnostic]) {
        let loaded = TemplateCatalog.load(builtIn, overrides: overrides, inputs: inputs)
        guard loaded.templates != nil else { return (nil, loaded.diagnostics) }
        let texts = Dictionary(builtIn.map { ($0.file, $0) }) { $1 }.merging(overrides) { $1 }
        let diagnostics = texts.sorted { $0.key < $1.key }.flatMap { name, text -> [Diagnostic] in
            guard let language = language(name) else { return [] }
            var check = MarkupCheck(text, language, links: links)
            return check.findings()
        }
        guard diagnostics.isEmpty else { return (nil, diagnostics) }
        return (loaded.templates.map(MarkupTemplates.init), [])
    }

    /// The text of a template.
    ///
    /// - Parameter escape: adds a value to the text, so that all of its characters mean themselves.
    package func render(
        _ input: some TemplateInput, with name: String, escape: (_ value: String, _ text: inout String) -> Void
    ) -> String {
        var text = ""
        var stack: [any TemplateInput] = [input]
        if let template = templates[name] { render(template.parts, &stack, &text, escape) }
        return text
    }

    /// The indentation of a template is for its reader. It would only make a page larger, and mean something in Markdown.
    private func render(
        _ parts: [Template.Part], _ stack: inout [any TemplateInput], _ text: inout String,
        _ escape: (String, inout String) -> Void
    ) {
        for part in parts {
            switch part {
            case .text(let literal): text += literal
            case .newline: text += "\n"
            case .margin: break
            case .line: text += " "
            case .group(_, let inner): render(inner, &stack, &text, escape)
            case .variable(let name):
                if case .text(let value?)? = stack.value(of: name) { escape(value, &text) }
            case .section(let name, let inner):
                switch stack.value(of: name) {
                case .text(nil), .layout, .flag(false), nil: break
                case .text, .flag(true): render(inner, &stack, &text, escape)
                case .inputs(let inputs):
                    for input in inputs {
                        stack.append(input)
                        render(inner, &stack, &text, escape)
                        stack.removeLast()
                    }
                }
            case .inverted(let name, let inner):
                switch stack.value(of: name) {
                case .text(nil), .flag(false), nil: render(inner, &stack, &text, escape)
                case .text, .layout, .flag(true): break
                case .inputs(let inputs): if inputs.isEmpty { render(inner, &stack, &text, escape) }
                }
            case .partial(let name, _):
                if let template = templates[name] { render(template.parts, &stack, &text, escape) }
            }
        }
    }
}
