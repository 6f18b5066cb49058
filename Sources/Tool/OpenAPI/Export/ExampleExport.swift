import ContractModel
import Diagnostics

// Examples of a contract in JSON, as their types have them on the wire.
extension SchemaExport {
    /// - Parameter constraints: those of the field, which may have the format of a timestamp.
    func value(
        of example: ExampleValue, _ type: TypeReference, _ constraints: [Constraints] = []
    ) -> ReportValue {
        if type.isOptional, case .scalar(let text, false, _) = example, ["null", "~", ""].contains(text) {
            return .numeral("null")
        }
        let (expanded, more) = contract.expanded(type.unwrapped)
        let all = constraints + more
        switch (expanded.unwrapped, example) {
        case (.list(let element), .list(let values, _)): return .list(values.map { value(of: $0, element, all) })
        case (.map(let element), .object(let pairs, _)):
            return .object(pairs.map { ($0.key.value, value(of: $0.value, element, all)) })
        case (.primitive(let primitive), .scalar(let text, _, _)):
            if let forms = all.compactMap(\.format?.value).first {
                return forms.contains(where: \.isNumber) ? example.printed.json : .text(text)
            }
            let isText = primitive != .json && primitive != .bool && !primitive.isNumber && !primitive.isTimeNumber
            return isText ? .text(text) : example.printed.json
        case (.named(let name), .scalar(let text, _, _)):
            guard case .enumeration(let enumeration)? = contract.type(named: name.value)?.form else {
                return example.printed.json
            }
            let wire = enumeration.cases.first { $0.name.value == text }?.wireValue.value ?? text
            return enumeration.wireKind == .int ? .numeral(wire) : .text(wire)
        case (.named(let name), .object(let pairs, _)):
            let fields = contract.structure(.named(name))?.fields ?? []
            return .object(
                pairs.map { key, inner in
                    guard let field = fields.first(where: { $0.name.value == key.value || $0.wireName == key.value })
                    else { return (key.value, inner.printed.json) }
                    return (field.wireName, value(of: inner, field.type, [field.constraints]))
                })
        default: return example.printed.json
        }
    }
}

extension Primitive {
    fileprivate var isTimeNumber: Bool { self == .timestampUnix || self == .timestampMilliseconds }
}
