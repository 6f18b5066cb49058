/// The combined keywords of a schema: its own and those of `allOf`, followed through references.
struct SchemaView {
    /// The types without `null` that all parts agree on.
    var types: [String] = []
    var properties: [(name: String, schemas: [Element])] = []
    private var positions: [String: Int] = [:]
    var required = Set<String>()
    /// `additionalProperties` as schemas, one of each part that has them. A value fits all of them.
    var additional: [Element] = []
    /// Whether `additionalProperties` says `true`.
    var takesAdditional = false
    /// The schemas of a list's elements, one of each part that has them. An element fits all of them.
    var items: [Element] = []
    var values: [Element]?
    var constant: Element?
    var format: (text: String, place: Element)?
    /// Keywords that bound a value, by their name.
    var bounds: [String: Element] = [:]
    /// Groups of alternatives: `oneOf` and `anyOf`.
    var alternatives: [(keyword: Element, members: [Element])] = []
    var discriminator: Element?
    var documentation = Documentation()
    var description: String? { documentation.text }
    var title: String?
    var defaultValue: Element?
    /// The first example of the schema itself, or of one of its parts.
    private(set) var example: Element?
    private var hasOwnExample = false
    var isDeprecated = false
    var isReadOnly = false
    var isWriteOnly = false
    /// Names that a document gives to the values of an enum.
    var valueNames: Element?
    var contentEncoding: String?
    /// The document's examples of its values.
    var examples: [Element] = []

    var isObject: Bool {
        types == ["object"] || types.isEmpty && !(properties.isEmpty && additional.isEmpty)
    }

    /// Whether every value is allowed, as far as the schema says.
    var isUntyped: Bool {
        types.isEmpty && properties.isEmpty && alternatives.isEmpty && additional.isEmpty && items.isEmpty
            && values == nil
            && constant == nil && format == nil && bounds.isEmpty
    }

    mutating func add(property name: String, _ schema: Element) {
        if let position = positions[name] {
            properties[position].schemas.append(schema)
        } else {
            positions[name] = properties.count
            properties.append((name, [schema]))
        }
    }

    mutating func add(example value: Element, isOwn: Bool) {
        if example == nil || isOwn && !hasOwnExample { example = value }
        hasOwnExample = hasOwnExample || isOwn
    }

    func property(_ name: String) -> [Element]? { positions[name].map { properties[$0].schemas } }

    mutating func addTypes(_ found: [String]) {
        guard !found.isEmpty else { return }
        if types.isEmpty {
            for type in found where !types.contains(type) { types.append(type) }
        } else {
            let both = types.filter { found.contains($0) || ($0 == "integer" && found.contains("number")) }
            types = both.isEmpty ? types : both
        }
    }
}

/// Reads schemas into views. Each keyword that is not understood is a finding.
struct SchemaReader {
    let documents: DocumentSet
    let is31: Bool
    private let nullability = Nullability()

    init(documents: DocumentSet, is31: Bool) {
        self.documents = documents
        self.is31 = is31
    }

    /// The known results for schemas, so that each is examined once, however they refer to each other.
    private final class Nullability {
        var known: [ElementKey: Bool] = [:]
    }

    private static let deepest = 40
    private static let mostParts = 500

    /// Keywords beside `$ref` that do not change what the type is.
    static let describing: Set<String> = [
        "$ref", "description", "title", "summary", "deprecated", "nullable", "default", "example", "examples",
        "readOnly",
        "writeOnly", "externalDocs", "xml", "$comment",
    ]

    func view(of schemas: [Element]) -> SchemaView {
        var view = SchemaView()
        var visited = Set<ElementKey>()
        for schema in schemas { add(schema, to: &view, isTop: true, &visited, depth: 0) }
        return view
    }

    private func add(
        _ schema: Element, to view: inout SchemaView, isTop: Bool, _ visited: inout Set<ElementKey>, depth: Int
    ) {
        guard depth < Self.deepest, visited.count < Self.mostParts, schema.isMapping,
            visited.insert(schema.key).inserted
        else { return }
        let isReference = schema.isReference
        for (name, value) in schema.entries {
            switch name {
            case "$ref" where value.text == nil:
                documents.findings.add(.openAPIBrokenReference, "the value of `$ref` is not a text", at: value)
            case "$ref":
                value.note(.read)
                guard let target = followed(schema) else { continue }
                add(target, to: &view, isTop: isTop, &visited, depth: depth + 1)
            case "allOf":
                value.note(.read)
                for part in value.items { add(part, to: &view, isTop: false, &visited, depth: depth + 1) }
            case "oneOf", "anyOf":
                let members = value.items
                value.note(.read)
                if !members.isEmpty { view.alternatives.append((value, members)) }
            default:
                if isReference, !is31, !Self.describing.contains(name), !name.hasPrefix("x-") {
                    // Some tools repeat the type of the target.
                    let target = name == "type" ? documents.followed(schema) : nil
                    if let type = value.text, target?.text("type") == type { continue }
                    documents.findings.add(
                        .openAPISchemaLost, "`\(name)` has no effect beside `$ref` in OpenAPI 3.0", at: value,
                        help: "write both in `allOf`")
                    continue
                }
                keyword(name, value, of: schema, to: &view, isTop: isTop)
            }
        }
    }

