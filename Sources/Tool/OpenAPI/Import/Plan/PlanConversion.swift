import ContractModel
import Diagnostics
import YAMLTree

extension Located {
    /// A value that an import makes, which is in no contract yet.
    init(_ value: Value) { self.init(value, at: .nowhere) }
}

extension SourceRange {
    static let nowhere = SourceRange(
        file: "", start: SourcePosition(line: 1, column: 1, offset: 0),
        end: SourcePosition(line: 1, column: 1, offset: 0))
}

/// Converts a plan, in which everything has its name, into the contract and its notes.
struct PlanConversion {
    private let plan: ContractPlan
    private let naming: WireNaming
    private let names: [Int: String]
    /// The names of groups by their tags.
    private let groups: [String: String]
    private var contract: Contract
    private var notes = ContractNotes()

    static func contract(of plan: ContractPlan, naming: WireNaming) -> (contract: Contract, notes: ContractNotes) {
        var conversion = PlanConversion(plan, naming)
        conversion.convert()
        return (conversion.contract, conversion.notes)
    }

    private init(_ plan: ContractPlan, _ naming: WireNaming) {
        self.plan = plan
        self.naming = naming
        names = Dictionary(plan.types.map { ($0.number, $0.name) }) { first, _ in first }
        groups = Dictionary(plan.groups.map { ($0.tag, $0.name) }) { first, _ in first }
        contract = Contract(file: "", service: Located(plan.service))
    }

    // MARK: Notes

    private mutating func comment(_ text: String, at place: String...) { notes.add(DocText.lines(text), at: place) }

    private mutating func review(_ reason: String, at place: String...) { review(reason, at: place) }

    private mutating func review(_ reason: String, at place: [String]) {
        notes.add(DocText.lines("errand:review " + reason), at: place, review: reason)
    }

    /// Records which part of the document a part of the contract is from, which only a comparison asks.
    private mutating func note(_ element: Element?, at place: [String]) {
        guard plan.isCompared, let element else { return }
        notes.set(ContractNotes.Origin(pointer: element.pointer, range: element.range), at: place)
    }

    /// A description, in lines of the usual width.
    private func doc(_ text: String?) -> String? {
        let lines = text.map { DocText.lines($0.trimmingSpaces()) } ?? []
        return lines.count > 1 ? lines.joined(separator: "\n") + "\n" : lines.first
    }

    // MARK: The service

    private mutating func convert() {
        contract.version = plan.version.map { Located($0) }
        contract.doc = doc(plan.doc)
        for note in plan.notes + [plan.framework].compactMap({ $0 }) { notes.add(DocText.lines(note), at: []) }
        addServers()
        contract.common.query = common(plan.commonQuery, at: "query", naming)
        contract.common.headers = common(plan.commonHeaders, at: "headers", .asWritten)
        addSession()
        contract.credentials = plan.credentials
        for (name, lines) in plan.credentialNotes {
            notes.add(lines.flatMap { DocText.lines($0) }, at: ["credentials", name])
        }
        for (name, envelope) in plan.envelopes { add(envelope, named: name) }
        for error in plan.errors { add(error) }
        addDefaults()
        for type in plan.types { add(type) }
        for group in plan.groups {
            let doc = doc(plan.tagDocs[group.tag]) ?? "The endpoints of the tag `\(group.tag)`."
            contract.groups.append(GroupDefinition(name: Located(group.name), doc: doc))
        }
        var tag: String?
        for endpoint in plan.endpoints {
            if endpoint.tag != tag, let name = endpoint.tag {
                let lines = DocText.lines("MARK: \(name)") + (plan.tagDocs[name].map { DocText.lines($0) } ?? [])
                notes.add(lines, at: ["endpoints", endpoint.name], isHeading: true)
            }
            tag = endpoint.tag
            add(endpoint)
        }
    }

