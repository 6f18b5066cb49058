import ContractModel
import Diagnostics

/// A field that holds data about a person, by its name, and is not marked `sensitive`: an email address, a phone number, an
/// IBAN, the number of a card.
///
/// ## Why is this bad
/// Descriptions, logs, errors and traces print it, and with them it reaches crash reports and the servers of others. In the
/// path of a request it is the subject of `credential-in-url`.
///
/// ## Example
/// ```yaml
/// Reader: {name: {type: string, sensitive: true}, email: string}
/// ```
/// ## Use instead
/// ```yaml
/// Reader: {name: {type: string, sensitive: true}, email: {type: string, sensitive: true}}
/// ```
package enum UnmarkedPersonalData: LintRule {
    package static let name = "unmarked-personal-data"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.security, .types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        // A path is the subject of `credential-in-url`.
        let inPath = subject.pathParameterPlaces
        for field in subject.ownFields where !field.isSensitive && SecretName.isPersonal(field.name.value) {
            if inPath.contains(field.name.range) { continue }
            guard let type = subject.primitive(field.type), type == .string || type.isWholeNumber else { continue }
            report.add(
                "`\(field.name.value)` is about a person, and would be printed", at: field.name.range,
                help: "write `{type: \(field.type.spelling), sensitive: true}`", fix: subject.markingSensitive(field))
        }
    }
}