    /// Keywords that no view has. Others read them, or they mean nothing to a client (``MeaninglessKeys``).
    private static let elsewhere: Set<String> = [
        "nullable", "summary", "$comment", "$id", "$schema", "$defs", "definitions", "id", "$anchor",
        "$dynamicAnchor", "$vocabulary", "xml", "contentMediaType", "collectionFormat", "in", "name",
        "allowEmptyValue",
    ]
    private static let extensions: Set<String> = ["x-enum-varnames", "x-enumNames", "x-extensible-enum"]

    private func keyword(
        _ name: String, _ value: Element, of schema: Element, to view: inout SchemaView, isTop: Bool
    ) {
        // A part of `allOf` alone does not allow null.
        if name == "nullable", !isTop { value.note(.read) }
        if name.hasPrefix("x-") ? !Self.extensions.contains(name) : Self.elsewhere.contains(name) { return }
        value.note(.read)
        switch name {
        case "type":
            let types = value.text.map { [$0] } ?? value.items.compactMap(\.text)
            view.addTypes(types.filter { $0 != "null" })
        case "properties":
            for (name, property) in value.entries { view.add(property: name, property) }
        case "required":
            if value.text == nil { view.required.formUnion(value.items.compactMap(\.text)) }
        case "additionalProperties", "unevaluatedProperties":
            if value.isMapping {
                if value.entries.isEmpty { view.takesAdditional = true } else { view.additional.append(value) }
            } else if value.text == "true" {
                view.takesAdditional = true
            }
        case "items":
            if value.isMapping || value.text == "true" {
                view.items.append(value)
            } else if value.text != "false" || schema["prefixItems"] == nil {
                lose(name, value)
            }
        case "prefixItems": prefixItems(value, of: schema, to: &view)
        case "patternProperties": patternProperties(value, of: schema, to: &view)
        case "enum": view.values = merged(view.values, value.items)
        case "const": view.constant = value
        case "format": view.format = value.text.map { ($0, value) } ?? view.format
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern",
            "minItems",
            "maxItems", "minProperties", "maxProperties", "multipleOf", "uniqueItems":
            view.bounds[name] = view.bounds[name].map { stricter(name, $0, value) } ?? value
        case "discriminator": if isTop { view.discriminator = value }
        case "description":
            let known = view.documentation.description
            view.documentation.description = isTop || known == nil ? value.text : known
        case "externalDocs":
            let known = view.documentation.page
            view.documentation.page = isTop || known == nil ? value.text("url") : known
        case "title": view.title = isTop || view.title == nil ? value.text : view.title
        case "default": view.defaultValue = isTop || view.defaultValue == nil ? value : view.defaultValue
        case "example", "examples":
            view.examples += name == "example" ? [value] : value.items
            if let example = ownExample(of: schema) { view.add(example: example, isOwn: isTop) }
        case "deprecated": if isTop, value.text == "true" { view.isDeprecated = true }
        case "readOnly": if isTop, value.text == "true" { view.isReadOnly = true }
        case "writeOnly": if isTop, value.text == "true" { view.isWriteOnly = true }
        case "contentEncoding": view.contentEncoding = value.text
        case "x-enum-varnames", "x-enumNames": view.valueNames = value
        case "x-extensible-enum": view.values = merged(view.values, value.items)
        default: lose(name, value)
        }
    }

    /// The first example that a schema says itself. Null is the absence of a value.
    func ownExample(of schema: Element) -> Element? {
        var found: [Element] = []
        if let value = schema["example"] { found.append(value) }
        if let values = schema["examples"] { found += values.node.kind == .sequence ? values.items : [values] }
        found.removeAll(where: \.isNull)
        for value in found { documents.findings.see(example: value, of: "schemas") }
        return found.first
    }

    /// Elements that each have a schema of their own: a list if these schemas are all the same one.
    private func prefixItems(_ value: Element, of schema: Element, to view: inout SchemaView) {
        let texts = Set(value.items.map { $0.fingerprint(depth: 0) })
        let others = schema["items"]
        let isClosed = others?.text == "false" || schema.text("maxItems") == String(value.items.count)
        guard texts.count == 1, isClosed || others.map({ texts.contains($0.fingerprint(depth: 0)) }) == true else {
            return lose("prefixItems", value)
        }
        view.items.append(value.items[0])
        for other in value.items.dropFirst() { other.settle() }
        if view.bounds["maxItems"] == nil, others?.text == "false" { loseLength(of: value) }
    }

