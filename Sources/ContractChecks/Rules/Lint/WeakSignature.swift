import ContractModel
import Diagnostics

/// Requests that are signed with MD5 or SHA-1 and travel without TLS.
///
/// ## Why is this bad
/// An attacker who can read and change requests on their way can also work on their signature: MD5 has had collisions for twenty years
/// (RFC 6151), SHA-1 has them too. Where TLS protects the way, no attacker sees text and signature together, and an old
/// server that knows nothing else is no danger; the rule then keeps quiet.
///
/// ## Example
/// ```yaml
/// signing: {algorithm: hmac-sha1, over: sortedParameters, key: secret, into: {query: sign}}
/// ```
/// with a server at `http://`.
///
/// ## Use instead
/// ```yaml
/// signing: {algorithm: hmac-sha256, over: sortedParameters, key: secret, into: {query: sign}}
/// ```
/// Or reach the server by `https://`.
package enum WeakSignature: LintRule {
    package static let name = "weak-signature"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.security]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard let signing = subject.contract.signing, signing.algorithm.value != .hmacSHA256,
            let server = subject.contract.servers.first(where: \.isOpenToReaders)
        else { return }
        report.add(
            "nothing but \(signing.algorithm.value.rawValue) protects what is sent to `\(server.name.value)`",
            at: signing.algorithm.range,
            notes: [DiagnosticNote("the server", at: server.name.range)],
            help: "write `hmac-sha256`, or reach the server by `https://`")
    }
}
