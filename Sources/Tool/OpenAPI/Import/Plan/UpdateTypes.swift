import ContractModel

/// Lets an app clear what it may clear: in the body of a PATCH, null removes a value, and an absent member stays as it is.
///
/// Optional members that the document calls nullable become `nullable: distinct`, at every level of the body. In a body of
/// `application/merge-patch+json`, all optional members do, because null removes them, whatever their schema says (RFC 7396).
///
/// A type that nothing else uses is changed itself. A type with other uses stays as it is, and the updates get a second type, if it or
/// something in it has such a member.
struct UpdateTypes {
    let types: TypePlanner
    let findings: ImportFindings

    /// What null means where a type is used.
    private enum Use: CaseIterable {
        /// In the body of a PATCH, that a nullable member is to be cleared.
        case patch
        /// By RFC 7396, that a member is to be removed.
        case merge
        /// Anywhere else, nothing in particular.
        case other

        /// The use of the elements of a list. RFC 7396 replaces a list as a whole.
        var ofElements: Use { self == .merge ? .other : self }
    }

    private struct Place: Hashable {
        let number: Int
        let use: Use
    }

    /// The types for updates, where they are not the same as elsewhere.
    private typealias Targets = [Place: Int]

    /// - Parameter errors: the types of errors.
    func settle(_ plan: inout ContractPlan, beside errors: [Int]) {
        var roots = errors.map { Place(number: $0, use: .other) }
        for var endpoint in plan.endpoints {
            if let use = use(ofBody: endpoint) {
                roots += places(in: endpoint.body?.content, use)
                endpoint.body = nil
            }
            roots += endpoint.numbers.map { Place(number: $0, use: .other) }
        }
        let (reached, changed) = examine(roots)
        guard let targets = targets(for: changed, among: reached, plan) else { return }
        // Each form is made of the planned one, which a change in place would spoil.
        let forms = changed.map { (targets[$0] ?? $0.number, form(of: $0, targets)) }
        for (number, form) in forms { types.entries[number].form = form }
        for position in plan.endpoints.indices {
            guard let use = use(ofBody: plan.endpoints[position]) else { continue }
            let content = plan.endpoints[position].body?.content?.mapped { updated($0, use, targets) }
            plan.endpoints[position].body?.content = content
            guard case .fields(let fields)? = content else { continue }
            plan.endpoints[position].body?.content = .fields(cleared(fields, use))
        }
    }

    /// The use of the types in the body of a PATCH; nil for other bodies, and for those that cannot have null.
    private func use(ofBody endpoint: PlannedEndpoint) -> Use? {
        guard endpoint.method == .patch, let body = endpoint.body, [.json, .xml].contains(body.encoding) else {
            return nil
        }
        return body.contentType == "application/merge-patch+json" ? .merge : .patch
    }

    // MARK: Which types

    /// The places that lead from some places, and those of them that are different in an update.
    private func examine(_ roots: [Place]) -> (reached: Set<Place>, changed: [Place]) {
        var reached = Set(roots)
        var pending = Array(reached)
        var users: [Place: [Place]] = [:]
        var changed: Set<Place> = []
        while let place = pending.popLast() {
            if isChanged(place) { changed.insert(place) }
            for next in places(in: types.entries[place.number].form, place.use) {
                users[next, default: []].append(place)
                if reached.insert(next).inserted { pending.append(next) }
            }
        }
        var spreading = Array(changed)
        while let place = spreading.popLast() {
            for user in users[place] ?? [] where changed.insert(user).inserted { spreading.append(user) }
        }
        // The number of a type is above that of the type that it is a part of.
        let ordered = changed.sorted { $0.number < $1.number }
        return (reached, Use.allCases.flatMap { use in ordered.filter { $0.use == use } })
    }

