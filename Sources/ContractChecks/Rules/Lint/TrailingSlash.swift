import ContractModel
import Diagnostics

/// A path that ends with `/`.
///
/// ## Why is this bad
/// In HTTP, `/books/` and `/books` are two resources. Servers that use only one of them redirect from the other. A
/// redirect costs a round trip and may turn a POST into a GET.
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
                case .text(let text)? = parts.last, text.hasSuffix("/"), parts.count > 1 || text != "/"
            else { continue }
            report.add(
                "the path of `\(endpoint.name)` ends with `/`", at: path.range,
                help: "remove the `/`, unless the server requires it", fix: fix(path.range, subject))
        }
    }

    private static func fix(_ range: SourceRange, _ subject: LintSubject) -> Fix? {
        guard let scalar = subject.document.pair(withValueAt: range)?.value.scalar else { return nil }
        let length = scalar.value.utf8.count
        let slashes = min(scalar.value.utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count, length - 1)
        guard slashes > 0 else { return nil }
        let edit = Fix.Edit(replacing: scalar.range(ofValue: (length - slashes)..<length), with: "")
        return Fix(title: "remove the `/`", applicability: .needsALook, edits: [edit])
    }
}
