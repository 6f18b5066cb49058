import ContractModel
import Diagnostics
import YAMLTree

/// An OpenAPI document in, the text of a contract out.
///
///     path ─ DocumentSet ─▶ Elements ─ DocumentReader ─▶ APIDocument (operations, whatever the version)
///          ─ EndpointPlanner, TypePlanner, ErrorPlanner, SecurityPlan ─▶ ContractPlan
///          ─ PlanConversion ─▶ Contract with its ContractNotes ─ ContractPrinter ─▶ text
///
/// Every stage reports the parts that it could not carry over. Architecture invariant: every dropped part of a document is a
/// finding, and no document makes the importer throw, trap or run without end.
package struct OpenAPIImporter {
    /// The parts to import, and the name of the service.
    package struct Options: Sendable {
        /// The tags and endpoints to import; empty for all.
        package var only: [String] = []
        /// The name of the service; `nil` for the document's name.
        package var service: String?
        /// The maximum number of types and fields. The largest documents that services publish have a tenth of it.
        package var mostParts = 500_000
        /// The maximum number of findings.
        package var mostFindings = 5_000
        /// Whether each tag becomes a group.
        package var hasGroups = false
        /// Whether examples are carried over.
        package var hasExamples = true

        package init() {}
    }

    /// The result of an import.
    package struct Result {
        /// The contract; `nil` if the document can't be read.
        package var contract: String?
        /// The contract before it was printed.
        package var draft: ContractDraft?
        package var service = ""
        package var findings: [Diagnostic] = []
        /// Proposals that a person should review: the subject, and the reason.
        package var reviews: [(subject: String, reason: String)] = []
        /// The types that have all properties of a schema of the document, by the schema's name.
        package var components: [(type: String, schema: String)] = []
        package var endpointCount = 0
        package var typeCount = 0
        /// The number of fields that are `sensitive` because of their names.
        package var sensitiveCount = 0
        /// The fields with a schema, and those of them that are `json`.
        package var fieldCount = (all: 0, untyped: 0)
        package var errorCount = 0
        package var fileCount = 0
    }

    private let provider: any SourceProvider
    private let options: Options

    package init(provider: any SourceProvider, options: Options = Options()) {
        self.provider = provider
        self.options = options
    }

    /// Whether a text is a document, or claims to be one, and not a contract.
    package static func isDocument(_ bytes: [UInt8]) -> Bool {
        let root = YAMLParser().parse(JSONText.readableAsYAML(bytes), file: "").document?.root.mapping
        return ["openapi", "swagger"].contains { root?.pair(forKey: $0) != nil } && root?.pair(forKey: "errand") == nil
    }

    /// Reads the document at a path.
    package func run(_ path: String) -> Result {
        let findings = ImportFindings(most: options.mostFindings)
        let documents = DocumentSet(provider: provider, findings: findings)
        guard let root = documents.root(of: path) else {
            return Result(findings: documents.failures + findings.all, fileCount: 1)
        }
        if root[ExportedContract.marker] != nil, root.text("openapi") != nil {
            let exported = ExportedContract(
                root: root, findings: findings, only: options.only, service: options.service)
            let outcome = exported.read(path)
            findings.finish(file: path)
            return Result(
                contract: outcome.contract, service: outcome.service, findings: findings.all,
                endpointCount: outcome.endpointCount, typeCount: outcome.typeCount, errorCount: outcome.errorCount,
                fileCount: documents.fileCount)
        }
        guard let document = DocumentReader(documents: documents).read(root) else {
            findings.add(
                Diagnostic(
                    rule: .openAPIUnreadable,
                    message: "`\(path)` is not a document of OpenAPI 3.0, OpenAPI 3.1 or Swagger 2.0",
                    file: path, help: "begin the document with `openapi: 3.1.0`"))
            return Result(findings: findings.all, fileCount: 1)
        }
        var result = plan(document, documents, path)
        findings.finish(file: path)
        result.findings = findings.all
        result.fileCount = documents.fileCount
        return result
    }

    private func plan(_ document: APIDocument, _ documents: DocumentSet, _ path: String) -> Result {
        let findings = documents.findings
        var document = document
        let types = TypePlanner(
            documents: documents, root: document.root, is31: document.version == .openAPI31,
            largest: options.mostParts)
        // Swagger 2 has one schema for all formats of a response.
        if document.version != .swagger2 {
            let variants = BodyVariants(types: types)
            document.operations = document.operations.flatMap(variants.split).flatMap(StreamVariants.split)
        }
        guard let chosen = choose(document, findings, path) else { return Result() }
        let places = Set(chosen.map(\.operation.element.key))
        let others = document.operations.filter { !places.contains($0.element.key) }
        document.operations = chosen.map(\.operation)
        let errors = ErrorPlanner()
        let security = SecurityPlan(document, findings: findings)
        let servers = ServerPlanner(findings: findings)
        let planner = EndpointPlanner(
            types: types, errors: errors, security: security,
            envelopes: EnvelopePlanner(types: types, operations: document.operations, beside: others),
            isSwagger2: document.version == .swagger2)
        var plan = header(document)
        let home = servers.home(of: document)
        plan.servers = servers.servers(of: document, home: home)
        plan.session = security.session
        plan.credentials = security.credentials.definitions
        plan.commonHeaders = security.headers
        plan.commonQuery = security.query
        var values = ExampleValues(documents)
        var operations: [String: Operation] = [:]
        for (operation, name) in chosen {
            let isElsewhere = servers.isElsewhere(operation, than: home)
            let role = isElsewhere ? servers.role(of: operation, beside: home, in: &plan) : nil
            guard !isElsewhere || role != nil else { continue }
            guard var endpoint = planner.plan(operation, name: name) else {
                errors.forget(name)
                continue
            }
            if operation.arrival == .stream, endpoint.stream == nil {
                // A finding says why. The response that arrives whole stays.
                errors.forget(name)
                continue
            }
            operations[name] = operation
            endpoint.server = role
            servers.note(&endpoint, security.contents(for: operation), in: &plan)
            plan.endpoints.append(endpoint)
        }
        security.removeCarried(from: &plan)
        types.planWaiting()
        let pages = PagePlanner(types: types)
        for position in plan.endpoints.indices {
            guard let operation = operations[plan.endpoints[position].name] else { continue }
            let found = pages.plan(plan.endpoints[position], operation)
            plan.endpoints[position].pages = found
            if let found { plan.endpoints[position].notes.append("errand:review pages: \(found.reason)") }
        }
        StreamVariants(types: types).ask(&plan, operations, beside: errors.numbers)
        SentFields(types: types, findings: findings).settle(&plan)
        let equal = EqualTypes(types: types, roots: plan.endpoints.flatMap(\.numbers) + errors.numbers)
        for position in plan.endpoints.indices { plan.endpoints[position].mapTypes(equal.mapped) }
        errors.mapTypes(equal.mapped)
        for name in EqualRequests(types: types, findings: findings).remove(from: &plan) {
            errors.forget(name)
            operations[name] = nil
        }
        for position in plan.endpoints.indices {
            guard let operation = operations[plan.endpoints[position].name] else { continue }
            addExamples(&plan.endpoints[position], operation, findings, &values)
        }
        plan.roles.removeAll { role in !plan.endpoints.contains { $0.server == role.name } }
        let xml = XMLPlanner(types: types, findings: findings)
        xml.settle(&plan, beside: errors.numbers)
        plan.liftCommonParameters()
        plan.askForResponseType()
        plan.nameEnvelopes()
        errors.finish(&plan)
        xml.settleErrors(&plan)
        if errors.count == 0, !plan.endpoints.isEmpty {
            findings.add(
                .openAPIErrorsUndeclared,
                "the document declares no errors, so the contract has errors for common HTTP statuses",
                at: document.root["paths"] ?? document.root,
                help: "add the errors that the service documents in other places")
        }
        security.reportUndeclared(document, findings)
        group(&plan)
        if options.hasGroups { plan.nameGroups() }
        return finish(&plan, types, findings, document)
    }

    // MARK: Which operations

    private func choose(
        _ document: APIDocument, _ findings: ImportFindings, _ path: String
    ) -> [(operation: Operation, name: String)]? {
        var taken = SwiftWords.endpoints
        // A group has a property `client`.
        if options.hasGroups { taken.insert("client") }
        // The names of the document's own operations come before those of the variants that are made of them.
        let variants = document.operations.indices.filter { document.operations[$0].isVariant }
        let own = document.operations.indices.filter { !document.operations[$0].isVariant }
        let numbered = EndpointNames.numbered(own.map { document.operations[$0] })
        var names = Array(repeating: "", count: document.operations.count)
        for position in own + variants {
            let operation = document.operations[position]
            let wanted = EndpointNames.name(operation, numbered: numbered)
            let fallback = EndpointNames.fromPath(operation)
            let name = NameText.free(wanted, taken, EndpointNames.others(wanted, fallback, operation))
            taken.insert(NameText.folded(name))
            names[position] = name
        }
        let chosen = zip(document.operations, names).map { (operation: $0, name: $1) }
        guard !options.only.isEmpty else { return chosen }
        var unknown: [String] = []
        for word in options.only
        where !chosen.contains(where: {
            $0.name == word || $0.operation.operationID == word || $0.operation.tags.contains(word)
        }) {
            unknown.append(word)
        }
        for word in unknown {
            let names = chosen.map(\.name) + chosen.flatMap(\.operation.tags)
            let near = nearestSpelling(of: word, among: names).map { "did you mean `\($0)`?" }
            findings.add(
                Diagnostic(
                    rule: .unknownEndpoint, message: "the document has no tag and no endpoint `\(word)`", file: path,
                    help: near))
        }
        guard unknown.isEmpty else { return nil }
        let wanted = Set(options.only)
        return chosen.filter { operation, name in
            wanted.contains(name) || operation.operationID.map(wanted.contains) == true
                || operation.tags.contains(where: wanted.contains)
        }
    }

    // MARK: The whole

    private func header(_ document: APIDocument) -> ContractPlan {
        var plan = ContractPlan()
        let info = document.root["info"]
        let title = info?.text("title") ?? "Service"
        var service = options.service ?? NameText.serviceName(title)
        if SwiftWords.services.union(SwiftWords.types).contains(NameText.folded(service)) { service += "API" }
        plan.service = service
        plan.version = info?.text("version").map { $0.trimmingSpaces() }.flatMap { $0.isEmpty ? nil : $0 }
        plan.doc = DocText.joined(info?.text("summary"), info?.text("description"))
        if let license = info?["license"] {
            plan.notes.append(
                "License: " + [license.text("name"), license.text("url")].compactMap { $0 }.joined(separator: ", "))
        }
        if let terms = info?.text("termsOfService") { plan.notes.append("Terms: \(terms)") }
        if let contact = info?["contact"] {
            let parts = [contact.text("name"), contact.text("email"), contact.text("url")].compactMap { $0 }
            if !parts.isEmpty { plan.notes.append("Contact: " + parts.joined(separator: ", ")) }
        }
        for tag in document.root["tags"]?.items ?? [] {
            let docs = tag["externalDocs"]?.text("url").map { "See \($0)" }
            plan.tagDocs[tag.text("name") ?? ""] = DocText.joined(tag.text("description"), docs)
        }
        if let docs = document.root["externalDocs"]?.text("url") { plan.notes.append("See \(docs)") }
        return plan
    }

    /// Groups the endpoints by tag, in the order of the tags' first use in the document.
    private func group(_ plan: inout ContractPlan) {
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

    private func finish(
        _ plan: inout ContractPlan, _ types: TypePlanner, _ findings: ImportFindings, _ document: APIDocument
    ) -> Result {
        var sweep = TypeSweep(types: types, findings: findings)
        let used = sweep.reached(from: plan)
        var commands = Set<String>()
        for endpoint in plan.endpoints {
            commands.insert(NameText.folded(endpoint.name))
            commands.insert(NameText.folded(endpoint.name + "Failure"))
        }
        for group in plan.groups { commands.insert(NameText.folded(group.name + "Group")) }
        plan.nameTypes(used, taken: commands)
        plan.types = used.sorted { left, right in
            (left.place.file, left.place.offset, left.number) < (right.place.file, right.place.offset, right.number)
        }
        var wires: [String] = []
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
        let names = Dictionary(plan.types.map { ($0.number, $0.name) }) { first, _ in first }
        plan.nameErrors { type in
            func name(_ type: PlannedType) -> String {
                switch type {
                case .word(let word): word
                case .named(let number): names[number] ?? ""
                case .list(let inner): name(inner) + "List"
                case .map(let inner): name(inner) + "Map"
                case .optional(let inner): name(inner)
                }
            }
            return name(type)
        }
        for endpoint in plan.endpoints { wires += endpoint.query.map(\.wire) }
        marks.mark(&plan)
        var result = Result()
        result.sensitiveCount = marks.count
        let draft = ContractDraft(plan: plan, naming: FieldNames.naming(of: wires))
        result.contract = draft.text
        result.draft = draft
        result.service = plan.service
        result.endpointCount = plan.endpoints.count
        result.typeCount = plan.types.count
        let fields = FieldCount(plan, types: types)
        result.fieldCount = (fields.all, fields.untyped)
        result.errorCount = plan.errors.count
        result.components = plan.types.compactMap { type in
            guard case .component(let name) = type.origin, type.direction == .both else { return nil }
            return (type.name, name)
        }
        result.reviews = draft.reviews
        return result
    }

    // MARK: Examples

    private func addExamples(
        _ endpoint: inout PlannedEndpoint, _ operation: Operation, _ findings: ImportFindings,
        _ values: inout ExampleValues
    ) {
        var examples: [(name: String, value: Element)] = []
        let response = operation.responses.filter(\.isSuccess).min { $0.status < $1.status }
        if case .content = endpoint.response {
            for (name, value) in response?.media.first(where: \.isJSON)?.examples ?? [] {
                let name = NameText.valueName(name)
                if let position = examples.firstIndex(where: { $0.name == name }) {
                    examples[position].value = value
                } else {
                    examples.append((name, value))
                }
            }
        }
        for media in operation.body?.media ?? [] {
            for (_, value) in media.examples { findings.count(.openAPIExampleLost, "requests", at: value) }
        }
        for parameter in operation.parameters {
            if let value = parameter.element["example"] ?? parameter.element["examples"] {
                findings.count(.openAPIExampleLost, "parameters", at: value)
            }
        }
        for failure in operation.responses where !failure.isSuccess {
            for media in failure.media {
                for (_, value) in media.examples { findings.count(.openAPIExampleLost, "failures", at: value) }
            }
        }
        guard options.hasExamples else { return }
        for (name, value) in examples {
            endpoint.examples.append(PlannedExample(name: name, response: values.value(of: value), origin: value))
        }
    }
}
