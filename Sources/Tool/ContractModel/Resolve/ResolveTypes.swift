import Diagnostics

extension Resolution {
    // MARK: Which types there are

    /// The contract's own types, then the imported ones that anything mentions, transitively.
    mutating func collectTypes() {
        types.reserveCapacity(contract.types.count)
        typeIndex.reserveCapacity(contract.types.count)
        typeFiles.reserveCapacity(contract.types.count)
        for type in contract.types { add(type, from: contract.file) }
        var pending: [(name: Located<String>, file: String)] = contract.types.flatMap {
            $0.mentionedNames.map { ($0, contract.file) }
        }
        pending += contract.mentionedNames.map { ($0, contract.file) }
        pending += mentionedByImportedErrors()
        var position = 0
        while position < pending.count {
            let (name, file) = pending[position]
            position += 1
            // The contract's own types are all there, and its own names go before imported ones.
            if file == contract.file, scope.definesType(name.value) { continue }
            guard let scope = scopes[file] else { continue }
            switch scope.type(name.value) {
            case .missing:
                if scope.canMiss(name.value) {
                    reportMissingType(name, among: scope.typeNames)
                }
            case .ambiguous(let places): reportAmbiguous("type", name, places)
            case .found(let found):
                if add(found.definition, from: found.file) {
                    pending += found.definition.mentionedNames.map { ($0, found.file) }
                }
            }
        }
        aliases = AliasExpansion(types)
    }

    /// Reports an unknown type. For a type that has another name in other languages, the message gives that name, because a
    /// similar spelling may mean another type.
    private mutating func reportMissingType(_ name: Located<String>, among names: @autoclosure () -> [String]) {
        guard let known = ForeignTypeNames.help(for: name.value) else {
            reportMissing(.unknownType, "type", name, among: names(), help: "declare it under `types`")
            return
        }
        report(
            .unknownType, "there is no type `\(name.value)`", at: name.range, help: known.text,
            fix: known.replacement.map { replacement(of: name, with: $0) })
    }

    /// Whether it is new.
    @discardableResult
    private mutating func add(_ type: TypeDefinition, from file: String) -> Bool {
        let name = type.name.value
        if let position = typeIndex[name] {
            if typeFiles[name] != file {
                report(
                    .nameCollision,
                    "the client `\(contract.service.value)` would have two types with the name `\(name)`",
                    at: types[position].name.range,
                    notes: [DiagnosticNote("the other one, which is imported", at: type.name.range)],
                    help: "rename one of them")
            }
            return false
        }
        typeIndex[name] = types.count
        typeFiles[name] = file
        types.append(type)
        return true
    }

    /// The data of an imported error names types of the contract that the error is in.
    private func mentionedByImportedErrors() -> [(name: Located<String>, file: String)] {
        var seen = Set<String>()
        return (contract.defaults.errors + contract.endpoints.flatMap(\.errors)).flatMap {
            name -> [(Located<String>, String)] in
            guard seen.insert(name.value).inserted, case .found(let found) = scope.error(name.value),
                found.file != contract.file
            else { return [] }
            return (found.definition.data?.mentionedNames ?? []).map { ($0, found.file) }
        }
    }

    func type(_ name: String) -> TypeDefinition? { typeIndex[name].map { types[$0] } }

    /// The type with aliases resolved; `nil` if they form a cycle.
    func expanded(_ type: TypeReference) -> TypeReference? { aliases.target(of: type) }

    // MARK: Whether they are sound

    mutating func checkTypes() {
        for position in types.indices {
            let type = types[position]
            let naming = scopes[typeFiles[type.name.value] ?? ""]?.contract.defaults.naming ?? .asWritten
            switch type.form {
            case .structure(let fields):
                types[position].form = .structure(checked(fields, as: .payload, naming: naming))
            case .union(let union): check(union)
            case .alias(let target, let constraints):
                if expanded(target) != nil { check(constraints, fit: target, at: type.name.range) }
                if target.isOptional {
                    report(
                        .optionalAlias,
                        "the alias `\(type.name.value)` is optional, which is not visible in a field of this type",
                        at: type.name.range,
                        help:
                            "write `alias: \(target.unwrapped.spelling)` here, and `\(type.name.value)?` in each field that may be absent"
                    )
                }
                refuseFile(target, at: type.name.range)
            case .enumeration: break
            }
        }
        reportEndlessAliases()
        reportEndlessTypes()
    }

