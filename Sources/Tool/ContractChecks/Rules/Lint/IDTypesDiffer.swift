import ContractModel
import Diagnostics

package enum IDTypesDiffer: LintRule {
    package static let kind = FindingKind(
        "id-types-differ", .warning,
        page: """
            An identifier with different types: an `int` in one place, a `string` or a `uuid` in another.

            ## Why is this bad
            The app has to convert the value wherever it passes it on, and users notice when a conversion fails. Most often one
            of the two types is a mistake.

            ## Example
            ```yaml
            getBook: {get: "/books/{bookID:int}", response: Book}
            removeBook: {delete: "/books/{bookID}"}
            ```
            ## Use instead
            ```yaml
            getBook: {get: "/books/{bookID:int}", response: Book}
            removeBook: {delete: "/books/{bookID:int}"}
            ```
            The rule also compares the field `id` of a type `Book`.
            """)

    package static let tags: [RuleTag] = [.types]

    private struct Use {
        let field: FieldDefinition
        let kind: String
    }

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var owners: [SourceRange: String] = [:]
        for type in subject.contract.types {
            guard case .structure(let fields) = type.form else { continue }
            for field in fields where field.name.value.lowercased() == "id" {
                owners[field.name.range] = type.name.value.lowercased()
            }
        }
        var first: [String: Use] = [:]
        for field in subject.ownFields {
            guard let name = identity(field, owners), let kind = kind(of: subject.primitive(field.type)) else {
                continue
            }
            guard let earlier = first[name] else {
                first[name] = Use(field: field, kind: kind)
                continue
            }
            guard earlier.kind != kind else { continue }
            report.add(
                "`\(field.name.value)` is \(kind) here, but \(earlier.kind) in another place", at: field.typeRange,
                notes: [DiagnosticNote("the other type", at: earlier.field.typeRange)],
                help: "give it the same type everywhere")
        }
    }

    /// `bookid` for `bookID`, and for the `id` of a type `Book`.
    private static func identity(_ field: FieldDefinition, _ owners: [SourceRange: String]) -> String? {
        if let owner = owners[field.name.range] { return owner + "id" }
        let words = NameWords.of(field.name.value)
        return words.count > 1 && words.last == "id" ? words.joined() : nil
    }

    private static func kind(of primitive: Primitive?) -> String? {
        switch primitive {
        case .string: "a text"
        case .uuid: "a `uuid`"
        case let primitive? where primitive.isWholeNumber: "a number"
        default: nil
        }
    }
}
