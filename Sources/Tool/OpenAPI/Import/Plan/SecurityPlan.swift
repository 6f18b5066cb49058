import ContractModel

/// The proof of identity in requests: one session for the document, keys that every request carries, and credentials that some
/// requests carry (`PlannedCredentials`).
struct SecurityPlan {
    private(set) var session: PlannedSession?
    private(set) var headers: [PlannedField] = []
    private(set) var query: [PlannedField] = []
    private(set) var credentials = PlannedCredentials()
    /// The schemes that every request carries, by name.
    private var carried = Set<String>()
    /// Those of them that are keys.
    private var keys = Set<String>()
    private var sessionScheme: String?
    /// The places in a request that the keys and the session have.
    private var sessionPlaces = Set<String>()
    private let schemes: [String: Element]
    private let document: APIDocument

    /// A requirement: the names of schemes that hold together, with their scopes.
    typealias Requirement = [(name: String, scopes: [String])]

    /// - Parameter others: the operations that were not chosen.
    init(_ document: APIDocument, beside others: [Operation], findings: ImportFindings) {
        self.document = document
        schemes = Dictionary(document.schemes.map { ($0.name, $0.value) }) { first, _ in first }
        let chosen = chosenRequirement() ?? []
        let places = chosen.compactMap { name in schemes[name].map { (name: name, scheme: $0) } }
        // A single key identifies the user; several keys together identify the app.
        let main = places.first { isToken($0.scheme) } ?? (places.count == 1 ? places.first : nil)
        for (name, scheme) in places {
            if let main, name == main.name, let session = session(name, scheme, findings) {
                (self.session, sessionScheme) = (session, name)
            } else if isEverywhere(name) {
                addKey(name, scheme, findings)
            } else {
                // A key of every request would also go where the document asks for none.
                continue
            }
            carried.insert(name)
        }
        sessionPlaces = Set(headers.map { "header \($0.wire.lowercased())" } + query.map { "query \($0.wire)" })
        credentials.take(document.schemes.filter { !carried.contains($0.name) }, besides: sessionPlaces)
        if let session { sessionPlaces.insert("header \(session.header.lowercased())") }
        for operation in document.operations { credentials.declare(alternatives(of: operation).requirements) }
        credentials.reportLost(findings, besides: names(in: others).subtracting(names(in: document.operations)))
    }

    private func names(in operations: [Operation]) -> Set<String> {
        Set(operations.flatMap { Self.requirements($0.security ?? document.security).joined().map(\.name) })
    }

    /// Where the flow `password` of the session's scheme gets a token.
    var tokenURL: String? {
        sessionScheme.flatMap { schemes[$0] }?["flows"]?["password"]?.text("tokenUrl")
    }

    // MARK: Endpoints

    /// The `session` of an endpoint, nil for the default, a required session; and its credentials.
    func proof(
        of operation: Operation, _ findings: ImportFindings
    ) -> (session: SessionUse?, credentials: [CredentialAlternative]) {
        let requirements = Self.requirements(operation.security ?? document.security)
        let isOptional = requirements.contains(where: \.isEmpty)
        let needs = requirements.filter { !$0.isEmpty }
        let without = session == nil ? nil : SessionUse.none
        if needs.isEmpty { return (without, []) }
        if isCarried(needs) { return (session != nil && isOptional ? .optional : nil, []) }
        let (usable, hasSession) = alternatives(of: operation)
        guard !usable.isEmpty else {
            let names = needs.flatMap { $0 }.map { "`\($0.name)`" }.joined(separator: ", ")
            findings.add(
                .openAPISecurityLost, "the contract does not send the credentials of \(names)",
                at: operation.element["security"] ?? operation.element)
            return (without, [])
        }
        let named = credentials.alternatives(usable) + (isOptional ? [CredentialAlternative([])] : [])
        return (hasSession ? (isOptional ? .optional : nil) : without, named)
    }

