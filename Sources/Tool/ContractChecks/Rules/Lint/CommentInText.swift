import ContractModel
import Diagnostics
import YAMLTree

package enum CommentInText: LintRule {
    package static let kind = FindingKind(
        "comment-in-text", .warning,
        page: """
            An unquoted `message` or `doc` that a `#` cuts.

            ## Why is this bad
            In YAML, a `#` after a space begins a comment. The text ends before it, and the user reads half a sentence. The rule
            reports a `#` without a space after it. A comment has a space there.

            ## Example
            ```yaml
            message: The table for order #5 is taken.
            ```
            ## Use instead
            ```yaml
            message: "The table for order #5 is taken."
            ```
            """)

    package static let tags: [RuleTag] = [.naming]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let bytes = subject.document.bytes
        for comment in subject.document.comments where !comment.isAlone {
            let rest = subject.document.text(of: comment.range)
            guard let next = rest.dropFirst().first, next.isLetter || next.isNumber,
                !comment.text.hasPrefix("errand:"), let text = text(before: comment, bytes)
            else { continue }
            let whole = String(decoding: bytes[text.offset..<comment.range.end.offset], as: UTF8.self)
            let quoted = YAMLText.quoted(whole)
            let range = SourceRange(file: comment.range.file, start: text, end: comment.range.end)
            report.add(
                "this text ends before `\(rest.prefix(60))`, which is a comment in YAML", at: comment.range,
                help: "quote the whole text: `\(whole.count > 200 ? "\"…\"" : quoted)`",
                fix: Fix(
                    title: "quote the whole text", applicability: .needsALook,
                    edits: [Fix.Edit(replacing: range, with: quoted)]))
        }
    }

    /// Where the plain text of a `message` or a `doc` begins that is the only value on the line before the comment.
    private static func text(before comment: YAMLComment, _ bytes: [UInt8]) -> SourcePosition? {
        var lineStart = comment.range.start.offset
        while lineStart > 0, bytes[lineStart - 1] != UInt8(ascii: "\n") { lineStart -= 1 }
        let line = String(decoding: bytes[lineStart..<comment.range.start.offset], as: UTF8.self)
        let key = line.drop { $0 == " " }
        guard let name = ["message:", "doc:"].first(where: key.hasPrefix) else { return nil }
        let text = key.dropFirst(name.count).drop { $0 == " " }
        guard let first = text.first, first.isLetter || first.isNumber else { return nil }
        let before = line[..<text.startIndex]
        return SourcePosition(
            line: comment.range.start.line, column: before.unicodeScalars.count + 1,
            offset: lineStart + before.utf8.count)
    }
}
