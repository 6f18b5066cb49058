import ContractModel
import Diagnostics

package enum WeakSignature: LintRule {
    package static let kind = FindingKind(
        "weak-signature", .warning,
        page: """
            Requests that are signed with MD5 or SHA-1 and sent without TLS.

            ## Why is this bad
            An attacker on the network who reads and changes requests can also attack their signature. Collisions are known for MD5 (RFC 6151)
            and for SHA-1. With TLS, an attacker sees neither the text nor the signature, so the rule allows an old server that supports no
            better algorithm.

            ## Example
            ```yaml
            signing: {algorithm: hmac-sha1, over: sortedParameters, key: secret, into: {query: sign}}
            ```
            with a server at `http://`.

            ## Use instead
            ```yaml
            signing: {algorithm: hmac-sha256, over: sortedParameters, key: secret, into: {query: sign}}
            ```
            Or reach the server by `https://`.
            """)

    package static let tags: [RuleTag] = [.security]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let signed = Set(subject.contract.roles.filter { $0.sends(.signature) }.map(\.name.value))
        guard let signing = subject.contract.signing, signing.algorithm.value != .hmacSHA256,
            let server = subject.contract.servers.first(where: { server in
                server.url.isOpenToReaders
                    || server.roles.contains { signed.contains($0.name.value) && $0.url.isOpenToReaders }
            })
        else { return }
        report.add(
            "only \(signing.algorithm.value.rawValue) protects requests to `\(server.name.value)`",
            at: signing.algorithm.range,
            notes: [DiagnosticNote("the server", at: server.name.range)],
            help: "write `hmac-sha256`, or reach the server by `https://`")
    }
}