    private mutating func reportEndlessAliases() {
        for problem in aliases.problems {
            let name = types[problem.position].name
            switch problem.kind {
            case .leadsBack:
                report(
                    .aliasCycle, "the alias `\(name.value)` leads back to itself", at: name.range,
                    help: "refer to a type that is not an alias")
            case .holdsItself:
                report(
                    .aliasCycle, "the alias `\(name.value)` contains itself, so its type has no end", at: name.range,
                    help: "declare a structure in between: `\(name.value): {children: [\(name.value)]}`")
            case .isTooDeep:
                report(
                    .aliasTooDeep,
                    "the alias `\(name.value)` nests lists and maps deeper than 32 levels",
                    at: name.range, help: "declare a structure in between")
            }
        }
    }

    /// A structure that needs itself, through required fields only, can never be made, and neither can a union that is one of its
    /// own cases. Found by taking away, again and
    /// again, the types all of whose required parts can be made; what is left cannot.
    private mutating func reportEndlessTypes() {
        var waiting: [Int] = types.map { _ in 0 }
        var dependents: [[Int]] = types.map { _ in [] }
        for position in types.indices {
            for case .named(let name) in neededTypes(position) {
                guard let target = typeIndex[name.value] else { continue }
                waiting[position] += 1
                dependents[target].append(position)
            }
        }
        var ready = types.indices.filter { waiting[$0] == 0 }
        while let position = ready.popLast() {
            for dependent in dependents[position] {
                waiting[dependent] -= 1
                if waiting[dependent] == 0 { ready.append(dependent) }
            }
        }
        guard waiting.contains(where: { $0 > 0 }) else { return }
        let rings = Self.rings(
            of: types.indices.map { position in
                waiting[position] == 0
                    ? []
                    : neededTypes(position).compactMap { type in
                        if case .named(let name) = type { typeIndex[name.value] } else { nil }
                    }
            })
        for (position, type) in types.enumerated() where waiting[position] > 0 {
            // Types that merely use an endless one are left out: only those on a circle are the fault.
            guard rings.contains(position) else { continue }
            if case .union = type.form {
                report(
                    .recursiveTypeWithoutIndirection,
                    "`\(type.name.value)` is one of its own cases, so the case of a value has no end",
                    at: type.name.range, help: "remove the case, or make it a structure with the union in a field")
            }
            guard case .structure(let fields) = type.form else { continue }
            let field = fields.first { field in
                guard field.isRequired, case .named(let name) = field.type, let target = typeIndex[name.value] else {
                    return false
                }
                return waiting[target] > 0
            }
            report(
                .recursiveTypeWithoutIndirection,
                "`\(type.name.value)` contains itself through required fields, so no value of it can exist",
                at: field?.name.range ?? type.name.range,
                help: "make the field optional: `\(field.map { "\($0.name.value): \($0.type.spelling)?" } ?? "…?")`")
        }
    }

    /// The nodes of a graph from which a way leads back to them: members of its strongly connected components, by
    /// Tarjan's algorithm with a stack of its own.
    private static func rings(of edges: [[Int]]) -> Set<Int> {
        var index = [Int?](repeating: nil, count: edges.count)
        var low = [Int](repeating: 0, count: edges.count)
        var isOpen = [Bool](repeating: false, count: edges.count)
        var open: [Int] = []
        var count = 0
        var found = Set<Int>()
        for root in edges.indices where index[root] == nil {
            var path: [(node: Int, next: Int)] = [(root, 0)]
            while let (node, next) = path.last {
                if next == 0 {
                    index[node] = count
                    low[node] = count
                    count += 1
                    open.append(node)
                    isOpen[node] = true
                }
                if next < edges[node].count {
                    path[path.count - 1].next += 1
                    let target = edges[node][next]
                    if index[target] == nil {
                        path.append((target, 0))
                    } else if isOpen[target] {
                        low[node] = min(low[node], index[target] ?? 0)
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.node { low[parent] = min(low[parent], low[node]) }
                guard low[node] == index[node] else { continue }
                var ring: [Int] = []
                while let top = open.popLast() {
                    isOpen[top] = false
                    ring.append(top)
                    if top == node { break }
                }
                if ring.count > 1 || edges[node].contains(node) { found.formUnion(ring) }
            }
        }
        return found
    }

    /// The types that every value of this type contains.
    private func neededTypes(_ position: Int) -> [TypeReference] {
        switch types[position].form {
        case .structure(let fields): fields.filter(\.isRequired).map(\.type)
        case .alias(let target, _): [target]
        case .union(let union): union.cases.map(\.type).filter { self.union($0) != nil }
        case .enumeration: []
        }
    }
}
