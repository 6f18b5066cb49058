import Diagnostics
import YAMLTree

/// The keys of a field in its long form, as written.
struct FieldKeys: Sendable {
    let name: Located<String>
    var type: TypeReference?
    fileprivate(set) var typeRange: SourceRange
    fileprivate var inside: Inside?
    fileprivate(set) var options = FieldOptions()

    /// The structure inside of a field.
    fileprivate struct Inside: Sendable {
        var place: InlinePlace?
        var fields: [FieldDefinition]
    }

    init(name: Located<String>) {
        self.name = name
        typeRange = name.range
    }

    init(_ field: FieldDefinition, _ scope: PrintScope) {
        name = field.name
        type = field.type
        typeRange = field.typeRange
        options = field.options ?? FieldOptions()
        if let inside = scope.inside(of: field.type) {
            self.inside = Inside(place: nil, fields: inside.fields)
            if case .named = inside.type { type = nil } else { type = inside.type }
        }
    }

    /// The word for the structure inside of a field.
    private static let word = "fields"

    /// The field, and the structure inside of it.
    ///
    /// - Parameter usualType: the type without `type` and `fields`.
    func definition(_ decoder: inout ContractDecoder, usualType: TypeReference? = nil) -> FieldDefinition? {
        var name: String?
        if let inside, var place = inside.place {
            place.swiftField = options.swiftName?.value
            let inner = Located(place.typeName, at: self.name.range)
            var structure = TypeDefinition(name: inner, form: .structure(inside.fields))
            structure.inline = place
            decoder.inlineTypes.append(structure)
            name = inner.value
        }
        guard var type = type ?? name.map({ .named(Located($0, at: self.name.range)) }) ?? usualType else { return nil }
        if let name, self.type != nil {
            let spelled = type
            type = type.replacing(Self.word, by: name)
            if type == spelled {
                decoder.report(
                    .conflictingKeys, "the type of \(quoted(self.name.value)) does not mention its `fields`",
                    at: typeRange, help: "write `fields`, `fields?` or `[fields]`, or remove one of the two")
            }
        }
        return FieldDefinition(name: self.name, type: type, typeRange: typeRange, options: options)
    }

    // MARK: The table

    private typealias Key = LanguageKey<FieldKeys>

    static let mapping = LanguageMapping<FieldKeys>(
        "field", "a field in its long form",
        [typeKey, fields, wire, defaultKey, example, doc, deprecated, sensitive, swift] + constraints
            + [coerce, lenient, skipInvalid, single, nullable, joined, contentType],
        rules: [
            .atLeastOne(["type", "fields"]).explained(
                missing: "a field in its long form needs `type`",
                add: "write `{type: string, …}`, or `{fields: {name: string}}` for a structure"),
            ConstraintKeys.zoneNeedsFormat,
        ])

    /// The keys of a value that is only sent: not those of a structure, of a value in a response, or of one kind of body.
    static let common: [LanguageKey<FieldKeys>] =
        [typeKey, wire, defaultKey, example, doc, deprecated, sensitive, swift] + constraints

    private static let typeKey = Key(
        "type", .type(hasDefault: true), "the field's type",
        read: { decoder, pair, field in
            guard let spelled = decoder.typeWithDefault(pair.value, "the type of \(quoted(field.name.value))") else {
                return false
            }
            (field.type, field.typeRange) = (spelled.type, pair.value.range)
            field.options.defaultValue = spelled.defaultValue
            return true
        },
        write: { field, _ in
            field.type.map { type in
                field.options.defaultValue?.value.textBesideType.map { .text("\(type.spelling) = \($0)") }
                    ?? .type(type.spelling)
            }
        })
    private static let fields = Key(
        "fields", .fields, "name → field: a nested structure, which `type` refers to as `fields`",
        read: { decoder, pair, field in
            guard let outer = decoder.owner else { return false }
            let place = InlinePlace(owner: outer, field: field.name.value)
            decoder.owner = .type(place.typeName)
            field.inside = Inside(place: place, fields: decoder.fields(pair.value, of: "fields"))
            decoder.owner = outer
            return true
        },
        write: { field, scope in field.inside.map { Codec<[FieldDefinition]>.fields.write($0.fields, scope) } })
    private static let wire = Key("wire", \.options.declaredWireName, .text, "name on the wire")
    private static let defaultKey = Key(
        "default", .literal, "value if the field is absent",
        read: { decoder, pair, field in
            guard let value = decoder.defaultValue(pair.value) else { return false }
            field.options.defaultValue = value
            return true
        }, write: { field, _ in field.options.defaultValue?.value.printed })
    private static let example = Key(
        "example", \.options.example, .example, "a value of the type, for people, the mock server and the pages")
    private static let doc = Key("doc", \.options.doc, .text, "description of the field")
    private static let deprecated = Key.deprecated(\.options.deprecated)
    private static let sensitive = Key(
        "sensitive", \.options.isSensitive, .flag,
        "`true`: descriptions, logs, errors and traces do not show the value", usual: false)
    private static let swift = Key("swift", \.options.swiftName, .text, "another Swift name")
    private static let constraints = ConstraintKeys.all.map { $0.of(\FieldKeys.options.constraints) }
    private static let coerce = Key(
        "coerce", \.options.coerces, .flag,
        "`true`: also reads a number as a string, a string as a number, 0 and 1 as a bool, and `\"\"` as nil",
        usual: false)
    private static let lenient = Key(
        "lenient", \.options.isLenient, .flag,
        "`true`: a wrong value is nil, or an empty list; `false`: it is a failure also with `reading: lenient`")
    private static let skipInvalid = Key(
        "skipInvalid", \.options.skipsInvalid, .flag,
        "`true`: an invalid element is skipped, and the rest of the list is kept", usual: false)
    private static let single = Key(
        "single", \.options.acceptsSingle, .flag, "`true`: a single object counts as a list of one element",
        usual: false)
    private static let nullable = Key(
        "nullable", .words(of: Nullability.self),
        "`distinct`: the app can tell absent, null and a value apart; `required`: always present, nil as null",
        read: { decoder, pair, field in
            guard let text = decoder.text(pair.value, "`nullable`") else { return false }
            field.options.nullable = Nullability(rawValue: text.value)
            if field.options.nullable != nil { return true }
            let type = field.type?.unwrapped.spelling ?? "fields"
            decoder.report(
                .unknownValue, "`nullable` cannot be \(quoted(text.value))", at: text.range,
                help:
                    "write `nullable: distinct` or `nullable: required`, or only `\(type)?` for a value that may be absent or null"
            )
            return false
        }, write: { field, _ in field.options.nullable.map { .text($0.rawValue) } })
    private static let joined = Key(
        "joined", \.options.joining, .word,
        "`commas`, `spaces` or `pipes`: a list in a query, a header or a form is one text with these between its values"
    )
    private static let contentType = Key(
        "contentType", \.options.contentType, .text, "media type of a file, or of another part of a multipart body")
}

