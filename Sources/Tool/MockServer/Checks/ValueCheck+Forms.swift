import ContractModel
import JSONTree

/// A value of a form. Brackets in the names of pairs lead into it: `items[0][price]=5`.
struct FormValue {
    /// The texts of the pairs that end here.
    private(set) var texts: [String] = []
    private(set) var members: [(name: String, value: FormValue)] = []
    /// Where the members are, of which there can be many.
    private var positions: [String: Int] = [:]

    private static let deepest = 32

    /// The value of a field: of the pairs with its name, and of those that lead into it.
    init(_ pairs: [(name: String, value: String)], of field: String) {
        for pair in pairs {
            if pair.name == field {
                texts.append(pair.value)
            } else if pair.name.hasPrefix(field + "["), pair.name.hasSuffix("]") {
                let path = pair.name.dropFirst(field.count + 1).dropLast().split(
                    separator: "][", omittingEmptySubsequences: false)
                if path.count <= Self.deepest { insert(pair.value, at: path[...]) }
            }
        }
    }

    private init() {}

    private mutating func insert(_ text: String, at path: ArraySlice<Substring>) {
        guard let name = path.first.map(String.init) else {
            texts.append(text)
            return
        }
        let position = positions[name] ?? members.count
        if position == members.count {
            positions[name] = position
            members.append((name, FormValue()))
        }
        members[position].value.insert(text, at: path.dropFirst())
    }

    subscript(name: String) -> FormValue? { positions[name].map { members[$0].value } }

    var isEmpty: Bool { texts.isEmpty && members.isEmpty }

    /// The elements of a list: one for each text, and one for each place in brackets. `[]` has one for each of its texts.
    var elements: [FormValue] {
        func single(_ text: String) -> FormValue {
            var value = FormValue()
            value.texts = [text]
            return value
        }
        return texts.map(single) + members.flatMap { $0.name.isEmpty ? $0.value.texts.map(single) : [$0.value] }
    }
}

extension ValueCheck {
    /// Checks a value whose parts are pairs of a form.
    mutating func check(form value: FormValue, type: TypeReference, _ constraints: [Constraints], at place: String) {
        let (expanded, more) = contract.expanded(type.unwrapped)
        let all = constraints + more
        switch expanded.unwrapped {
        case .list(let inner):
            let elements = value.elements
            check(count: elements.count, all, at: place)
            for (position, element) in elements.enumerated() {
                let inside = self.place(ofElement: position, in: place)
                check(form: element, type: inner, all.map(\.ofElements), at: inside)
            }
        case .map(let inner):
            check(count: value.members.count, all, at: place)
            for (name, member) in value.members {
                check(form: member, type: inner, all.map(\.ofElements), at: self.place(ofKey: name, in: place))
            }
        case .named(let name):
            switch contract.type(named: name.value)?.form {
            case .structure(let fields)?: check(form: value, fields: fields, at: place)
            case .enumeration?: check(texts: value, type: type, all, at: place)
            // Pairs have no kinds, by which a client would tell the cases.
            case .union?, .alias?, nil: break
            }
        case .primitive(.json), .primitive(.file), .primitive(.bytes), .optional: break
        case .primitive: check(texts: value, type: type, all, at: place)
        }
    }

    private mutating func check(
        texts value: FormValue, type: TypeReference, _ constraints: [Constraints], at place: String
    ) {
        guard let text = value.texts.first else { return report("`\(place)` must be one text, and has parts") }
        check(text: text, type: type, constraints, at: place)
    }

    private mutating func check(form value: FormValue, fields: [FieldDefinition], at place: String) {
        guard value.texts.isEmpty else { return report("`\(place)` must have members in brackets, and is one text") }
        for field in fields where !field.holdsOtherMembers {
            let inside = "\(place).\(field.wireName)"
            guard let member = value[field.wireName] else {
                if field.isRequired, !canBeEmpty(field.type) { report("`\(inside)` is missing") }
                continue
            }
            check(field, at: inside) {
                $0.check(form: member, type: field.type, [field.constraints], at: inside)
            }
        }
        if fields.contains(where: \.holdsOtherMembers) { return }
        let known = Set(fields.map(\.wireName))
        note(undeclared: value.members.map(\.name).filter { !known.contains($0) }, in: place)
    }

    /// Whether a value of the type can have no pair in a form: an empty map, or a structure without anything in it.
    func canBeEmpty(_ type: TypeReference) -> Bool {
        switch contract.expanded(type).type {
        case .map, .list, .optional: true
        case .named:
            contract.structure(type)?.fields.allSatisfy { !$0.isRequired || canBeEmpty($0.type) } ?? false
        case .primitive: false
        }
    }
}
