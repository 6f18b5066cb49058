import ContractChecks
import ContractModel
import JSONTree

/// Checks JSON values and the texts of parameters against the types and constraints of a contract.
struct ValueCheck {
    private let contract: ResolvedContract
    private var trial = ConstraintTrial()
    /// What is wrong: the request breaks the contract.
    private(set) var problems: [String] = []
    /// What is odd: the contract does not know it.
    private(set) var oddities: [String] = []

    private static let mostProblems = 20

    init(_ contract: ResolvedContract) { self.contract = contract }

    mutating func report(_ problem: String) {
        if problems.count < Self.mostProblems {
            problems.append(ClientText.shown(problem, longest: ClientText.longestMessage))
        }
    }

    mutating func remark(_ oddity: String) {
        if oddities.count < Self.mostProblems {
            oddities.append(ClientText.shown(oddity, longest: ClientText.longestMessage))
        }
    }

    /// The place of a member whose name the client chose.
    private static func place(_ name: String, in place: String) -> String { "\(place).\(ClientText.shown(name))" }

    // MARK: JSON

    mutating func check(_ value: JSONNode, fields: [FieldDefinition], at place: String) {
        guard let members = value.members else {
            return report("`\(place)` must be an object, and is \(value.kindName)")
        }
        let others = fields.first(where: \.holdsOtherMembers)
        for field in fields where !field.holdsOtherMembers {
            let inside = "\(place).\(field.wireName)"
            guard let member = value[field.wireName] else {
                if field.isRequired { report("`\(inside)` is missing") }
                continue
            }
            check(member, field: field, at: inside)
        }
        let known = Set(fields.map(\.wireName))
        for member in members.prefix(1000) where !known.contains(member.name) {
            if let type = others?.otherMembers {
                check(member.value, type: type, [], coerces: false, at: Self.place(member.name, in: place))
            } else {
                remark("`\(Self.place(member.name, in: place))` is not in the contract")
            }
        }
    }

    mutating func check(_ value: JSONNode, field: FieldDefinition, at place: String) {
        if value == .null, field.defaultValue != nil || field.nullable != nil { return }
        check(field, at: place) {
            $0.check(value, type: field.type, [field.constraints], coerces: field.coerces, at: place)
        }
    }

    /// Runs the checks of a field's value. What is wrong with a sensitive value is said without the value.
    mutating func check(_ field: FieldDefinition, at place: String, _ run: (inout ValueCheck) -> Void) {
        guard field.isSensitive else { return run(&self) }
        var inside = ValueCheck(contract)
        run(&inside)
        let text = "`\(place)` is not what the contract says. Its value is sensitive and is not shown"
        if !inside.problems.isEmpty { report(text) } else if !inside.oddities.isEmpty { remark(text) }
    }

    mutating func check(
        _ value: JSONNode, type: TypeReference, _ constraints: [Constraints], coerces: Bool, at place: String
    ) {
        if value == .null, type.isOptional { return }
        let (expanded, more) = contract.expanded(type.unwrapped)
        if value == .null, expanded.isOptional { return }
        let all = constraints + more
        switch expanded.unwrapped {
        case .primitive(let primitive): check(value, primitive, all, coerces: coerces, at: place)
        case .list(let inner):
            guard let elements = value.elements else {
                return report("`\(place)` must be a list, and is \(value.kindName)")
            }
            check(count: elements.count, all, at: place)
            for (position, element) in elements.enumerated() where problems.count < Self.mostProblems {
                check(element, type: inner, all.map(\.ofElements), coerces: coerces, at: "\(place)[\(position)]")
            }
        case .map(let inner):
            guard let members = value.members else {
                return report("`\(place)` must be an object, and is \(value.kindName)")
            }
            check(count: members.count, all, at: place)
            for member in members where problems.count < Self.mostProblems {
                check(
                    member.value, type: inner, all.map(\.ofElements), coerces: coerces,
                    at: Self.place(member.name, in: place))
            }
        case .named(let name): check(value, typeNamed: name.value, at: place)
        case .optional: break
        }
    }

    private mutating func check(_ value: JSONNode, typeNamed name: String, at place: String) {
        switch contract.type(named: name)?.form {
        case .structure(let fields)?: check(value, fields: fields, at: place)
        case .enumeration(let enumeration)?: check(value, enumeration, at: place)
        case .union(let union)?: check(value, union, at: place)
        case .alias(let target, let constraints)?: check(value, type: target, [constraints], coerces: false, at: place)
        case nil: break
        }
    }

    private mutating func check(_ value: JSONNode, _ enumeration: EnumDefinition, at place: String) {
        guard let text = value.scalarText else {
            return report("`\(place)` must be one of \(Self.list(enumeration)), and is \(value.kindName)")
        }
        let isKnown = enumeration.cases.contains { $0.wireValues.contains { $0.value == text } }
        guard !isKnown else { return }
        let finding = "`\(place)` must be one of \(Self.list(enumeration)), and is `\(Self.short(text))`"
        // An app can send a value back that its contract does not know, of the same kind.
        let hasKind = enumeration.wireKind != .int || Int64(text) != nil
        if enumeration.isClosed || !hasKind { report(finding) } else { remark(finding) }
    }

    private static func list(_ enumeration: EnumDefinition) -> String {
        let words = enumeration.cases.prefix(12).map { "`\($0.wireValue.value)`" }.joined(separator: ", ")
        return enumeration.cases.count > 12 ? words + " …" : words
    }

