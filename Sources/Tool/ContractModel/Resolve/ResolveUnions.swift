import Diagnostics

// Whether the cases of unions can be told apart.
extension Resolution {
    /// The union that a type is; nil for any other type.
    func union(_ type: TypeReference) -> UnionDefinition? {
        guard case .named(let name)? = expanded(type), case .union(let union)? = self.type(name.value)?.form else {
            return nil
        }
        return union
    }

    mutating func check(_ union: UnionDefinition) {
        guard !union.isByKind else {
            for item in union.cases { checkKind(item) }
            return
        }
        if union.namedCases.isEmpty, let other = union.otherCase {
            report(
                .emptyUnion, "the union has no case besides `\(UnionDefinition.others)`, so every object is that one",
                at: other.name.range, help: "add a case, or use `\(other.type.spelling)` in place of the union")
        }
        let cases = union.cases.map { structures(of: $0, union) }
        for (item, structures) in zip(union.cases, cases) {
            if let structures { checkDiscriminator(union, item, structures) }
        }
        let found = cases.compactMap { $0 }
        if case .key = union.distinction, found.count == cases.count { checkKeys(union, found) }
    }

    // MARK: Unions by kinds

    private mutating func checkKind(_ item: UnionDefinition.Case) {
        guard let expanded = expanded(item.type), item.type.names.allSatisfy({ self.type($0.value) != nil }),
            let wanted = UnionDefinition.Kind(rawValue: item.name.value)
        else { return }  // reported as unknown, or as a cycle
        if expanded.isOptional {
            report(
                .unionCaseMismatch, "the case `\(wanted.rawValue)` is optional, and null is no kind of a union",
                at: item.name.range,
                help: "write `\(item.type.unwrapped.spelling)` here, and `?` in each field where the union may be null")
            return
        }
        let hasNumbers = aliases.constraints(of: item.type).contains {
            $0.format?.value.contains(where: \.isNumber) == true
        }
        let found = hasNumbers ? nil : expanded.jsonKind { self.type($0) }
        guard found != wanted else { return }
        let isUnion = self.union(item.type) != nil
        report(
            .unionCaseMismatch,
            found.map {
                "the case `\(wanted.rawValue)` is `\(item.type.spelling)`, whose values are of the kind `\($0.rawValue)`"
            } ?? "the case `\(wanted.rawValue)` is `\(item.type.spelling)`, whose values have several kinds",
            at: item.name.range,
            help: found.map { "write it as `\($0.rawValue): \(item.type.spelling)`" }
                ?? (isUnion
                    ? "add the cases of `\(item.type.spelling)` to this union"
                    : "name a type with values of this kind only; other values are `.unrecognized`"))
    }

    // MARK: Unions of objects

    /// A structure that a case can be.
    private struct CaseStructure {
        let name: String
        /// With their names on the wire.
        let fields: [FieldDefinition]
        /// Whether it is a case of a union that is the case.
        let isInner: Bool
    }

    /// The structures that a case can be: one, or those of a union at any depth. Nil after a finding.
    private mutating func structures(of item: UnionDefinition.Case, _ union: UnionDefinition) -> [CaseStructure]? {
        var found: [CaseStructure] = []
        var pending = [(type: item.type, depth: 0)]
        var seen: Set<String> = []
        let isInner = self.union(item.type) != nil
        while let (type, depth) = pending.popLast() {
            guard let expanded = expanded(type) else { return nil }  // reported as a cycle
            guard case .named(let name) = expanded else {
                reportNoObject(item, union, nil)
                return nil
            }
            guard let definition = self.type(name.value) else { return nil }  // reported as unknown
            guard seen.insert(name.value).inserted else { continue }
            switch definition.form {
            case .structure(let fields):
                let naming = scopes[typeFiles[definition.name.value] ?? ""]?.contract.defaults.naming ?? .asWritten
                found.append(
                    CaseStructure(
                        name: isInner ? name.value : item.type.spelling,
                        fields: fields.map {
                            $0.onWire(as: $0.declaredWireName?.value ?? naming.wireName(of: $0.name.value))
                        }, isInner: isInner))
            case .union(let inner) where !inner.isByKind:
                guard depth < UnionDefinition.deepest else {
                    report(
                        .unionCaseMismatch,
                        "the case `\(item.name.value)` nests unions deeper than \(UnionDefinition.deepest) levels",
                        at: item.name.range, help: "name the structures as cases of one union")
                    return nil
                }
                pending += inner.cases.reversed().map { ($0.type, depth + 1) }
            case .union, .enumeration, .alias:
                reportNoObject(item, union, definition)
                return nil
            }
        }
        return found
    }

