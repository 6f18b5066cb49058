import Diagnostics
import YAMLTree

extension ContractDecoder {
    /// One entry of `types`: the long form if it has one of that form's keys, otherwise fields.
    mutating func type(_ name: Located<String>, _ node: YAMLNode) -> TypeDefinition? {
        guard isIdentifier(name.value) else {
            report(
                .invalidName,
                "\(quoted(name.value)) cannot be the name of a type",
                at: name.range, help: "use only letters, digits and `_`: `\(typeName(name.value))`")
            return nil
        }
        if Primitive(spelling: name.value) != nil || name.value == "none" {
            report(
                .invalidName, "`\(name.value)` is a \(name.value == "none" ? "word" : "type") of the language",
                at: name.range, help: "choose another name, such as `\(typeName(name.value))`")
            return nil
        }
        guard let mapping = node.mapping else {
            if node.kind != .unreadable {
                report(
                    .wrongKind, "the type `\(name.value)` must be a mapping of fields, and is \(node.kindName)",
                    at: node.range,
                    help: node.kind == .scalar
                        ? "write an alias as `{alias: \(node.text ?? "string")}`"
                        : "write `field: type` pairs")
            }
            return nil
        }
        owner = .type(name.value)
        let marks = ["enum", "union", "alias", "fields"].filter { mapping[$0] != nil }
        guard let mark = marks.first else {
            if reportOptionsBesideFields(mapping) { return nil }
            return TypeDefinition(name: name, form: .structure(fields(node, of: name.value)))
        }
        if reportFieldNamedAsMark(mapping, mark) { return nil }
        guard open(node, as: LanguageKeys.type) != nil else { return nil }
        guard let form = form(mapping, mark, name) else { return nil }
        var definition = TypeDefinition(name: name, form: form)
        definition.doc = text(mapping, "doc")?.value
        definition.deprecated = deprecation(mapping)
        definition.swiftName = text(mapping, "swift")
        return definition
    }

    private mutating func form(_ mapping: YAMLMapping, _ mark: String, _ name: Located<String>) -> TypeDefinition.Form?
    {
        guard let node = value(mapping, mark) else { return nil }
        switch mark {
        case "fields": return .structure(fields(node, of: "fields"))
        case "alias": return type(node, "`alias`").map { .alias($0, constraints(mapping)) }
        case "union": return union(node).map(TypeDefinition.Form.union)
        default:
            let isClosed = flag(mapping, "closed")?.value ?? false
            return enumeration(node, name, isClosed: isClosed).map(TypeDefinition.Form.enumeration)
        }
    }

    private mutating func enumeration(_ node: YAMLNode, _ name: Located<String>, isClosed: Bool) -> EnumDefinition? {
        var cases: [EnumDefinition.Case] = []
        var kind = EnumDefinition.WireKind.string
        if let sequence = node.sequence {
            for element in sequence {
                guard let value = text(element, "a value of `enum`") else { continue }
                guard !element.isAbsent else {
                    report(
                        .missingValue, "a value of `enum` is empty", at: element.range,
                        help: "write `\"\"` for the empty text")
                    continue
                }
                cases.append(EnumDefinition.Case(name: value, wireValue: value))
            }
            if let number = sequence.first(where: { $0.scalar?.isPlain == true && NumberText.isNumber($0.text ?? "") }),
                let text = number.text
            {
                report(
                    .unnamedEnumNumber, "the number \(quoted(text)) has no name", at: number.range,
                    help: "write `{one: \(text), …}`; if it is text on the wire, `{one: \"\(text)\", …}`")
            }
        } else {
            let pairs = entries(node, of: "enum")
            for pair in pairs {
                guard let value = text(pair.node, "the wire value of \(quoted(pair.name.value))") else { continue }
                cases.append(EnumDefinition.Case(name: pair.name, wireValue: value))
            }
            let areNumbers = pairs.map {
                $0.node.scalar?.isPlain == true && NumberText.integer($0.node.text ?? "") != nil
            }
            if !areNumbers.isEmpty, areNumbers.allSatisfy({ $0 }) {
                kind = .int
            } else if let odd = pairs.first(where: {
                $0.node.scalar?.isPlain == true && NumberText.isNumber($0.node.text ?? "")
            }) {
                report(
                    .mixedEnumValues,
                    "the values of an enum must be all whole numbers or all texts, and \(quoted(odd.node.text ?? "")) is a number",
                    at: odd.node.range,
                    help: NumberText.integer(odd.node.text ?? "") == nil
                        ? "write a whole number of at most 64 bits without leading zeros, or quote it"
                        : "if it is text on the wire, quote it: `\"\(odd.node.text ?? "")\"`")
            }
        }
        guard !cases.isEmpty else {
            if node.kind != .unreadable,
                !findings.hasErrors || node.sequence?.isEmpty == true || node.mapping?.isEmpty == true
            {
                report(
                    .emptyEnum, "the enum \(quoted(name.value)) has no values", at: node.range,
                    help: "write `[first, second]`")
            }
            return nil
        }
        reportDuplicateValues(cases, node)
        return EnumDefinition(cases: cases, wireKind: kind, isClosed: isClosed)
    }

    private mutating func reportDuplicateValues(_ cases: [EnumDefinition.Case], _ node: YAMLNode) {
        var first: [String: SourceRange] = [:]
        for item in cases {
            guard let earlier = first[item.wireValue.value] else {
                first[item.wireValue.value] = item.wireValue.range
                continue
            }
            // A value that occurs twice in a list says the same twice; with names of its own, one of them was meant otherwise.
            let position = node.sequence?.firstIndex { $0.range == item.wireValue.range }
            let fix = position.flatMap { node.sequence?.removal(of: $0) }.map {
                Fix(title: "remove it", applicability: .certain, edits: [$0])
            }
            findings.add(
                Diagnostic(
                    rule: .duplicateEnumValue, message: "the value \(quoted(item.wireValue.value)) occurs twice",
                    at: item.wireValue.range,
                    notes: [DiagnosticNote("first here", at: earlier)], help: "remove one", fix: fix
                ))
        }
    }

    private mutating func union(_ node: YAMLNode) -> UnionDefinition? {
        guard let mapping = open(node, as: LanguageKeys.union) else { return nil }
        var discriminator: Located<String>?
        let mark = mapping["keys"] == nil ? "cases" : "keys"
        if mark == "cases" {
            guard let by = text(mapping, "by") else { return nil }
            discriminator = by
        }
        guard let casesNode = value(mapping, mark) else { return nil }
        let cases = entries(casesNode, of: mark).compactMap { name, node in
            type(node, "the case \(quoted(name.value))").map { UnionDefinition.Case(name: name, type: $0) }
        }
        guard !cases.isEmpty else {
            report(
                .emptyUnion, "the union has no cases", at: casesNode.range,
                help: "write `\(mark): {image: Image, video: Video}`")
            return nil
        }
        return UnionDefinition(discriminator: discriminator, cases: cases)
    }
}