    private mutating func addServers() {
        for (position, server) in plan.servers.enumerated() {
            var definition = ServerDefinition(
                name: Located(server.name), url: ServerDefinition.parts(of: server.url))
            definition.roles = plan.roles.map { (Located($0.name), ServerDefinition.parts(of: $0.urls[position])) }
            contract.servers.append(definition)
        }
        for role in plan.roles where !role.sends.isEmpty {
            let sends = ServerRoleDefinition.Content.allCases.filter(role.sends.contains)
            contract.roles.append(ServerRoleDefinition(name: Located(role.name), sends: sends.map { Located($0) }))
            review(
                "the document asks for credentials or parameters at another origin: check that they may go there",
                at: "roles", role.name)
        }
    }

    private mutating func addSession() {
        guard let session = plan.session else { return }
        for note in session.notes { comment(note, at: "session") }
        var definition = SessionDefinition(range: .nowhere)
        definition.placement = Located(.header(name: session.header, prefix: session.prefix, suffix: ""))
        if let login = session.login {
            review("`tokenUrl` of the document leads to this endpoint", at: "session", "login")
            definition.login = Located(login)
            definition.token = Located(FieldPath([LoginPlanner.token]))
        } else {
            review(
                "the document does not say which endpoint starts a session: add `login` and `token`, or, if the app has the token, "
                    + "`renew: false` to the errors that require a login", at: "session", "header")
        }
        contract.session = definition
    }

    private mutating func add(_ envelope: PlannedEnvelope, named name: String) {
        for reason in envelope.reviews { review(reason, at: "envelopes", name) }
        if envelope.isOpen {
            comment(
                "errand:ignore envelope-without-success-condition the document does not say which codes are a success",
                at: "envelopes", name, "code")
        }
        var definition = EnvelopeDefinition(name: Located(name))
        func path(_ text: String?) -> Located<FieldPath>? {
            text.map { Located(FieldPath($0.split(separator: ".").map(String.init))) }
        }
        definition.data = path(envelope.data)
        definition.error = path(envelope.error)
        definition.code = path(envelope.code)
        definition.message = path(envelope.message)
        definition.success = envelope.success.map { Located(.text($0)) }
        definition.isDecidedByStatus = envelope.isDecidedByStatus
        contract.envelopes.append(definition)
    }

    private mutating func add(_ error: PlannedError) {
        review(error.reason, at: "errors", error.name)
        let responses = plan.endpoints.first { $0.name == error.endpoint }?.element["responses"]
        note(
            error.statuses.first.flatMap { responses?[String($0.lowerBound)] } ?? responses, at: ["errors", error.name])
        var definition = ErrorDefinition(name: Located(error.name), category: Located(error.category))
        definition.doc = doc(error.doc)
        var condition = error.sign?.condition ?? .statuses(error.statuses)
        if let mark = error.mark {
            condition.body = [Condition.BodyMatch(path: Located(FieldPath([mark])), text: Located("*"))]
        }
        definition.conditions = [condition]
        if error.isOpen { definition.declaredApplied = Located(.maybe) }
        if error.settles { definition.settles = Located(.afterOpenAttempt) }
        definition.data = error.data.map { .type(reference($0), .nowhere) }
        contract.errors.append(definition)
    }

    private mutating func addDefaults() {
        contract.defaults.envelope = plan.defaultEnvelope.map { Located($0) }
        if let reason = plan.timeReview { review(reason, at: "defaults", "timeout") }
        contract.defaults.timeout = Located(TimeoutDefinition(20_000))
        contract.defaults.deadline = Located(60_000)
        contract.defaults.naming = naming
        contract.defaults.errors = plan.defaultErrors.map { Located(plan.errors[$0].name) }
    }

    // MARK: Types

    private func reference(_ type: PlannedType) -> TypeReference {
        switch type {
        case .word(let word): Primitive(spelling: word).map { .primitive($0) } ?? .named(Located(word))
        case .named(let number): names[number].map { .named(Located($0)) } ?? .primitive(.json)
        case .list(let inner): .list(reference(inner))
        case .map(let inner): .map(reference(inner))
        case .optional(let inner): .optional(reference(inner))
        }
    }

    private static func distinction(_ distinction: PlannedTypeEntry.Distinction) -> UnionDefinition.Distinction {
        switch distinction {
        case .value(let key, let isNumber): .value(of: Located(key), isNumber ? .int : .string)
        case .key: .key
        case .kind: .kind
        }
    }

