import Diagnostics
import YAMLTree

extension ContractDecoder {
    /// A mapping of names to fields.
    mutating func fields(_ node: YAMLNode, of what: String) -> [FieldDefinition] {
        entries(node, of: what).compactMap { name, node in
            reportDocAsField(name, node, of: what) ? nil : field(name, node)
        }
    }

    /// `email: string?`, or the long form with options.
    mutating func field(_ name: Located<String>, _ node: YAMLNode) -> FieldDefinition? {
        if let type = node.text.flatMap(TypeText.primitive) {
            return FieldDefinition(name: name, type: type, typeRange: node.range)
        }
        guard let mapping = node.mapping else {
            guard let spelled = typeWithDefault(node, "the type of \(quoted(name.value))") else { return nil }
            var options: FieldOptions?
            if let value = spelled.defaultValue {
                options = FieldOptions()
                options?.defaultValue = value
            }
            return FieldDefinition(name: name, type: spelled.type, typeRange: node.range, options: options)
        }
        if mapping["type"] == nil, mapping["fields"] == nil, let first = mapping.first?.key.text,
            !LanguageKeys.field.allows(first)
        {
            let isMap = mapping.count == 1 && first == "string"
            report(
                .missingKey, "\(quoted(name.value)) is a mapping without `type`", at: node.range,
                help: isMap
                    ? "write a map type in square brackets: `[string: \(mapping[0].value.text ?? "…")]`"
                    : "write `{type: …, …}` for a field in its long form, or `{fields: {name: string}}` for a nested structure"
            )
            return nil
        }
        guard open(node, as: LanguageKeys.field) != nil else { return nil }
        return longField(name, mapping, defaultType: nil)
    }

    /// A field's long form. `defaultType` is where `type` may be left out.
    mutating func longField(_ name: Located<String>, _ mapping: YAMLMapping, defaultType: TypeReference?)
        -> FieldDefinition?
    {
        var options = FieldOptions()
        let type: TypeReference
        let typeRange: SourceRange
        // A common parameter has no place for a structure.
        let inline = owner == nil ? nil : value(mapping, "fields").map { inlineStructure(name, $0, mapping) }
        if let node = value(mapping, "type") {
            guard let spelled = typeWithDefault(node, "the type of \(quoted(name.value))") else { return nil }
            (type, typeRange) = (inline.map { spelled.type.replacingFields(by: $0) } ?? spelled.type, node.range)
            if inline != nil, type == spelled.type {
                report(
                    .conflictingKeys, "the type of \(quoted(name.value)) does not mention its `fields`", at: node.range,
                    help: "write `fields`, `fields?` or `[fields]`, or remove one of the two")
            }
            options.defaultValue = spelled.defaultValue
        } else if let inline {
            (type, typeRange) = (.named(Located(inline, at: name.range)), name.range)
        } else if let defaultType {
            (type, typeRange) = (defaultType, name.range)
        } else {
            return nil
        }
        options.declaredWireName = text(mapping, "wire")
        options.swiftName = text(mapping, "swift")
        options.doc = text(mapping, "doc")?.value
        options.deprecated = deprecation(mapping)
        options.isSensitive = flag(mapping, "sensitive")?.value ?? false
        options.coerces = flag(mapping, "coerce")?.value ?? false
        options.skipsInvalid = flag(mapping, "skipInvalid")?.value ?? false
        options.acceptsSingle = flag(mapping, "single")?.value ?? false
        options.contentType = text(mapping, "contentType")
        options.constraints = constraints(mapping)
        if let node = value(mapping, "default") { options.defaultValue = defaultValue(node) ?? options.defaultValue }
        if let nullable = text(mapping, "nullable") {
            options.nullable = Nullability(rawValue: nullable.value)
            if options.nullable == nil {
                report(
                    .unknownValue, "`nullable` cannot be \(quoted(nullable.value))", at: nullable.range,
                    help:
                        "write `nullable: distinct` or `nullable: required`, or only `\(type.unwrapped.spelling)?` for a value that may be absent or null"
                )
            }
        }
        return FieldDefinition(name: name, type: type, typeRange: typeRange, options: options)
    }

    /// Reads the structure that is the inside of a field, and gives the name by which references find it.
    private mutating func inlineStructure(_ name: Located<String>, _ node: YAMLNode, _ mapping: YAMLMapping) -> String {
        guard let outer = owner else { return name.value }
        let place = InlinePlace(owner: outer, field: name.value, swiftField: mapping["swift"]?.text)
        owner = .type(place.typeName)
        defer { owner = outer }
        var definition = TypeDefinition(
            name: Located(place.typeName, at: name.range), form: .structure(fields(node, of: "fields")))
        definition.inline = place
        inlineTypes.append(definition)
        return place.typeName
    }

    /// A default in the long form: a scalar, `[]` or `{}`.
    private mutating func defaultValue(_ node: YAMLNode) -> Located<DefaultValue>? {
        if let sequence = node.sequence, sequence.isEmpty { return Located(.emptyList, at: node.range) }
        if let mapping = node.mapping, mapping.isEmpty { return Located(.emptyMap, at: node.range) }
        guard let scalar = node.scalar else {
            report(.invalidDefault, "a default must be a scalar, `[]` or `{}`", at: node.range)
            return nil
        }
        return Located(.text(scalar.value, isQuoted: !scalar.isPlain), at: node.range)
    }

    // MARK: Types

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
