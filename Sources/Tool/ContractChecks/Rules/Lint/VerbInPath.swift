import ContractModel
import Diagnostics

package enum VerbInPath: LintRule {
    package static let kind = FindingKind(
        "verb-in-path", .note,
        page: """
            A path with a verb that repeats the method: `/getBooks`, `/books/delete`.

            ## Why is this bad
            A path names a resource, and the method says what to do with it. With verbs in paths, one resource has several URLs,
            which caches and logs cannot connect.

            ## Example
            ```yaml
            getBook: {get: "/getBook/{id}", response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: "/books/{id}", response: string}
            ```
            If another team owns the service and its paths, turn the rule off for its contract.
            """)

    package static let tags: [RuleTag] = [.http, .naming]

    private static let firstLetters = Set((verbs + verbs.map { $0.uppercased() }).compactMap(\.utf8.first))
    private static let verbs = [
        "get", "fetch", "list", "create", "add", "insert", "update", "modify", "delete", "remove",
    ]

    /// Verbs that are things as well: `/firmware/update`, `/list-prices`.
    private static let nouns: Set<String> = ["list", "update", "insert"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard case .http(_, let path) = endpoint.written.target, case .path(let parts) = path.value else {
                continue
            }
            let segments = parts.flatMap { part -> [Substring] in
                if case .text(let text) = part { text.split(separator: "/") } else { [] }
            }
            guard let segment = segments.first(where: beginsWithVerb) else { continue }
            report.add(
                "`\(segment)` repeats in the path what the method says", at: path.range,
                help: "write a noun in the path; the method says what to do")
        }
    }

    /// `get`, `getBook` and `get-book`, and not `getaways`.
    private static func beginsWithVerb(_ segment: Substring) -> Bool {
        guard let first = segment.utf8.first, firstLetters.contains(first) else { return false }
        let small = segment.lowercased()
        return verbs.contains { verb in
            guard small.hasPrefix(verb) else { return false }
            guard let next = segment.dropFirst(verb.count).first else { return !nouns.contains(verb) }
            return ((next == "-" || next == "_") && !nouns.contains(verb)) || next.isUppercase
        }
    }
}