extension Codec where Value == [FieldDefinition] {
    /// Name → field.
    static var fields: Codec {
        Codec(
            .fields, read: { decoder, node, name in Located(decoder.fields(node, of: name.key), at: node.range) },
            writeIn: { fields, scope in .mapping(fields.map { ($0.name.value, $0.printed(in: scope)) }) })
    }
}

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
        if reportMapAsField(name, node, mapping) { return nil }
        var keys = FieldKeys(name: name)
        _ = read(node, as: FieldKeys.mapping, into: &keys)
        return keys.definition(&self)
    }

    /// A mapping that has none of the keys of a field.
    private mutating func reportMapAsField(_ name: Located<String>, _ node: YAMLNode, _ mapping: YAMLMapping) -> Bool {
        guard mapping["type"] == nil, mapping["fields"] == nil, let first = mapping.first?.key.text,
            !FieldKeys.mapping.description.allows(first)
        else { return false }
        let isMap = mapping.count == 1 && first == "string"
        report(
            .missingKey, "\(quoted(name.value)) is a mapping without `type`", at: node.range,
            help: isMap
                ? "write a map type in square brackets: `[string: \(mapping[0].value.text ?? "…")]`"
                : "write `{type: …, …}` for a field in its long form, or `{fields: {name: string}}` for a nested structure"
        )
        return true
    }

    /// A default in the long form: a scalar, `[]` or `{}`.
    fileprivate mutating func defaultValue(_ node: YAMLNode) -> Located<DefaultValue>? {
        if let sequence = node.sequence, sequence.isEmpty { return Located(.emptyList, at: node.range) }
        if let mapping = node.mapping, mapping.isEmpty { return Located(.emptyMap, at: node.range) }
        guard let scalar = node.scalar else {
            report(.invalidDefault, "a default must be a scalar, `[]` or `{}`", at: node.range)
            return nil
        }
        return Located(.text(scalar.value, isQuoted: !scalar.isPlain), at: node.range)
    }
}

extension FieldDefinition {
    /// The short form if the field only has a type, or a type and a word as its default.
    fileprivate func printed(in scope: PrintScope) -> PrintedNode {
        Self.shortened(FieldKeys.mapping.pairs(of: FieldKeys(self, scope), scope))
    }

    /// The keys of a field, or what says the same on one line.
    static func shortened(_ pairs: [(key: String, value: PrintedNode)]) -> PrintedNode {
        guard let type = pairs.first, type.key == "type" else { return .mapping(pairs) }
        if pairs.count == 1 { return type.value }
        guard pairs.count == 2, pairs[1].key == "default", case .plain(let word) = pairs[1].value,
            case .type(let spelling) = type.value, !spelling.hasPrefix("[")
        else { return .mapping(pairs) }
        return .text("\(spelling) = \(word)")
    }
}

extension DefaultValue {
    /// The value of `default`; nil for a text that only the short form can have without quotation marks.
    fileprivate var printed: PrintedNode? {
        switch self {
        case .text(let text, let isQuoted):
            isQuoted ? .quoted(text) : Self.isWord(text) ? .plain(text) : nil
        case .string(let text): .quoted(text)
        case .bool(let flag): .flag(flag)
        case .number(let text), .enumCase(let text): .plain(text)
        case .emptyList: .list([])
        case .emptyMap: .mapping([])
        }
    }

    /// A text without quotation marks that isn't a word, as `string = x, y` has it.
    fileprivate var textBesideType: String? {
        guard case .text(let text, isQuoted: false) = self, !Self.isWord(text) else { return nil }
        return text
    }

    /// Whether YAML reads a text without quotation marks as itself everywhere.
    package static func isWord(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard let first = digits.utf8.first, ContractDecoder.isLetterOrDigit(first) else { return false }
        return digits.utf8.allSatisfy { ContractDecoder.isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x2E }
    }
}