    private mutating func check(_ value: JSONNode, _ union: UnionDefinition, at place: String) {
        switch union.distinction {
        case .value(let key, _):
            guard let tag = value[key.value]?.scalarText else { return report("`\(place).\(key.value)` is missing") }
            guard let item = union.cases.first(where: { $0.name.value == tag }) else {
                return report("`\(place).\(key.value)` cannot be `\(Self.short(tag))`")
            }
            var inside = value
            inside[key.value] = nil
            let (expanded, _) = contract.expanded(item.type)
            if case .named(let name) = expanded, case .structure(let fields)? = contract.type(named: name.value)?.form {
                let isField = fields.contains { $0.wireName == key.value }
                check(isField ? value : inside, fields: fields, at: place)
            } else {
                check(value, type: item.type, [], coerces: false, at: place)
            }
        case .key:
            let found = union.cases.filter { value[$0.name.value].map { $0 != .null } ?? false }
            guard found.count == 1, let item = found.first else {
                let keys = union.cases.map { "`\($0.name.value)`" }.joined(separator: ", ")
                return report("`\(place)` must have exactly one of \(keys)")
            }
            check(value, type: item.type, [], coerces: false, at: place)
        case .kind:
            guard let item = union.cases.first(where: { value.hasKind($0.name.value) }) else {
                return report("`\(place)` cannot be \(value.kindName)")
            }
            check(value, type: item.type, [], coerces: false, at: place)
        }
    }

    private mutating func check(
        _ value: JSONNode, _ primitive: Primitive, _ constraints: [Constraints], coerces: Bool, at place: String
    ) {
        if primitive == .json { return }
        guard var text = value.scalarText else {
            return report("`\(place)` must be \(Self.name(of: primitive)), and is \(value.kindName)")
        }
        // To JSON Schema, 1.0 is a whole number.
        if primitive.isInteger, case .number = value, text.hasSuffix(".0") { text.removeLast(2) }
        let isString = if case .string = value { true } else { false }
        let needsString =
            ![.bool, .double, .float, .decimal, .timestampUnix, .timestampMilliseconds].contains(primitive)
            && !primitive.isInteger
        if needsString != isString, !coerces, constraints.allSatisfy({ $0.format == nil }) {
            return report("`\(place)` must be \(Self.name(of: primitive)), and is \(value.kindName)")
        }
        check(text: text, isQuoted: isString, primitive, constraints, coerces: coerces, at: place)
    }

    // MARK: Texts

    /// Checks the text of a parameter.
    mutating func check(text: String, type: TypeReference, _ constraints: [Constraints], at place: String) {
        let (expanded, more) = contract.expanded(type.unwrapped)
        let all = constraints + more
        switch expanded.unwrapped {
        case .primitive(let primitive):
            check(text: text, isQuoted: false, primitive, all, coerces: false, at: place)
        case .named(let name):
            if case .enumeration(let enumeration)? = contract.type(named: name.value)?.form {
                check(.string(text), enumeration, at: place)
            }
        case .list(let inner): check(text: text, type: inner, all.map(\.ofElements), at: place)
        case .map, .optional: break
        }
    }

    private mutating func check(
        text: String, isQuoted: Bool, _ primitive: Primitive, _ constraints: [Constraints], coerces: Bool,
        at place: String
    ) {
        if let forms = constraints.compactMap(\.format?.value).first {
            if !forms.contains(where: { ScalarForm.fits(text, isQuoted: isQuoted, $0) }) {
                let spellings = forms.map { "`\($0.spelling)`" }.joined(separator: " or ")
                report("`\(place)` must have the format \(spellings), and is `\(Self.short(text))`")
            }
            return
        }
        // A number with a sign or zeros before it would be another spelling of the same thing, and no JSON.
        let isNumeral = !primitive.isNumber || isQuoted || JSONNode.isNumber(text)
        guard isNumeral, ScalarForm.fits(text, isQuoted: isQuoted && !coerces, primitive, coerces: coerces) else {
            return report("`\(place)` must be \(Self.name(of: primitive)), and is `\(Self.short(text))`")
        }
        for constraint in constraints {
            let problem: String? =
                if primitive == .bytes {
                    TextCoding.bytes(ofBase64: text).flatMap { trial.problem(ofBytes: $0.count, constraint) }
                } else if primitive.isNumber {
                    trial.problem(ofNumber: text, constraint)
                } else {
                    trial.problem(ofText: text, constraint)
                }
            if let problem { report("`\(place)`: \(problem)") }
        }
    }

    mutating func check(count: Int, _ constraints: [Constraints], at place: String) {
        for constraint in constraints {
            if let problem = trial.problem(ofElements: count, constraint) { report("`\(place)`: \(problem)") }
        }
    }

    private static func short(_ text: String) -> String { ClientText.shown(text, longest: 60) }

    private static func name(of primitive: Primitive) -> String {
        switch primitive {
        case .bool: "`true` or `false`"
        case .int, .int32, .int64, .uint: "a whole number (`\(primitive.spelling)`)"
        case .double, .float, .decimal: "a number (`\(primitive.spelling)`)"
        default: "a `\(primitive.spelling)`"
        }
    }
}

extension Constraints {
    /// The constraints of the elements of a list or a map.
    fileprivate var ofElements: Constraints {
        var inner = self
        inner.items = nil
        return inner
    }
}

extension JSONNode {
    /// Whether the value is of a kind of a union's case.
    fileprivate func hasKind(_ kind: String) -> Bool {
        switch (UnionDefinition.Kind(rawValue: kind), self) {
        case (.string, .string), (.number, .number), (.bool, .bool), (.array, .array), (.object, .object): true
        case (.integer, .number(let text)): Int64(text) != nil || UInt64(text) != nil
        default: false
        }
    }
}
