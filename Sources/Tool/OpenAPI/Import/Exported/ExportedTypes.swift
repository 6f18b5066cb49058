import ContractModel
import Diagnostics

/// The schemas of an exported document as types and fields of the contract.
final class ExportedTypes {
    let root: Element
    let naming: WireNaming
    let findings: ImportFindings
    /// The owner of the fields that are being read.
    var owner = InlinePlace.Owner.type("")
    /// The structures that are the inside of a field.
    private(set) var inline: [TypeDefinition] = []

    init(root: Element, naming: WireNaming, findings: ImportFindings) {
        self.root = root
        self.naming = naming
        self.findings = findings
    }

    // MARK: Definitions

    var definitions: [TypeDefinition] {
        (root["components"]?["schemas"]?.entries ?? []).map { name, schema in
            owner = .type(name)
            let said = Description(schema)
            var definition = TypeDefinition(name: Located(name, at: schema.range), form: form(schema))
            definition.doc = said.doc
            definition.deprecated = said.deprecated
            definition.swiftName = said.swiftName
            return definition
        }
    }

    private func form(_ schema: Element) -> TypeDefinition.Form {
        if let values = Self.values(of: schema) {
            check(schema, ["type", "enum", "anyOf"])
            return .enumeration(
                enumeration(
                    values, names: schema["x-errand-names"]?.items, isClosed: schema.flag("x-errand-closed")))
        }
        for (names, group, distinction) in [
            ("x-errand-keys", "oneOf", UnionDefinition.Distinction.key), ("x-errand-kinds", "anyOf", .kind),
        ] {
            guard let names = schema[names]?.items, let members = schema[group]?.items else { continue }
            check(schema, [group])
            let cases = zip(names, members).compactMap { name, member in
                name.text.map { UnionDefinition.Case(name: Located($0, at: name.range), type: type(of: member)) }
            }
            return .union(UnionDefinition(distinction, cases: cases))
        }
        if let discriminator = schema["discriminator"], let key = discriminator.text("propertyName") {
            check(schema, ["type", "properties", "required", "oneOf", "anyOf", "discriminator"])
            let other = discriminator["defaultMapping"].map { (name: UnionDefinition.others, value: $0) }
            let mapping = (discriminator["mapping"]?.entries ?? []) + [other].compactMap { $0 }
            let cases = mapping.compactMap { value, target in
                target.text.map {
                    UnionDefinition.Case(
                        name: Located(value, at: target.range),
                        type: .named(Located(Self.name(in: $0), at: target.range)))
                }
            }
            let kind: EnumDefinition.WireKind = schema.text("x-errand-type") == "int" ? .int : .string
            return .union(UnionDefinition(.value(of: Located(key, at: discriminator.range), kind), cases: cases))
        }
        if schema["properties"] != nil, schema["x-errand-type"] == nil {
            check(schema, ["type", "properties", "required", "additionalProperties"])
            let others = schema["additionalProperties"].map {
                [FieldDefinition.otherMembers(type(of: $0), at: $0.range)]
            }
            return .structure(fields(of: schema) + (others ?? []))
        }
        return .alias(type(of: schema), constraints(schema))
    }

    /// The values of an enum. One that may get more cases has them beside all others of its type.
    private static func values(of schema: Element) -> [Element]? {
        if let values = schema["enum"] { return values.items }
        guard let members = schema["anyOf"]?.items, members.count == 2, members[1]["enum"] == nil,
            members[0].text("type") == members[1].text("type")
        else { return nil }
        return members[0]["enum"]?.items
    }

    private func enumeration(_ values: [Element], names: [Element]?, isClosed: Bool) -> EnumDefinition {
        let isNumeric = values.contains { $0.scalarKind != .text }
        var cases: [EnumDefinition.Case] = []
        for (position, value) in values.enumerated() {
            let text = value.text ?? ""
            let given = names.flatMap { $0.indices.contains(position) ? $0[position].text : nil }
            let usual = names != nil || isNumeric ? NameText.valueName(text) : text
            let word = Located(text, at: value.range)
            if let given, let known = cases.firstIndex(where: { $0.name.value == given }) {
                cases[known].otherValues.append(word)
            } else {
                cases.append(EnumDefinition.Case(name: Located(given ?? usual, at: value.range), wireValue: word))
            }
        }
        return EnumDefinition(cases: cases, wireKind: isNumeric ? .int : .string, isClosed: isClosed)
    }

