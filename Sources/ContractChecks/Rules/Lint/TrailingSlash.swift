import ContractModel
import Diagnostics

/// A path that ends with `/`, or one that does not although most paths of the contract do.
///
/// Some frameworks, such as Django, end each path with `/`. If more than half of a contract's paths do, and at least three, the
/// others are reported. A path whose last part has a dot, such as `/schema.json`, is never reported as one without a `/`.
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

    /// The fewest paths that show that a server ends its paths with `/`.
    private static let fewest = 3

    private struct Path {
        let endpoint: String
        let range: SourceRange
        let endsWithSlash: Bool
        let isFile: Bool
    }

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let paths = subject.endpoints.compactMap(path(of:))
        let slashes = paths.count(where: \.endsWithSlash)
        let isUsual = slashes >= fewest && slashes * 2 > paths.count
        for path in paths where path.endsWithSlash != isUsual {
            if path.endsWithSlash {
                report.add(
                    "the path of `\(path.endpoint)` ends with `/`", at: path.range,
                    help: "remove the `/`, unless the server requires it", fix: removal(path.range, subject))
            } else if !path.isFile {
                report.add(
                    "the path of `\(path.endpoint)` does not end with `/`, but most paths of the contract do",
                    at: path.range, help: "add a `/`, unless the server has this path without it",
                    fix: addition(path.range, subject))
            }
        }
    }

    /// The end of an endpoint's path; nil for `/` alone, which has no other form.
    private static func path(of endpoint: LintedEndpoint) -> Path? {
        guard case .http(_, let path) = endpoint.written.target, case .path(let parts) = path.value,
            let last = parts.last
        else { return nil }
        guard case .text(let text) = last else {
            return Path(endpoint: endpoint.name, range: path.range, endsWithSlash: false, isFile: false)
        }
        guard parts.count > 1 || text != "/" else { return nil }
        let part = text.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }
        return Path(
            endpoint: endpoint.name, range: path.range, endsWithSlash: part.isEmpty,
            isFile: part.contains(UInt8(ascii: ".")))
    }

    private static func removal(_ range: SourceRange, _ subject: LintSubject) -> Fix? {
        guard let scalar = subject.document.pair(withValueAt: range)?.value.scalar else { return nil }
        let length = scalar.value.utf8.count
        let slashes = min(scalar.value.utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count, length - 1)
        guard slashes > 0 else { return nil }
        let edit = Fix.Edit(replacing: scalar.range(ofValue: (length - slashes)..<length), with: "")
        return Fix(title: "remove the `/`", applicability: .needsALook, edits: [edit])
    }

    private static func addition(_ range: SourceRange, _ subject: LintSubject) -> Fix? {
        guard let scalar = subject.document.pair(withValueAt: range)?.value.scalar else { return nil }
        let length = scalar.value.utf8.count
        let edit = Fix.Edit(replacing: scalar.range(ofValue: length..<length), with: "/")
        return Fix(title: "add a `/`", applicability: .needsALook, edits: [edit])
    }
}
