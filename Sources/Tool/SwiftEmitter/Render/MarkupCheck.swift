import Diagnostics

/// Finds the values of a template at places where escaping does not keep them from being markup.
///
/// The check reads the literal text in the order of the template. A section can be absent or repeated, so it has to begin and end at
/// the same place of the markup; the same goes for templates and partials, which begin and end in text.
struct MarkupCheck {
    private let template: TemplateText
    private let links: Set<String>
    private let bytes: [UInt8]
    private var scan: MarkupScan
    private var diagnostics: [Diagnostic] = []

    init(_ template: TemplateText, _ language: MarkupLanguage, links: Set<String>) {
        (self.template, self.links) = (template, links)
        bytes = Array(template.text.utf8)
        scan = MarkupScan(language)
    }

    mutating func findings() -> [Diagnostic] {
        var position = 0
        var open: [(scan: MarkupScan, start: Int)] = []
        let tokens = TemplateTokens(template.text).tokens
        for token in tokens {
            scan.read(bytes[position..<token.offset])
            position = token.offset + token.length
            let isLayout = LayoutTag(rawValue: token.name) != nil
            switch token.kind {
            case .variable where isLayout: scan.read([UInt8(ascii: " ")])
            case .variable: check(token)
            case .section where !isLayout, .inverted where !isLayout: open.append((scan, position))
            case .end where !isLayout:
                guard let start = open.popLast() else { continue }
                if let joined = scan.joined(with: start.scan), !canRepeatNames(start.scan, start.start..<token.offset) {
                    scan = joined
                } else {
                    report(
                        "the section `\(token.name)` does not end at the place of the markup where it begins", token,
                        "close each element, tag, quote and link in the section that it is opened in")
                    scan = start.scan
                }
            case .partial:
                if scan.place != .text || scan.target != nil || scan.isAfterBracket {
                    report(
                        "the partial `\(token.name)` is not in the text of an element", token,
                        "move it out of the tag or of the link")
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
        case .text where isLink: break
        case .text:
            if let target = scan.target, target != .fixed {
                report("`{{\(token.name)}}` is the URL of a link", token, Self.asLink)
            } else if scan.isAfterBracket {
                report("`{{\(token.name)}}` can be the URL of a link after `]`", token, "write a space before it")
            }
        case .escapable: break
        case .comment: report("`{{\(token.name)}}` is in a comment", token, Self.asText)
        case .quoted:
            let attribute = scan.attribute
            if attribute.hasPrefix("on") || attribute == "srcdoc" || attribute == "style" {
                report("`{{\(token.name)}}` is code in the attribute `\(attribute)`", token, Self.asText)
            } else if !isLink, let url = scan.url, url != .fixed {
                report("`{{\(token.name)}}` is a URL in the attribute `\(attribute)`", token, Self.asLink)
            }
        case .raw: report("`{{\(token.name)}}` is in an element without text, such as a script", token, Self.asText)
        case .unquoted:
            report(
                "`{{\(token.name)}}` is the value of an attribute without quotes", token,
                "write quotes around it: `\(scan.attribute)=\"{{\(token.name)}}\"`")
        case .tagStart, .tag: report("`{{\(token.name)}}` is in a tag, but in no value", token, Self.asText)
        }
        if isLink { scan.readLink() } else { scan.readValue() }
    }

    private static let asText = "write it as text, or between the quotes of an attribute such as `title`"

    private static let asLink = "write `{{href}}`, or begin the URL with a path or with `https://` and a host"

    /// Whether a section that is repeated could go on with the name of an attribute, which has a value in it.
    private func canRepeatNames(_ start: MarkupScan, _ content: Range<Int>) -> Bool {
        guard scan.isInName, scan != start, let first = bytes[content].first else { return false }
        return first > 0x20 && bytes[content].contains(UInt8(ascii: "="))
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
