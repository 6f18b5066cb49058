import ContractModel
import Diagnostics

package enum MoneyAsDouble: LintRule {
    package static let kind = FindingKind(
        "money-as-double", .warning,
        page: """
            An amount of money as `double` or `float`.

            ## Why is this bad
            Binary fractions cannot represent 0.10, so an amount changes when the app reads, adds and sends it. The client reads
            and writes a `decimal` as text, without conversion to binary.

            ## Example
            ```yaml
            Invoice: {number: int, amount: double}
            ```
            ## Use instead
            ```yaml
            Invoice: {number: int, amount: decimal}
            ```
            """)

    package static let tags: [RuleTag] = [.types]

    private static let words: Set<String> = [
        "amount", "price", "balance", "fee", "cost", "salary", "tax", "discount", "money", "subtotal", "payment",
        "total",
    ]
    /// Names of the elements that a `total` beside them counts.
    private static let lists: Set<String> = [
        "items", "data", "results", "entries", "records", "rows", "list", "elements",
    ]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        // The same names come again and again.
        var known: [String: Bool] = [:]
        func isMoney(_ name: String) -> Bool {
            if let answer = known[name] { return answer }
            let answer = NameWords.of(name).contains(where: words.contains)
            known[name] = answer
            return answer
        }
        let besideCurrency = placesBesideCurrency(subject.contract)
        let counts = placesOfCounts(subject.contract)
        for field in subject.ownFields {
            guard let type = subject.primitive(field.type), type == .double || type == .float,
                isMoney(field.name.value) || besideCurrency.contains(field.name.range),
                !counts.contains(field.name.range)
            else { continue }
            report.add(
                "`\(field.name.value)` is an amount of money, and `\(type.spelling)` cannot represent cents exactly",
                at: field.typeRange,
                help: "write `decimal`",
                fix: subject.replacingType(type.spelling, of: field, with: "decimal"))
        }
    }

    /// The fields named `total` beside a list of elements, which count the elements.
    private static func placesOfCounts(_ contract: Contract) -> Set<SourceRange> {
        var places = Set<SourceRange>()
        func look(_ fields: [FieldDefinition]) {
            let isPage = fields.contains { field in
                field.type.isList && lists.contains(field.name.value.lowercased())
            }
            guard isPage else { return }
            places.formUnion(fields.filter { $0.name.value.lowercased() == "total" }.map(\.name.range))
        }
        for type in contract.types { if case .structure(let fields) = type.form { look(fields) } }
        for endpoint in contract.endpoints { if case .fields(let fields) = endpoint.response.value { look(fields) } }
        return places
    }

    /// The fields of a structure with a `currency`, if the currency can belong only to a single number.
    private static func placesBesideCurrency(_ contract: Contract) -> Set<SourceRange> {
        var places = Set<SourceRange>()
        for type in contract.types {
            guard case .structure(let fields) = type.form,
                fields.contains(where: { NameWords.of($0.name.value).last == "currency" })
            else { continue }
            let numbers = fields.filter { $0.type.primitive?.isNumber == true }
            if numbers.count == 1 { places.formUnion(numbers.map(\.name.range)) }
        }
        return places
    }
}