    private mutating func add(_ type: PlannedTypeEntry) {
        note(type.schema, at: ["types", type.name])
        let form: TypeDefinition.Form
        switch type.form {
        case .structure(let all): form = .structure(fields(all, at: ["types", type.name], naming))
        case .enumeration(let definition, let areNamesMade):
            if areNamesMade { review("the document does not name these numbers", at: "types", type.name) }
            form = .enumeration(definition)
        case .union(let distinction, let cases):
            form = .union(
                UnionDefinition(
                    Self.distinction(distinction),
                    cases: cases.map { UnionDefinition.Case(name: Located($0.value), type: reference($0.type)) }))
        case .alias(let target, let constraints):
            reviewZone(of: constraints, at: ["types", type.name])
            form = .alias(reference(target), constraints)
        }
        var definition = TypeDefinition(name: Located(type.name), form: form)
        definition.doc = doc(type.doc)
        if type.isDeprecated { definition.deprecated = Deprecation(message: nil) }
        contract.types.append(definition)
    }

    // MARK: Fields

    /// Marks a guess of the zone. Texts without an offset do not say it.
    private mutating func reviewZone(of constraints: Constraints, at place: [String]) {
        guard constraints.isZoneGuessed else { return }
        review("the document's examples have no offset, so the zone `UTC` is a guess", at: place)
    }

    private mutating func fields(
        _ fields: [PlannedField], at place: [String], _ naming: WireNaming
    ) -> [FieldDefinition] {
        for field in fields {
            let place = place + [field.name]
            note(field.schema, at: place)
            if let reason = field.review { review(reason, at: place) }
            if field.isConstantOfUpdate {
                notes.add(
                    DocText.lines("errand:ignore default-in-update the document allows no other value"),
                    at: place + ["default"])
            }
            reviewZone(of: field.constraints, at: place)
        }
        return fields.map { definition($0, naming) }
    }

    private func definition(_ field: PlannedField, _ naming: WireNaming, isConstant: Bool = false) -> FieldDefinition {
        if field.holdsOtherMembers, case .map(let value) = field.type {
            return .otherMembers(reference(value), at: .nowhere)
        }
        var options = FieldOptions()
        let wire = field.xmlWire ?? field.wire
        if naming.wireName(of: field.name) != wire { options.declaredWireName = Located(wire) }
        if !isConstant { options.defaultValue = field.defaultValue.map { Located($0.withoutQuotes) } }
        options.example = field.exampleValue
        options.constraints = field.constraints
        options.nullable = field.nullable
        options.joining = field.joining.map { Located($0) }
        options.isSensitive = field.isSensitive
        options.coerces = field.coerces
        options.contentType = field.contentType.map { Located($0) }
        if field.isDeprecated { options.deprecated = Deprecation(message: nil) }
        options.doc = doc(field.doc)
        let type = reference(field.type)
        return FieldDefinition(
            name: Located(field.name), type: field.isOptional && !type.isOptional ? .optional(type) : type,
            typeRange: .nowhere, wireName: wire, options: options)
    }

    private mutating func common(
        _ fields: [PlannedField], at place: String, _ naming: WireNaming
    ) -> [CommonParameter] {
        for field in fields { if let reason = field.review { review(reason, at: "common", place, field.name) } }
        return fields.map { common($0, naming) }
    }

    private func common(_ field: PlannedField, _ naming: WireNaming) -> CommonParameter {
        guard field.isConstant, case .text(let text, _)? = field.defaultValue else {
            return CommonParameter(field: definition(field, naming), source: .app)
        }
        return CommonParameter(field: definition(field, naming, isConstant: true), source: .constant(text))
    }

    // MARK: Endpoints

