import ContractModel
import Diagnostics

package enum UnmarkedPersonalData: LintRule {
    package static let kind = FindingKind(
        "unmarked-personal-data", .note,
        page: """
            A field whose name says that it is personal data, without `sensitive: true`: an email address, a phone number, an IBAN,
            or a card number.

            ## Why is this bad
            Descriptions, logs, errors and traces contain its value, and pass it on to crash reports and to servers of other
            companies. For a parameter of the path, see `credential-in-url`.

            ## Example
            ```yaml
            Reader: {name: {type: string, sensitive: true}, email: string}
            ```
            ## Use instead
            ```yaml
            Reader: {name: {type: string, sensitive: true}, email: {type: string, sensitive: true}}
            ```
            """)

    package static let tags: [RuleTag] = [.security, .types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        // `credential-in-url` reports a path parameter.
        let inPath = subject.pathParameterPlaces
        for field in subject.ownFields where !field.isSensitive && SecretName.isPersonal(field.name.value) {
            if inPath.contains(field.name.range) { continue }
            guard let type = subject.primitive(field.type), type == .string || type.isWholeNumber else { continue }
            report.add(
                "`\(field.name.value)` is personal data, and logs would contain it", at: field.name.range,
                help: "write `{type: \(field.type.spelling), sensitive: true}`", fix: subject.markingSensitive(field))
        }
    }
}
