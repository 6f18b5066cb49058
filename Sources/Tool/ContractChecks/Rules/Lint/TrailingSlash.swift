import ContractModel
import Diagnostics

package enum TrailingSlash: LintRule {
    package static let kind = FindingKind(
        "trailing-slash", .warning,
        page: """
            A path that ends with `/`, or one that does not although most paths of the contract do.

            Some frameworks, such as Django, end each path with `/`. If more than half of a contract's paths do, and at least three, the
            others are reported. A path whose last part has a dot, such as `/schema.json`, is never reported as one without a `/`.

            ## Why is this bad
            In HTTP, `/books/` and `/books` are two resources. Servers that use only one of them redirect from the other. A
            redirect costs a round trip. The client does not follow one that would turn a POST into a GET, and the failure says how to
            write the path.

            ## Example
            ```yaml
            listNames: {get: /names/, response: string}
            ```
            ## Use instead
            ```yaml
            listNames: {get: /names, response: string}
            ```
            """)

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
        edit("remove the `/`", range, subject) { text in
            // A path of slashes alone keeps its first one.
            let slashes = min(text.reversed().prefix { $0 == UInt8(ascii: "/") }.count, text.count - 1)
            return slashes > 0 ? ((text.count - slashes)..<text.count, "") : nil
        }
    }

    private static func addition(_ range: SourceRange, _ subject: LintSubject) -> Fix? {
        edit("add a `/`", range, subject) { text in (text.count..<text.count, "/") }
    }

    /// A fix that changes a part of a path.
    ///
    /// - Parameter change: the bytes of the path to replace, and the new text; nil if nothing changes.
    private static func edit(
        _ title: String, _ range: SourceRange, _ subject: LintSubject,
        _ change: (String.UTF8View) -> (Range<Int>, String)?
    ) -> Fix? {
        guard let scalar = subject.document.pair(withValueAt: range)?.value.scalar,
            let (bytes, text) = change(scalar.value.utf8)
        else { return nil }
        let edit = Fix.Edit(replacing: scalar.range(ofValue: bytes), with: text)
        return Fix(title: title, applicability: .needsALook, edits: [edit])
    }
}
