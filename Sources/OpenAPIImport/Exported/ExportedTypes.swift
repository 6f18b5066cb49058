import ContractModel
import Diagnostics

/// The schemas of an exported document as types and fields of the contract.
struct ExportedTypes {
    typealias Pairs = ExportedContract.Pairs

    let root: Element
    let naming: WireNaming
    let findings: ImportFindings

    /// A type as the contract spells it, with the structure inside of it that it calls `fields`.
    struct Spelling {
        var text: String
        var fields: Pairs?

        var isOptional: Bool { text.hasSuffix("?") }

        /// The type as a value in YAML.
        var value: ReportValue { text.hasPrefix("[") && !text.contains("?") ? .numeral(text) : .text(text) }
    }

    // MARK: Definitions

    var definitions: Pairs {
        (root["components"]?["schemas"]?.entries ?? []).map { ($0.name, .object(definition($0.value))) }
    }

    private func definition(_ schema: Element) -> Pairs {
        var pairs = description(of: schema)
        if let values = schema["enum"] {
            check(schema, ["type", "enum"])
            pairs.append(("enum", enumeration(values.items, names: schema["x-errand-names"]?.items)))
            if schema.flag("x-errand-closed") { pairs.append(("closed", .flag(true))) }
        } else if let keys = schema["x-errand-keys"]?.items, let members = schema["oneOf"]?.items {
            check(schema, ["oneOf"])
            let cases: Pairs = zip(keys, members).compactMap { key, member in
                key.text.map { ($0, .text(spelling(of: member).text)) }
            }
            pairs.append(("union", .object([("keys", .object(cases))])))
        } else if let discriminator = schema["discriminator"], let key = discriminator.text("propertyName") {
            check(schema, ["oneOf", "discriminator"])
            let cases: Pairs = (discriminator["mapping"]?.entries ?? []).compactMap { value, target in
                target.text.map { (value, .text(Self.name(in: $0))) }
            }
            pairs.append(("union", .object([("by", .text(key)), ("cases", .object(cases))])))
        } else if schema["properties"] != nil, schema["x-errand-type"] == nil {
            check(schema, ["type", "properties", "required"])
            let fields = fields(of: schema)
            let marks: Set<String> = ["fields", "enum", "union", "alias", "doc", "deprecated", "swift"]
            guard !pairs.isEmpty || fields.isEmpty || fields.contains(where: { marks.contains($0.key) }) else {
                return fields
            }
            pairs.append(("fields", .object(fields)))
        } else {
            let spelling = spelling(of: schema)
            pairs.append(("alias", spelling.value))
            pairs += constraints(schema, spelling)
        }
        return pairs
    }

    private func enumeration(_ values: [Element], names: [Element]?) -> ReportValue {
        let isNumeric = values.contains { $0.scalarKind != .text }
        guard names != nil || isNumeric else { return .list(values.map { .text($0.text ?? "") }) }
        return .object(
            values.enumerated().map { position, value in
                let text = value.text ?? ""
                let given = names.flatMap { $0.indices.contains(position) ? $0[position].text : nil }
                return (given ?? NameText.valueName(text), value.scalarKind == .text ? .text(text) : .numeral(text))
            })
    }

    /// `doc`, `deprecated` and `swift`.
    func description(of element: Element) -> Pairs {
        var pairs: Pairs = []
        if let doc = element.text("description") { pairs.append(("doc", .text(doc))) }
        if let message = element.text("x-errand-deprecated") {
            pairs.append(("deprecated", .text(message)))
        } else if element.flag("deprecated") {
            pairs.append(("deprecated", .flag(true)))
        }
        if let name = element.text("x-errand-swift") { pairs.append(("swift", .text(name))) }
        return pairs
    }

    // MARK: Fields

