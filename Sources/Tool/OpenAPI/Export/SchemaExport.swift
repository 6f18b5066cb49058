import ContractModel
import Diagnostics

/// JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1) of a contract's types and fields.
struct SchemaExport {
    typealias Pairs = OpenAPIExport.Pairs

    let contract: ResolvedContract
    /// Whether wire names can be places in XML.
    private let hasXML: Bool

    init(_ contract: ResolvedContract) {
        self.contract = contract
        hasXML = contract.endpoints.contains(where: \.usesXML)
    }

    // MARK: Types

    func schema(of type: TypeDefinition) -> ReportValue {
        var pairs = form(of: type)
        if let doc = type.doc { pairs.append(("description", .text(doc))) }
        pairs += Self.deprecation(type.deprecated)
        if let name = type.swiftName { pairs.append(("x-errand-swift", .text(name.value))) }
        return .object(pairs)
    }

    private func form(of type: TypeDefinition) -> Pairs {
        switch type.form {
        case .structure(let fields): return object(fields)
        case .enumeration(let enumeration): return Self.schema(of: enumeration)
        case .union(let union):
            let members = ReportValue.list(union.cases.map { schema(of: $0.type) })
            let names = ReportValue.list(union.cases.map { .text($0.name.value) })
            switch union.distinction {
            case .key: return [("oneOf", members), ("x-errand-keys", names)]
            // An integer fits both `integer` and `number`.
            case .kind: return [("anyOf", members), ("x-errand-kinds", names)]
            case .value(let key, let kind):
                let mapping: Pairs = union.namedCases.map { ($0.name.value, .text(Self.reference($0.type))) }
                var discriminator: Pairs = [("propertyName", .text(key.value)), ("mapping", .object(mapping))]
                // A discriminator requires nothing of a value, so the schema has the member, too.
                let isNumber = kind == .int
                if let other = union.otherCase {
                    discriminator.append(("defaultMapping", .text(Self.reference(other.type))))
                    // An object of another case fits the schema of all others, too.
                    return [("type", .text("object")), ("anyOf", members), ("discriminator", .object(discriminator))]
                        + (isNumber ? [("x-errand-type", .text(kind.rawValue))] : [])
                }
                let values = union.cases.map { isNumber ? ReportValue.numeral($0.name.value) : .text($0.name.value) }
                let member: Pairs = [("type", .text(isNumber ? "integer" : "string")), ("enum", .list(values))]
                return [
                    ("type", .text("object")), ("properties", .object([(key.value, .object(member))])),
                    ("required", .list([.text(key.value)])), ("oneOf", members),
                    ("discriminator", .object(discriminator)),
                ] + (isNumber ? [("x-errand-type", .text(kind.rawValue))] : [])
            }
        case .alias(let target, let constraints):
            return Self.constrained(pairs(of: target), constraints, target)
        }
    }

    private static func schema(of enumeration: EnumDefinition) -> Pairs {
        let isNumber = enumeration.wireKind == .int
        let values: [ReportValue] = enumeration.cases.flatMap(\.wireValues).map {
            isNumber ? .numeral($0.value) : .text($0.value)
        }
        let type = ReportValue.text(isNumber ? "integer" : "string")
        var pairs: Pairs = [("type", type), ("enum", .list(values))]
        // An enum of JSON Schema refuses all other values. This one may get more cases.
        if !enumeration.isClosed { pairs = [("anyOf", .list([.object(pairs), .object([("type", type)])]))] }
        // A name that occurs several times has several values, the one that is written first.
        let names = enumeration.cases.flatMap { item in item.wireValues.map { (item.name.value, $0.value) } }
        if names.contains(where: { $0 != $1 }) {
            pairs.append(("x-errand-names", .list(names.map { .text($0.0) })))
        }
        if enumeration.isClosed { pairs.append(("x-errand-closed", .flag(true))) }
        return pairs
    }

    /// An object of fields, with those that must be there.
    func object(_ all: [FieldDefinition]) -> Pairs {
        let fields = all.filter { !$0.holdsOtherMembers }
        var pairs: Pairs = [
            ("type", .text("object")), ("properties", .object(fields.map { ($0.wireName, schema(of: $0)) })),
        ]
        let required = fields.filter(\.isRequired)
        if !required.isEmpty { pairs.append(("required", .list(required.map { .text($0.wireName) }))) }
        for value in all.lazy.compactMap(\.otherMembers) { pairs.append(("additionalProperties", schema(of: value))) }
        return pairs
    }

    // MARK: Fields

