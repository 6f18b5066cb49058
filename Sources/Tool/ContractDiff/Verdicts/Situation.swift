import ContractModel

/// The names that endpoints have in the other version of the contract.
struct EndpointNames {
    private var newNames: [String: String] = [:]
    private var oldNames: [String: String] = [:]

    /// - Parameter edits: what a comparison of the trees has found, among them the endpoints that are renamed.
    init(_ edits: [TreeEdit] = []) {
        for edit in edits where edit.slot == "contract.endpoints.*" && edit.edit == .renamed {
            guard let old = edit.places.old.last, let new = edit.places.new.last else { continue }
            (newNames[old], oldNames[new]) = (new, old)
        }
    }

    /// The name in the new version of an endpoint of the old one.
    func new(_ old: String) -> String { newNames[old] ?? old }

    /// The name in the old version of an endpoint of the new one.
    func old(_ new: String) -> String { oldNames[new] ?? new }
}

/// What a rule knows about a change.
struct Situation {
    let edit: TreeEdit
    let old: ContractVersion
    let new: ContractVersion
    let pairs: TypePairs
    var endpointNames = EndpointNames()
    /// What the situations of one comparison share.
    var inputOrders = InputOrders()
    var insides = TypeInsides()

    /// The same for another edit.
    func about(_ edit: TreeEdit) -> Situation {
        Situation(
            edit: edit, old: old, new: new, pairs: pairs, endpointNames: endpointNames, inputOrders: inputOrders,
            insides: insides)
    }

    /// The endpoints that both versions have, whatever their names are.
    var endpointPairs: [(old: EndpointDefinition, new: EndpointDefinition)] {
        old.contract.endpoints.compactMap { endpoint in
            new.endpoints[endpointNames.new(endpoint.name.value)].map { (endpoint, $0) }
        }
    }

    /// Where the changed part travels.
    var use: Use {
        guard edit.place.first == "types", edit.places.old.count > 1, edit.places.new.count > 1 else {
            return Use.at(edit.place)
        }
        // A type that is at no place of the other one has its name in Swift alone.
        return pairs[edit.places.old[1], edit.places.new[1]] ?? .none
    }

    /// The endpoint that has the place, before and after the change.
    var endpoint: (old: EndpointDefinition?, new: EndpointDefinition?) {
        func endpoint(_ place: [String], _ version: ContractVersion) -> EndpointDefinition? {
            guard place.count > 1, place[0] == "endpoints" else { return nil }
            return version.endpoints[place[1]]
        }
        return (endpoint(edit.places.old, old), endpoint(edit.places.new, new))
    }

    /// Whether only `defaults` lists the error of an endpoint, before and after the change. Its case is inside of `.shared` then, whether
    /// or not the endpoint can fail with it.
    var isInsideShared: Bool {
        func isInside(_ place: [String], _ version: ContractVersion) -> Bool {
            guard place.count > 2, let error = place.last, version.resolved.sharedErrors.contains(error) else {
                return false
            }
            let endpoint = version.resolved.endpoints.first { $0.name.value == place[1] }
            return endpoint?.definition.errors.contains { $0.value == error } == false
        }
        return isInside(edit.places.old, old) && isInside(edit.places.new, new)
    }

    /// The alternatives of an endpoint's credentials, with the new names of those that are renamed.
    var credentials: (old: CredentialSets, new: CredentialSets) {
        let known = Set(new.contract.credentials.map(\.name.value))
        var names: [String: String] = [:]
        for credential in old.contract.credentials where !known.contains(credential.name.value) {
            let other = new.contract.credentials.first { $0.placement == credential.placement }
            names[credential.name.value] = other?.name.value
        }
        let before = edit.old?.text.map { text in TypeWords.replacing(in: text) { names[$0] } }
        return (CredentialSets(before), CredentialSets(edit.new?.text))
    }

    // MARK: Names in Swift

    /// The verdict for another name of a contract, which an app does not see if the name in Swift stays.
    func renamed(_ sentence: (_ old: String, _ new: String) -> String) -> ChangeVerdict {
        guard let names = SwiftNames.names(of: edit), names.old != names.new else { return .none }
        guard !isMade(edit.places.old.last ?? "", edit.places.new.last ?? "") else { return .none }
        return .source(sentence(names.old.asCode, names.new.asCode))
    }