    private mutating func add(_ endpoint: PlannedEndpoint) {
        let place = ["endpoints", endpoint.name]
        note(endpoint.element, at: place)
        for note in endpoint.notes {
            let review = note.hasPrefix("errand:review ") ? String(note.dropFirst("errand:review ".count)) : nil
            notes.add(DocText.lines(note), at: place, review: review)
        }
        var definition = EndpointDefinition(
            name: Located(endpoint.name), target: .http(endpoint.method, Located(path(endpoint))),
            response: Located(response(endpoint.response, at: place)))
        definition.hasResponse = endpoint.method != .head || !endpoint.responseHeaders.isEmpty
        if endpoint.xmlResponse != nil { definition.xmlResponse = .nowhere }
        definition.status = endpoint.unusualStatus.map { Located($0) }
        definition.responseHeaders = fields(
            endpoint.responseHeaders, at: place + ["response", "headers"], .asWritten)
        definition.doc = doc(endpoint.doc)
        definition.deprecated = endpoint.element.deprecation
        definition.session = endpoint.session.map { Located($0) }
        definition.settings.credentials = endpoint.credentials.map { Located($0) }
        definition.server = endpoint.server.map { Located($0) }
        definition.group = endpoint.tag.flatMap { groups[$0] }.map { Located($0) }
        let envelope = endpoint.envelope.flatMap { wanted in plan.envelopes.first { $0.envelope == wanted }?.name }
        if envelope != plan.defaultEnvelope { definition.envelope = Located(envelope ?? "none") }
        definition.query = fields(endpoint.query, at: place + ["query"], naming)
        definition.headers = fields(endpoint.headers, at: place + ["headers"], .asWritten)
        definition.cookies = fields(endpoint.cookies, at: place + ["cookies"], .asWritten)
        definition.body = endpoint.body.map { body($0, at: place) }
        if let stream = endpoint.stream {
            definition.delivery = Located(.stream)
            if stream != StreamDefinition() { definition.stream = stream }
        }
        definition.pagination = endpoint.pages.map { Located(PaginationDefinition(style: $0.style, items: $0.items)) }
        if let key = endpoint.effect {
            definition.declaredEffect = Located(.keyed)
            if key.place != nil { definition.idempotencyKey = key }
        }
        definition.errors = endpoint.errors.map { Located(plan.errors[$0].name) }
        definition.outcomes = endpoint.outcomes.map { outcome -> OutcomeDefinition in
            var definition = OutcomeDefinition(
                name: Located(outcome.name),
                conditions: [.statuses([outcome.status.lowerBound...outcome.status.lowerBound])])
            definition.data = outcome.data.map { .type(reference($0), .nowhere) }
            definition.doc = doc(outcome.doc)
            return definition
        }
        definition.examples = endpoint.examples.map { example in
            ExampleDefinition(
                name: Located(example.name), request: example.request?.value, response: example.response?.value,
                cases: [])
        }
        contract.endpoints.append(definition)
    }

    private func path(_ endpoint: PlannedEndpoint) -> PathTemplate {
        var parts: [PathTemplate.Part] = []
        func add(_ text: Substring) { if !text.isEmpty { parts.append(.text(String(text))) } }
        var rest = endpoint.path[...]
        for parameter in endpoint.pathTypes {
            guard let place = rest.firstRange(of: "{\(parameter.wire)}") else { continue }
            add(rest[..<place.lowerBound])
            parts.append(
                .parameter(
                    FieldDefinition(
                        name: Located(parameter.name), type: reference(parameter.type), typeRange: .nowhere)))
            rest = rest[place.upperBound...]
        }
        add(rest)
        return .path(parts)
    }

    private mutating func body(_ body: PlannedEndpoint.Body, at place: [String]) -> BodyDefinition {
        let content: BodyDefinition.Content
        switch body.content {
        case nil: content = .bytes(contentType: body.contentType ?? "application/octet-stream")
        case .type(let type)?: content = .type(reference(type), .nowhere)
        case .fields(let all)?:
            content = .fields(fields(all, at: place + ["body"], naming))
        }
        var definition = BodyDefinition(encoding: body.encoding, content: content, range: .nowhere)
        if body.content != nil { definition.contentType = body.contentType }
        definition.nesting = body.nesting
        definition.element = body.element.map { Located($0) }
        return definition
    }

    private mutating func response(_ response: PlannedEndpoint.Response, at place: [String]) -> ResponseDefinition {
        switch response {
        case .none: .none
        case .bytes: .bytes
        case .content(.type(let type)): .type(reference(type), skipsInvalid: false, acceptsSingle: false)
        case .content(.fields(let all)): .fields(fields(all, at: place + ["response"], naming))
        }
    }
}
