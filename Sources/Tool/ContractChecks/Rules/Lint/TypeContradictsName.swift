import ContractModel
import Diagnostics

package enum TypeContradictsName: LintRule {
    package static let kind = FindingKind(
        "type-contradicts-name", .note,
        page: """
            A field whose name says that it is a time, a Boolean, a URL or a UUID, but whose type is different. Reported once for each name.

            ## Why is this bad
            Each screen converts the value in its own way. A time as a number may be in seconds or milliseconds. A Boolean as text may be `true`,
            `yes` or `1`. Not every caller remembers to validate a URL or a UUID. With the correct type, the client converts the value in one
            place, and reports a response with an unexpected value.

            ## Example
            ```yaml
            Book: {title: string, createdAt: int, isNew: string, coverURL: string}
            ```
            ## Use instead
            ```yaml
            Book: {title: string, createdAt: timestamp(unix), isNew: bool, coverURL: url}
            ```
            If the server sends a Boolean as a text or a number, add `coerce: true`.
            """)

    package static let tags: [RuleTag] = [.types]

    package static let joinsPlaces = true

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for field in subject.ownFields {
            guard let type = field.type.primitive, type == .string || type.isWholeNumber else { continue }
            let words = NameWords.of(field.name.value)
            guard let first = words.first, let last = words.last,
                let wanted = wanted(first: first, last: last, count: words.count, type)
            else { continue }
            report.add(
                "`\(field.name.value)` is a `\(type.spelling)`, but its name says that it is a `\(wanted)`",
                at: field.typeRange, help: "write `\(wanted)`",
                fix: subject.replacingType(type.spelling, of: field, with: wanted))
        }
    }

    private static func wanted(first: String, last: String, count: Int, _ type: Primitive) -> String? {
        if count > 1, ["is", "has", "can"].contains(first) { return "bool" }
        if type.isWholeNumber { return count > 1 && last == "at" ? "timestamp(unix)" : nil }
        switch last {
        case "url", "uri": return "url"
        case "uuid", "guid": return "uuid"
        default: return nil
        }
    }
}
