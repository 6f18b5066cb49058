/// Renders templates with their input, as Mustache does: a name is looked for in the innermost section first, then outwards.
struct TemplateRenderer {
    private let templates: [String: Template]
    private var output = Layout()
    /// The indentation of the partials that are open.
    private var margin = 0

    init(_ templates: [String: Template]) {
        self.templates = templates
    }

    mutating func render(_ name: String, with input: some TemplateInput) -> Layout {
        output = Layout()
        var stack: [any TemplateInput] = [input]
        if let template = templates[name] { render(template.parts, &stack) }
        return output
    }

    /// The stack has the input of the template and of each open section, the innermost last.
    private mutating func render(_ parts: [Template.Part], _ stack: inout [any TemplateInput]) {
        for part in parts {
            switch part {
            case .text(let text): output.add(text)
            case .newline: output.add(.newline)
            case .margin(let columns): output.add(.margin(margin + columns))
            case .variable(let name):
                switch value(of: name, stack) {
                case .text(let text?): output.add(text)
                case .layout(let layout?): output.add(layout)
                default: break
                }
            case .line: output.add(.breakable(.space))
            case .group(let tag, let inner): render(tag, inner, &stack)
            case .section(let name, let inner):
                switch value(of: name, stack) {
                case .text(nil), .layout(nil), .flag(false), nil: break
                case .text, .layout, .flag(true): render(inner, &stack)
                case .inputs(let inputs):
                    for input in inputs {
                        stack.append(input)
                        render(inner, &stack)
                        stack.removeLast()
                    }
                }
            case .inverted(let name, let inner):
                switch value(of: name, stack) {
                case .text(nil), .layout(nil), .flag(false), nil: render(inner, &stack)
                case .text, .layout, .flag(true): break
                case .inputs(let inputs): if inputs.isEmpty { render(inner, &stack) }
                }
            case .partial(let name, let columns):
                guard let template = templates[name] else { break }
                margin += columns
                render(template.parts, &stack)
                margin -= columns
            }
        }
    }

    private mutating func render(_ tag: LayoutTag, _ parts: [Template.Part], _ stack: inout [any TemplateInput]) {
        let group =
            switch tag {
            case .list: output.begin(.cut)
            case .clause, .continued, .line: output.begin(.space, as: .clause)
            }
        render(parts, &stack)
        switch tag {
        case .list: output.end(group, .cut)
        case .clause: output.end(group, .space)
        case .continued, .line: output.end(group)
        }
    }

    private func value(of name: String, _ stack: [any TemplateInput]) -> TemplateValue? { stack.value(of: name) }
}

extension [any TemplateInput] {
    /// The value of a name in the innermost input that has it.
    func value(of name: String) -> TemplateValue? {
        for input in reversed() {
            if let value = input.value(of: name) { return value }
        }
        return nil
    }
}
