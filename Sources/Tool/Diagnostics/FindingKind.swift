/// A kind of finding: its id, its severity, and its page.
///
/// A stage names the kind of each finding, so ids cannot be misspelled and every id has a page. The folder `Findings` declares the
/// kinds, with a file for each stage, and a lint rule has its kind in its own file. A test raises each kind with the example of its
/// page, and raises nothing with the page's correction.
///
/// It is a class, so that a reference to a kind costs a pointer.
package final class FindingKind: Sendable {
    /// The kind of file that the example of a page belongs to, which determines how the test reads it.
    package enum Form: Sendable {
        /// Any YAML file.
        case yaml
        /// Sections of a contract, or endpoints of one.
        case contract
        /// `errand.yaml`.
        case configuration
        /// The template of a structure.
        case template
        /// Paths of an OpenAPI document.
        case openAPI
        /// Lines that are correct by themselves, such as the lines of one of two files.
        case lines
    }

    /// The id, in kebab case and named after the bad pattern: `yaml-duplicate-key`.
    package let name: String
    package let severity: Severity
    /// What is wrong, in a sentence.
    package let finds: String
    /// The consequence of the mistake.
    package let why: String
    package let form: Form
    /// Lines that have the mistake, and the same lines without it.
    package let wrong: String?
    package let right: String?
    /// Advice beside the corrected lines.
    package let instead: String?
    /// The page of a lint rule, whose examples may have several parts.
    private let text: String?

    init(
        _ name: String, _ severity: Severity = .error, finds: String, why: String, _ form: Form = .contract,
        wrong: String? = nil, right: String? = nil, instead: String? = nil
    ) {
        self.name = name
        self.severity = severity
        self.finds = finds
        self.why = why
        self.form = form
        self.wrong = wrong
        self.right = right
        self.instead = instead
        text = nil
    }

    /// A kind that a lint rule finds.
    ///
    /// - Parameter page: Markdown of this shape: what is wrong, `## Why is this bad`, `## Example` and `## Use instead`.
    package init(_ name: String, _ severity: Severity = .error, page: String) {
        self.name = name
        self.severity = severity
        finds = page.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }.joined(
            separator: " ")
        why = ""
        form = .contract
        (wrong, right, instead) = (nil, nil, nil)
        text = page
    }
}

extension FindingKind: Equatable {
    package static func == (left: FindingKind, right: FindingKind) -> Bool { left === right }
}

extension FindingKind {
    package var page: FindingPage {
        FindingPage(name: name, severity: severity, summary: finds, page: text ?? pageOfParts)
    }

    /// In the shape that the pages of lint rules have.
    private var pageOfParts: String {
        var text = "\(finds)\n\n## Why is this bad\n\(why)\n"
        if let wrong { text += "\n## Example\n\(block(wrong))" }
        if right != nil || instead != nil {
            text += wrong == nil ? "\n## Use instead\n" : "## Use instead\n"
            text += [right.map(block), instead.map { $0 + "\n" }].compactMap { $0 }.joined()
        }
        return String(text.dropLast())
    }

    private func block(_ text: String) -> String {
        let language =
            switch form {
            case .yaml, .contract, .configuration, .openAPI, .lines: "yaml"
            case .template: "mustache"
            }
        return "```\(language)\n\(text)\n```\n"
    }
}

/// The description of an id, which reports, lists and editors show.
package struct FindingPage: Sendable {
    package let name: String
    package let severity: Severity
    /// What it finds, in a line.
    package let summary: String
    /// The whole page, in Markdown.
    package let page: String

    package init(name: String, severity: Severity, summary: String, page: String) {
        self.name = name
        self.severity = severity
        self.summary = summary
        self.page = page
    }
}
