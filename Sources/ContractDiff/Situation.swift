import ContractModel

/// A version of a contract, with what rules ask about it.
struct ContractVersion {
    let contract: Contract
    let tree: ComparedNode
    let use: TypeUse
    let places: SourcePlaces
    /// The targets of aliases, by their names.
    let aliases: [String: String]
    private let endpoints: [String: Int]

    init(_ examination: ContractExamination, _ resolved: ResolvedContract, written: Contract) {
        contract =
            ContractSnapshot(resolved, written: written, sharedSession: examination.sharedSession).contract
        tree = ComparedNode(contract)
        use = TypeUse(contract)
        places = SourcePlaces(examination)
        aliases = Dictionary(
            contract.types.compactMap { type in
                guard case .alias(let target, _) = type.form else { return nil }
                return (type.name.value, target.spelling)
            }, uniquingKeysWith: { first, _ in first })
        endpoints = Dictionary(
            contract.endpoints.enumerated().map { ($1.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func endpoint(_ name: String) -> EndpointDefinition? { endpoints[name].map { contract.endpoints[$0] } }

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

    /// The text of a type without the names of aliases.
    func expanded(_ type: String) -> String {
        var text = type
        // Aliases of aliases end, because the resolver has refused circles.
        for _ in 0..<16 {
            let next = TypeWords.replacing(in: text) { aliases[$0] }
            if next == text { break }
            text = next
        }
        return text.replacing("??", with: "?")
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

    // MARK: Words of sentences

    /// The old and the new value as a sentence has them.
    var before: String { edit.old?.shown.map { "`\($0)`" } ?? "nothing" }
    var after: String { edit.new?.shown.map { "`\($0)`" } ?? "nothing" }

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
        let slots = edit.slot.hasSuffix(".*") ? edit.place : Array(edit.place.dropLast())
        for (index, key) in slots.enumerated() where index > 0 {
            if !Self.structuralKeys.contains(key) || slots[index - 1] == "fields" { names.append(key) }
        }
        return names
    }

    private static let structuralKeys: Set<String> = [
        "fields", "query", "headers", "cookies", "body", "response", "data", "outcomes", "enum", "union", "cases",
        "keys", "kinds", "errors", "parameters", "servers",
    ]

    /// The endpoint that the place belongs to; nil if it is elsewhere.
    var endpoint: EndpointDefinition? {
        guard edit.place.first == "endpoints", edit.place.count > 1 else { return nil }
        return new.endpoint(edit.place[1]) ?? old.endpoint(edit.place[1])
    }

    // MARK: Fields

    /// Whether a field has to be there: it isn't optional, and nothing takes its place.
    static func isRequired(_ field: ComparedNode?) -> Bool {
        guard let field else { return false }
        if field["nullable"]?.text == "required" { return true }
        let isOptional = field["type"]?.text?.hasSuffix("?") ?? false
        return !isOptional && field["default"] == nil && field["nullable"]?.text != "distinct"
    }

    /// The Swift type of a built-in type; types of one date are one type.
    static func swiftType(_ type: String) -> String {
        type.replacing("timestamp(unix)", with: "timestamp").replacing("timestamp(milliseconds)", with: "timestamp")
    }
}
