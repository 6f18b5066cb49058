import Diagnostics
import YAMLTree

extension LanguageKey where Owner == TypeKeys {
    static var enumeration: Self {
        Self(
            "enum", .enumeration,
            "list of values, or Swift name → wire value, or a list of them, of which the first is written",
            read: { decoder, pair, type in
                type.enumeration = decoder.enumeration(pair.value, type.name)
                return type.enumeration != nil
            }, write: { type, _ in type.enumeration?.printed })
    }
}

extension EnumDefinition {
    /// A list of values that are their own names, or names with values.
    fileprivate var printed: PrintedNode {
        let isNumeric = wireKind == .int
        if isNumeric || hasOtherValues || cases.contains(where: { $0.name.value != $0.wireValue.value }) {
            return .mapping(
                cases.map { item in
                    let values = item.wireValues.map {
                        isNumeric ? PrintedNode.plain($0.value) : Self.printed($0.value)
                    }
                    return (item.name.value, values.count == 1 ? values[0] : .list(values))
                })
        }
        return .list(cases.map { Self.printed($0.wireValue.value) })
    }

    /// A number without quotation marks would be one on the wire.
    private static func printed(_ value: String) -> PrintedNode {
        NumberText.isNumber(value) ? .quoted(value) : .text(value)
    }
}

extension ContractDecoder {
    /// A list of values, or names with their values.
    fileprivate mutating func enumeration(_ node: YAMLNode, _ name: Located<String>) -> EnumDefinition? {
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
                if let item = enumCase(pair.name, pair.node) { cases.append(item) }
            }
            kind = wireKind(of: pairs.flatMap { $0.node.sequence.map(Array.init) ?? [$0.node] })
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
        return EnumDefinition(cases: cases, wireKind: kind, isClosed: false)
    }

    /// A name with its value, or with a list of values.
    private mutating func enumCase(_ name: Located<String>, _ node: YAMLNode) -> EnumDefinition.Case? {
        let values = elements(node, name.value).compactMap { text($0, "the wire value of \(quoted(name.value))") }
        guard let first = values.first else {
            if node.sequence?.isEmpty == true {
                report(
                    .missingValue, "\(quoted(name.value)) has no value on the wire", at: node.range,
                    help: "write one value, or a list of values: `\(name.value): [first, second]`")
            }
            return nil
        }
        return EnumDefinition.Case(name: name, wireValue: first, otherValues: Array(values.dropFirst()))
    }

    /// Whether the values are numbers; values of both kinds are reported.
    private mutating func wireKind(of values: [YAMLNode]) -> EnumDefinition.WireKind {
        let areNumbers = values.map { $0.scalar?.isPlain == true && NumberText.integer($0.text ?? "") != nil }
        if !areNumbers.isEmpty, areNumbers.allSatisfy({ $0 }) { return .int }
        guard let odd = values.first(where: { $0.scalar?.isPlain == true && NumberText.isNumber($0.text ?? "") })
        else { return .string }
        let text = odd.text ?? ""
        report(
            .mixedEnumValues,
            "the values of an enum must be all integers or all texts, and \(quoted(text)) is a number",
            at: odd.range,
            help: NumberText.integer(text) == nil
                ? "write an integer of at most 64 bits without leading zeros, or quote it"
                : "if it is text on the wire, quote it: `\"\(text)\"`")
        return .string
    }

    private mutating func reportDuplicateValues(_ cases: [EnumDefinition.Case], _ node: YAMLNode) {
        var first: [String: SourceRange] = [:]
        for value in cases.flatMap(\.wireValues) {
            guard let earlier = first[value.value] else {
                first[value.value] = value.range
                continue
            }
            // A value that occurs twice in a list says the same twice; with names of its own, one of them was meant otherwise.
            let position = node.sequence?.firstIndex { $0.range == value.range }
            let fix = position.flatMap { node.sequence?.removal(of: $0) }.map {
                Fix(title: "remove it", applicability: .certain, edits: [$0])
            }
            findings.add(
                Diagnostic(
                    rule: .duplicateEnumValue, message: "the value \(quoted(value.value)) occurs twice",
                    at: value.range,
                    notes: [DiagnosticNote("first here", at: earlier)], help: "remove one", fix: fix
                ))
        }
    }
}
