import ContractModel
import Diagnostics

/// A field that is named like a time and is a `string`.
///
/// ## Why is this bad
/// Each screen parses it in its own way, and the one that gets the time zone wrong is found by users. `timestamp` and
/// `date` are read once, from bytes, and a server that changes its format is noticed at the boundary.
///
/// ## Example
/// ```yaml
/// Book: {title: string, publishedAt: string}
/// ```
/// ## Use instead
/// ```yaml
/// Book: {title: string, publishedAt: timestamp}
/// ```
package enum StringThatIsATimestamp: LintRule {
    package static let name = "string-that-is-a-timestamp"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.types]

    private static let last: Set<String> = ["at", "date", "timestamp", "datetime", "birthday"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for field in subject.ownFields where field.type.primitive == .string && canEnd(field.name.value) {
            let words = NameWords.of(field.name.value)
            guard let word = words.last, last.contains(word), word != "at" || words.count > 1 else { continue }
            report.add(
                "`\(field.name.value)` is named like a time and is a text", at: field.typeRange,
                help: "write `timestamp`, `timestamp(unix)`, `timestamp(milliseconds)` or `date`",
                fix: subject.replacingType("string", of: field, with: "timestamp"))
        }
    }

    /// Whether one of those words is at the end, be it a word of the name or not. Most names are no more looked at.
    private static func canEnd(_ name: String) -> Bool {
        let small = name.lowercased()
        return last.contains { small.hasSuffix($0) }
    }
}
