import ContractChecks
import ContractModel
import JSONTree

/// Checks JSON values and the texts of parameters against the types and constraints of a contract.
package struct ValueCheck {
    /// Whose values are checked, and what may be said of them.
    package enum Subject: Sendable {
        /// What a client has sent to this server. Messages may show it.
        case request
        /// What a client has sent to another server. Messages have names and kinds, and no values.
        case recordedRequest
        /// What a client has read, with the leniency that the contract says. A client does not hold it to bounds. Messages have no
        /// values either.
        case recordedResponse

        var isRecorded: Bool { self != .request }
        var isRead: Bool { self == .recordedResponse }
    }

    let contract: ResolvedContract
    let subject: Subject
    private var trial = ConstraintTrial()
    /// What is wrong: the request breaks the contract, or a client cannot read the response.
    package private(set) var problems: [String] = []
    /// What is odd: the contract does not know it.
    package private(set) var oddities: [String] = []
    /// The places of members that the contract does not declare, in what was recorded.
    package private(set) var undeclared: Set<String> = []

    private static let mostProblems = 20
    private static let mostUndeclared = 200

    package init(_ contract: ResolvedContract, _ subject: Subject = .request) {
        self.contract = contract
        self.subject = subject
    }

    mutating func report(_ problem: String) {
        if problems.count < Self.mostProblems {
            problems.append(ClientText.shown(problem, longest: ClientText.longestMessage))
        }
    }

    package mutating func report(missing place: String) { report("`\(place)` is missing") }

    mutating func remark(_ oddity: String) {
        if oddities.count < Self.mostProblems {
            oddities.append(ClientText.shown(oddity, longest: ClientText.longestMessage))
        }
    }

    /// The place of a member whose name the client chose.
    private static func place(_ name: String, in place: String) -> String { "\(place).\(ClientText.shown(name))" }

    /// The place of a value of a map. Its key is data.
    func place(ofKey key: String, in place: String) -> String {
        subject.isRecorded ? "\(place).*" : Self.place(key, in: place)
    }

    func place(ofElement position: Int, in place: String) -> String {
        subject.isRecorded ? "\(place)[]" : "\(place)[\(position)]"
    }

    /// The end of a message about a text: the text itself, or its kind.
    private func found(_ text: String, isQuoted: Bool) -> String {
        if !subject.isRecorded { return "is `\(Self.short(text))`" }
        return isQuoted ? "is another text" : "is another value"
    }

    /// Notes members of an object that the contract does not declare.
    mutating func note(undeclared names: [String], in place: String) {
        guard subject.isRecorded else {
            for name in names { remark("`\(Self.place(name, in: place))` is not in the contract") }
            return
        }
        if undeclared.count < Self.mostUndeclared { undeclared.formUnion(RecordedName.places(of: names, in: place)) }
    }

    /// Runs checks whose problems are none: a client goes on without what they are about.
    mutating func checkTolerantly(_ run: (inout ValueCheck) -> Void) {
        var inside = ValueCheck(contract, subject)
        inside.trial = trial
        run(&inside)
        trial = inside.trial
        undeclared.formUnion(inside.undeclared.sorted().prefix(max(0, Self.mostUndeclared - undeclared.count)))
        for problem in inside.problems + inside.oddities { remark(problem) }
    }

    // MARK: JSON

    package mutating func check(_ value: JSONNode, fields: [FieldDefinition], at place: String) {
        guard let members = value.members else {
            return report("`\(place)` must be an object, and is \(value.kindName)")
        }
        let others = fields.first(where: \.holdsOtherMembers)
        for field in fields where !field.holdsOtherMembers {
            let inside = "\(place).\(field.wireName)"
            guard let member = value[field.wireName] else {
                let isTolerated = subject.isRead && field.isLenient
                if field.isRequired, !isTolerated { report("`\(inside)` is missing") }
                continue
            }
            check(member, field: field, at: inside)
        }
        let known = Set(fields.map(\.wireName))
        let unknown = members.prefix(1000).filter { !known.contains($0.name) }
        guard let type = others?.otherMembers else { return note(undeclared: unknown.map(\.name), in: place) }
        for member in unknown {
            check(member.value, type: type, [], coerces: false, at: self.place(ofKey: member.name, in: place))
        }
    }

    mutating func check(_ value: JSONNode, field: FieldDefinition, at place: String) {
        if value == .null, field.defaultValue != nil || field.nullable != nil { return }
        guard subject.isRead else {
            return check(field, at: place) {
                $0.check(value, type: field.type, [field.constraints], coerces: field.coerces, at: place)
            }
        }
        let read = { (check: inout ValueCheck) in
            check.checkRead(
                value, type: field.type, [field.constraints], coerces: field.coerces,
                acceptsSingle: field.acceptsSingle, skipsInvalid: field.skipsInvalid, at: place)
        }
        if field.isLenient { checkTolerantly(read) } else { read(&self) }
    }

    /// Checks a value as a client reads it.
    ///
    /// - Parameters:
    ///   - acceptsSingle: whether a value in place of a list is a list of one.
    ///   - skipsInvalid: whether elements that do not fit are left out.
    package mutating func checkRead(
        _ value: JSONNode, type: TypeReference, _ constraints: [Constraints] = [], coerces: Bool = false,
        acceptsSingle: Bool = false, skipsInvalid: Bool = false, at place: String
    ) {
        if coerces, type.isOptional, value == .string("") { return }
        if acceptsSingle || skipsInvalid, case .list(let inner) = contract.expanded(type.unwrapped).type.unwrapped {
            if value == .null, type.isOptional { return }
            guard let elements = value.elements ?? (acceptsSingle ? [value] : nil) else {
                return report("`\(place)` must be a list, and is \(value.kindName)")
            }
            for (position, element) in elements.enumerated() {
                let inside = self.place(ofElement: position, in: place)
                let read = { (check: inout ValueCheck) in
                    check.check(element, type: inner, constraints.map(\.ofElements), coerces: coerces, at: inside)
                }
                if skipsInvalid { checkTolerantly(read) } else { read(&self) }
            }
            return
        }
        check(value, type: type, constraints, coerces: coerces, at: place)
    }

    /// Runs the checks of a field's value. What is wrong with a sensitive value is said without the value.
    mutating func check(_ field: FieldDefinition, at place: String, _ run: (inout ValueCheck) -> Void) {
        // Of what was recorded, no value is shown anyway.
        guard field.isSensitive, !subject.isRecorded else { return run(&self) }
        var inside = ValueCheck(contract, subject)
        run(&inside)
        let text = "`\(place)` is not what the contract says. Its value is sensitive and is not shown"
        if !inside.problems.isEmpty { report(text) } else if !inside.oddities.isEmpty { remark(text) }
    }

    package mutating func check(
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
                check(
                    element, type: inner, all.map(\.ofElements), coerces: coerces,
                    at: self.place(ofElement: position, in: place))
            }
        case .map(let inner):
            guard let members = value.members else {
                return report("`\(place)` must be an object, and is \(value.kindName)")
            }
            check(count: members.count, all, at: place)
            for member in members where problems.count < Self.mostProblems {
                check(
                    member.value, type: inner, all.map(\.ofElements), coerces: coerces,
                    at: self.place(ofKey: member.name, in: place))
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
        if subject.isRead, !value.hasKind(enumeration.wireKind) {
            return report("`\(place)` must be one of \(Self.list(enumeration)), and is \(value.kindName)")
        }
        let isKnown = enumeration.cases.contains { $0.wireValues.contains { $0.value == text } }
        guard !isKnown else { return }
        let finding =
            "`\(place)` must be one of \(Self.list(enumeration)), and \(found(text, isQuoted: value.hasKind(.string)))"
        // An app can send a value back that its contract does not know, of the same kind.
        let hasKind = enumeration.wireKind != .int || Int64(text) != nil
        if enumeration.isClosed || !hasKind { report(finding) } else { remark(finding) }
    }

    private static func list(_ enumeration: EnumDefinition) -> String {
        let words = enumeration.cases.prefix(12).map { "`\($0.wireValue.value)`" }.joined(separator: ", ")
        return enumeration.cases.count > 12 ? words + " …" : words
    }

    private mutating func check(
        _ value: JSONNode, _ primitive: Primitive, _ constraints: [Constraints], coerces: Bool, at place: String
    ) {
        if primitive == .json { return }
        guard var text = value.scalarText else {
            return report("`\(place)` must be \(Self.name(of: primitive)), and is \(value.kindName)")
        }
        // To JSON Schema, 1.0 is an integer.
        if primitive.isInteger, case .number = value, text.hasSuffix(".0") { text.removeLast(2) }
        let isString = if case .string = value { true } else { false }
        let needsString =
            ![.bool, .double, .float, .decimal, .timestampUnix, .timestampMilliseconds].contains(primitive)
            && !primitive.isInteger
        if needsString != isString, !coerces, constraints.allSatisfy({ $0.format == nil }) {
            return report("`\(place)` must be \(Self.name(of: primitive)), and is \(value.kindName)")
        }
        if subject.isRead, coerces {
            guard Self.isCoercible(text, isQuoted: isString, primitive) else {
                report("`\(place)` must be \(Self.name(of: primitive)), and \(found(text, isQuoted: isString))")
                return
            }
            // The form of a timestamp is checked all the same.
            if constraints.allSatisfy({ $0.format == nil }) { return }
        }
        check(text: text, isQuoted: isString, primitive, constraints, coerces: coerces, at: place)
    }

    /// Whether a client reads a scalar of another kind as this one.
    private static func isCoercible(_ text: String, isQuoted: Bool, _ primitive: Primitive) -> Bool {
        if primitive == .bool { return ["true", "false", "0", "1"].contains(text.lowercased()) }
        guard primitive.isNumber else { return true }
        return ScalarForm.fits(text, isQuoted: false, primitive, coerces: false)
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
                report("`\(place)` must have the format \(spellings), and \(found(text, isQuoted: isQuoted))")
            }
            return
        }
        // A number with a sign or zeros before it would be another spelling of the same thing, and no JSON.
        let isNumeral = !primitive.isNumber || isQuoted || JSONNode.isNumber(text)
        guard isNumeral, ScalarForm.fits(text, isQuoted: isQuoted && !coerces, primitive, coerces: coerces) else {
            return report("`\(place)` must be \(Self.name(of: primitive)), and \(found(text, isQuoted: isQuoted))")
        }
        if subject.isRead { return }
        for constraint in constraints {
            let problem: String? =
                if primitive == .bytes {
                    TextCoding.bytes(ofBase64: text).flatMap { trial.problem(ofBytes: $0.count, constraint) }
                } else if primitive.isNumber {
                    trial.problem(ofNumber: text, constraint)
                } else {
                    trial.problem(ofText: text, constraint)
                }
            guard let problem else { continue }
            report(subject.isRecorded ? "`\(place)` is outside \(constraint.names)" : "`\(place)`: \(problem)")
        }
    }

    mutating func check(count: Int, _ constraints: [Constraints], at place: String) {
        if subject.isRead { return }
        for constraint in constraints {
            guard let problem = trial.problem(ofElements: count, constraint) else { continue }
            let bounds = constraint.items?.value.spelling ?? ""
            // A number would make a finding of its own of each request.
            report(subject.isRecorded ? "`\(place)` is outside `items: \(bounds)`" : "`\(place)`: \(problem)")
        }
    }

    static func short(_ text: String) -> String { ClientText.shown(text, longest: 60) }

    private static func name(of primitive: Primitive) -> String {
        switch primitive {
        case .bool: "`true` or `false`"
        case .int, .int32, .int64, .uint: "an integer (`\(primitive.spelling)`)"
        case .double, .float, .decimal: "a number (`\(primitive.spelling)`)"
        default: "a `\(primitive.spelling)`"
        }
    }
}

extension Constraints {
    /// The bounds of a scalar by their keys, for a message without the value.
    fileprivate var names: String {
        var names: [String] = []
        if let range { names.append("`range: \(range.value.spelling)`") }
        if let length { names.append("`length: \(length.value.spelling)`") }
        if pattern != nil { names.append("`pattern`") }
        return names.joined(separator: " or ")
    }

    /// The constraints of the elements of a list or a map.
    var ofElements: Constraints {
        var inner = self
        inner.items = nil
        return inner
    }
}
