import ContractModel
import Diagnostics

package enum NamingConvention: LintRule {
    package static let kind = FindingKind(
        "naming-convention", .note,
        page: """
            A type that begins with a lowercase letter, or an endpoint, error, outcome or field that begins with an uppercase
            letter.

            ## Why is this bad
            The names of a contract become Swift names, and in Swift the first letter shows whether a name is a type.

            ## Example
            ```yaml
            GetBook: {get: /book, response: {Title: string}}
            ```
            ## Use instead
            ```yaml
            getBook: {get: /book, response: {title: {type: string, wire: Title}}}
            ```
            `wire:` keeps the server's name.
            """)

    package static let tags: [RuleTag] = [.naming]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let contract = subject.contract
        for type in contract.types
        where type.name.value.first?.isLowercase == true && type.swiftName == nil && type.inline == nil {
            report.add(
                "the type `\(type.name.value)` begins with a lowercase letter", at: type.name.range,
                help: "begin it with an uppercase letter")
        }
        var names = subject.endpoints.filter { $0.written.swiftName == nil && beginsWithCapital($0.name) }.map {
            $0.written.name
        }
        names += subject.endpoints.flatMap { $0.written.outcomes }.map(\.name).filter { beginsWithCapital($0.value) }
        names += contract.events.filter { $0.swiftName == nil && beginsWithCapital($0.name.value) }.map(\.name)
        names += contract.errors.filter { $0.swiftName == nil && beginsWithCapital($0.name.value) }.map(\.name)
        // The names of headers are written as HTTP writes them.
        let common = Set(contract.common.all.map(\.field.name.range)).union(subject.headerFieldPlaces)
        for field in subject.ownFields
        where beginsWithCapital(field.name.value) && field.swiftName == nil && !common.contains(field.name.range) {
            names.append(field.name)
        }
        for name in names {
            report.add(
                "`\(name.value)` begins with an uppercase letter, like a type", at: name.range,
                help: "begin it with a lowercase letter; `wire:` keeps the server's name of a field")
        }
    }

    private static func beginsWithCapital(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        if first < 0x80 { return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) }
        return name.first?.isUppercase == true
    }
}