    private mutating func reportNoObject(
        _ item: UnionDefinition.Case, _ union: UnionDefinition, _ definition: TypeDefinition?
    ) {
        report(
            .unionCaseMismatch,
            "the case `\(item.name.value)` is `\(item.type.spelling)`, and the cases of a union by \(union.discriminator == nil ? "`keys`" : "`by`") must be structures, or unions of structures",
            at: item.name.range,
            notes: definition.map { [DiagnosticNote("defined here", at: $0.name.range)] } ?? [],
            help: union.discriminator.map {
                "name a type with fields, which has the key `\($0.value)` beside them, or write `kinds: {KIND: TYPE}`"
            } ?? "name a type with the field `\(item.name.value)`, or write `kinds: {KIND: TYPE}`")
    }

    /// Checks the fields at the discriminator. A union writes the discriminator of a structure without such a field, but not that
    /// of a union inside of it.
    private mutating func checkDiscriminator(
        _ union: UnionDefinition, _ item: UnionDefinition.Case, _ structures: [CaseStructure]
    ) {
        guard case .value(let discriminator, let kind) = union.distinction else { return }
        for structure in structures {
            guard let field = structure.fields.first(where: { $0.wireName == discriminator.value }) else {
                // Such an object may lack the key.
                if item.name.value == UnionDefinition.others { continue }
                if structure.fields.contains(where: \.holdsOtherMembers) {
                    report(
                        .unionDiscriminatorClash,
                        "the `additionalProperties` of `\(structure.name)` would contain `\(discriminator.value)`, which tells the cases apart",
                        at: item.name.range,
                        help: "add the field `\(discriminator.value): \(kind.rawValue)` to `\(structure.name)`")
                    continue
                }
                guard structure.isInner else { continue }
                report(
                    .unionDiscriminatorClash,
                    "`\(structure.name)` is a case of `\(item.type.spelling)`, and has no field `\(discriminator.value)`, which tells `\(item.type.spelling)` apart here",
                    at: item.name.range,
                    help: "add the field `\(discriminator.value): \(kind.rawValue)` to `\(structure.name)`")
                continue
            }
            readStrictly([field], "it tells the cases of a union apart")
            let type = field.type.unwrapped.primitive
            guard kind == .string ? type != .string : type?.isInteger != true else { continue }
            report(
                .unionDiscriminatorClash,
                "the field `\(field.name.value)` of `\(structure.name)` is not \(kind == .string ? "a string" : "an integer"), and it is the union's discriminator",
                at: field.name.range,
                notes: [DiagnosticNote("the union", at: discriminator.range)],
                help: kind == .string && type?.isInteger == true
                    ? "change its type to `string`, or write `type: int` beside `by` if the discriminator is a number"
                    : "change its type to `\(kind.rawValue)`, or remove the field; the union writes it")
        }
    }

    /// Checks the keys of a union. A key identifies its case if every value of the case has the key, and no value of another
    /// case has it.
    private mutating func checkKeys(_ union: UnionDefinition, _ cases: [[CaseStructure]]) {
        var owners: [String: [Int]] = [:]
        for (position, structures) in cases.enumerated() {
            for name in Set(structures.flatMap(\.fields).map(\.wireName)) { owners[name, default: []].append(position) }
        }
        for (position, item) in union.cases.enumerated() {
            let key = item.name.value
            let unclear = cases[position].lazy.map { structure in
                (structure: structure, own: structure.fields.first { $0.wireName == key })
            }.first { _, own in own?.isRequired != true || own?.writesNull == true }
            if let (structure, own) = unclear {
                report(
                    .unionKeyAmbiguous,
                    own == nil
                        ? "`\(structure.name)` has no field `\(key)`, by which the union recognizes this case"
                        : "the union recognizes `\(structure.name)` by `\(key)`, but the field may be \(own?.writesNull == true ? "null" : "absent")",
                    at: item.name.range, notes: own.map { [DiagnosticNote("the field", at: $0.name.range)] } ?? [],
                    help: own == nil
                        ? "write the wire name of a required field of `\(structure.name)`"
                        : own?.writesNull == true
                            ? "remove the `?`, or name another field" : "make the field required, or name another field"
                )
                continue
            }
            for structure in cases[position] {
                readStrictly(structure.fields.filter { $0.wireName == key }, "a union recognizes its case by it")
            }
            if let open = cases.indices.first(where: { other in
                other != position && cases[other].contains { $0.fields.contains(where: \.holdsOtherMembers) }
            }) {
                report(
                    .unionKeyAmbiguous,
                    "the union recognizes `\(item.type.spelling)` by `\(key)`, which the `additionalProperties` of `\(union.cases[open].type.spelling)` can contain",
                    at: item.name.range, help: "remove `additionalProperties` there, or write `by`")
                continue
            }
            guard let other = owners[key]?.first(where: { $0 != position }) else { continue }
            report(
                .unionKeyAmbiguous,
                "the union recognizes `\(item.type.spelling)` by `\(key)`, but `\(union.cases[other].type.spelling)` also has this field",
                at: item.name.range,
                notes: cases[other].flatMap(\.fields).first { $0.wireName == key }.map {
                    [DiagnosticNote("the other field", at: $0.name.range)]
                } ?? [],
                help: "name a field that only this case has, or write `by` with a key whose value tells the cases apart"
            )
        }
    }
}