    /// - Parameter hasNull: whether the fields can be null, as in JSON.
    func fields(of schema: Element, contentTypes: Element? = nil, hasNull: Bool = true) -> Pairs {
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
    ) -> (key: String, value: ReportValue) {
        let name = schema.text("x-errand-name") ?? wire
        let spelling = spelling(of: schema)
        var pairs: Pairs = [("type", spelling.value)]
        if let fields = spelling.fields { pairs.append(("fields", .object(fields))) }
        if spelling.text == "fields" { pairs.removeFirst() }
        if (isHeader ? .asWritten : naming).wireName(of: name) != wire { pairs.append(("wire", .text(wire))) }
        if let value = schema["default"] { pairs.append(("default", defaultValue(value, schema))) }
        pairs += constraints(schema, spelling)
        pairs += description(of: schema)
        if let doc, schema.text("description") == nil { pairs.append(("doc", .text(doc))) }
        for (key, word) in [
            ("sensitive", "sensitive"), ("coerce", "coerce"), ("skip-invalid", "skipInvalid"), ("single", "single"),
        ] where schema.flag("x-errand-\(key)") {
            pairs.append((word, .flag(true)))
        }
        if let word = schema.text("x-errand-nullable") {
            pairs.append(("nullable", .text(word)))
        } else if isRequired, spelling.isOptional {
            pairs.append(("nullable", .text(Nullability.required.rawValue)))
        }
        if let contentType { pairs.append(("contentType", .text(contentType))) }
        if pairs.count == 1, pairs[0].key == "type" { return (name, spelling.value) }
        if pairs.count == 2, pairs[1].key == "default", !spelling.text.hasPrefix("["),
            let short = Self.short(pairs[1].value)
        {
            return (name, .text("\(spelling.text) = \(short)"))
        }
        return (name, .object(pairs))
    }

    /// A default that can be written after `=`.
    private static func short(_ value: ReportValue) -> String? {
        switch value {
        case .numeral(let text): return text
        case .text(let text):
            let isWord =
                text.utf8.first.map { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A } ?? false
                && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
                && !["true", "false", "null"].contains(text)
            return isWord ? text : nil
        default: return nil
        }
    }

    /// A default as the contract says it: the case of an enum by its name.
    private func defaultValue(_ value: Element, _ schema: Element) -> ReportValue {
        var target = schema["anyOf"]?.items.first ?? schema
        for _ in 0..<64 {
            guard let name = target.text("$ref").map(Self.name(in:)),
                let next = root["components"]?["schemas"]?[name]
            else { break }
            target = next
        }
        if let values = target["enum"]?.items, let position = values.firstIndex(where: { $0.text == value.text }) {
            let names = target["x-errand-names"]?.items ?? []
            return .text((names.indices.contains(position) ? names[position].text : nil) ?? value.text ?? "")
        }
        return ReportValue(value)
    }

    // MARK: Types

    /// The name of the schema that a reference leads to.
    static func name(in reference: String) -> String {
        let last = reference.split(separator: "/").last.map(String.init) ?? reference
        return PercentText.decoded(last).replacing("~1", with: "/").replacing("~0", with: "~")
    }

    func spelling(of schema: Element, depth: Int = 0) -> Spelling {
        guard depth < 64 else { return lost("the schema is nested too deeply", schema) }
        let isNullable = schema["type"]?.items.contains { $0.text == "null" } ?? false
        var spelling = plain(schema, depth)
        if isNullable, !spelling.isOptional { spelling.text += "?" }
        return spelling
    }

    private static let fieldKeywords: Set<String> = [
        "type", "format", "default", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems",
        "minProperties", "maxProperties", "pattern", "items", "additionalProperties", "properties", "required",
        "contentEncoding", "$ref", "anyOf",
    ]