    func schema(of field: FieldDefinition) -> ReportValue {
        var pairs = Self.constrained(pairs(of: field.type), field.constraints, field.type)
        if let value = field.defaultValue.flatMap({ defaultValue($0.value, field.type) }) {
            pairs.append(("default", value))
        }
        if let example = field.example {
            pairs.append(("examples", .list([value(of: example, field.type, [field.constraints])])))
        }
        if let doc = field.doc { pairs.append(("description", .text(doc))) }
        pairs += Self.deprecation(field.deprecated)
        if field.name.value != field.wireName { pairs.append(("x-errand-name", .text(field.name.value))) }
        if let name = field.swiftName { pairs.append(("x-errand-swift", .text(name.value))) }
        let flags: [(String, Bool)] = [
            ("x-errand-sensitive", field.isSensitive), ("x-errand-coerce", field.coerces),
            ("x-errand-lenient", field.isLenient), ("x-errand-skip-invalid", field.skipsInvalid),
            ("x-errand-single", field.acceptsSingle),
        ]
        pairs += flags.filter(\.1).map { ($0.0, .flag(true)) }
        if hasXML, let place = XMLPlace(field.wireName) { Self.add(place, to: &pairs) }
        if let joining = field.joining { pairs.append(("x-errand-joined", .text(joining.value.rawValue))) }
        // `required` beside a type with null says the other word.
        if field.distinguishesNull { pairs.append(("x-errand-nullable", .text(Nullability.distinct.rawValue))) }
        return .object(pairs)
    }

    /// Says where a value is in XML, if that is not an element of the property's name. No keyword says that it is the text.
    private static func add(_ place: XMLPlace, to pairs: inout Pairs) {
        func names(_ name: XMLName) -> Pairs {
            [("name", .text(name.local))] + (name.namespace.map { [("namespace", .text($0))] } ?? [])
        }
        switch place {
        case .text: break
        case .attribute(let name): pairs.append(("xml", .object(names(name) + [("attribute", .flag(true))])))
        case .element(let name): if name.namespace != nil { pairs.append(("xml", .object(names(name)))) }
        case .wrapped(let wrapper, let item):
            pairs.append(("xml", .object(names(wrapper) + [("wrapped", .flag(true))])))
            guard let index = pairs.firstIndex(where: { $0.key == "items" }),
                case .object(let element) = pairs[index].value
            else { return }
            pairs[index].value = .object(element + [("xml", .object(names(item)))])
        }
    }

    private func defaultValue(_ value: DefaultValue, _ type: TypeReference) -> ReportValue? {
        switch value {
        case .text: nil
        case .string(let text): .text(text)
        case .bool(let flag): .flag(flag)
        case .number(let text): .numeral(text)
        case .enumCase(let name): enumValue(name, type)
        case .emptyList: .list([])
        case .emptyMap: .object([])
        }
    }

    /// The value of an enum's case on the wire.
    private func enumValue(_ name: String, _ type: TypeReference) -> ReportValue? {
        guard case .named(let typeName) = contract.expanded(type.unwrapped).type,
            case .enumeration(let enumeration)? = contract.type(named: typeName.value)?.form,
            let found = enumeration.cases.first(where: { $0.name.value == name })
        else { return nil }
        return enumeration.wireKind == .int ? .numeral(found.wireValue.value) : .text(found.wireValue.value)
    }

    static func deprecation(_ deprecated: Deprecation?) -> Pairs {
        guard let deprecated else { return [] }
        var pairs: Pairs = [("deprecated", .flag(true))]
        if let message = deprecated.message { pairs.append(("x-errand-deprecated", .text(message))) }
        if let sunset = deprecated.sunset { pairs.append(("x-sunset", .text(sunset.value.text))) }
        return pairs
    }

    // MARK: References

    func schema(of type: TypeReference) -> ReportValue { .object(pairs(of: type)) }

    private static func reference(_ type: TypeReference) -> String {
        guard case .named(let name) = type.unwrapped else { return "" }
        return "#/components/schemas/\(name.value)"
    }

    private func pairs(of type: TypeReference) -> Pairs {
        switch type {
        case .primitive(let primitive): return Self.pairs(of: primitive)
        case .named(let name):
            // An inline structure of a field has no name that a component could have.
            if let inner = contract.type(named: name.value), inner.inline != nil { return form(of: inner) }
            return [("$ref", .text(Self.reference(type)))]
        case .list(let element): return [("type", .text("array")), ("items", schema(of: element))]
        case .map(let element): return [("type", .text("object")), ("additionalProperties", schema(of: element))]
        case .optional(let inner):
            var pairs = pairs(of: inner)
            if let index = pairs.firstIndex(where: { $0.key == "type" }) {
                pairs[index].value = .list([pairs[index].value, .text("null")])
                return pairs
            }
            if pairs.isEmpty { return [("x-errand-type", .text(type.spelling))] }
            return [("anyOf", .list([.object(pairs), .object([("type", .text("null"))])]))]
        }
    }