    /// What is said about an element.
    struct Description {
        var doc: String?
        var deprecated: Deprecation?
        var swiftName: Located<String>?

        /// What `errand export` writes of it, except for the Swift name.
        static let keys: Set<String> = ["description", "deprecated", "x-errand-deprecated", "x-sunset"]

        init(_ element: Element) {
            doc = element.text("description")
            deprecated = element.deprecation
            swiftName = element.text("x-errand-swift").map { Located($0, at: element.range) }
        }
    }

    // MARK: Fields

    /// - Parameter hasNull: whether the fields can be null, as in JSON.
    func fields(of schema: Element, contentTypes: Element? = nil, hasNull: Bool = true) -> [FieldDefinition] {
        let required = Set(schema["required"]?.items.compactMap(\.text) ?? [])
        return (schema["properties"]?.entries ?? []).map { wire, property in
            field(
                wire, property, contentType: contentTypes?[wire]?.text("contentType"),
                isRequired: hasNull && required.contains(wire))
        }
    }

    /// A field with its name in the contract.
    func field(
        _ wire: String, _ schema: Element, contentType: String? = nil, isHeader: Bool = false, doc: String? = nil,
        isRequired: Bool = false
    ) -> FieldDefinition {
        let range = schema.range
        let name = schema.text("x-errand-name") ?? wire
        let type = type(of: schema, as: name)
        let said = Description(schema)
        var options = FieldOptions()
        if (isHeader ? .asWritten : naming).wireName(of: name) != wire {
            options.declaredWireName = Located(wire, at: range)
        }
        options.defaultValue = schema["default"].map { Located(defaultValue($0, schema), at: $0.range) }
        options.example = schema["examples"]?.item(0).map { example($0, schema) }
        options.constraints = constraints(schema)
        options.doc = said.doc ?? doc
        options.deprecated = said.deprecated
        options.swiftName = said.swiftName
        options.isSensitive = schema.flag("x-errand-sensitive")
        options.coerces = schema.flag("x-errand-coerce")
        if schema.flag("x-errand-lenient") { options.isLenient = true }
        options.skipsInvalid = schema.flag("x-errand-skip-invalid")
        options.acceptsSingle = schema.flag("x-errand-single")
        if let word = schema.text("x-errand-nullable") {
            options.nullable = Nullability(rawValue: word)
        } else if isRequired, type.isOptional {
            options.nullable = .required
        }
        options.joining = schema.text("x-errand-joined").flatMap(Joining.init).map { Located($0, at: range) }
        options.contentType = contentType.map { Located($0, at: range) }
        return FieldDefinition(
            name: Located(name, at: range), type: type, typeRange: range, wireName: wire, options: options)
    }

    /// A default as the contract says it: the case of an enum by its name.
    private func defaultValue(_ value: Element, _ schema: Element) -> DefaultValue {
        if let name = caseName(of: value, schema) { return .text(name, isQuoted: false) }
        switch value.node.kind {
        case .sequence: return .emptyList
        case .mapping: return .emptyMap
        case .scalar, .unreadable:
            return DefaultValue.text(value.text ?? "", isQuoted: value.scalarKind == .text).withoutQuotes
        }
    }

    /// An example as the contract says it: the case of an enum by its name.
    private func example(_ value: Element, _ schema: Element) -> ExampleValue {
        if let name = caseName(of: value, schema) { return .scalar(text: name, isQuoted: false, value.range) }
        var values = ExampleValues()
        return values.value(of: value)
    }

    /// The name of an enum's case; nil for a value of any other type.
    private func caseName(of value: Element, _ schema: Element) -> String? {
        var target = Self.values(of: schema) == nil ? schema["anyOf"]?.items.first ?? schema : schema
        for _ in 0..<64 {
            guard let name = target.text("$ref").map(Self.name(in:)),
                let next = root["components"]?["schemas"]?[name]
            else { break }
            target = next
        }
        guard let values = Self.values(of: target), let position = values.firstIndex(where: { $0.text == value.text })
        else { return nil }
        let names = target["x-errand-names"]?.items ?? []
        return (names.indices.contains(position) ? names[position].text : nil) ?? value.text
    }

