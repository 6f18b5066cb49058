import ContractModel
import Diagnostics
import YAMLTree

package enum DefaultInUpdate: LintRule {
    package static let kind = FindingKind(
        "default-in-update", .warning,
        page: """
            A field with a default in the body of a PATCH or a PUT.

            ## Why is this bad
            The client sends the default whenever the app leaves the field out. An edit of a title then also sends the default of every
            other field, and overwrites what the server has: it publishes a private book, or removes all tags. The default of a field
            in a new resource is not its value in an existing one.

            ## Example
            ```yaml
            replaceBook: {put: "/books/{number:int}", body: {title: string, visible: bool = true}}
            ```
            ## Use instead
            ```yaml
            replaceBook: {put: "/books/{number:int}", body: {title: string, visible: bool}}
            ```
            The app then has to pass the value. If the server keeps what is absent, as it does after a PATCH, make the field optional:
            `visible: bool?`. The rule allows the key of a union. Suppress it for a constant that the server requires.
            """)

    package static let tags: [RuleTag] = [.http, .types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var uses: [SourceRange: Use] = [:]
        var order: [SourceRange] = []
        for endpoint in subject.endpoints {
            guard let method = endpoint.resolved.method, method == .patch || method == .put else { continue }
            for field in fields(of: endpoint, subject) {
                guard let value = field.defaultValue, field.typeRange.file == subject.contract.file else { continue }
                if uses[field.name.range] == nil { order.append(field.name.range) }
                uses[field.name.range, default: Use(field: field, value: value, endpoint: endpoint)].isPut =
                    method == .put || uses[field.name.range]?.isPut == true
            }
        }
        for place in order {
            guard let use = uses[place] else { continue }
            let name = use.field.name.value
            let spelling = use.field.type.spelling
            report.add(
                "`\(use.endpoint.name)` overwrites `\(name)` with its default whenever the app leaves it out",
                at: use.value.range,
                notes: [DiagnosticNote("the endpoint", at: use.endpoint.resolved.name.range)],
                help: use.isPut
                    ? "remove the default, so that the app has to say the value, or write `\(optional(spelling))` if the server keeps an absent value"
                    : "write `\(optional(spelling))`, so that the client leaves it out",
                // The body of a PUT replaces everything, so what its absence means is the server's decision.
                fix: use.isPut ? nil : fix(use.field, subject))
        }
    }

    /// A field with a default, and the first of the endpoints that send it.
    private struct Use {
        let field: FieldDefinition
        let value: Located<DefaultValue>
        let endpoint: LintedEndpoint
        var isPut = false
    }

    /// The fields of a body at any depth, without the keys of unions, which the client writes for each case.
    private static func fields(of endpoint: LintedEndpoint, _ subject: LintSubject) -> [FieldDefinition] {
        guard let body = endpoint.resolved.body else { return [] }
        var fields: [FieldDefinition] = []
        var types: [TypeReference] = []
        switch body.content {
        case .fields(let own): fields += own
        case .type(let type, _): types.append(type)
        case .bytes: return []
        }
        types += fields.map(\.type)
        let names = subject.typeNames(reachedFrom: types)
        let unions = names.sorted().compactMap { name -> UnionDefinition? in
            if case .union(let union)? = subject.type(named: name)?.form { union } else { nil }
        }
        for name in names.sorted() {
            guard case .structure(let own)? = subject.type(named: name)?.form else { continue }
            let keys = unions.filter { union in union.cases.contains { $0.type.names.contains { $0.value == name } } }
                .compactMap { $0.discriminator?.value }
            fields += own.filter { !keys.contains($0.wireName) }
        }
        return fields
    }

    private static func optional(_ spelling: String) -> String {
        let type = spelling.hasSuffix("?") ? spelling : spelling + "?"
        return type.hasPrefix("[") ? "\"\(type)\"" : type
    }

    /// Replaces the default by a `?`, in the short form and in the long one.
    private static func fix(_ field: FieldDefinition, _ subject: LintSubject) -> Fix? {
        let text = subject.document.text(of: field.typeRange)
        var type = text.prefix { $0 != "=" }
        while type.last == " " { type.removeLast() }
        guard subject.document.pair(withValueAt: field.typeRange)?.value.scalar?.isPlain == true, !type.isEmpty,
            type.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_()?".contains($0)) })
        else { return nil }
        var edits = [Fix.Edit(replacing: field.typeRange, with: optional(String(type)))]
        if !text.contains("=") {
            guard let removal = subject.document.mapping(withValueAt: field.typeRange)?.removal(of: "default") else {
                return nil
            }
            edits.append(removal)
        }
        return Fix(title: "make it optional, without a default", applicability: .needsALook, edits: edits)
    }
}
