/// Renders templates with their input, as Mustache does: a name is looked for in the innermost section first, then outwards.
struct TemplateRenderer {
    private let templates: [String: Template]
    private var output = ""

    init(_ templates: [String: Template]) {
        self.templates = templates
    }

    mutating func render(_ name: String, with input: some TemplateInput) -> String {
        output = ""
        var stack: [any TemplateInput] = [input]
        if let template = templates[name] { render(template.parts, &stack) }
        return output
    }

    /// The stack has the input of the template and of each open section, the innermost last.
    private mutating func render(_ parts: [Template.Part], _ stack: inout [any TemplateInput]) {
        for part in parts {
            switch part {
            case .text(let text): output += text
            case .variable(let name):
                if case .text(let text?) = value(of: name, stack) { output += text }
            case .section(let name, let inner):
                switch value(of: name, stack) {
                case .text(nil), .flag(false), nil: break
                case .text, .flag(true): render(inner, &stack)
                case .inputs(let inputs):
                    for input in inputs {
                        stack.append(input)
                        render(inner, &stack)
                        stack.removeLast()
                    }
                }
            case .inverted(let name, let inner):
                switch value(of: name, stack) {
                case .text(nil), .flag(false), nil: render(inner, &stack)
                case .text, .flag(true): break
                case .inputs(let inputs): if inputs.isEmpty { render(inner, &stack) }
                }
            case .partial(let name):
                if let template = templates[name] { render(template.parts, &stack) }
            }
        }
    }

    private func value(of name: String, _ stack: [any TemplateInput]) -> TemplateValue? {
        for input in stack.reversed() {
            if let value = input.value(of: name) { return value }
        }
        return nil
    }
}