    private func isCarried(_ needs: [Requirement]) -> Bool {
        needs.contains { $0.allSatisfy { carried.contains($0.name) } }
    }

    /// The requirements of an operation that need more than what every request carries, and whether the session is a part of each.
    /// If a requirement does without the session, those with it are left out: a contract has the session in all alternatives.
    private func alternatives(of operation: Operation) -> (requirements: [Requirement], hasSession: Bool) {
        let needs = Self.requirements(operation.security ?? document.security).filter { !$0.isEmpty }
        if isCarried(needs) { return ([], false) }
        let (with, without) = (needs.filter(needsSession), needs.filter { !needsSession($0) })
        let alone = without.filter { credentials.canSend($0, carried, besides: []) }
        if !alone.isEmpty { return (alone, false) }
        return (with.filter { credentials.canSend($0, carried, besides: sessionPlaces) }, true)
    }

    private func needsSession(_ requirement: Requirement) -> Bool {
        requirement.contains { $0.name == sessionScheme }
    }

    /// What of the contract's proof of identity an operation asks for.
    func contents(for operation: Operation) -> Set<ServerRoleDefinition.Content> {
        let requirements = Self.requirements(operation.security ?? document.security)
        let names = requirements.filter { requirement in
            requirement.allSatisfy { carried.contains($0.name) }
        }.flatMap { $0 }.map(\.name)
        var contents: Set<ServerRoleDefinition.Content> = []
        let (usable, hasSession) = alternatives(of: operation)
        if (names + usable.flatMap { $0 }.map(\.name)).contains(where: keys.contains) { contents.insert(.common) }
        if let sessionScheme, names.contains(sessionScheme) { contents.insert(.session) }
        if !usable.isEmpty {
            contents.insert(.credentials)
            if hasSession { contents.insert(.session) }
        }
        return contents
    }

    /// Reports that the document says nothing of the credentials without which most operations refuse a request.
    func reportUndeclared(_ document: APIDocument, _ findings: ImportFindings) {
        guard document.schemes.isEmpty else { return }
        let refusing = document.operations.filter { operation in
            operation.responses.contains { $0.status == "401" }
        }
        guard let place = refusing.first?.responses.first(where: { $0.status == "401" })?.element,
            refusing.count * 2 > document.operations.count
        else { return }
        findings.add(
            .openAPISecurityUndeclared,
            "the document has no security scheme, although \(refusing.count) of \(document.operations.count) operations can respond with 401",
            at: place,
            help: "add `session` to the contract, with the header that has the token")
    }

    /// The scopes that an operation needs, if it has requirements of its own.
    func scopes(of operation: Operation) -> String? { Self.scopes(of: operation.security ?? []) }

    /// The scopes that the operations without requirements of their own need.
    var usualScopes: String? { Self.scopes(of: document.security) }

    private static func scopes(of list: [Element]) -> String? {
        let scopes = requirements(list).flatMap { $0 }.flatMap(\.scopes)
        var seen = Set<String>()
        let each = scopes.filter { seen.insert($0).inserted }
        return each.isEmpty ? nil : each.joined(separator: ", ")
    }

    private static func requirements(_ list: [Element]) -> [Requirement] {
        list.map { requirement in requirement.named.map { ($0.name, $0.value.items.compactMap(\.text)) } }
    }

    // MARK: Which schemes

    /// Whether every operation can be called with a scheme.
    private func isEverywhere(_ name: String) -> Bool {
        document.operations.allSatisfy { operation in
            Self.requirements(operation.security ?? document.security).contains { $0.contains { $0.name == name } }
        }
    }

