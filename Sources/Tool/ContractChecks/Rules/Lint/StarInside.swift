import ContractModel
import Diagnostics

package enum StarInside: LintRule {
    package static let kind = FindingKind(
        "star-inside", .warning,
        page: """
            A condition with a star that stands for nothing but a star: in a `code`, or inside a value.

            ## Why is this bad
            A star stands for any text only at the beginning or at the end of a value in `body`, `header` or `text`. Elsewhere it is
            compared as it is written, so the condition recognizes no response but one with that very star. The error never means what
            its name says, and its responses end as built-in errors.

            ## Example
            ```yaml
            outOfQuota: {category: retryable, message: Try again tomorrow., when: {code: "quota_*"}}
            ```
            ## Use instead
            ```yaml
            outOfQuota: {category: retryable, message: Try again tomorrow., when: {body: {error.code: "quota_*"}}}
            ```
            The value in `body` can be at the path of the code. If a service really sends a star, ignore the finding. At an end of a
            value, `\\*` is a star.
            """)

    package static let tags: [RuleTag] = [.errors]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let conditions =
            subject.contract.errors.flatMap(\.conditions)
            + subject.contract.endpoints.flatMap { $0.outcomes.flatMap(\.conditions) }
        for condition in conditions {
            for code in condition.codes where code.value.spelling.contains("*") {
                report.add(
                    "a star in a `code` is a star, so `\(code.value.spelling)` is no other code", at: code.range,
                    help: "name it as a value in `body`, at the path of the code")
            }
            let texts = condition.body.map(\.text) + condition.headers.map(\.text) + (condition.text.map { [$0] } ?? [])
            for text in texts where inside(text.value).contains("*") {
                report.add(
                    "the star inside `\(text.value)` is a star, and stands for no other text", at: text.range,
                    help: "write stars at the beginning and at the end alone, or name the rest in another condition")
            }
        }
    }

    /// What is between the stars at the ends, which stand for any text, or for a star after a backslash.
    private static func inside(_ text: String) -> Substring {
        var rest = text[...]
        for star in ["\\*", "*"] where rest.hasPrefix(star) {
            rest = rest.dropFirst(star.count)
            break
        }
        for star in ["\\*", "*"] where rest.hasSuffix(star) { return rest.dropLast(star.count) }
        return rest
    }
}
