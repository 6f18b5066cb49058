import Diagnostics

/// Holds examples against the types that they are examples of, as a reader of the wire would.
package struct ExampleFit {
    package struct Problem {
        package let message: String
        package let help: String
        package let range: SourceRange
        package var fix: Fix?
    }

    package private(set) var problems: [Problem] = []
    private let types: TypeLookup
    /// The unions that a value is being held against, one a case of the other, by the value's place.
    private var unions: [SourceRange: Set<String>] = [:]
    private var trial = ConstraintTrial()

    package init(_ types: TypeLookup) {
        self.types = types
    }

    /// The example of a field.
    package mutating func check(_ field: FieldDefinition) {
        if let example = field.example { check(example, of: field) }
    }

    /// The inputs of an endpoint. Those outside of the body may be absent, and so may the body as a whole, because they have examples of
    /// their own.
    package mutating func check(
        _ request: ExampleValue, parameters: [FieldDefinition], body: BodyDefinition?, of what: String
    ) {
        let fields =
            switch body?.content {
            case .fields(let fields)?: fields
            case .type(let type, _)?: types.structureFields(of: type)
            case .bytes?, nil: [FieldDefinition]()
            }
        var hasBody = false
        if case .object(let pairs, _) = request {
            hasBody = pairs.contains { pair in fields.contains { $0.isCalled(pair.key.value) } }
        }
        check(request, fields: parameters + fields, required: hasBody ? fields : [], of: what)
    }

    /// An object with these fields and no others. A field may be called by its name or by its name on the wire.
    ///
    /// - Parameter required: the fields of which those that a reader requires must be there; nil for all.
    package mutating func check(
        _ value: ExampleValue, fields: [FieldDefinition], required: [FieldDefinition]? = nil, of what: String,
        alsoKnown: String? = nil
    ) {
        guard case .object(let pairs, let range) = value else {
            return report(
                "\(what) must be an object with fields", "write `{\(fields.first?.name.value ?? "name"): …}`",
                value.range)
        }
        var seen = Set<String>()
        for (key, value) in pairs {
            guard let field = fields.first(where: { $0.isCalled(key.value) }) else {
                if key.value == alsoKnown { continue }
                if let type = fields.lazy.compactMap(\.otherMembers).first {
                    check(value, type: type)
                    continue
                }
                let near = NearSpelling(of: key.value, among: fields.map(\.name.value))
                report(
                    "\(what) has no field `\(key.value)`",
                    near.map { "did you mean `\($0.candidate)`?" } ?? "remove it, or declare it", key.range,
                    fix: near.flatMap { near in
                        // The key is not suggested if it is already present.
                        pairs.contains { $0.0.value == near.candidate }
                            ? nil
                            : Fix(
                                title: "write `\(near.candidate)`", applicability: .needsALook,
                                edits: [Fix.Edit(replacing: key.range, with: near.candidate)])
                    })
                continue
            }
            seen.insert(field.name.value)
            check(value, of: field)
        }
        for field in required ?? fields where field.isRequired && !seen.contains(field.name.value) {
            report("\(what) needs `\(field.name.value)`", "add the field, which is a `\(field.type.spelling)`", range)
        }
    }

    private mutating func check(_ value: ExampleValue, of field: FieldDefinition) {
        let count = problems.count
        check(
            value, type: field.type, coerces: field.coerces, acceptsSingle: field.acceptsSingle,
            formats: field.constraints.format?.value ?? [])
        if problems.count == count { check(value, field.constraints, type: field.type) }
    }

    /// - Parameter formats: the forms of the timestamps in it; empty as the type says.
    package mutating func check(
        _ value: ExampleValue, type: TypeReference, coerces: Bool = false, acceptsSingle: Bool = false,
        formats: [TimestampForm] = []
    ) {
        if case .optional(let inner) = type {
            if case .scalar(let text, false, _) = value, ["null", "~", ""].contains(text) { return }
            return check(value, type: inner, coerces: coerces, acceptsSingle: acceptsSingle, formats: formats)
        }
        let formats =
            formats.isEmpty
            ? types.constraints(of: type).lazy.compactMap(\.format).first?.value ?? [] : formats
        let count = problems.count
        defer {
            if problems.count == count {
                for constraints in types.constraints(of: type) { check(value, constraints, type: type) }
            }
        }
        switch (types.expanded(type), value) {
        case (.list(let element), .list(let values, _)):
            for value in values { check(value, type: element, coerces: coerces, formats: formats) }
        case (.list(let element), _) where acceptsSingle:
            check(value, type: element, coerces: coerces, formats: formats)
        case (.map(let element), .object(let pairs, _)):
            for (_, value) in pairs { check(value, type: element, coerces: coerces, formats: formats) }
        case (.named(let name), _): check(value, definition: name.value)
        case (.primitive(.timestamp), .scalar(let text, let isQuoted, let range)) where !formats.isEmpty:
            if formats.contains(where: { ScalarForm.fits(text, isQuoted: isQuoted, $0) }) { return }
            let spellings = formats.map { "`\($0.spelling)`" }.joined(separator: " or ")
            report(
                "`\(text)` does not have the format \(spellings)",
                "write a value such as `\(ScalarForm.sample(of: formats[0]))`", range)
        case (.primitive(let primitive), _): check(value, primitive, coerces: coerces)
        case (.optional(let inner), _): check(value, type: .optional(inner), coerces: coerces, formats: formats)
        case (let expanded, _):
            report(
                "this is not a `\(expanded.spelling)`", Self.isList(expanded) ? "write `[…]`" : "write `{…}`",
                value.range)
        }
    }

    /// Holds a value that fits its type against constraints.
    private mutating func check(_ value: ExampleValue, _ constraints: Constraints, type: TypeReference) {
        guard !constraints.isEmpty else { return }
        let problem: String?
        switch (types.expanded(type.unwrapped).unwrapped, value) {
        case (_, .scalar(let text, false, _)) where type.isOptional && ["null", "~", ""].contains(text): return
        case (.primitive(.bytes), .scalar(let text, _, _)):
            problem = trial.problem(ofBytes: text.utf8.count / 4 * 3 - text.suffix(2).count { $0 == "=" }, constraints)
        case (.primitive(let primitive), .scalar(let text, _, _)):
            problem =
                primitive.isNumber
                ? trial.problem(ofNumber: text, constraints) : trial.problem(ofText: text, constraints)
        case (.list, .list(let values, _)): problem = trial.problem(ofElements: values.count, constraints)
        case (.map, .object(let pairs, _)): problem = trial.problem(ofElements: pairs.count, constraints)
        default: return
        }
        if let problem { report(problem, "write a value that the contract allows", value.range) }
    }

    // MARK: Kinds of types

    private mutating func check(_ value: ExampleValue, definition name: String) {
        guard let type = types.type(named: name) else { return }  // reported as unknown
        switch type.form {
        case .structure(let fields): check(value, fields: fields, of: "`\(name)`")
        case .enumeration(let definition): check(value, definition, name)
        case .union(let union): check(value, union, name)
        case .alias: break  // expanded by the caller
        }
    }

    /// An open enum takes every word, but numbers must be numbers.
    private mutating func check(_ value: ExampleValue, _ definition: EnumDefinition, _ name: String) {
        guard case .scalar(let text, _, let range) = value else {
            return report("`\(name)` must be a single value", "write one of its values", value.range)
        }
        let known = definition.cases.contains { item in
            item.name.value == text || item.wireValues.contains { $0.value == text }
        }
        guard !known, definition.isClosed || (definition.wireKind == .int && Int64(text) == nil) else { return }
        report(
            "`\(name)` has no value `\(text)`",
            "it has \(definition.cases.map { "`\($0.name.value)`" }.joined(separator: ", "))", range)
    }

    private mutating func check(_ value: ExampleValue, _ union: UnionDefinition, _ name: String) {
        let outer = unions[value.range, default: []]
        // One that is its own case, or is too deep, is reported.
        guard !outer.contains(name), outer.count < UnionDefinition.deepest else { return }
        unions[value.range] = outer.union([name])
        defer { unions[value.range] = outer }
        guard let discriminator = union.discriminator?.value else {
            return union.isByKind ? checkKind(value, union, name) : checkKeys(value, union, name)
        }
        guard case .object(let pairs, let range) = value else {
            return report("`\(name)` must be an object", "write `{\(discriminator): …}`", value.range)
        }
        guard case .scalar(let text, _, let place)? = pairs.first(where: { $0.key.value == discriminator })?.value
        else {
            if let other = union.otherCase { return checkCase(value, other) }
            return report("`\(name)` needs `\(discriminator)`, which tells its cases apart", "add it", range)
        }
        guard let item = union.objectCase(text) else {
            return report(
                "`\(name)` has no case `\(text)`",
                "it has \(union.cases.map { "`\($0.name.value)`" }.joined(separator: ", "))", place)
        }
        checkCase(value, item, alsoKnown: discriminator)
    }

    private mutating func checkCase(_ value: ExampleValue, _ item: UnionDefinition.Case, alsoKnown: String? = nil) {
        if case .named(let name) = types.expanded(item.type), case .union? = types.type(named: name.value)?.form {
            return check(value, type: item.type)
        }
        check(
            value, fields: types.structureFields(of: item.type), of: "`\(item.type.spelling)`", alsoKnown: alsoKnown)
    }

    private mutating func checkKind(_ value: ExampleValue, _ union: UnionDefinition, _ name: String) {
        let kinds = value.kinds
        guard let item = kinds.lazy.compactMap({ kind in union.cases.first { $0.name.value == kind.rawValue } }).first
        else {
            return report(
                "`\(name)` has no case for this value",
                "write a value of one of its kinds: \(union.cases.map { "`\($0.name.value)`" }.joined(separator: ", "))",
                value.range)
        }
        check(value, type: item.type)
    }

    private mutating func checkKeys(_ value: ExampleValue, _ union: UnionDefinition, _ name: String) {
        let keys = union.cases.map { "`\($0.name.value)`" }.joined(separator: ", ")
        guard case .object(let pairs, let range) = value else {
            return report("`\(name)` must be an object", "write one with one of \(keys)", value.range)
        }
        let found = union.cases.filter { item in pairs.contains { $0.key.value == item.name.value } }
        guard found.count == 1, let item = found.first else {
            return report(
                "`\(name)` must have exactly one of \(keys), and this has \(found.count)", "write one of them", range)
        }
        checkCase(value, item)
    }

    private mutating func check(_ value: ExampleValue, _ primitive: Primitive, coerces: Bool) {
        if primitive == .json { return }
        guard case .scalar(let text, let isQuoted, let range) = value else {
            return report("a `\(primitive.spelling)` must be a single value", "write it without brackets", value.range)
        }
        guard !ScalarForm.fits(text, isQuoted: isQuoted, primitive, coerces: coerces) else { return }
        report(
            "`\(text)` is not a `\(primitive.spelling)`", "write a value such as `\(ScalarForm.sample(of: primitive))`",
            range)
    }

    private static func isList(_ type: TypeReference) -> Bool {
        if case .list = type { true } else { false }
    }

    private mutating func report(_ message: String, _ help: String, _ range: SourceRange, fix: Fix? = nil) {
        problems.append(Problem(message: message, help: help, range: range, fix: fix))
    }
}

extension FieldDefinition {
    /// Whether examples call it so: by its name, or by its name on the wire.
    fileprivate func isCalled(_ key: String) -> Bool { !holdsOtherMembers && (name.value == key || wireName == key) }
}

extension ExampleValue {
    /// The kinds that the value can have on the wire, the most likely one first. A text without quotes can be a number or a text.
    fileprivate var kinds: [UnionDefinition.Kind] {
        switch self {
        case .list: return [.array]
        case .object: return [.object]
        case .scalar(_, true, _): return [.string]
        case .scalar(let text, false, _):
            if text == "true" || text == "false" { return [.bool, .string] }
            if Int64(text) != nil || UInt64(text) != nil { return [.integer, .number, .string] }
            if ScalarForm.fits(text, isQuoted: false, .double, coerces: false) { return [.number, .string] }
            // An enum of numbers is written by its names.
            return [.string, .integer]
        }
    }
}
