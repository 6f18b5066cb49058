import ContractModel

// Inputs of a request that are somewhere else in the new contract: a parameter of the query that is now a header. The app passes
// them as before.
extension TreeComparison {
    /// The parts of a request that have inputs, by their keys.
    private static let carriers = ["query", "headers", "cookies", "body"]

    private struct Input {
        let carrier: String
        let entry: Entry
        let name: String
        /// The part of the request, and the name in Swift.
        var place: [String] { [carrier, name] }

        init(carrier: String, entry: Entry) {
            (self.carrier, self.entry) = (carrier, entry)
            name = SwiftNames.name(of: entry.key, entry.node, at: [])
        }
    }

    /// Finds inputs by their places. An endpoint may have many of them.
    private struct InputPlaces {
        private struct Place: Hashable {
            let carrier: String
            let name: String?
        }

        private let keys: Set<Place>
        private let wireNames: Set<Place>

        init(_ inputs: [Input]) {
            keys = Set(inputs.map(Self.key))
            wireNames = Set(inputs.map(Self.wireName))
        }

        /// Whether one of the inputs is in the same place, under either of its names.
        func has(_ input: Input) -> Bool {
            keys.contains(Self.key(input)) || wireNames.contains(Self.wireName(input))
        }

        private static func key(_ input: Input) -> Place { Place(carrier: input.carrier, name: input.entry.key) }

        private static func wireName(_ input: Input) -> Place {
            Place(carrier: input.carrier, name: input.entry.node["wire"]?.text?.lowercased())
        }
    }

    /// Compares the endpoints' keys, and each input that has moved with what it was before.
    mutating func compareEndpoint(_ before: [Entry], _ after: [Entry], _ places: TreePlace, _ owners: Owners) {
        var (old, new) = (Self.inputs(before), Self.inputs(after))
        let paths = (Self.parameters(before, types.old), Self.parameters(after, types.new))
        // What changes in the path is a change of the target.
        let (left, came) = (Self.only(paths.0, in: paths.1), Self.only(paths.1, in: paths.0))
        let stayed = (old, new)
        let known = (old: InputPlaces(old), new: InputPlaces(new))
        old.removeAll { input in
            came[input.name].map { Self.isOfType($0, input, types.old) } ?? false && !known.new.has(input)
        }
        new.removeAll { input in
            left[input.name].map { Self.isOfType($0, input, types.new) } ?? false && !known.old.has(input)
        }
        for move in Self.takeMoves(from: &old, to: &new, known) { compare(move, places) }
        guard old.count < stayed.0.count || new.count < stayed.1.count else {
            return compareKeys("endpoint", before, after, at: places, owners: owners)
        }
        compareKeys("endpoint", Self.with(old, before), Self.with(new, after), at: places, owners: owners)
    }

    /// Compares the common parameters. Those without a place of their own are in the query of requests without a body.
    mutating func compareCommon(_ before: [Entry], _ after: [Entry], _ places: TreePlace, _ owners: Owners) {
        func inQuery(_ common: [Entry]) -> [Entry] {
            let parameters = common.flatMap { $0.key == "parameters" ? Self.fields($0.node) : [] }
            guard !parameters.isEmpty else { return common }
            let query = common.flatMap { $0.key == "query" ? Self.fields($0.node) : [] }
            return common.filter { !["query", "parameters"].contains($0.key) } + [
                Entry(key: "query", node: .entries(query + parameters))
            ]
        }
        let (before, after) = hasBodies ? (before, after) : (inQuery(before), inQuery(after))
        var (old, new) = (Self.inputs(before, of: "common"), Self.inputs(after, of: "common"))
        let stayed = (old, new)
        let known = (old: InputPlaces(old), new: InputPlaces(new))
        for move in Self.takeMoves(from: &old, to: &new, known) { compare(move, places, of: "common") }
        guard new.count < stayed.1.count else {
            return compareKeys("common", before, after, at: places, owners: owners)
        }
        compareKeys(
            "common", Self.with(old, before, of: "common"), Self.with(new, after, of: "common"), at: places,
            owners: owners)
    }

    /// Takes out the inputs that are in another part of the request under the same name.
    private static func takeMoves(
        from old: inout [Input], to new: inout [Input], _ known: (old: InputPlaces, new: InputPlaces)
    ) -> [(old: Input, new: Input)] {
        let gone = Dictionary(grouping: old.filter { !known.new.has($0) }, by: \.name)
        let moves = new.compactMap { input -> (old: Input, new: Input)? in
            guard !known.old.has(input), let others = gone[input.name], others.count == 1 else { return nil }
            return (others[0], input)
        }
        let moved = (Set(moves.map { $0.old.place }), Set(moves.map { $0.new.place }))
        old.removeAll { moved.0.contains($0.place) }
        new.removeAll { moved.1.contains($0.place) }
        return moves
    }