    /// Whether a type of documents has a name that the import has made of its place, in one of the versions.
    func isMade(_ oldName: String, _ newName: String) -> Bool {
        guard edit.place.first == "types" || edit.relation == .twins else { return false }
        return old.facts?.madeTypes.contains(oldName) == true || new.facts?.madeTypes.contains(newName) == true
    }

    /// The verdict for `swift:`. The new name of a definition has a change of its own, which says it.
    var swiftName: ChangeVerdict {
        let isRenamed = edit.places.old.dropLast().last != edit.places.new.dropLast().last
        guard !isRenamed, let names = SwiftNames.names(of: edit), names.old != names.new else { return .none }
        return switch (edit.old, edit.new) {
        case (nil, _): .source("The Swift name is \(after), and no longer follows from the contract's.")
        case (_, nil): .source("The Swift name follows from the contract's, and is no longer \(before).")
        default: .source("The Swift name changes from \(before) to \(after).")
        }
    }

    // MARK: Words of sentences

    /// The old and the new value as a sentence has them.
    var before: String { words(for: edit.old) }
    var after: String { words(for: edit.new) }

    private func words(for node: ComparedNode?) -> String {
        if case .entries? = node { return "fields" }
        return node?.shown?.asCode ?? "nothing"
    }

    /// The last name of the place: the field, the error, the endpoint.
    var name: String { (subject.last ?? edit.place.last ?? "").asCode }

    /// The names of the place that the contract chooses, and `of` what: "`amount` of `transferFunds`".
    var thing: String {
        guard let last = subject.last, let first = subject.first, subject.count > 1 else { return name }
        return edit.place.first == "types"
            ? subject.joined(separator: ".").asCode : "\(last.asCode) of \(first.asCode)"
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

    /// What becomes of a response that no longer has the field. An error or an outcome is recognized without its data.
    var unreadableWithout: String {
        let place = edit.place
        let owner = place.first == "errors" ? 1 : place.count > 3 && place[2] == "outcomes" ? 3 : nil
        guard let owner, place.count > owner, let field = subject.last else {
            return "Apps from before this change cannot read a response without \(thing)."
        }
        return
            "Apps from before this change recognize \(place[owner].asCode), and find no data in it without \(field.asCode)."
    }

    /// Whether a field has to be there: it isn't optional, and nothing takes its place.
    func isRequired(_ field: ComparedNode?) -> Bool { field.map { FieldPresence($0).isRequired } ?? false }

    /// When the field is there that is new or gone.
    var onlyPresence: FieldPresence? {
        let isNew = edit.edit == .added
        return (isNew ? edit.new : edit.old).map {
            isNew ? presence(of: $0, at: edit.places.new, new) : presence(of: $0, at: edit.places.old, old)
        }
    }

    private func presence(of field: ComparedNode, at place: [String], _ version: ContractVersion) -> FieldPresence {
        FieldPresence(field, isDemanded: version.facts?.demanded.contains(place.filter { $0 != "fields" }) == true)
    }

    /// When a field is there, before and after the change.
    var presence: (old: FieldPresence, new: FieldPresence) {
        if let old = edit.oldOwner, let new = edit.newOwner, case .keys(let name, _) = old,
            name == "field" || name == "commonField"
        {
            return (
                presence(of: old, at: edit.places.old.dropLast(), self.old),
                presence(of: new, at: edit.places.new.dropLast(), self.new)
            )
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

    /// The names of the types that an edit of a type is from and to, without those of aliases.
    var types: (old: String?, new: String?) {
        func name(_ node: ComparedNode?, _ types: TypeTable) -> String? {
            node?.text.flatMap { TypeReference(spelling: $0) }.map(types.expanded)?.names.first?.value
        }
        return (name(edit.old, old.types), name(edit.new, new.types))
    }

    /// The Swift type of an input, with the new name of a type that is renamed.
    func swiftType(_ type: String, _ types: TypeTable) -> String {
        guard let type = TypeReference(spelling: type).map({ types.expanded($0) }) else { return type }
        let known = new.types.all
        let spelling = TypeWords.replacing(in: type.spelling) { name in
            known[name] == nil ? pairs.newName(of: name) : nil
        }
        return Self.swiftType(spelling)
    }

    /// The Swift type of a built-in type; types of one date are one type.
    static func swiftType(_ type: String) -> String {
        type.replacing("timestamp(unix)", with: "timestamp").replacing("timestamp(milliseconds)", with: "timestamp")
    }
}
