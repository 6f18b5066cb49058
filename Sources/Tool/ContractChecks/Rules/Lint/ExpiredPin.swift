import ContractModel
import Diagnostics

package enum ExpiredPin: LintRule {
    package static let kind = FindingKind(
        "expired-pin", .warning,
        page: """
            Pins whose last day is over.

            ## Why is this bad
            The client does not compare the server's key anymore. A reader of the contract believes that it does.

            ## Example
            ```yaml
            servers: {main: "https://api.sample.example"}
            trust:
              main:
                pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI=]
                until: 2020-06-01
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example"}
            trust:
              main:
                pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI=]
                until: 2099-06-01
            ```
            """)

    package static let tags: [RuleTag] = [.security]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard let today = subject.today else { return }
        for trust in subject.contract.trust {
            guard let until = trust.until, until.value <= today else { continue }
            report.add(
                "the pins of `\(trust.server.value)` no longer apply since \(until.value.text)", at: until.range,
                help: "write a later day, and review the pins, or remove the pins")
        }
    }
}
