import ContractModel
import Diagnostics

package enum PinWithoutBackup: LintRule {
    package static let kind = FindingKind(
        "pin-without-backup", .warning,
        page: """
            A server with the pin of only one key.

            ## Why is this bad
            If the key is lost or stolen, the server needs another one, and every app that is in use refuses it. Such an app has to be updated before
            it can send anything again.

            ## Example
            ```yaml
            servers: {main: "https://api.sample.example"}
            trust:
              main: {pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=]}
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example"}
            trust:
              main: {pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI=]}
            ```
            """)

    package static let tags: [RuleTag] = [.security]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for trust in subject.contract.trust where Set(trust.pins.map(\.value)).count == 1 {
            report.add(
                "`\(trust.server.value)` cannot change its key without locking every app out", at: trust.server.range,
                help: "make a second key, keep it offline, and add its pin")
        }
    }
}
