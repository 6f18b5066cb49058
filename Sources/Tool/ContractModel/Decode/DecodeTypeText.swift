import Diagnostics
import YAMLTree

extension Codec where Value == TypeReference {
    /// A type as text, or in the flow forms `[User]` and `[string: User]`.
    static var type: Codec {
        Codec(
            .type(), read: { decoder, node, name in decoder.type(node, name.text).map { Located($0, at: node.range) } },
            write: { .type($0.spelling) })
    }
}

extension ContractDecoder {
    /// A type as a node: text, or the flow forms `[User]` and `[string: User]`.
    mutating func type(_ node: YAMLNode, _ what: @autoclosure () -> String) -> TypeReference? {
        guard let spelled = typeWithDefault(node, what()) else { return nil }
        if let defaultValue = spelled.defaultValue {
            report(
                .invalidDefault, "\(what()) cannot have a default", at: defaultValue.range,
                help: "only fields have defaults")
        }
        return spelled.type
    }

    /// A type, with the default after `=` if it is text.
    mutating func typeWithDefault(
        _ node: YAMLNode, _ what: @autoclosure () -> String
    ) -> (type: TypeReference, defaultValue: Located<DefaultValue>?)? {
        switch node.kind {
        case .unreadable: return nil
        case .sequence: return listType(node, what(), depth: 1).map { ($0, nil) }
        case .mapping:
            report(
                .wrongKind, "\(what()) must be a type, and is a mapping", at: node.range,
                help: node.mapping?.isFlow == true
                    ? "write a map as `[string: User]`" : "write a type, such as `string`, `User?` or `[User]`")
            return nil
        case .scalar: break
        }
        guard let scalar = node.scalar else { return nil }
        let text = scalar.value
        guard !text.trimmingBlanks().isEmpty else {
            report(
                .missingValue, "\(what()) is empty", at: node.range,
                help: "write a type, such as `string`, `User?` or `[User]`")
            return nil
        }
        if let type = TypeText.primitive(text) { return (type, nil) }
        switch TypeText.read(text, locate: { scalar.range(ofValue: $0) }) {
        case .failure(let message, let help, let part):
            let range = part.isEmpty ? node.range : scalar.range(ofValue: part)
            report(.invalidType, message, at: range, help: help)
            return nil
        case .type(let type, nil):
            return (type, nil)
        case .type(let type, let part?):
            let literal = String(decoding: Array(text.utf8)[part], as: UTF8.self).trimmingBlanks()
            guard !literal.isEmpty else {
                reportMissingDefault(Located(text, at: node.range), node)
                return (type, nil)
            }
            return (type, defaultLiteral(literal, at: scalar.range(ofValue: part)))
        }
    }

    /// `[User]` and `[string: User]` as YAML reads them: a list of one element, which may be a mapping of one pair.
    private mutating func listType(_ node: YAMLNode, _ what: @autoclosure () -> String, depth: Int) -> TypeReference? {
        guard let sequence = node.sequence, sequence.isFlow, sequence.count == 1, depth <= 32 else {
            report(
                .invalidType, "\(what()) must be a type, and is a list", at: node.range,
                help: "write a list type as `[User]` and a map type as `[string: User]`, each with one element type")
            return nil
        }
        let element = sequence[0]
        if let mapping = element.mapping {
            guard mapping.count == 1, mapping[0].key.text == "string" else {
                report(.invalidType, "the keys of a map are strings", at: element.range, help: "write `[string: …]`")
                return nil
            }
            return elementType(mapping[0].value, what(), depth: depth).map(TypeReference.map)
        }
        return elementType(element, what(), depth: depth).map(TypeReference.list)
    }

    private mutating func elementType(_ node: YAMLNode, _ what: @autoclosure () -> String, depth: Int) -> TypeReference?
    {
        node.kind == .sequence ? listType(node, what(), depth: depth + 1) : type(node, "the element of \(what())")
    }

    /// The literal after `=`: quoted text, `[]`, `[:]`, or a word.
    private mutating func defaultLiteral(_ literal: String, at range: SourceRange) -> Located<DefaultValue>? {
        switch literal {
        case "[]": return Located(.emptyList, at: range)
        case "[:]", "{}": return Located(.emptyMap, at: range)
        default: break
        }
        guard let quote = literal.first, quote == "\"" || quote == "'" else {
            return Located(.text(literal, isQuoted: false), at: range)
        }
        guard literal.count >= 2, literal.last == quote else {
            report(
                .yamlCommaInFlowText, "text follows the closing quote in \(quoted(literal))", at: range,
                help: "a comma ends a value inside braces; quote the whole text: `'string = \"x, y\"'`")
            return nil
        }
        let inner = literal.dropFirst().dropLast()
        var value = ""
        var isEscaped = false
        for character in inner {
            if isEscaped {
                switch character {
                case "n": value.append("\n")
                case "t": value.append("\t")
                default: value.append(character)
                }
                isEscaped = false
            } else if character == "\\", quote == "\"" {
                isEscaped = true
            } else if character == quote {
                report(
                    .invalidDefault, "a quote inside \(quoted(literal)) ends the text too early", at: range,
                    help: "write `\\\(quote)` inside quotes")
                return nil
            } else {
                value.append(character)
            }
        }
        return Located(.text(value, isQuoted: true), at: range)
    }
}