    private func plain(_ schema: Element, _ depth: Int) -> Spelling {
        check(schema, Self.fieldKeywords)
        if let text = schema.text("x-errand-type") { return Spelling(text: text) }
        if let reference = schema.text("$ref") {
            guard reference.hasPrefix("#/components/schemas/") else {
                return lost("`\(reference)` is not a schema of this document", schema)
            }
            return Spelling(text: Self.name(in: reference))
        }
        if let members = schema["anyOf"]?.items {
            guard members.count == 2, members[1].text("type") == "null" else {
                return lost("a contract cannot have alternatives here", schema)
            }
            var spelling = spelling(of: members[0], depth: depth + 1)
            if !spelling.isOptional { spelling.text += "?" }
            return spelling
        }
        let types = schema.text("type").map { [$0] } ?? schema["type"]?.items.compactMap(\.text) ?? []
        let named = types.filter { $0 != "null" }
        guard named.count < 2 else { return lost("a contract cannot have a value of several types", schema) }
        guard let type = named.first else {
            return schema["properties"] == nil
                ? Spelling(text: "json") : .init(text: "fields", fields: fields(of: schema))
        }
        switch type {
        case "array":
            let items = schema["items"].map { spelling(of: $0, depth: depth + 1) } ?? Spelling(text: "json")
            return Spelling(text: "[\(items.text)]", fields: items.fields)
        case "object":
            if schema["properties"] != nil { return Spelling(text: "fields", fields: fields(of: schema)) }
            let values = schema["additionalProperties"].flatMap {
                $0.isMapping ? spelling(of: $0, depth: depth + 1) : nil
            }
            return Spelling(text: "[string: \(values?.text ?? "json")]", fields: values?.fields)
        default: return scalar(type, schema)
        }
    }

    private func scalar(_ type: String, _ schema: Element) -> Spelling {
        let format = schema.text("format")
        switch (type, format) {
        case ("boolean", _): return Spelling(text: "bool")
        case ("integer", "int32"): return Spelling(text: "int32")
        case ("integer", "int64"): return Spelling(text: "int64")
        case ("integer", "uint64"): return Spelling(text: "uint")
        case ("integer", _): return Spelling(text: "int")
        case ("number", "float"): return Spelling(text: "float")
        case ("number", "decimal"): return Spelling(text: "decimal")
        case ("number", _): return Spelling(text: "double")
        case ("string", "date-time"): return Spelling(text: "timestamp")
        case ("string", "date"), ("string", "uuid"): return Spelling(text: format ?? "")
        case ("string", "uri"): return Spelling(text: "url")
        case ("string", "binary"): return Spelling(text: "file")
        case ("string", _):
            if schema["x-errand-format"] != nil { return Spelling(text: "timestamp") }
            return Spelling(text: schema.text("contentEncoding") == "base64" ? "bytes" : "string")
        default: return lost("JSON Schema has no type `\(type)`", schema)
        }
    }

    private func lost(_ message: String, _ place: Element) -> Spelling {
        findings.add(.openAPISchemaLost, "\(message), so the type is `json`", at: place)
        return Spelling(text: "json")
    }

    /// Says which keywords an export does not write.
    private func check(_ schema: Element, _ known: Set<String>) {
        for (name, value) in schema.entries where !known.contains(name) {
            if name == "description" || name == "deprecated" || name.hasPrefix("x-errand-") { continue }
            if name.hasPrefix("x-") {
                findings.count(.openAPIExtensionLost, name, at: value)
            } else {
                findings.add(
                    .openAPISchemaLost, "a document that `errand export` wrote has no key `\(name)`", at: value)
            }
        }
    }

    // MARK: Constraints

    private func constraints(_ schema: Element, _ spelling: Spelling) -> Pairs {
        var pairs: Pairs = []
        func bounds(_ key: String, _ lower: String?, _ upper: String?) {
            guard lower != nil || upper != nil else { return }
            pairs.append((key, .numeral(lower == upper ? lower ?? "" : "\(lower ?? "")..\(upper ?? "")")))
        }
        let isUnsigned = schema.text("format") == "uint64"
        bounds(
            "range",
            isUnsigned && schema.text("minimum") == "0" ? schema.text("x-errand-minimum") : schema.text("minimum"),
            schema.text("maximum"))
        bounds("length", schema.text("minLength"), schema.text("maxLength"))
        bounds(
            "items", schema.text("minItems") ?? schema.text("minProperties"),
            schema.text("maxItems") ?? schema.text("maxProperties"))
        if let pattern = schema.text("pattern") {
            let isWrapped = pattern.hasPrefix("^(?:") && pattern.hasSuffix(")$")
            pairs.append(("pattern", .text(isWrapped ? String(pattern.dropFirst(4).dropLast(2)) : pattern)))
        }
        if let format = schema.text("x-errand-format") { pairs.append(("format", .text(format))) }
        if let zone = schema.text("x-errand-zone") { pairs.append(("zone", .text(zone))) }
        return pairs
    }
}
