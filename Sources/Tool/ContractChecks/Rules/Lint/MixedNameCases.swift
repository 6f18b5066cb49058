import ContractModel
import Diagnostics

package enum MixedNameCases: LintRule {
    package static let kind = FindingKind(
        "mixed-name-cases", .note,
        page: """
            A contract with fields in both `likeThis` and `like_this` style.

            ## Why is this bad
            A person who writes a request by hand has to guess the spelling of each name. With one style, `naming` in `defaults`
            derives the names on the wire, and each exception is visible by its `wire`.

            ## Example
            ```yaml
            Book: {title: string, pageCount: int, shelfNumber: int, first_edition: date}
            ```
            ## Use instead
            ```yaml
            Book: {title: string, pageCount: int, shelfNumber: int, firstEdition: {type: date, wire: first_edition}}
            ```
            """)

    package static let tags: [RuleTag] = [.naming]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let headers = subject.headerFieldPlaces
        var camel: [FieldDefinition] = []
        var snake: [FieldDefinition] = []
        for field in subject.ownFields where !headers.contains(field.name.range) {
            let name = field.name.value.utf8
            if name.dropFirst().contains(UInt8(ascii: "_")) {
                snake.append(field)
            } else if name.first.map({ (0x61...0x7A).contains($0) }) == true,
                name.contains(where: { (0x41...0x5A).contains($0) })
            {
                camel.append(field)
            }
        }
        // Two names are not enough to tell a style.
        guard max(camel.count, snake.count) > 1, let other = (camel.count >= snake.count ? camel : snake).first,
            let odd = (camel.count >= snake.count ? snake : camel).first
        else { return }
        let count = min(camel.count, snake.count)
        report.add(
            "`\(odd.name.value)`\(count > 1 ? " and \(count - 1) more" : "") and `\(other.name.value)` have different naming styles",
            at: odd.name.range, notes: [DiagnosticNote("the other style", at: other.name.range)],
            help: "use one style, and `wire:` or `naming` for the names on the wire")
    }
}