    /// The requirement that most operations can be called with, of those that a contract can carry.
    private func chosenRequirement() -> [String]? {
        var counts: [[String]: Int] = [:]
        var order: [[String]] = []
        for operation in document.operations {
            for requirement in Self.requirements(operation.security ?? document.security) where !requirement.isEmpty {
                let names = requirement.map(\.name)
                if counts[names] == nil { order.append(names) }
                counts[names, default: 0] += 1
            }
        }
        let usable = order.filter { names in names.allSatisfy { schemes[$0].map(isUsable) ?? false } }
        return usable.enumerated().max { left, right in
            let (one, other) = (counts[left.element] ?? 0, counts[right.element] ?? 0)
            if one != other { return one < other }
            let (better, worse) = (rank(left.element), rank(right.element))
            return better == worse ? left.offset > right.offset : better > worse
        }?.element
    }

    private func isUsable(_ scheme: Element) -> Bool {
        switch scheme.text("type") {
        case "http", "oauth2", "openIdConnect", "basic": true
        case "apiKey":
            scheme.text("in") == "query"
                || scheme.text("in") != "cookie" && HeaderText.isName(scheme.text("name") ?? "")
        default: false
        }
    }

    private func isToken(_ scheme: Element) -> Bool { scheme.text("type") != "apiKey" }

    /// Lower is better.
    private func rank(_ names: [String]) -> Int {
        names.map { name -> Int in
            guard let scheme = schemes[name] else { return 9 }
            switch scheme.text("type") {
            case "http": return scheme.text("scheme")?.lowercased() == "bearer" ? 0 : 3
            case "oauth2", "openIdConnect": return 1
            case "apiKey": return 2
            default: return 4
            }
        }.max() ?? 9
    }

    // MARK: What carries them

    private func session(_ name: String, _ scheme: Element, _ findings: ImportFindings) -> PlannedSession? {
        var session = PlannedSession(header: "Authorization")
        session.notes = scheme.schemeNotes
        if scheme.flag("deprecated") { session.notes.append("The document deprecates these credentials.") }
        switch scheme.text("type") {
        case "basic":
            session.prefix = "Basic "
        case "http":
            let word = scheme.text("scheme") ?? "Bearer"
            session.prefix = (word.lowercased() == "bearer" ? "Bearer" : NameWords.capitalized(word)) + " "
            if word.lowercased() == "basic" { session.notes.append("The token is `user:password` in Base64.") }
        case "apiKey":
            guard scheme.text("in") == "header", let header = scheme.text("name") else { return nil }
            session.header = header
            session.prefix = scheme.keyPrefix
        default:
            session.prefix = "Bearer "
        }
        return session
    }

    /// A key that every request carries, and that the app gives once.
    private mutating func addKey(_ name: String, _ scheme: Element, _ findings: ImportFindings) {
        guard scheme.text("type") == "apiKey", let wire = scheme.text("name") else {
            findings.add(
                .openAPISecurityLost,
                "the security scheme `\(name)` is left out, because every request carries another token", at: scheme)
            return scheme.settle()
        }
        keys.insert(name)
        var field = PlannedField(wire: wire, type: .word("string"))
        field.name = NameText.valueName(name)
        field.doc = scheme.text("description")
        field.isSensitive = true
        if scheme.text("in") == "query" { query.append(field) } else { headers.append(field) }
    }

    /// Takes out of the endpoints what their requests carry anyway, where their origin gets it.
    func removeCarried(from plan: inout ContractPlan) {
        let keys = Set(headers.map { $0.wire.lowercased() })
        let token = session?.header.lowercased()
        let parameters = Set(query.map(\.wire))
        for position in plan.endpoints.indices {
            let sendsKeys = plan.sends(.common, for: plan.endpoints[position])
            let sendsToken = plan.sends(.session, for: plan.endpoints[position])
            let own = credentials.places(of: plan.endpoints[position].credentials)
            plan.endpoints[position].headers.removeAll { field in
                let name = field.wire.lowercased()
                return sendsKeys && keys.contains(name) || sendsToken && name == token || own.contains("header \(name)")
            }
            plan.endpoints[position].query.removeAll { field in
                sendsKeys && parameters.contains(field.wire) || own.contains("query \(field.wire)")
            }
            plan.endpoints[position].cookies.removeAll { own.contains("cookie \($0.wire)") }
        }
    }
}
