import ContractModel

// Inputs that each endpoint has in one version, and all requests have in the other.
extension Situation {
    /// The version that does not have the edited part.
    private var otherVersion: ContractVersion { edit.edit == .added ? old : new }

    /// The common parameter that is in the other version at the same place of each request as an endpoint's own input. Nil if there is
    /// none.
    var commonInput: ComparedNode? {
        let (place, version) = (edit.place, otherVersion)
        // A field inside of another one has a longer place.
        guard place.count == (place.count > 2 && place[2] == "body" ? 5 : 4), let common = version.tree["common"],
            let input = edit.old ?? edit.new,
            let endpoint = version.endpointNodes[(edit.edit == .added ? edit.places.old : edit.places.new)[1]],
            version.sendsCommon(endpoint)
        else { return nil }
        let hasBody = endpoint.takesParametersInBody
        let parts =
            switch place[2] {
            case "headers": ["headers"]
            case "query": hasBody ? ["query"] : ["query", "parameters"]
            case "body": hasBody ? ["parameters"] : []
            default: [String]()
            }
        let inputs = parts.flatMap { common[$0]?.parts ?? [] }
        return inputs.first { Self.isSame($0, as: input, place.last, in: place[2]) }?.node
    }

    /// The inputs that the endpoints have in the other version at the same place as a common parameter, of each endpoint of both
    /// versions whose requests have the parameter. Nil if an endpoint has none.
    var endpointInputs: [ComparedNode]? {
        let (place, version) = (edit.place, otherVersion)
        guard place.count > 2, let input = edit.old ?? edit.new else { return nil }
        let owner = edit.edit == .added ? new : old
        let endpoints =
            version.tree["endpoints"]?.parts.filter { endpoint in
                let name = edit.edit == .added ? endpointNames.new(endpoint.key) : endpointNames.old(endpoint.key)
                return owner.endpointNodes[name].map(owner.sendsCommon) ?? false
            } ?? []
        guard !endpoints.isEmpty else { return nil }
        var found: [ComparedNode] = []
        for endpoint in endpoints {
            let carrier =
                switch place[1] {
                case "headers": "headers"
                case "parameters" where endpoint.node.takesParametersInBody: "body"
                default: "query"
                }
            let inputs = carrier == "body" ? endpoint.node["body"]?["fields"] : endpoint.node[carrier]
            guard let same = inputs?.parts.first(where: { Self.isSame($0, as: input, place.last, in: carrier) }) else {
                return nil
            }
            found.append(same.node)
        }
        return found
    }

    /// Whether an input of a part of the request has the name of another one on the wire. Only headers have their names in any case.
    private static func isSame(
        _ entry: ComparedNode.Entry, as other: ComparedNode, _ name: String?, in carrier: String
    ) -> Bool {
        guard let wire = other["wire"]?.text ?? name else { return false }
        let own = entry.wireName
        return carrier == "headers" ? own.lowercased() == wire.lowercased() : own == wire
    }

    /// What it means on the wire that a server gets an input from another part of the contract.
    ///
    /// - Parameters:
    ///   - other: the input in the version that the edit is not in.
    ///   - source: what it means for the code of an app.
    func carried(by other: ComparedNode, source: ChangeVerdict.Judgment) -> ChangeVerdict {
        guard let own = edit.old ?? edit.new else { return ChangeVerdict(source: source) }
        let (before, after) = edit.edit == .added ? (other, own) : (own, other)
        var verdict = ChangeVerdict.none
        if before.isMadeByClient || after.isMadeByClient {
            if before["const"] != after["const"] || before["each"] != after["each"] {
                verdict.wire = .warns(
                    "Apps of one version make \(name) themselves, and those of the other one may send any value.")
                verdict.direction = .both
            }
        } else {
            verdict = typed(before, after)
        }
        if Self.form(of: before) != Self.form(of: after) {
            let form = ChangeVerdict(
                wire: .warns("Apps from before and after this change may send other values of \(name)."),
                direction: .both)
            verdict = verdict.joined(with: form)
        }
        verdict.source = source
        return verdict
    }

    /// The same for the inputs of all endpoints.
    func carried(byAll others: [ComparedNode], source: ChangeVerdict.Judgment) -> ChangeVerdict {
        var verdict = others.reduce(ChangeVerdict.none) { $0.joined(with: carried(by: $1, source: .none)) }
        verdict.source = source
        return verdict
    }

    /// What the types and the presence of both inputs mean for what is sent.
    private func typed(_ before: ComparedNode, _ after: ComparedNode) -> ChangeVerdict {
        func type(_ node: ComparedNode) -> ComparedNode { node["type"] ?? .value(Primitive.string.spelling) }
        var compared = TreeEdit(
            slot: edit.slot, places: edit.places, edit: .changed, old: type(before), new: type(after))
        (compared.oldOwner, compared.newOwner) = (before, after)
        func expanded(_ node: ComparedNode, _ version: ContractVersion) -> TypeReference? {
            type(node).text.flatMap { TypeReference(spelling: $0) }.map { version.types.expanded($0).unwrapped }
        }
        let types = (expanded(before, old), expanded(after, new))
        if let one = types.0, let other = types.1 {
            let names = (one.names.first?.value, other.names.first?.value)
            let areTwins = names.0.flatMap { name in names.1.map { pairs[name, $0] != nil } } ?? false
            compared.relation = one.spelling == other.spelling ? .same : areTwins ? .twins : .other
        } else {
            compared.relation = .other
        }
        return FieldVerdicts.sent(about(compared))
    }

    /// Everything about an input that has an effect on its text, other than its type and when it is there.
    private static func form(of node: ComparedNode) -> String {
        guard case .keys(_, let entries) = node else { return node.content }
        return entries.filter { !told.contains($0.key) }.map { "\($0.key):\($0.node.content)" }.sorted().joined(
            separator: ",")
    }

    private static let told: Set<String> = [
        "type", "default", "nullable", "const", "each", "wire", "swift", "doc", "deprecated", "sensitive",
    ]
}

extension ContractVersion {
    /// Whether the requests of an endpoint have the common parameters. Another origin gets them only if its role says so.
    fileprivate func sendsCommon(_ endpoint: ComparedNode) -> Bool {
        endpoint["server"]?.text.flatMap { resolved.role(named: $0) }?.sends(.common) ?? true
    }
}
