import ContractModel

/// The edits that no key shows alone, because they follow from the whole contract: where the failures of a command have an error, and
/// which kept commands an outbox still sends.
struct ResolvedEdits {
    private let old: ContractVersion
    private let new: ContractVersion
    private let earlier: [String: ResolvedEndpoint]
    /// Old names by new ones, of the definitions that are renamed.
    private let names: (endpoints: [String: String], errors: [String: String])

    /// - Parameter edits: what a comparison of the trees has found.
    static func edits(from old: ContractVersion, to new: ContractVersion, beside edits: [TreeEdit]) -> [TreeEdit] {
        let resolved = ResolvedEdits(old, new, edits)
        let others = new.resolved.endpoints.flatMap(resolved.edits(of:))
        let told = (edits + others).filter { $0.slot == "endpoint.errors.*" }.compactMap(\.place.last)
        return others + resolved.shared(except: Set(told))
    }

    private init(_ old: ContractVersion, _ new: ContractVersion, _ edits: [TreeEdit]) {
        func renames(_ slot: String) -> [String: String] {
            let pairs = edits.filter { $0.slot == slot && $0.edit == .renamed }.compactMap { edit in
                edit.places.new.last.flatMap { new in edit.places.old.last.map { (new, $0) } }
            }
            return Dictionary(pairs) { first, _ in first }
        }
        self.old = old
        self.new = new
        earlier = Dictionary(old.resolved.endpoints.map { ($0.name.value, $0) }) { first, _ in first }
        names = (renames("contract.endpoints.*"), renames("contract.errors.*"))
    }

    private func edits(of endpoint: ResolvedEndpoint) -> [TreeEdit] {
        let name = endpoint.name.value
        let oldName = names.endpoints[name] ?? name
        guard let before = earlier[oldName] else { return [] }
        let places = TreePlace(old: ["endpoints", oldName], new: ["endpoints", name])
        return errors(before, endpoint, places) + kept(before, endpoint, places)
    }

    // MARK: Errors

    /// An error that the endpoint lists is a case of its own failure, and one that only `defaults` lists is inside of `.shared`.
    private func errors(_ before: ResolvedEndpoint, _ after: ResolvedEndpoint, _ places: TreePlace) -> [TreeEdit] {
        let listed = (Set(before.definition.errors.map(\.value)), Set(after.definition.errors.map(\.value)))
        let known = Set(before.errors)
        return after.errors.compactMap { error in
            let oldError = names.errors[error] ?? error
            let isOwn = (listed.0.contains(oldError), listed.1.contains(error))
            guard known.contains(oldError), isOwn.0 != isOwn.1 else { return nil }
            func owner(_ isOwn: Bool, _ place: [String]) -> ComparedNode {
                .value(isOwn ? place.joined(separator: ".") : "defaults")
            }
            return TreeEdit(
                slot: "endpoint.errors.*",
                places: places.appending("errors").appending(old: oldError, new: error), edit: .changed,
                old: owner(isOwn.0, places.old), new: owner(isOwn.1, places.new))
        }
    }

    /// The errors that `defaults` gains or loses, and that no edit of an endpoint tells.
    private func shared(except told: Set<String>) -> [TreeEdit] {
        let before = old.resolved.sharedErrors
        let after = new.resolved.sharedErrors.map { names.errors[$0] ?? $0 }
        let place = TreePlace().appending("defaults").appending("errors")
        func edits(_ errors: [String], _ others: [String], _ edit: Change.Edit) -> [TreeEdit] {
            errors.filter { !others.contains($0) && !told.contains($0) }.map { error in
                TreeEdit(
                    slot: "defaults.errors.*", places: place.appending(error), edit: edit,
                    old: edit == .removed ? .value(error) : nil, new: edit == .added ? .value(error) : nil)
            }
        }
        return edits(after, before, .added) + edits(before, after, .removed)
    }

    // MARK: Kept commands

    /// An outbox sends a command that another version of the app has kept only if its request has the same form, or only lacks inputs
    /// that may be left out, and keeps one with sensitive inputs only under a seal.
    private func kept(_ before: ResolvedEndpoint, _ after: ResolvedEndpoint, _ places: TreePlace) -> [TreeEdit] {
        guard before.durable != nil, after.durable != nil else { return [] }
        var forms = (old.resolved.fingerprint(of: before), new.resolved.fingerprint(of: after))
        if InputForm(forms.1).takes(InputForm(forms.0)) { forms.1 = forms.0 }
        let requests = (
            KeptRequest.node(of: before, old.resolved, forms.0), KeptRequest.node(of: after, new.resolved, forms.1)
        )
        guard requests.0 != requests.1 else { return [] }
        return [
            TreeEdit(
                slot: "endpoint.durable", places: places.appending("durable"), edit: .changed, old: requests.0,
                new: requests.1)
        ]
    }
}

/// What an outbox knows of the request of a command that it keeps.
enum KeptRequest {
    /// The key for the name of the endpoint and the form of the request.
    static let form = "form"
    /// The key that a request with sensitive inputs has.
    static let sensitive = "sensitive"

    static func node(
        of endpoint: ResolvedEndpoint, _ contract: ResolvedContract, _ fingerprint: String
    ) -> ComparedNode {
        var entries = [ComparedNode.Entry(key: form, node: .value("\(endpoint.name.value) \(fingerprint)"))]
        if isSensitive(endpoint, contract) {
            entries.append(ComparedNode.Entry(key: sensitive, node: .value("true")))
        }
        return .keys(of: "request", entries)
    }

    private static func isSensitive(_ endpoint: ResolvedEndpoint, _ contract: ResolvedContract) -> Bool {
        var open = endpoint.inputs
        if case .type(let type, let range)? = endpoint.body?.content {
            open.append(FieldDefinition(name: Located("body", at: range), type: type, typeRange: range))
        }
        var seen: Set<String> = []
        while let field = open.popLast() {
            if field.isSensitive { return true }
            for name in field.type.names.map(\.value) where seen.insert(name).inserted {
                guard let type = contract.type(named: name) else { continue }
                func add(_ inner: TypeReference) {
                    open.append(FieldDefinition(name: type.name, type: inner, typeRange: type.name.range))
                }
                switch type.form {
                case .structure(let fields): open += fields
                case .union(let union): for item in union.cases { add(item.type) }
                case .alias(let target, _): add(target)
                case .enumeration: break
                }
            }
        }
        return false
    }
}
