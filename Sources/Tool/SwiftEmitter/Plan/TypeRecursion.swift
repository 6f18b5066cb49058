import ContractModel

/// Types that hold themselves, directly or by way of others, and where their values are put on the heap for it.
///
/// A union in such a ring becomes `indirect`, which breaks it. A ring of structures alone is broken at every field that
/// closes it: the field keeps its value in a box of its own.
struct TypeRecursion {
    private(set) var indirectUnions: Set<String> = []
    /// For each structure, the types its boxed fields have.
    private var rings: [String: Int] = [:]

    init(_ contract: ResolvedContract) {
        var edges: [String: [String]] = [:]
        var unions: Set<String> = []
        for definition in contract.types {
            switch definition.form {
            case .structure(let fields):
                edges[definition.name.value] = fields.compactMap { contract.shape(of: $0).inlineType }
            case .union(let union):
                unions.insert(definition.name.value)
                edges[definition.name.value] = union.cases.compactMap { contract.shape(of: $0.type).inlineType }
            case .enumeration, .alias: break
            }
        }
        let names = contract.types.map(\.name.value)
        for ring in Self.rings(names, edges) { indirectUnions.formUnion(ring.filter(unions.contains)) }
        for union in indirectUnions { edges[union] = [] }
        for (number, ring) in Self.rings(names, edges).enumerated() {
            for name in ring { rings[name] = number }
        }
    }

    /// Whether a structure's field of this shape needs a box.
    func needsBox(_ shape: Shape, in structure: String?) -> Bool {
        guard let structure, let inner = shape.inlineType, let ring = rings[structure] else { return false }
        return rings[inner] == ring
    }

    /// The strongly connected components that hold an edge, by Tarjan's algorithm with a stack of its own: contracts
    /// may chain types deeper than the call stack reaches.
    private static func rings(_ names: [String], _ edges: [String: [String]]) -> [[String]] {
        var index: [String: Int] = [:]
        var low: [String: Int] = [:]
        var onStack: Set<String> = []
        var stack: [String] = []
        var found: [[String]] = []

        for root in names where index[root] == nil && edges[root] != nil {
            var path: [(name: String, next: Int)] = [(root, 0)]
            while let (name, next) = path.last {
                if next == 0 {
                    index[name] = index.count
                    low[name] = index[name]
                    stack.append(name)
                    onStack.insert(name)
                }
                let targets = edges[name] ?? []
                if next < targets.count {
                    path[path.count - 1].next += 1
                    let target = targets[next]
                    if index[target] == nil, edges[target] != nil {
                        path.append((target, 0))
                    } else if onStack.contains(target) {
                        low[name] = min(low[name] ?? 0, index[target] ?? 0)
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.name { low[parent] = min(low[parent] ?? 0, low[name] ?? 0) }
                guard low[name] == index[name] else { continue }
                var ring: [String] = []
                while let top = stack.popLast() {
                    onStack.remove(top)
                    ring.append(top)
                    if top == name { break }
                }
                if ring.count > 1 || targets.contains(name) { found.append(ring) }
            }
        }
        return found
    }
}
