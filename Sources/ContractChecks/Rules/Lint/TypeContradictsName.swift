import ContractModel
import Diagnostics

/// A field whose name says that it is a time, a truth value, a URL or a UUID, and whose type is another.
///
/// ## Why is this bad
/// Each screen converts it in its own way. A number that is a time may be seconds or milliseconds, a text that is a truth
/// value may be `true`, `yes` or `1`, and a text that is a URL or a UUID is checked only by the callers that remember to. The type reads
/// it once, and a server that sends something else is noticed at the boundary.
///
/// ## Example
/// ```yaml
/// Book: {title: string, createdAt: int, isNew: string, coverURL: string}
/// ```
/// ## Use instead
/// ```yaml
/// Book: {title: string, createdAt: timestamp(unix), isNew: bool, coverURL: url}
/// ```
/// Where the server sends a truth value as text or number, add `coerce: true`.
package enum TypeContradictsName: LintRule {
    package static let name = "type-contradicts-name"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for field in subject.ownFields {
            guard let type = field.type.primitive, type == .string || type.isWholeNumber else { continue }
            let words = NameWords.of(field.name.value)
            guard let first = words.first, let last = words.last,
                let wanted = wanted(first: first, last: last, count: words.count, type)
            else { continue }
            report.add(
                "`\(field.name.value)` is named like a `\(wanted)` and is a `\(type.spelling)`", at: field.typeRange,
                help: "write `\(wanted)`", fix: subject.replacingType(type.spelling, of: field, with: wanted))
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
