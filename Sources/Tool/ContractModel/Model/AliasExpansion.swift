/// The targets of all aliases, found once. Each alias leads to at most one type, so a single walk visits each once.
struct AliasExpansion: Sendable {
    /// An alias whose chain has no end, or that nests lists and maps too deep.
    struct Problem {
        enum Kind { case leadsBack, holdsItself, isTooDeep }

        let position: Int
        let kind: Kind
    }

    private struct Meaning: Sendable {
        let target: TypeReference
        /// Where its constraints are.
        let constraints: Int?
        let depth: Int
    }

    /// As deep as one type may be nested as text.
    private static let deepest = 32

    private(set) var problems: [Problem] = []
    /// Nil for an alias with a problem, or one that leads to such an alias.
    private var meanings: [String: Meaning?] = [:]
    /// Constraints with the position of those that follow.
    private var constraints: [(own: Constraints, next: Int?)] = []

    init(_ types: [TypeDefinition] = []) {
        var positions: [String: Int] = [:]
        for (position, type) in types.enumerated() {
            if case .alias = type.form { positions[type.name.value] = positions[type.name.value] ?? position }
        }
        for start in positions.values.sorted() where meanings[types[start].name.value] == nil {
            var path: [Int] = []
            var onPath: [Int: Int] = [:]
            var position = start
            // Down to a type that isn't an alias, or to an alias that is known.
            while true {
                onPath[position] = path.count
                path.append(position)
                guard let next = types[position].aliasedName.flatMap({ positions[$0] }),
                    meanings[types[next].name.value] == nil
                else { break }
                if let first = onPath[next] {
                    report(path[first...], types)
                    break
                }
                position = next
            }
            while let position = path.popLast() { settle(position, types, positions) }
        }
    }

    /// The target of an alias. A type that isn't an alias is returned unchanged, and an alias without a target gives nil.
    func target(of type: TypeReference) -> TypeReference? {
        guard case .named(let name) = type, let meaning = meanings[name.value] else { return type }
        return meaning?.target
    }

    /// The constraints of the alias and of the aliases that it leads to.
    func constraints(of type: TypeReference) -> [Constraints] {
        guard case .named(let name) = type, let meaning = meanings[name.value] else { return [] }
        var result: [Constraints] = []
        var next = meaning?.constraints
        while let position = next {
            result.append(constraints[position].own)
            next = constraints[position].next
        }
        return result
    }

    private mutating func report(_ ring: ArraySlice<Int>, _ types: [TypeDefinition]) {
        let isDirect = ring.allSatisfy { position in
            if case .alias(.named, _) = types[position].form { true } else { false }
        }
        for position in ring {
            problems.append(Problem(position: position, kind: isDirect ? .leadsBack : .holdsItself))
            meanings[types[position].name.value] = .some(nil)
        }
    }

    private mutating func settle(_ position: Int, _ types: [TypeDefinition], _ positions: [String: Int]) {
        let name = types[position].name.value
        guard meanings[name] == nil, case .alias(let target, let own) = types[position].form else { return }
        var depth = target.depth
        var end = target
        var chain: Int?
        if let inner = types[position].aliasedName, positions[inner] != nil {
            guard let known = meanings[inner], let meaning = known else {
                meanings[name] = .some(nil)
                return
            }
            depth += meaning.depth
            if case .named = target {
                end = meaning.target
                chain = meaning.constraints
            }
        }
        guard depth <= Self.deepest else {
            problems.append(Problem(position: position, kind: .isTooDeep))
            meanings[name] = .some(nil)
            return
        }
        if !own.isEmpty || own.format != nil {
            constraints.append((own, chain))
            chain = constraints.count - 1
        }
        meanings[name] = .some(Meaning(target: end, constraints: chain, depth: depth))
    }
}

extension TypeDefinition {
    /// The one name that an alias mentions.
    fileprivate var aliasedName: String? {
        guard case .alias(let target, _) = form else { return nil }
        return target.names.first?.value
    }
}

extension TypeReference {
    /// How many lists and maps it nests.
    fileprivate var depth: Int {
        switch self {
        case .primitive, .named: 0
        case .optional(let inner): inner.depth
        case .list(let inner), .map(let inner): inner.depth + 1
        }
    }
}
