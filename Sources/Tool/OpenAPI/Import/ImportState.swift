import ContractModel

/// An import between its passes: the plan so far, and the planners that know what it is made of.
struct ImportState {
    let options: OpenAPIImporter.Options
    /// The document with the chosen operations.
    let document: APIDocument
    /// The chosen operations, with the names of their endpoints.
    let chosen: [(operation: Operation, name: String)]
    /// The servers of most operations.
    let home: [Element]
    let types: TypePlanner
    let errors = ErrorPlanner()
    let security: SecurityPlan
    let envelopes: EnvelopePlanner
    /// What the framework of the document sends besides; nil if it is not known.
    let framework: FrameworkErrors?
    var plan = ContractPlan()
    /// The operations of the endpoints in the plan, by the endpoints' names.
    private(set) var operations: [String: Operation] = [:]
    private var naming = WireNaming.asWritten
    private var sensitiveCount = 0

    init(
        _ document: APIDocument, _ chosen: [(operation: Operation, name: String)], _ types: TypePlanner,
        _ options: OpenAPIImporter.Options
    ) {
        let places = Set(chosen.map(\.operation.element.key))
        let others = document.operations.filter { !places.contains($0.element.key) }
        framework = options.isCompared ? nil : FrameworkErrors(document, types)
        var document = document
        document.operations = chosen.map(\.operation)
        (self.document, self.chosen, self.types, self.options) = (document, chosen, types, options)
        plan.isCompared = options.isCompared
        home = ServerPlanner(findings: types.findings).home(of: document)
        security = SecurityPlan(document, beside: others, findings: types.findings)
        envelopes = EnvelopePlanner(types: types, operations: document.operations, beside: others)
    }

    var findings: ImportFindings { types.findings }
    var servers: ServerPlanner { ServerPlanner(findings: findings) }
    var xml: XMLPlanner { XMLPlanner(types: types, findings: findings) }

    /// The result, after all passes.
    var result: OpenAPIImporter.Result {
        let draft = ContractDraft(plan: plan, naming: naming, findings: findings)
        if options.hasExamples { findings.countLostExamples() }
        let fields = FieldCount(plan, types: types)
        let components = plan.types.compactMap { type -> (type: String, schema: String)? in
            guard case .component(let name) = type.origin, type.direction == .both, !type.isUpdate else { return nil }
            return (type.name, name)
        }
        return OpenAPIImporter.Result(
            contract: draft.text, draft: draft, service: plan.service, reviews: draft.reviews, components: components,
            endpointCount: plan.endpoints.count, typeCount: plan.types.count, sensitiveCount: sensitiveCount,
            fieldCount: (fields.all, fields.untyped), errorCount: plan.errors.count)
    }

    // MARK: The service

    mutating func describeService() {
        let info = document.root["info"]
        let title = info?.text("title") ?? "Service"
        var service = options.service ?? NameText.serviceName(title)
        if SwiftWords.services.union(SwiftWords.types).contains(NameText.folded(service)) { service += "API" }
        plan.service = service
        plan.version = info?.text("version").map { $0.trimmingSpaces() }.flatMap { $0.isEmpty ? nil : $0 }
        plan.doc = DocText.joined(info?.text("summary"), info?.text("description"))
        if let license = info?["license"] {
            let parts = ["name", "identifier", "url"].compactMap { license.text($0) }
            plan.notes.append("License: " + parts.joined(separator: ", "))
        }
        if let terms = info?.text("termsOfService") { plan.notes.append("Terms: \(terms)") }
        if let contact = info?["contact"] {
            let parts = [contact.text("name"), contact.text("email"), contact.text("url")].compactMap { $0 }
            if !parts.isEmpty { plan.notes.append("Contact: " + parts.joined(separator: ", ")) }
        }
        for tag in document.root["tags"]?.items ?? [] {
            let parent = tag.text("parent").map { "A part of the tag `\($0)`." }
            let docs = tag["externalDocs"]?.text("url").map { "See \($0)" }
            let doc = DocText.joined(DocText.joined(tag.text("summary"), tag.text("description")), parent)
            plan.tagDocs[tag.text("name") ?? ""] = DocText.joined(doc, docs)
        }
        if let docs = document.root["externalDocs"]?.text("url") { plan.notes.append("See \(docs)") }
    }

    mutating func addSecurity() {
        plan.session = security.session
        plan.credentials = security.credentials.definitions
        plan.credentialNotes = plan.credentials.compactMap { credential in
            security.credentials.notes[credential.name.value].map { (credential.name.value, $0) }
        }
        if let scopes = security.usualScopes {
            plan.notes.append("Scopes of the endpoints without scopes of their own: \(scopes)")
        }
        plan.commonHeaders = security.headers
        plan.commonQuery = security.query
    }

    mutating func planLogin() {
        guard let url = security.tokenURL else { return }
        let logins = LoginPlanner(types: types, servers: servers.urls(home))
        let login = logins.login(at: url, in: plan)
        plan.session?.login = login
    }

    // MARK: Endpoints

