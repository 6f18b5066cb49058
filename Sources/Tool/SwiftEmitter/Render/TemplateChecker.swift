import Diagnostics

/// Checks every tag of the templates against the inputs they will be given, before anything is rendered.
///
/// Mustache renders an unknown name as nothing; here it is an error with its place and the nearest name that exists.
struct TemplateChecker {
    let catalog: [String: ScannedTemplate]
    private(set) var diagnostics: [Diagnostic] = []

    init(catalog: [String: ScannedTemplate]) {
        self.catalog = catalog
    }

    /// Checks a template and, with the names known at that place, the partials that it takes in.
    mutating func check(_ name: String, against schema: TemplateSchema) {
        check(name, stack: [Frame(schema: schema, isDescent: true)], callers: [])
    }

    /// The input of a section that is open, or of the template.
    private struct Frame {
        let schema: TemplateSchema
        /// Whether it is a part of the input around it, and was not found farther out.
        let isDescent: Bool
    }

    /// A template that is being checked, and how many sections are open where it begins.
    private struct Caller {
        let name: String
        let depth: Int
        let title: String?
    }

    private mutating func check(_ name: String, stack: [Frame], callers: [Caller]) {
        guard let scanned = catalog[name] else { return }
        let template = scanned.text
        let callers = callers + [Caller(name: name, depth: stack.count, title: stack.last?.schema.title)]
        var stack = stack
        var open: [(token: TemplateTokens.Token, pushes: Bool)] = []
        for token in scanned.tokens.tokens {
            if let tag = LayoutTag(rawValue: token.name), token.kind.namesInput {
                checkLayout(token, tag, template)
                if !token.kind.isVariable { open.append((token, false)) }
                continue
            }
            switch token.kind {
            case .variable:
                switch look(up: token, in: stack, template)?.kind {
                case .section, .flag:
                    report(
                        .templateNameMisused, "`\(token.name)` is a section, which is written as `{{#\(token.name)}}`",
                        token, template)
                case .text, .optionalText, nil: break
                }
            case .section, .inverted:
                var pushes = false
                let found = look(up: token, in: stack, template)
                switch found?.kind {
                case .section(let inner):
                    if case .section = token.kind {
                        stack.append(Frame(schema: inner(), isDescent: found?.isInnermost == true))
                        pushes = true
                    }
                case .text:
                    report(
                        .templateNameMisused, "`\(token.name)` is text, which is written as `{{\(token.name)}}`", token,
                        template)
                case .flag, .optionalText, nil: break
                }
                open.append((token, pushes))
            case .end:
                guard let last = open.popLast() else {
                    report(
                        .templateSectionNotOpened, "`{{/\(token.name)}}` closes a section that is not open", token,
                        template)
                    continue
                }
                if last.pushes { stack.removeLast() }
                if last.token.name != token.name {
                    report(
                        .templateSectionMismatched,
                        "`{{/\(token.name)}}` is in place of `{{/\(last.token.name)}}`, which must close the section of line \(last.token.line) first",
                        token, template)
                }
            case .partial: checkPartial(token, stack: stack, callers: callers, template)
            case .comment: break
            case .other(let sign):
                report(
                    .templateTagUnsupported,
                    "Errand's templates do not support tags that begin with `\(sign)`",
                    token, template)
            case .unclosed:
                report(.templateTagNotClosed, "the tag that begins here is never closed", token, template)
            }
        }
        for section in open {
            report(
                .templateSectionNotClosed, "the section `\(section.token.name)` is never closed", section.token,
                template,
                help: "write `{{/\(section.token.name)}}` where it ends")
        }
    }

    /// Checks a tag of the layout, which every template has.
    private mutating func checkLayout(
        _ token: TemplateTokens.Token, _ tag: LayoutTag, _ template: TemplateText
    ) {
        switch (token.kind, tag.isSection) {
        case (.variable, true), (.inverted, true):
            report(
                .templateNameMisused, "`\(token.name)` is a section, which is written as `{{#\(token.name)}}`", token,
                template)
        case (.section, false), (.inverted, false):
            report(
                .templateNameMisused, "`\(token.name)` is text, which is written as `{{\(token.name)}}`", token,
                template)
        default: break
        }
    }

    private mutating func checkPartial(
        _ token: TemplateTokens.Token, stack: [Frame], callers: [Caller], _ template: TemplateText
    ) {
        if catalog[token.name] == nil {
            report(
                .templatePartialUnknown, "there is no template `\(token.name)`", token, template,
                help: suggestion(token.name, catalog.keys))
        } else if let caller = callers.last(where: { $0.name == token.name && !Self.descends(from: $0, stack) }) {
            report(.templatePartialRecursive, "the template `\(caller.name)` includes itself", token, template)
        } else if Template.line(ofOnly: token.offset..<(token.offset + token.length), in: Array(template.text.utf8))
            == nil
        {
            report(
                .templatePartialInline, "a partial must be alone on its line", token, template,
                help: "move it to a line of its own, with the indentation that its lines need")
        } else if !callers.contains(where: { $0.name == token.name && $0.title == stack.last?.schema.title }) {
            check(token.name, stack: stack, callers: callers)
        }
    }

    /// Whether every section that was opened since goes to a part of the input around it. A template may then take itself in:
    /// it ends where the parts end.
    private static func descends(from caller: Caller, _ stack: [Frame]) -> Bool {
        stack.count > caller.depth && stack[caller.depth...].allSatisfy(\.isDescent)
    }

    /// Finds the meaning of a name, from the innermost section outwards.
    private mutating func look(
        up token: TemplateTokens.Token, in stack: [Frame], _ template: TemplateText
    ) -> (kind: TemplateSchema.Kind, isInnermost: Bool)? {
        for (position, frame) in stack.enumerated().reversed() {
            if let kind = frame.schema.tags[token.name] { return (kind, position == stack.count - 1) }
        }
        let known = stack.flatMap(\.schema.tags.keys)
        let place = stack.last?.schema.title ?? "this place"
        report(
            .templateNameUnknown, "\(place) does not have a name `\(token.name)`", token, template,
            help: suggestion(token.name, known) ?? "the names here are \(Set(known).sorted().joined(separator: ", "))")
        return nil
    }

    private func suggestion(_ name: String, _ candidates: some Sequence<String>) -> String? {
        nearestSpelling(of: name, among: candidates).map { "did you mean `\($0)`?" }
    }

    private mutating func report(
        _ rule: FindingKind, _ message: String, _ token: TemplateTokens.Token, _ template: TemplateText,
        help: String? = nil
    ) {
        let start = SourcePosition(line: token.line, column: token.column, offset: token.offset)
        let end = SourcePosition(
            line: token.line, column: token.column + token.length, offset: token.offset + token.length)
        let diagnostic = Diagnostic(
            rule: rule, message: message, at: SourceRange(file: template.file, start: start, end: end), help: help)
        // A partial that is taken in twice is checked twice, and says the same twice.
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
}
