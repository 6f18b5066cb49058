import ContractModel
import Diagnostics

package enum LocalProductionServer: LintRule {
    package static let kind = FindingKind(
        "local-production-server", .warning,
        page: """
            A server named `production` on the local machine.

            ## Why is this bad
            The first server is the one that an app uses. On a phone, `localhost` is the phone itself, so no request of the released app arrives.

            ## Example
            ```yaml
            servers: {production: "http://localhost:8080"}
            ```
            ## Use instead
            ```yaml
            servers: {production: "https://api.sample.example", local: "http://localhost:8080"}
            ```
            """)

    package static let tags: [RuleTag] = [.http]

    private static let words: Set<String> = ["production", "prod", "live", "release"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for server in subject.contract.servers where server.isLocal {
            guard NameWords.of(server.name.value).contains(where: words.contains) else { continue }
            report.add(
                "the server `\(server.name.value)` is on the machine that the app runs on", at: server.name.range,
                help: "write the address of the service, or name the server `local`")
        }
    }
}
