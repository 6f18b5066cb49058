import ContractModel
import Diagnostics

package enum UndeclaredPathParameter: LintRule {
    package static let kind = FindingKind(
        "undeclared-path-parameter",
        page: """
            A path with a parameter in the syntax of another tool.

            ## Why is this bad
            In a contract, `:id`, `*rest` and `${id}` are not parameters. The client sends the text literally, and the server does
            not find the resource.

            ## Example
            ```yaml
            getBook: {get: "/books/:id", response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: "/books/{id}", response: string}
            ```
            A path parameter is a `string` unless it has a type, as in `{id:int}`.
            """)

    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard case .http(_, let path) = endpoint.written.target, case .path(let parts) = path.value,
                let found = foreign(parts)
            else { continue }
            report.add(
                "`\(found.text)` in the path of `\(endpoint.name)` is not a parameter, and is sent literally",
                at: path.range,
                help: "write `{\(found.name)}`, or percent-encode the character if the path contains it",
                fix: fix(found.text, path.range, subject))
        }
    }

    private static func fix(_ text: String, _ range: SourceRange, _ subject: LintSubject) -> Fix? {
        guard let scalar = subject.document.pair(withValueAt: range)?.value.scalar, !text.hasPrefix("$"),
            let place = scalar.value.firstRange(of: "/" + text)
        else { return nil }
        let start = scalar.value.utf8.distance(from: scalar.value.startIndex, to: place.lowerBound) + 1
        // A brace inside braces needs quotes. A plain text is replaced as a whole, with quotes.
        let other = "{\(text.dropFirst())}"
        if scalar.isPlain {
            let edit = Fix.Edit(
                replacing: range,
                with: "\"\(scalar.value.replacing("/" + text, with: "/" + other, maxReplacements: 1))\"")
            return Fix(title: "write `\(other)`", applicability: .needsALook, edits: [edit])
        }
        let edit = Fix.Edit(replacing: scalar.range(ofValue: start..<(start + text.utf8.count)), with: other)
        return Fix(title: "write `\(other)`", applicability: .needsALook, edits: [edit])
    }

    /// The first segment that another tool would take for a parameter.
    private static func foreign(_ parts: [PathTemplate.Part]) -> (text: String, name: String)? {
        for (position, part) in parts.enumerated() {
            guard case .text(let text) = part else { continue }
            // A segment begins after a `/`; what follows a parameter ends one.
            for segment in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
                let name = segment.dropFirst()
                guard segment.first == ":" || segment.first == "*", let first = name.first,
                    first.isLetter || first == "_",
                    name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
                else { continue }
                return (String(segment), String(name))
            }
            if text.hasSuffix("$"), position + 1 < parts.count, case .parameter(let field) = parts[position + 1] {
                return ("${\(field.name.value)}", field.name.value)
            }
        }
        return nil
    }
}