    private func isChanged(_ place: Place) -> Bool {
        guard place.use != .other else { return false }
        switch types.entries[place.number].form {
        case .structure(let fields):
            return fields.contains { isCleared($0, place.use) || updated($0.type, place.use, [:]) != $0.type }
        case .alias(let type, _): return updated(type, place.use, [:]) != type
        case .union, .enumeration: return false
        }
    }

    private func isCleared(_ field: PlannedField, _ use: Use) -> Bool {
        guard !field.isRequired, !field.isConstant, !field.holdsOtherMembers else { return false }
        return use == .merge || use == .patch && field.isNullable
    }

    private func places(in form: PlannedTypeEntry.Form, _ use: Use) -> [Place] {
        switch form {
        case .structure(let fields): fields.flatMap { places(in: $0.type, use) }
        case .union(_, let cases): cases.flatMap { places(in: $0.type, use) }
        case .alias(let type, _): places(in: type, use)
        case .enumeration: []
        }
    }

    private func places(in content: PlannedEndpoint.Content?, _ use: Use) -> [Place] {
        switch content {
        case nil: []
        case .fields(let fields)?: fields.flatMap { places(in: $0.type, use) }
        case .type(let type)?: places(in: type, use)
        }
    }

    private func places(in type: PlannedType, _ use: Use) -> [Place] {
        switch type {
        case .word: []
        case .named(let number): [Place(number: number, use: use)]
        case .list(let element): places(in: element, use.ofElements)
        case .map(let inner), .optional(let inner): places(in: inner, use)
        }
    }

    // MARK: Second types

    /// The second types; nil if the contract has no room for them.
    private func targets(for changed: [Place], among reached: Set<Place>, _ plan: ContractPlan) -> Targets? {
        let all = Set(changed)
        var targets: Targets = [:]
        for place in changed {
            // A use that changes nothing needs the type as it is. Of two others, the first one takes the type itself.
            let needsSecond = Use.allCases.contains { use in
                let other = Place(number: place.number, use: use)
                return use != place.use && reached.contains(other) && (place.use == .merge || !all.contains(other))
            }
            guard needsSecond else { continue }
            let entry = types.entries[place.number]
            guard types.hasRoom else {
                lose(plan)
                return nil
            }
            var (origin, nameEnd) = (entry.origin, "Update")
            if case .part(let parent, let name) = origin, let target = targets[Place(number: parent, use: place.use)] {
                (origin, nameEnd) = (.part(of: target, name), "")
            }
            let second = types.second(of: entry, origin)
            (second.isUpdate, second.nameEnd) = (true, nameEnd)
            targets[place] = second.number
        }
        return targets
    }

    private func lose(_ plan: ContractPlan) {
        guard let endpoint = plan.endpoints.first(where: { use(ofBody: $0) != nil }) else { return }
        findings.add(
            .openAPISchemaLost,
            "the contract has no room for types with `nullable: distinct`, so a PATCH cannot set a field to null",
            at: endpoint.element)
    }

    // MARK: Changes

    private func form(of place: Place, _ targets: Targets) -> PlannedTypeEntry.Form {
        let form = types.entries[place.number].form.mapped { updated($0, place.use, targets) }
        guard case .structure(let fields) = form else { return form }
        return .structure(cleared(fields, place.use))
    }

    private func cleared(_ fields: [PlannedField], _ use: Use) -> [PlannedField] {
        fields.map { field in
            var field = field
            if isCleared(field, use) { field.nullable = .distinct }
            return field
        }
    }

    private func updated(_ type: PlannedType, _ use: Use, _ targets: Targets) -> PlannedType {
        switch type {
        case .word: return type
        case .named(let number): return .named(targets[Place(number: number, use: use)] ?? number)
        case .list(let element): return .list(updated(element, use.ofElements, targets))
        case .optional(let inner): return .optional(updated(inner, use, targets))
        case .map(let inner):
            let value = updated(inner, use, targets)
            // Null removes an entry.
            guard use == .merge, value != .word("json") else { return .map(value) }
            if case .optional = value { return .map(value) }
            return .map(.optional(value))
        }
    }
}