    // MARK: Types

    /// The name of the schema that a reference leads to.
    static func name(in reference: String) -> String {
        let last = reference.split(separator: "/").last.map(String.init) ?? reference
        return PercentText.decoded(last).replacing("~1", with: "/").replacing("~0", with: "~")
    }

    /// The fields of a payload; `nil` if it has a type of its own.
    func payloadFields(
        of schema: Element, contentTypes: Element? = nil, hasNull: Bool = true
    ) -> [FieldDefinition]? {
        guard schema["x-errand-type"] == nil, schema["$ref"] == nil, schema["anyOf"] == nil, schema["properties"] != nil
        else { return nil }
        check(schema, Self.fieldKeywords)
        return fields(of: schema, contentTypes: contentTypes, hasNull: hasNull)
    }

    /// - Parameter name: the name of the field that has the type; `nil` if the type cannot have a structure inside of it.
    func type(of schema: Element, as name: String? = nil, depth: Int = 0) -> TypeReference {
        guard depth < 64 else { return lost("the schema is nested too deeply", schema) }
        let isNullable = schema["type"]?.items.contains { $0.text == "null" } ?? false
        let type = plain(schema, name, depth)
        return isNullable && !type.isOptional ? .optional(type) : type
    }

    private static let fieldKeywords: Set<String> = [
        "type", "format", "default", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems",
        "minProperties", "maxProperties", "pattern", "items", "additionalProperties", "properties", "required",
        "contentEncoding", "$ref", "anyOf", "examples",
    ]

    private func plain(_ schema: Element, _ name: String?, _ depth: Int) -> TypeReference {
        check(schema, Self.fieldKeywords)
        if let text = schema.text("x-errand-type") {
            return ExtensionReader.type(text, at: schema.range) ?? lost("`\(text)` is not a type", schema)
        }
        if let reference = schema.text("$ref") {
            guard reference.hasPrefix("#/components/schemas/") else {
                return lost("`\(reference)` is not a schema of this document", schema)
            }
            return .named(Located(Self.name(in: reference), at: schema.range))
        }
        if let members = schema["anyOf"]?.items {
            guard members.count == 2, members[1].text("type") == "null" else {
                return lost("a contract cannot have alternatives here", schema)
            }
            let type = type(of: members[0], as: name, depth: depth + 1)
            return type.isOptional ? type : .optional(type)
        }
        let types = schema.text("type").map { [$0] } ?? schema["type"]?.items.compactMap(\.text) ?? []
        var named = types.filter { $0 != "null" }
        // One of several forms of a timestamp may be a number.
        if schema["x-errand-format"] != nil, named == ["string", "number"] { named = ["string"] }
        guard named.count < 2 else { return lost("a contract cannot have a value of several types", schema) }
        guard let type = named.first else {
            return schema["properties"] == nil ? .primitive(.json) : structure(schema, name)
        }
        switch type {
        case "array":
            return .list(schema["items"].map { self.type(of: $0, as: name, depth: depth + 1) } ?? .primitive(.json))
        case "object":
            if schema["properties"] != nil { return structure(schema, name) }
            let values = schema["additionalProperties"].flatMap {
                $0.isMapping ? self.type(of: $0, as: name, depth: depth + 1) : nil
            }
            return .map(values ?? .primitive(.json))
        default: return scalar(type, schema)
        }
    }

    /// The structure inside of a field.
    private func structure(_ schema: Element, _ name: String?) -> TypeReference {
        guard let name else { return lost("a structure without a name is only valid inside of a field", schema) }
        let outer = owner
        let place = InlinePlace(owner: outer, field: name)
        owner = .type(place.typeName)
        defer { owner = outer }
        var definition = TypeDefinition(
            name: Located(place.typeName, at: schema.range), form: .structure(fields(of: schema)))
        definition.inline = place
        inline.append(definition)
        return .named(definition.name)
    }