    mutating func planEndpoints() {
        let planner = EndpointPlanner(
            types: types, errors: errors, security: security, envelopes: envelopes,
            isSwagger2: document.version == .swagger2)
        for (operation, name) in chosen {
            var operation = operation
            var isElsewhere = servers.isElsewhere(operation, than: home)
            if let prefix = servers.prefix(of: operation, beside: home, plan.servers) {
                operation.path = prefix + operation.path
                isElsewhere = false
            } else if home.isEmpty {
                servers.loseOwn(of: operation)
            }
            let role = isElsewhere ? servers.role(of: operation, beside: home, in: &plan) : nil
            guard !isElsewhere || role != nil else { continue }
            // Of an operation whose stream is lost, the response that arrives whole stays. A finding says why.
            guard var endpoint = planner.plan(operation, name: name),
                operation.arrival != .stream || endpoint.stream != nil
            else {
                errors.forget(name)
                continue
            }
            operations[name] = operation
            endpoint.server = role
            servers.note(&endpoint, security.contents(for: operation), in: &plan)
            plan.endpoints.append(endpoint)
        }
    }

    mutating func planPages() {
        let pages = PagePlanner(types: types)
        for position in plan.endpoints.indices {
            guard let operation = operations[plan.endpoints[position].name],
                let found = pages.plan(plan.endpoints[position], operation)
            else { continue }
            plan.endpoints[position].pages = found
            plan.endpoints[position].notes.append("errand:review pages: \(found.reason)")
        }
    }

    mutating func joinEqualTypes() {
        let equal = EqualTypes(types: types, roots: plan.endpoints.flatMap(\.numbers) + errors.numbers)
        for position in plan.endpoints.indices { plan.endpoints[position].mapTypes(equal.mapped) }
        errors.mapTypes(equal.mapped)
    }

    mutating func removeEqualRequests() {
        for name in EqualRequests(types: types, findings: findings).remove(from: &plan) {
            errors.forget(name)
            operations[name] = nil
        }
    }

    mutating func addExamples() {
        guard options.hasExamples else { return }
        var planner = ExamplePlanner(types)
        planner.settleFields(of: &plan)
        for position in plan.endpoints.indices {
            guard let operation = operations[plan.endpoints[position].name] else { continue }
            planner.plan(&plan.endpoints[position], operation)
        }
    }

    mutating func removeUnusedRoles() {
        let used = Set(plan.endpoints.compactMap(\.server))
        plan.roles.removeAll { !used.contains($0.name) }
    }

    func reportUndeclaredErrors() {
        guard errors.count == 0, !plan.endpoints.isEmpty else { return }
        findings.add(
            .openAPIErrorsUndeclared,
            "the document declares no errors, so the contract has errors for common HTTP statuses",
            at: document.root["paths"] ?? document.root,
            help: "add the errors that the service documents in other places")
    }

    /// Orders the endpoints by tag, in the order of the tags' first use in the document.
    mutating func orderEndpoints() {
        var places: [String: Int] = [:]
        for endpoint in plan.endpoints {
            let tag = endpoint.tag ?? ""
            if places[tag] == nil { places[tag] = places.count }
        }
        let order = plan.endpoints.enumerated().sorted { left, right in
            let (one, other) = (places[left.element.tag ?? ""] ?? 0, places[right.element.tag ?? ""] ?? 0)
            return one == other ? left.offset < right.offset : one < other
        }
        plan.endpoints = order.map(\.element)
    }

    // MARK: Types and names

    mutating func collectTypes() {
        var sweep = TypeSweep(types: types, findings: findings)
        plan.types = sweep.reached(from: plan)
    }

    /// Names the types, and puts them in the order of the document.
    mutating func nameTypes() {
        var commands = Set(plan.groups.map { NameText.folded($0.name + "Group") })
        for endpoint in plan.endpoints {
            commands.formUnion([NameText.folded(endpoint.name), NameText.folded(endpoint.name + "Failure")])
        }
        plan.nameTypes(plan.types, taken: commands)
        plan.types.sort { left, right in
            (left.place.file, left.place.offset, left.number) < (right.place.file, right.place.offset, right.number)
        }
    }

    mutating func nameFields() {
        var wires = plan.endpoints.flatMap(\.query).map(\.wire)
        var marks = SecretMarks(types.entries)
        for type in plan.types {
            guard case .structure(var fields) = type.form else { continue }
            var taken: Set<String> = fields.contains(where: \.isSensitive) ? ["custommirror"] : []
            FieldNames.name(&fields, taken: &taken)
            // A structure with a sensitive field has a member `customMirror`, so no field can have this name.
            if marks.mark(&fields), fields.contains(where: { NameText.folded($0.name) == "custommirror" }) {
                taken = ["custommirror"]
                FieldNames.name(&fields, taken: &taken)
            }
            type.form = .structure(fields)
            // The other members have no name on the wire.
            wires += fields.filter { !$0.holdsOtherMembers }.map(\.wire)
        }
        marks.mark(&plan)
        naming = FieldNames.naming(of: wires)
        sensitiveCount = marks.count
    }

    mutating func nameErrors() {
        let names = Dictionary(plan.types.map { ($0.number, $0.name) }) { first, _ in first }
        func name(_ type: PlannedType) -> String {
            switch type {
            case .word(let word): word
            case .named(let number): names[number] ?? ""
            case .list(let inner): name(inner) + "List"
            case .map(let inner): name(inner) + "Map"
            case .optional(let inner): name(inner)
            }
        }
        plan.nameErrors(name)
    }
}
