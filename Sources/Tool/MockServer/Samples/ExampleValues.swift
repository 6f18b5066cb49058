import ContractModel
import JSONTree

/// The examples of a contract as JSON.
struct ExampleValues {
    let contract: ResolvedContract

    /// The example of a value of a type, under the names on the wire.
    func node(_ value: ExampleValue, type: TypeReference, constraints: [Constraints] = []) -> JSONNode {
        if case .scalar(let text, false, _) = value, type.isOptional, ["null", "~", ""].contains(text) { return .null }
        let (expanded, more) = contract.expanded(type.unwrapped)
        let forms = (constraints + more).compactMap(\.format?.value).first
        switch (expanded.unwrapped, value) {
        case (.list(let inner), .list(let values, _)):
            return .array(values.map { node($0, type: inner, constraints: constraints + more) })
        case (.map(let inner), .object(let pairs, _)):
            return .object(
                pairs.map {
                    JSONNode.Member($0.key.value, node($0.value, type: inner, constraints: constraints + more))
                })
        case (.named(let name), _): return node(value, typeNamed: name.value)
        case (.primitive(.json), _): return anything(value)
        case (.primitive(let primitive), .scalar(let text, let isQuoted, _)):
            if let forms {
                return !isQuoted && forms.contains(where: \.isNumber) && Double(text) != nil
                    ? .number(text) : .string(text)
            }
            return scalar(text, isQuoted: isQuoted, primitive)
        default: return anything(value)
        }
    }

    /// The example of an object with these fields.
    func node(_ value: ExampleValue, fields: [FieldDefinition]) -> JSONNode {
        guard case .object(let pairs, _) = value else { return anything(value) }
        return .object(
            pairs.map { pair in
                guard
                    let field = fields.first(where: { $0.name.value == pair.key.value || $0.wireName == pair.key.value }
                    )
                else { return JSONNode.Member(pair.key.value, anything(pair.value)) }
                return JSONNode.Member(
                    field.wireName, node(pair.value, type: field.type, constraints: [field.constraints]))
            })
    }

    private func node(_ value: ExampleValue, typeNamed name: String) -> JSONNode {
        switch (contract.type(named: name)?.form, value) {
        case (.structure(let fields)?, _): return node(value, fields: fields)
        case (.enumeration(let enumeration)?, .scalar(let text, _, _)):
            let item = enumeration.cases.first { $0.name.value == text }
            let wire = item?.wireValue.value ?? text
            return enumeration.wireKind == .int && Int64(wire) != nil ? .number(wire) : .string(wire)
        case (.alias(let target, let constraints)?, _): return node(value, type: target, constraints: [constraints])
        case (.union(let union)?, _): return node(value, union)
        default: return anything(value)
        }
    }

    private func node(_ value: ExampleValue, _ union: UnionDefinition) -> JSONNode {
        guard case .object(let pairs, _) = value else { return anything(value) }
        switch union.distinction {
        case .kind: return anything(value)
        case .key:
            let item = union.cases.first { item in pairs.contains { $0.key.value == item.name.value } }
            return item.map { node(value, type: $0.type) } ?? anything(value)
        case .value(let key, let kind):
            var text: String?
            if case .scalar(let found, _, _)? = pairs.first(where: { $0.key.value == key.value })?.value {
                text = found
            }
            guard let item = union.objectCase(text) else { return anything(value) }
            var made = node(value, type: item.type)
            if let text { made[key.value] = kind == .int ? .number(text) : .string(text) }
            return made
        }
    }

    private func scalar(_ text: String, isQuoted: Bool, _ primitive: Primitive) -> JSONNode {
        switch primitive {
        case .bool where text == "true" || text == "false": .bool(text == "true")
        case .int, .int32, .int64, .uint, .double, .float, .decimal, .timestampUnix, .timestampMilliseconds:
            isQuoted ? .string(text) : number(text)
        default: .string(text)
        }
    }

    /// A number as JSON has it, without `+`, a leading point or leading zeros.
    private func number(_ text: String) -> JSONNode {
        if case .number(let same)? = try? JSONParser.parse(Array(text.utf8)) { return .number(same) }
        guard let value = Double(text), value.isFinite else { return .string(text) }
        return .number("\(value)")
    }

    private func anything(_ value: ExampleValue) -> JSONNode {
        switch value {
        case .scalar(let text, true, _): return .string(text)
        case .scalar(let text, false, _):
            if ["null", "~", ""].contains(text) { return .null }
            if case let node? = try? JSONParser.parse(Array(text.utf8)), node.members == nil, node.elements == nil {
                return node
            }
            return .string(text)
        case .list(let values, _): return .array(values.map(anything))
        case .object(let pairs, _): return .object(pairs.map { JSONNode.Member($0.key.value, anything($0.value)) })
        }
    }
}