    private func scalar(_ type: String, _ schema: Element) -> TypeReference {
        let format = schema.text("format")
        let primitive: Primitive
        switch (type, format) {
        case ("boolean", _): primitive = .bool
        case ("integer", "int32"): primitive = .int32
        case ("integer", "int64"): primitive = .int64
        case ("integer", "uint64"): primitive = .uint
        case ("integer", _): primitive = .int
        case ("number", "float"): primitive = .float
        case ("number", "decimal"): primitive = .decimal
        case ("number", _): primitive = .double
        case ("string", "date-time"): primitive = .timestamp
        case ("string", "date"): primitive = .date
        case ("string", "uuid"): primitive = .uuid
        case ("string", "uri"): primitive = .url
        case ("string", "binary"): primitive = .file
        case ("string", _):
            if schema["x-errand-format"] != nil {
                primitive = .timestamp
            } else {
                primitive = schema.text("contentEncoding") == "base64" ? .bytes : .string
            }
        default: return lost("JSON Schema has no type `\(type)`", schema)
        }
        return .primitive(primitive)
    }

    private func lost(_ message: String, _ place: Element) -> TypeReference {
        findings.add(.openAPISchemaLost, "\(message), so the type is `json`", at: place)
        return .primitive(.json)
    }

    /// Says which keywords an export does not write.
    private func check(_ schema: Element, _ known: Set<String>) {
        for (name, value) in schema.entries where !known.contains(name) {
            // `x-errand-common` of a common parameter has its constant.
            if name == "const", schema.isSchemaOfParameter { continue }
            // The wire name already has what `xml` says.
            if name == "xml" || Description.keys.contains(name) || name.hasPrefix("x-errand-") { continue }
            if name.hasPrefix("x-") {
                findings.count(.openAPIExtensionLost, name, at: value)
            } else {
                findings.add(
                    .openAPISchemaLost, "a document that `errand export` wrote has no key `\(name)`", at: value)
            }
        }
    }

    // MARK: Constraints

    private func constraints(_ schema: Element) -> Constraints {
        var constraints = Constraints()
        func bounds(_ lower: String?, _ upper: String?) -> Located<Constraints.Bounds>? {
            lower == nil && upper == nil
                ? nil : Located(Constraints.Bounds(lower: lower, upper: upper), at: schema.range)
        }
        let isUnsigned = schema.text("format") == "uint64"
        constraints.range = bounds(
            isUnsigned && schema.text("minimum") == "0" ? schema.text("x-errand-minimum") : schema.text("minimum"),
            schema.text("maximum"))
        constraints.length = bounds(schema.text("minLength"), schema.text("maxLength"))
        constraints.items = bounds(
            schema.text("minItems") ?? schema.text("minProperties"),
            schema.text("maxItems") ?? schema.text("maxProperties"))
        if let pattern = schema.text("pattern") {
            let isWrapped = pattern.hasPrefix("^(?:") && pattern.hasSuffix(")$")
            constraints.pattern = Located(
                isWrapped ? String(pattern.dropFirst(4).dropLast(2)) : pattern, at: schema.range)
        }
        constraints.format = schema["x-errand-format"].flatMap { format($0, zone: schema["x-errand-zone"]) }
        return constraints
    }

    private func format(_ format: Element, zone: Element?) -> Located<[TimestampForm]>? {
        guard let offset = TimestampFormat.offset(ofZone: zone?.text ?? "UTC") else {
            findings.add(
                .openAPISchemaLost,
                "the format is left out: `x-errand-zone` must be `UTC` or an offset such as `+08:00`",
                at: zone ?? format)
            return nil
        }
        do throws(TimestampFormat.Problem) {
            var forms: [TimestampForm] = []
            for text in format.text.map({ [$0] }) ?? format.items.compactMap(\.text) {
                if let named = TimestampForm.named.first(where: { $0.name == text }) {
                    forms.append(named.form)
                } else {
                    forms.append(.pattern(try TimestampFormat(text, offset: offset)))
                }
            }
            return forms.isEmpty ? nil : Located(forms, at: format.range)
        } catch {
            findings.add(.openAPISchemaLost, "the format is left out: \(error.message)", at: format)
            return nil
        }
    }
}