    private func loseLength(of value: Element) {
        documents.findings.add(
            .openAPIConstraintLost, "the list may have more than its \(value.items.count) elements in the contract",
            at: value)
    }

    /// Properties whose names match a pattern: a map if they are all that the schema has.
    private func patternProperties(_ value: Element, of schema: Element, to view: inout SchemaView) {
        let texts = Set(value.entries.map { $0.value.fingerprint(depth: 0) })
        guard let first = value.entries.first?.value, texts.count == 1, schema["properties"] == nil,
            schema["additionalProperties"]?.isMapping != true
        else { return lose("patternProperties", value) }
        if first.isMapping { view.additional.append(first) }
        for (_, other) in value.entries.dropFirst() { other.settle() }
        documents.findings.add(
            .openAPIConstraintLost, "the map may have any keys in the contract, and not only those that match",
            at: value)
    }

    private func lose(_ name: String, _ value: Element) {
        documents.findings.add(
            .openAPISchemaLost, "the keyword `\(name)` is left out, because contracts do not have it", at: value)
    }

    /// The values that both lists allow.
    private func merged(_ one: [Element]?, _ other: [Element]) -> [Element] {
        guard let one else { return other }
        let texts = Set(other.compactMap(\.text))
        let both = one.filter { $0.text.map(texts.contains) ?? false }
        return both.isEmpty ? one : both
    }

    /// The bound that holds if both hold. A contract has one pattern in a place, so the second one is lost.
    private func stricter(_ name: String, _ one: Element, _ other: Element) -> Element {
        if name == "pattern" {
            if one.text != other.text {
                documents.findings.add(
                    .openAPIConstraintLost, "the pattern is left out, because the text has another one, too", at: other)
            }
            return one
        }
        guard let first = one.text.flatMap(Double.init), let second = other.text.flatMap(Double.init) else {
            return one.text == "true" ? one : other
        }
        return name.lowercased().contains("min") ? (first < second ? other : one) : first > second ? other : one
    }

    // MARK: Null

    /// Whether null is among the values.
    func isNullable(_ schema: Element, depth: Int = 0) -> Bool {
        guard depth < Self.deepest, schema.isMapping else { return false }
        if let known = nullability.known[schema.key] { return known }
        nullability.known[schema.key] = false  // a schema that refers to itself adds nothing
        let result = findsNull(schema, depth: depth)
        nullability.known[schema.key] = result
        return result
    }

    private func findsNull(_ schema: Element, depth: Int) -> Bool {
        if schema.flag("nullable") || schema.flag("x-nullable") { return true }
        if isNullOnly(schema) { return true }
        if let type = schema["type"], type.items.contains(where: { $0.text == "null" }) { return true }
        if schema["type"] == nil, schema["enum"]?.items.contains(where: \.isNull) == true { return true }
        if schema.isReference, let target = followed(schema), isNullable(target, depth: depth + 1) {
            return true
        }
        let parts = schema["allOf"]?.items ?? []
        if !parts.isEmpty, schema["type"] == nil, schema["properties"] == nil,
            parts.allSatisfy({ isNullable($0, depth: depth + 1) })
        {
            return true
        }
        for keyword in ["oneOf", "anyOf"] {
            if let members = schema[keyword]?.items, members.contains(where: { isNullable($0, depth: depth + 1) }) {
                return true
            }
        }
        return false
    }

    /// Whether null is the only value.
    func isNullOnly(_ schema: Element) -> Bool {
        if schema.text("type") == "null" { return true }
        if let constant = schema["const"] ?? nil, constant.isNull { return true }
        if let values = schema["enum"]?.items, !values.isEmpty, values.allSatisfy(\.isNull) { return true }
        return false
    }

    /// The target of a schema's references. One with keywords of its own beside its `$ref` is not left out: they count since OpenAPI 3.1,
    /// and are reported before. Nil if a reference has no target, which has been reported.
    func followed(_ schema: Element) -> Element? {
        guard let end = documents.followed(schema) else { return nil }
        var current = schema
        while let reference = current["$ref"], let next = documents.target(of: reference), next.key != end.key {
            if next.isReference, !saysOnly(next, "$ref") { return next }
            current = next
        }
        return end
    }

    /// Whether a schema has only descriptive keywords besides the given one.
    func saysOnly(_ schema: Element, _ keyword: String) -> Bool {
        schema.entries.allSatisfy { name, value in
            name == keyword || Self.describing.contains(name) && name != "$ref" || name.hasPrefix("x-")
                || (name == "type" && keyword != "$ref" && value.text == "object")
                || (name == "discriminator" && keyword == "$ref")
        }
    }
}

extension SchemaView {
    /// The only value that the schema allows; nil if it allows others.
    var onlyValue: Element? { constant ?? (values?.count == 1 ? values?.first : nil) }
}
