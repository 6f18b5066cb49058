import ContractModel
import Diagnostics

package enum SunsetPassed: LintRule {
    package static let kind = FindingKind(
        "sunset-passed", .warning,
        page: """
            Something deprecated whose `sunset` is over.

            ## Why is this bad
            From that day on, the service may no longer have it (RFC 8594, section 3). An app that still uses it may fail, and the
            contract is the place where its developers look first.

            ## Example
            ```yaml
            findBook: {get: /find, response: string, deprecated: {text: Use getBook., sunset: 2020-06-01}}
            ```
            ## Use instead
            ```yaml
            findBook: {get: /find, response: string, deprecated: {text: Use getBook., sunset: 2099-06-01}}
            ```
            Or remove what the service does not have anymore.
            """)

    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard let today = subject.today else { return }
        for (name, deprecation) in subject.deprecations {
            guard let sunset = deprecation.sunset, sunset.value <= today else { continue }
            report.add(
                "the service may not have `\(name.value)` anymore since \(sunset.value.text)", at: sunset.range,
                help: "remove `\(name.value)`, or write the day that holds now")
        }
    }
}
