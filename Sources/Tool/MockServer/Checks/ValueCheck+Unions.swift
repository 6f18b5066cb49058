import ContractModel
import JSONTree

extension ValueCheck {
    mutating func check(_ value: JSONNode, _ union: UnionDefinition, at place: String) {
        switch union.distinction {
        case .value(let key, let kind):
            let tag = value[key.value]
            let text = tag.flatMap { subject.isRead && !$0.hasKind(kind) ? nil : $0.scalarText }
            if union.otherCase == nil {
                guard tag?.scalarText != nil else { return report("`\(place).\(key.value)` is missing") }
                if text == nil, let tag {
                    return report("`\(place).\(key.value)` must be \(kind.words), and is \(tag.kindName)")
                }
            }
            guard let item = union.objectCase(text) else {
                return note(
                    unknownCase: subject.isRecorded
                        ? "`\(place).\(key.value)` names no case of the union"
                        : "`\(place).\(key.value)` cannot be `\(Self.short(text ?? ""))`")
            }
            var inside = value
            inside[key.value] = nil
            if let fields = contract.structure(item.type)?.fields {
                let isField = fields.contains { $0.wireName == key.value }
                check(isField ? value : inside, fields: fields, at: place)
            } else {
                check(value, type: item.type, [], coerces: false, at: place)
            }
        case .key:
            if subject.isRead, value.members == nil {
                return report("`\(place)` must be an object, and is \(value.kindName)")
            }
            let found = union.cases.filter { value[$0.name.value].map { $0 != .null } ?? false }
            guard found.count == 1, let item = found.first else {
                let keys = union.cases.map { "`\($0.name.value)`" }.joined(separator: ", ")
                return note(unknownCase: "`\(place)` must have exactly one of \(keys)")
            }
            check(value, type: item.type, [], coerces: false, at: place)
        case .kind:
            guard let item = union.cases.first(where: { value.hasKind($0.name.value) }) else {
                let message = "`\(place)` cannot be \(value.kindName)"
                return value == .null ? report(message) : note(unknownCase: message)
            }
            check(value, type: item.type, [], coerces: false, at: place)
        }
    }

    /// Unions are open: a client keeps a value of an unknown case as it is. A server that this client calls does not have to.
    private mutating func note(unknownCase message: String) {
        if subject.isRead { remark(message) } else { report(message) }
    }
}

extension EnumDefinition.WireKind {
    fileprivate var words: String { self == .int ? "an integer" : "a text" }
}

extension JSONNode {
    /// Whether a client reads the value as one of this kind, which it does not convert.
    func hasKind(_ kind: EnumDefinition.WireKind) -> Bool {
        switch self {
        case .string: kind == .string
        case .number: kind == .int
        case .null, .bool, .array, .object: false
        }
    }

    /// Whether the value is of a kind of a union's case.
    fileprivate func hasKind(_ kind: String) -> Bool {
        switch (UnionDefinition.Kind(rawValue: kind), self) {
        case (.string, .string), (.number, .number), (.bool, .bool), (.array, .array), (.object, .object): true
        case (.integer, .number(let text)): Int64(text) != nil || UInt64(text) != nil
        default: false
        }
    }
}