    private static func pairs(of primitive: Primitive) -> Pairs {
        func type(_ name: String, _ format: String? = nil) -> Pairs {
            [("type", .text(name))] + (format.map { [("format", .text($0))] } ?? [])
        }
        return switch primitive {
        case .string: type("string")
        case .bool: type("boolean")
        // The values of both types have 64 bits.
        case .int: type("integer", "int64") + [("x-errand-type", .text(primitive.spelling))]
        case .int32: type("integer", "int32")
        case .int64: type("integer", "int64")
        case .uint: type("integer", "uint64") + [("minimum", .number(0))]
        case .double: type("number", "double")
        case .float: type("number", "float")
        case .decimal: type("number", "decimal")
        case .timestamp: type("string", "date-time")
        case .timestampUnix: type("number", "unix-time") + [("x-errand-type", .text(primitive.spelling))]
        case .timestampMilliseconds: type("number", "unix-time-ms") + [("x-errand-type", .text(primitive.spelling))]
        case .date: type("string", "date")
        case .dateOrTimestamp:
            type("string") + [
                ("anyOf", .list(["date", "date-time"].map { .object([("format", .text($0))]) })),
                ("x-errand-type", .text(primitive.spelling)),
            ]
        case .uuid: type("string", "uuid")
        case .url: type("string", "uri")
        case .bytes: type("string") + [("contentEncoding", .text("base64"))]
        case .json: []
        case .file: type("string", "binary")
        }
    }

    // MARK: Constraints

    private static func constrained(_ pairs: Pairs, _ constraints: Constraints, _ type: TypeReference) -> Pairs {
        var all = pairs
        func add(_ bounds: Located<Constraints.Bounds>?, _ lower: String, _ upper: String) {
            guard let bounds = bounds?.value else { return }
            if let text = bounds.lower { all.append((lower, .numeral(text))) }
            if let text = bounds.upper { all.append((upper, .numeral(text))) }
        }
        if let lower = constraints.range?.value.lower {
            // A `uint` has a minimum of its own, which is not the contract's.
            if all.contains(where: { $0.key == "minimum" }), Double(lower) == 0 {
                all.append(("x-errand-minimum", .numeral(lower)))
            }
            all.removeAll { $0.key == "minimum" }
        }
        add(constraints.range, "minimum", "maximum")
        add(constraints.length, "minLength", "maxLength")
        if case .map = type.unwrapped {
            add(constraints.items, "minProperties", "maxProperties")
        } else {
            add(constraints.items, "minItems", "maxItems")
        }
        if let forms = constraints.format?.value { all = spelled(all, as: forms) }
        // The language matches the whole text, JSON Schema a part of it.
        if let pattern = constraints.pattern { all.append(("pattern", .text(anchored(pattern.value)))) }
        return all
    }

    /// The schema of a timestamp in a service's own forms.
    private static func spelled(_ pairs: Pairs, as forms: [TimestampForm]) -> Pairs {
        var all = pairs
        // A timestamp in a service's own spelling isn't a `date-time`.
        all.removeAll { $0.key == "format" }
        let texts = forms.map { ReportValue.text($0.spelling) }
        all.append(("x-errand-format", texts.count == 1 ? texts[0] : .list(texts)))
        if forms.offset != 0 { all.append(("x-errand-zone", .text(TimestampFormat.zone(ofOffset: forms.offset)))) }
        guard forms.contains(where: \.isNumber), let index = all.firstIndex(where: { $0.key == "type" }) else {
            return all
        }
        switch all[index].value {
        case .text("string"): all[index].value = .list([.text("string"), .text("number")])
        case .list(let types): all[index].value = .list([types[0], .text("number")] + types.dropFirst())
        default: break
        }
        return all
    }

    private static func anchored(_ pattern: String) -> String {
        if pattern.hasPrefix("^"), pattern.hasSuffix("$"), !pattern.hasSuffix("\\$"), !pattern.contains("|"),
            !pattern.hasPrefix("^(?:")
        {
            return pattern
        }
        return "^(?:\(pattern))$"
    }
}
