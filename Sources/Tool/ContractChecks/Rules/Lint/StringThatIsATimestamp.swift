import ContractModel
import Diagnostics

package enum StringThatIsATimestamp: LintRule {
    package static let kind = FindingKind(
        "string-that-is-a-timestamp", .warning,
        page: """
            A `string` field whose name says that it is a time.

            ## Why is this bad
            Each screen parses the text in its own way, and users find the screen that gets the time zone wrong. The client
            reads a `timestamp` or a `date` in one place, and reports a response with an unexpected format.

            ## Example
            ```yaml
            Book: {title: string, publishedAt: string}
            ```
            ## Use instead
            ```yaml
            Book: {title: string, publishedAt: timestamp}
            ```
            """)

    package static let tags: [RuleTag] = [.types]

    private static let last: Set<String> = ["at", "date", "timestamp", "datetime", "birthday"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for field in subject.ownFields where field.type.primitive == .string && canEnd(field.name.value) {
            let words = NameWords.of(field.name.value)
            guard let word = words.last, last.contains(word), word != "at" || words.count > 1 else { continue }
            report.add(
                "`\(field.name.value)` is a string, but its name says that it is a time", at: field.typeRange,
                help: "write `timestamp`, `timestamp(unix)`, `timestamp(milliseconds)` or `date`",
                fix: subject.replacingType("string", of: field, with: "timestamp"))
        }
    }

    /// Whether the name ends with one of those words, even within another word. This excludes most names early.
    private static func canEnd(_ name: String) -> Bool {
        let small = name.lowercased()
        return last.contains { small.hasSuffix($0) }
    }
}
