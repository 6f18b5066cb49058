import ContractModel
import Diagnostics

package enum PlaceholderMessage: LintRule {
    package static let kind = FindingKind(
        "placeholder-message", .warning,
        page: """
            A message for the user that is a placeholder, such as `TODO`.

            ## Why is this bad
            The app shows the message to the user if it has none of its own.

            ## Example
            ```yaml
            noSuchAnswer: {category: nonRetryable, message: TODO, when: {status: 404}}
            ```
            ## Use instead
            ```yaml
            noSuchAnswer: {category: nonRetryable, message: There is no answer to that., when: {status: 404}}
            ```
            Without a `message`, the client shows the server's text.
            """)

    package static let tags: [RuleTag] = [.errors]

    private static let marks = ["todo", "fixme", "tbd", "xxx", "lorem ipsum", "placeholder", "changeme", "change me"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for error in subject.contract.errors {
            guard let message = error.message, isPlaceholder(message.value) else { continue }
            report.add(
                "the user would read `\(message.value.prefix(60))`", at: message.range,
                help: "write a sentence that a user understands, or remove `message`")
        }
    }

    private static func isPlaceholder(_ message: String) -> Bool {
        let small = message.lowercased()
        guard let mark = marks.first(where: small.hasPrefix) else {
            return !message.contains { $0.isLetter || $0.isNumber }
        }
        return small.dropFirst(mark.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
    }
}
