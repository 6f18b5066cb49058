import ContractModel
import Diagnostics

/// A field whose name says that it is a time, a Boolean, a URL or a UUID, but whose type is different. Reported once for each name.
///
/// ## Why is this bad
/// Each screen converts the value in its own way. A time as a number may be in seconds or milliseconds. A Boolean as text may be `true`,
/// `yes` or `1`. Not every caller remembers to validate a URL or a UUID. With the correct type, the client converts the value in one
/// place, and reports a response with an unexpected value.
///
/// ## Example
/// ```yaml
/// Book: {title: string, createdAt: int, isNew: string, coverURL: string}
/// ```
/// ## Use instead
/// ```yaml
/// Book: {title: string, createdAt: timestamp(unix), isNew: bool, coverURL: url}
/// ```
/// If the server sends a Boolean as a text or a number, add `coerce: true`.
package enum TypeContradictsName: LintRule {
    package static let name = "type-contradicts-name"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var found: [Contradiction] = []
        var places: [String: Int] = [:]
        for field in subject.ownFields {
            guard let type = field.type.primitive, type == .string || type.isWholeNumber else { continue }
            let words = NameWords.of(field.name.value)
            guard let first = words.first, let last = words.last,
                let wanted = wanted(first: first, last: last, count: words.count, type)
            else { continue }
            let key = "\(field.name.value): \(type.spelling)"
            let place = places[key, default: found.count]
            if place == found.count {
                places[key] = place
                found.append(Contradiction(field: field, type: type.spelling, wanted: wanted))
            }
            found[place].count += 1
            found[place].edits += subject.replacingType(type.spelling, of: field, with: wanted)?.edits ?? []
        }
        for one in found {
            let places = one.count == 1 ? "" : " in \(one.count) places"
            let fix = Fix(title: "make it `\(one.wanted)`", applicability: .needsALook, edits: one.edits)
            report.add(
                "`\(one.field.name.value)` is a `\(one.type)`\(places), but its name says that it is a `\(one.wanted)`",
                at: one.field.typeRange, help: "write `\(one.wanted)`", fix: one.edits.isEmpty ? nil : fix)
        }
    }

    /// Fields with one name and one type.
    private struct Contradiction {
        let field: FieldDefinition
        let type: String
        let wanted: String
        var count = 0
        var edits: [Fix.Edit] = []
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
