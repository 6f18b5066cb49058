import ContractModel
import Diagnostics

/// A path that ends with `/`.
///
/// ## Why is this bad
/// To HTTP, `/books/` and `/books` are two resources. Servers that mean one by the other answer with a redirect, which
/// costs a round trip and turns a POST into a GET on the way.
///
/// ## Example
/// ```yaml
/// listNames: {get: /names/, response: string}
/// ```
/// ## Use instead
/// ```yaml
/// listNames: {get: /names, response: string}
/// ```
package enum TrailingSlash: LintRule {
    package static let name = "trailing-slash"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard case .http(_, let path) = endpoint.written.target, case .path(let parts) = path.value,
                  case .text(let text)? = parts.last, text.hasSuffix("/"), parts.count > 1 || text != "/" else { continue }
            report.add("the path of `\(endpoint.name)` ends with `/`", at: path.range,
                       help: "remove it, unless the server really has its resource there")
        }
    }
}
