import Diagnostics
import YAMLTree

extension LanguageKey where Owner == TypeKeys {
    static var enumeration: Self {
        Self(
            "enum", .enumeration, "list of values, or Swift name → wire value",
            read: { decoder, pair, type in
                type.enumeration = decoder.enumeration(pair.value, type.name)
                return type.enumeration != nil
            }, write: { type, _ in type.enumeration?.printed })
    }
}

extension EnumDefinition {
    /// A list of values that are their own names, or names with values.
    fileprivate var printed: PrintedNode {
        if wireKind == .int { return .mapping(cases.map { ($0.name.value, .plain($0.wireValue.value)) }) }
        if cases.contains(where: { $0.name.value != $0.wireValue.value }) {
            return .mapping(cases.map { ($0.name.value, Self.printed($0.wireValue.value)) })
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
        return EnumDefinition(cases: cases, wireKind: kind, isClosed: false)
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
}
