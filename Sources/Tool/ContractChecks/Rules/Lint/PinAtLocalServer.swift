import ContractModel
import Diagnostics

package enum PinAtLocalServer: LintRule {
    package static let kind = FindingKind(
        "pin-at-local-server", .warning,
        page: """
            Pins of a server on the machine that the client runs on.

            ## Why is this bad
            No network is between the two. The certificate of such a server is made anew on each machine, so its key has another pin there, and the client
            refuses it.

            ## Example
            ```yaml
            servers: {main: "https://api.sample.example", local: "https://localhost:8443"}
            trust:
              local: {pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI=]}
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example", local: "https://localhost:8443"}
            trust:
              main: {pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI=]}
            ```
            """)

    package static let tags: [RuleTag] = [.security]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let local = Set(subject.contract.servers.filter(\.isLocal).map(\.name.value))
        for trust in subject.contract.trust where local.contains(trust.server.value) {
            report.add(
                "`\(trust.server.value)` is on the machine that the client runs on, and has another key on each machine",
                at: trust.server.range,
                help: "remove the pins; an app can trust an authority of its own for the host with `TrustedAuthority`")
        }
    }
}
