import Diagnostics

/// Finds the values of a template at places where escaping does not keep them from being markup.
///
/// The check reads the literal text in the order of the template. A section can be absent or repeated, so it has to begin and end at
/// the same place of the markup; the same goes for templates and partials, which begin and end in text.
struct MarkupCheck {
    private let template: TemplateText
    private let language: MarkupLanguage
    private let links: Set<String>
    private let bytes: [UInt8]
    private var scan = MarkupScan()
    private var diagnostics: [Diagnostic] = []

    /// Attributes whose value is a URL, which a browser may follow or load (HTML, "attributes" index).
    private static let ofURLs: Set<String> = [
        "href", "src", "action", "formaction", "data", "poster", "cite", "ping", "srcset", "background", "manifest",
        "longdesc", "xlink:href", "codebase", "archive", "to", "from", "values", "by",
    ]

    init(_ template: TemplateText, _ language: MarkupLanguage, links: Set<String>) {
        (self.template, self.language, self.links) = (template, language, links)
        bytes = Array(template.text.utf8)
    }

    mutating func findings() -> [Diagnostic] {
        var position = 0
        var open: [MarkupScan] = []
        let tokens = TemplateTokens(template.text).tokens
        for token in tokens {
            scan.read(bytes[position..<token.offset])
            position = token.offset + token.length
            let isLayout = LayoutTag(rawValue: token.name) != nil
            switch token.kind {
            case .variable where isLayout: scan.read([UInt8(ascii: " ")])
            case .variable: check(token)
            case .section where !isLayout, .inverted where !isLayout: open.append(scan)
            case .end where !isLayout:
                guard let start = open.popLast() else { continue }
                if start.place != scan.place {
                    report(
                        "the section `\(token.name)` does not end at the place of the markup where it begins", token,
                        "close each element, tag and quote in the section that it is opened in")
                }
                scan = start
            case .partial:
                if scan.place != .text {
                    report(
                        "the partial `\(token.name)` is not in the text of an element", token, "move it out of the tag")
                }
            default: break
            }
        }
        scan.read(bytes[position...])
        if scan.place != .text {
            report(
                "the template ends inside a tag, a comment, a script or a style", tokens.last,
                "close it in the template in which it is opened")
        }
        return diagnostics
    }

    private mutating func check(_ token: TemplateTokens.Token) {
        let isLink = links.contains(token.name)
        switch scan.place {
        case .text:
            if language == .markdown, !isLink, isLinkTarget(before: token.offset) {
                report("`{{\(token.name)}}` is the URL of a link", token, "write `{{href}}`")
            }
        case .comment: report("`{{\(token.name)}}` is in a comment", token, Self.asText)
        case .quoted:
            let attribute = scan.attribute
            if attribute.hasPrefix("on") || attribute == "srcdoc" || attribute == "style" {
                report("`{{\(token.name)}}` is code in the attribute `\(attribute)`", token, Self.asText)
            } else if Self.ofURLs.contains(attribute), scan.isValueStart, !isLink {
                report("`{{\(token.name)}}` is a URL in the attribute `\(attribute)`", token, "write `{{href}}`")
            }
        case .raw: report("`{{\(token.name)}}` is in a script or a style", token, Self.asText)
        case .unquoted:
            report(
                "`{{\(token.name)}}` is the value of an attribute without quotes", token,
                "write quotes around it: `\(scan.attribute)=\"{{\(token.name)}}\"`")
        case .tagStart, .tag: report("`{{\(token.name)}}` is in a tag, but in no value", token, Self.asText)
        }
        // The path to the site's folder can be empty.
        if !isLink { scan.readValue() }
    }

    private static let asText = "write it as text, or between the quotes of an attribute such as `title`"

    /// Whether a link of Markdown has its URL here: `[text](…)`, `[text](<…>)` or `[text]: …`.
    private func isLinkTarget(before offset: Int) -> Bool {
        let before = bytes[..<offset].suffix(64).reversed().drop { [0x20, 0x09, UInt8(ascii: "<")].contains($0) }
        return before.starts(with: [UInt8(ascii: "("), UInt8(ascii: "]")])
            || before.starts(with: [UInt8(ascii: ":"), UInt8(ascii: "]")])
    }

    private mutating func report(_ message: String, _ token: TemplateTokens.Token?, _ help: String) {
        let (line, column, offset) = (token?.line ?? 1, token?.column ?? 1, token?.offset ?? 0)
        let length = token?.length ?? 0
        let start = SourcePosition(line: line, column: column, offset: offset)
        let end = SourcePosition(line: line, column: column + length, offset: offset + length)
        diagnostics.append(
            Diagnostic(
                rule: .templateValueAsMarkup, message: message,
                at: SourceRange(file: template.file, start: start, end: end), help: help))
    }
}