    /// An input that has moved, and what else is different about it. The place has its name on the wire.
    private mutating func compare(_ move: (old: Input, new: Input), _ places: TreePlace, of owner: String = "endpoint")
    {
        func keys(_ input: Input) -> [String] {
            [input.carrier] + (input.carrier == "body" ? ["fields"] : []) + [input.entry.key]
        }
        func withoutName(_ node: ComparedNode) -> ComparedNode {
            guard case .keys(let name, let entries) = node else { return node }
            return .keys(of: name, entries.filter { $0.key != "wire" })
        }
        let slot = move.new.carrier == "body" ? "body.fields.*" : "\(owner).\(move.new.carrier).*"
        let places = TreePlace(old: places.old + keys(move.old), new: places.new + keys(move.new))
        edits.append(
            TreeEdit(
                slot: slot, places: places, edit: .changed, old: .value(move.old.carrier),
                new: .value(move.new.carrier)))
        compare(
            withoutName(move.old.entry.node), withoutName(move.new.entry.node), slot: slot, at: places,
            owners: (nil, nil))
    }

    // MARK: Common inputs

    /// Notes the types of the inputs that an endpoint has in one version, and all requests have in the other.
    mutating func meetCommon(_ old: ComparedNode, _ new: ComparedNode) {
        let common = (Self.commonTypes(old["common"]), Self.commonTypes(new["common"]))
        guard !common.0.isEmpty || !common.1.isEmpty else { return }
        let others = Dictionary(Self.fields(new["endpoints"]).map { ($0.key, $0.node) }) { first, _ in first }
        let places = TreePlace().appending("common")
        for endpoint in Self.fields(old["endpoints"]) {
            guard let other = others[renames.renamed(endpoint.key, "confirm.endpoint")] else { continue }
            let inputs = (Self.types(of: endpoint.node, "endpoint"), Self.types(of: other, "endpoint"))
            let known = (Set(inputs.0.map(\.place)), Set(inputs.1.map(\.place)))
            for input in inputs.0 where !known.1.contains(input.place) {
                if let type = common.1[input.place] { meet(input.type, type, at: places) }
            }
            for input in inputs.1 where !known.0.contains(input.place) {
                if let type = common.0[input.place] { meet(type, input.type, at: places) }
            }
        }
    }

    /// The types of the common parameters, by the part of the request that has them and their names on the wire.
    private static func commonTypes(_ common: ComparedNode?) -> [String: String] {
        var found: [String: String] = [:]
        for (place, type) in types(of: common, "common") {
            // These are in the query or in the body.
            let carriers = place.hasPrefix("parameters ") ? ["query", "body"] : []
            for carrier in carriers { found[carrier + place.dropFirst("parameters".count)] = type }
            if carriers.isEmpty { found[place] = type }
        }
        return found
    }

    private static func types(of node: ComparedNode?, _ owner: String) -> [(place: String, type: String)] {
        guard case .keys(_, let entries)? = node else { return [] }
        return inputs(entries, of: owner).compactMap { input in
            guard let type = input.entry.node["type"]?.text else { return nil }
            let name = input.entry.node["wire"]?.text ?? input.entry.key
            return ("\(input.carrier) \(input.carrier == "headers" ? name.lowercased() : name)", type)
        }
    }

    // MARK: Inputs

    /// Whether an endpoint of a contract sends its parameters in the body.
    static func hasBodies(_ contract: ComparedNode) -> Bool {
        fields(contract["endpoints"]).contains { $0.node.takesParametersInBody }
    }

    private static func fields(_ node: ComparedNode?) -> [Entry] {
        if case .entries(let fields)? = node { fields } else { [] }
    }

    private static func inputs(_ keys: [Entry], of owner: String = "endpoint") -> [Input] {
        let carriers = owner == "common" ? ["query", "headers", "parameters"] : Self.carriers
        return carriers.flatMap { carrier -> [Input] in
            let node = keys.first { $0.key == carrier }?.node
            return fields(carrier == "body" ? node?["fields"] : node).map { Input(carrier: carrier, entry: $0) }
        }
    }

    /// The parameters of the path, with their types.
    private static func parameters(_ keys: [Entry], _ types: TypeTable) -> [String: String] {
        let target = keys.first { $0.key == LanguageSlots.target }?.node.text ?? ""
        return Dictionary(
            TargetSpelling(target).parameters.map { (SwiftIdentifier.make(from: $0.name, .value), $0.type) }
        ) { first, _ in first }
    }

    private static func only(_ parameters: [String: String], in others: [String: String]) -> [String: String] {
        parameters.filter { others[$0.key] == nil }
    }

    /// Whether an app passes the input as a parameter of the path with this type.
    private static func isOfType(_ type: String, _ input: Input, _ types: TypeTable) -> Bool {
        func spelled(_ type: String?) -> String? {
            type.flatMap { TypeReference(spelling: $0) }.map { types.expanded($0).unwrapped.spelling }
        }
        return spelled(type) == spelled(input.entry.node["type"]?.text)
    }

    /// The keys with only these inputs. A body without any is left out.
    private static func with(_ inputs: [Input], _ keys: [Entry], of owner: String = "endpoint") -> [Entry] {
        keys.compactMap { entry in
            guard carriers.contains(entry.key) || owner == "common" else { return entry }
            let fields = ComparedNode.entries(inputs.filter { $0.carrier == entry.key }.map(\.entry))
            guard entry.key == "body" else { return Entry(key: entry.key, node: fields) }
            guard case .keys(let name, let parts) = entry.node, let all = entry.node["fields"], all != fields else {
                return entry
            }
            if fields == .entries([]) { return nil }
            return Entry(
                key: entry.key,
                node: .keys(of: name, parts.map { $0.key == "fields" ? Entry(key: $0.key, node: fields) : $0 }))
        }
    }
}
