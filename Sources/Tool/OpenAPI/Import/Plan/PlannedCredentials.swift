import ContractModel

/// The security schemes of a document that become credentials of the contract: what the app gives once, and only some requests
/// carry.
struct PlannedCredentials {
    /// Those that an operation needs.
    private(set) var definitions: [CredentialDefinition] = []
    /// The schemes that are not a part of every request, in the document's order.
    private var schemes: [(name: String, value: Element)] = []
    /// Where a request can carry them.
    private var placements: [String: CredentialDefinition.Placement] = [:]
    /// The schemes whose place every request has filled already.
    private var hidden = Set<String>()
    /// What the document says of the credentials, by their names.
    private(set) var notes: [String: [String]] = [:]
    /// The names of the credentials by those of their schemes.
    private var names: [String: String] = [:]
    private var taken = Set(
        (CredentialDefinition.reservedNames + CredentialDefinition.clientLabels).map(NameText.folded))

    /// - Parameter places: the places in a request that the keys of every request have.
    mutating func take(_ schemes: [(name: String, value: Element)], besides places: Set<String>) {
        self.schemes = schemes
        for (name, scheme) in schemes {
            guard let placement = Self.placement(of: scheme) else { continue }
            if places.contains(placement.place) { hidden.insert(name) } else { placements[name] = placement }
        }
    }

    private static func placement(of scheme: Element) -> CredentialDefinition.Placement? {
        switch scheme.text("type") {
        case "basic": return .basic
        case "oauth2", "openIdConnect": return .bearer
        case "http":
            switch scheme.text("scheme")?.lowercased() {
            case "basic": return .basic
            case "bearer", nil: return .bearer
            // The other schemes calculate what they send from the request.
            default: return nil
            }
        case "apiKey":
            guard let name = scheme.text("name"), !name.isEmpty else { return nil }
            switch scheme.text("in") {
            case "query": return .query(name)
            case "header" where HeaderText.isName(name):
                return .header(name: name, prefix: scheme.keyPrefix, suffix: "")
            case "cookie" where HeaderText.isName(name): return .cookie(name)
            default: return nil
            }
        default: return nil
        }
    }

    // MARK: Operations

    /// Whether requests can carry all schemes of a requirement together.
    ///
    /// - Parameters:
    ///   - carried: the schemes that every request carries, so that they need no credential.
    ///   - places: the places in a request that are filled already.
    func canSend(_ requirement: SecurityPlan.Requirement, _ carried: Set<String>, besides places: Set<String>) -> Bool {
        var filled = places
        return requirement.allSatisfy { name, _ in
            carried.contains(name) || placements[name].map { filled.insert($0.place).inserted } ?? false
        }
    }

    /// Declares a credential for each scheme of the requirements that has none yet.
    mutating func declare(_ requirements: [SecurityPlan.Requirement]) {
        for (name, _) in requirements.joined() where names[name] == nil {
            guard let placement = placements[name] else { continue }
            let free = NameText.free(NameText.valueName(name), taken, ["credential"])
            taken.insert(NameText.folded(free))
            names[name] = free
            definitions.append(CredentialDefinition(name: Located(free), placement: placement))
            notes[free] = schemes.first { $0.name == name }?.value.schemeNotes
        }
    }

    /// The alternatives of the requirements, each of them once.
    func alternatives(_ requirements: [SecurityPlan.Requirement]) -> [CredentialAlternative] {
        var seen = Set<String>()
        return requirements.map { CredentialAlternative($0.compactMap { names[$0.name] }) }.filter {
            seen.insert($0.text).inserted
        }
    }

    /// The places that the credentials of an endpoint have in its requests.
    func places(of alternatives: [CredentialAlternative]) -> Set<String> {
        let own = Set(alternatives.flatMap(\.names))
        return Set(definitions.filter { own.contains($0.name.value) }.map(\.placement.place))
    }

    // MARK: Findings

    /// - Parameter others: the schemes that only operations need that were not chosen.
    func reportLost(_ findings: ImportFindings, besides others: Set<String>) {
        for (name, scheme) in schemes where names[name] != nil && scheme.flag("deprecated") {
            findings.add(
                .openAPISecurityLost, "`\(name)` is deprecated, which a contract cannot say of a credential",
                at: scheme,
                isMinor: true)
        }
        for (name, scheme) in schemes where names[name] == nil {
            scheme.settle()
            if others.contains(name) { continue }
            let reason =
                hidden.contains(name)
                ? "every request carries another key in its place"
                : placements[name] == nil
                    ? "the client cannot send its credentials" : "no operation needs it beside what the contract sends"
            findings.add(
                .openAPISecurityLost, "the security scheme `\(name)` is left out, because \(reason)", at: scheme)
        }
    }
}

extension Element {
    /// What a security scheme says of itself: in prose, and where an app gets a token and for what.
    var schemeNotes: [String] {
        var notes = text("description").map { DocText.lines($0) } ?? []
        for key in ["openIdConnectUrl", "oauth2MetadataUrl"] {
            if let url = text(key) { notes.append("\(key == "openIdConnectUrl" ? "OpenID Connect" : key): \(url)") }
        }
        let flows = self["flows"]?.named ?? (text("flow").map { [($0, self)] } ?? [])
        for (flow, value) in flows {
            if value.isMapping { value.note(.read) }
            for key in ["authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl"] {
                if let url = value.text(key) { notes.append("\(flow), \(key): \(url)") }
            }
            for (scope, meaning) in value["scopes"]?.entries ?? [] {
                let note = "scope \(scope): \(DocText.lines(meaning.text ?? "").joined(separator: " "))"
                if !notes.contains(note) { notes.append(note) }
            }
        }
        return notes
    }

    /// What precedes the key of a security scheme in its header. OpenAPI has no place for it, and drf-spectacular describes it: `Token `.
    var keyPrefix: String {
        guard let doc = text("description"), let start = doc.firstRange(of: "required prefix \"")?.upperBound,
            let end = doc[start...].firstIndex(of: "\"")
        else { return "" }
        let word = String(doc[start..<end])
        return HeaderText.isName(word) ? word + " " : ""
    }
}
