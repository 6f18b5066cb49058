import ContractModel

/// A version of a contract, with what rules ask about it.
struct ContractVersion {
    let contract: Contract
    let resolved: ResolvedContract
    let tree: ComparedNode
    let use: TypeUse
    let places: SourcePlaces
    let types: TypeTable
    /// The values of `defaults` that the contract writes.
    let defaults: ComparedNode

    init(_ examination: ContractExamination, _ resolved: ResolvedContract, written: Contract) {
        self.resolved = resolved
        contract =
            ContractSnapshot(resolved, written: written, sharedSession: examination.sharedSession).contract
        tree = ComparedNode(contract)
        use = TypeUse(contract)
        places = SourcePlaces(examination)
        types = TypeTable(tree)
        defaults = ComparedNode(written.defaults)
    }

    /// Whether the contract, or one that it imports, has a definition at this place.
    func declares(_ place: [String]) -> Bool { places.has(place) || places.imports(place) }

    /// The use of what is at a place.
    func use(at place: [String]) -> Use {
        guard let section = place.first else { return .none }
        switch section {
        case "types" where place.count > 1: return use.use(of: place[1])
        case "endpoints" where place.count > 2:
            let isSent = ["query", "headers", "cookies", "body", LanguageSlots.target].contains(place[2])
            return isSent ? .requests : .responses
        case "errors", "events": return .responses
        case "common": return .requests
        default: return .none
        }
    }
}

/// What a rule knows about a change.
struct Situation {
    let edit: TreeEdit
    let old: ContractVersion
    let new: ContractVersion

    /// Where the changed part travels, before or after the change.
    var use: Use {
        let before = old.use(at: edit.place)
        let after = new.use(at: edit.place)
        return Use(
            isInRequests: before.isInRequests || after.isInRequests,
            isInResponses: before.isInResponses || after.isInResponses)
    }

    /// The endpoint that has the place, before and after the change.
    var endpoint: (old: EndpointDefinition?, new: EndpointDefinition?) {
        func endpoint(_ place: [String], _ version: ContractVersion) -> EndpointDefinition? {
            guard place.count > 1, place[0] == "endpoints" else { return nil }
            return version.contract.endpoints.first { $0.name.value == place[1] }
        }
        return (endpoint(edit.places.old, old), endpoint(edit.places.new, new))
    }

    // MARK: Words of sentences

    /// The old and the new value as a sentence has them.
    var before: String { words(for: edit.old) }
    var after: String { words(for: edit.new) }

    private func words(for node: ComparedNode?) -> String {
        if case .entries? = node { return "fields" }
        return node?.shown.map { "`\($0)`" } ?? "nothing"
    }

    /// The last name of the place: the field, the error, the endpoint.
    var name: String { "`\(subject.last ?? edit.place.last ?? "")`" }

    /// The names of the place that the contract chooses, and `of` what: "`amount` of `transferFunds`".
    var thing: String {
        guard let last = subject.last, let first = subject.first, subject.count > 1 else { return name }
        return edit.place.first == "types" ? "`\(subject.joined(separator: "."))`" : "`\(last)` of `\(first)`"
    }

    /// The names without the language's own keys.
    private var subject: [String] {
        var names: [String] = []
        // A union names its cases by kinds of the language.
        let slots =
            edit.slot.hasSuffix(".*") || edit.slot.hasPrefix("kinds.") ? edit.place : Array(edit.place.dropLast())
        for (index, key) in slots.enumerated() where index > 0 {
            if !Self.structuralKeys.contains(key) || slots[index - 1] == "fields" { names.append(key) }
        }
        return names
    }

    private static let structuralKeys: Set<String> = [
        "fields", "query", "headers", "cookies", "body", "response", "data", "outcomes", "enum", "union", "cases",
        "keys", "kinds", "errors", "parameters", "servers",
    ]

    // MARK: Fields

    /// Whether a field has to be there: it isn't optional, and nothing takes its place.
    func isRequired(_ field: ComparedNode?) -> Bool { field.map { FieldPresence($0).isRequired } ?? false }

    /// When a field is there, before and after the change.
    var presence: (old: FieldPresence, new: FieldPresence) {
        if let old = edit.oldOwner, let new = edit.newOwner, case .keys(let name, _) = old,
            name == "field" || name == "commonField"
        {
            return (FieldPresence(old), FieldPresence(new))
        }
        func isOptional(_ node: ComparedNode?) -> Bool {
            node?.text.flatMap { TypeReference(spelling: $0) }?.isOptional ?? false
        }
        return (isOptional(edit.old) ? .optional : .required, isOptional(edit.new) ? .optional : .required)
    }

    /// Whether the type of the field says when it is there, so that its default and `nullable` say nothing more.
    var isToldByType: Bool {
        guard ["field.default", "field.nullable"].contains(VerdictTable.canonical(edit.slot)),
            edit.edit != .changed, let old = edit.oldOwner?["type"]?.text, let new = edit.newOwner?["type"]?.text
        else { return false }
        return TypeReference(spelling: old)?.isOptional != TypeReference(spelling: new)?.isOptional
    }

    /// The Swift type of a built-in type; types of one date are one type.
    static func swiftType(_ type: String) -> String {
        type.replacing("timestamp(unix)", with: "timestamp").replacing("timestamp(milliseconds)", with: "timestamp")
    }
}
