import ContractModel
import Diagnostics

/// Checks every name that generated code will declare, and finds conflicts between them.
///
/// Architecture invariant: code that prints Swift uses identifiers unchanged. This check ensures that they are valid and free,
/// before anything is printed.
struct NameCollisionCheck {
    private let contract: ResolvedContract
    private let recursion: TypeRecursion
    private var diagnostics: [Diagnostic] = []
    private var types: NameScope
    private var methods: NameScope
    /// The types inside of commands, of types and of the data of errors and outcomes, by the Swift name of these.
    private var nested: [String: NameScope] = [:]

    /// The problems of the contract's names, in the order of the contract.
    static func findings(in contract: ResolvedContract, hasProtocol: Bool = false) -> [Diagnostic] {
        var audit = NameCollisionCheck(contract, hasProtocol: hasProtocol)
        audit.run()
        return audit.diagnostics
    }

    private init(_ contract: ResolvedContract, hasProtocol: Bool) {
        self.contract = contract
        recursion = TypeRecursion(contract)
        let client = Named("the client", contract.service.value)
        let hasWrites = contract.endpoints.contains(where: \.hasWriteFailure)
        let own = (hasProtocol ? ["Calls"] : []) + (hasWrites ? [ResolvedEndpoint.writeFailure] : [])
        types = NameScope(client, reserved: ReservedNames.clientTypes.union([contract.service.value] + own))
        methods = NameScope(client, reserved: ReservedNames.clientMembers)
    }

    private mutating func run() {
        auditService()
        for type in contract.types {
            let what = Named("the type", type.name.value)
            checkOverride(type.swiftName, .type)
            if let inline = type.inline {
                let field = Named("the structure of the field", inline.field, .wire)
                claimNested(type.identifier, inside: inline.owner, for: field, at: type.name.range)
            } else {
                claimType(type.identifier, for: what, at: type.name.range)
            }
            audit(type, what)
        }
        var failures = NameScope(Named("the failures of", contract.service.value), reserved: ReservedNames.failureCases)
        for error in contract.errors {
            checkOverride(error.swiftName, .value)
            note(failures.claim(error.identifier, for: Named("the error", error.name.value), at: error.name.range))
            guard case .fields(let fields)? = error.data else { continue }
            let data = Named("the data of the error", error.name.value)
            claimType(error.dataType, for: data, at: error.name.range)
            audit(fields, in: data)
        }
        var envelopes = NameScope(Named("the envelopes of", contract.service.value))
        for envelope in contract.envelopes {
            note(
                envelopes.claim(
                    envelope.identifier, for: Named("the envelope", envelope.name.value, .none), at: envelope.name.range
                ))
        }
        var roles = NameScope(Named("the roles of", contract.service.value), reserved: ["url"])
        for role in contract.roles {
            note(roles.claim(role.identifier, for: Named("the role", role.name.value, .none), at: role.name.range))
        }
        var servers = NameScope(Named("the servers of", contract.service.value), reserved: ["url"])
        for server in contract.servers {
            note(
                servers.claim(
                    server.identifier, for: Named("the server", server.name.value, .none), at: server.name.range))
            auditVariables(of: server)
        }
        if let signing = contract.signing {
            var labels = NameScope(
                Named("the initializer of", contract.service.value), reserved: ReservedNames.clientLabels)
            note(
                labels.claim(
                    signing.keyIdentifier, for: Named("the signing key", signing.key.value, .none),
                    at: signing.key.range))
        }
        auditCredentials()
        audit(contract.common.all.map(\.field), in: Named("the common parameters", ""))
        for endpoint in contract.endpoints { audit(endpoint) }
        auditGroups()
        for event in contract.events { audit(event) }
    }

    private mutating func auditService() {
        let name = contract.service.value
        let known =
            isReservedType(name) || ReservedNames.qualifiable[name] != nil
            || ["Session", "Dispatcher", "ConfirmableCommand", "Receipt", "Reply"].contains(name)
        // Generated code names a type by its path, and a name that is inside of the client as well would be found there.
        let isInside =
            ReservedNames.clientTypes.contains(name) || ReservedNames.commandTypes.contains(name)
            || contract.endpoints.contains { $0.hasWriteFailure && ResolvedEndpoint.writeFailure == name }
            || contract.endpoints.contains { $0.stream != nil && $0.payloadType == name }
            || contract.endpoints.contains { !$0.responseHeaders.isEmpty && $0.headersType == name }
        if !SwiftIdentifier.isValid(name) || ReservedNames.keywords.contains(name) || name.first?.isUppercase != true {
            diagnostics.append(
                Diagnostic(
                    rule: .swiftNameInvalid,
                    message: "`\(name)` cannot be the client's name in Swift",
                    at: contract.service.range,
                    help:
                        "begin the service's name with an uppercase letter, and use only letters and digits: `\(SwiftIdentifier.make(from: name, .type))`"
                ))
        } else if known || isInside {
            let whose = known ? "every app with this client also uses" : "every client contains"
            diagnostics.append(
                Diagnostic(
                    rule: .swiftReservedWord,
                    message: "`\(name)` is the name of a type that \(whose)",
                    at: contract.service.range,
                    help: "give the service another name: `\(name)Service`"
                ))
        }
    }

    private mutating func audit(_ endpoint: ResolvedEndpoint) {
        let name = endpoint.name.value
        let what = Named("the endpoint", name)
        checkOverride(endpoint.definition.swiftName, .value)
        note(methods.claim(endpoint.identifier, for: what, at: endpoint.name.range))
        claimType(endpoint.commandType, for: Named("the command of the endpoint", name), at: endpoint.name.range)
        if endpoint.declaresOwnErrors {
            claimType(endpoint.failureType, for: Named("the failure of the endpoint", name), at: endpoint.name.range)
        }
        audit(endpoint.inputs, in: what, hasBody: endpoint.hasWholeBody)
        if case .fields(let fields) = endpoint.response.value {
            audit(fields, in: Named("the response of the endpoint", name))
        }
        audit(endpoint.responseHeaders, in: Named("the headers of the response of the endpoint", name))
        if endpoint.outcomes.isEmpty { return }

        var cases = NameScope(Named("the response of the endpoint", name), reserved: ["completed"])
        for outcome in endpoint.outcomes {
            note(
                cases.claim(
                    outcome.identifier, for: Named("the outcome", outcome.name.value, .none), at: outcome.name.range))
            guard case .fields(let fields)? = outcome.data else { continue }
            let data = Named("the data of the outcome", outcome.name.value, .none)
            claimNested(outcome.dataType, inside: .endpoint(name), for: data, at: outcome.name.range)
            audit(fields, in: data)
        }
    }

    private mutating func auditGroups() {
        let endpoints = contract.groupedEndpoints
        for group in contract.groups {
            guard let own = endpoints[group.name.value] else { continue }
            let name = group.name
            note(methods.claim(group.identifier, for: Named("the group", name.value, .none), at: name.range))
            claimType(group.typeName, for: Named("the type of the group", name.value, .none), at: name.range)
            var members = NameScope(Named("the group", name.value), reserved: [GroupNames.client])
            for endpoint in own {
                let what = Named("the endpoint", endpoint.name.value)
                note(members.claim(endpoint.identifier, for: what, at: endpoint.name.range))
            }
        }
    }

    private mutating func audit(_ event: EventDefinition) {
        let what = Named("the event", event.name.value)
        checkOverride(event.swiftName, .type)
        claimType(event.identifier, for: what, at: event.name.range)
        if case .fields(let fields)? = event.data { audit(fields, in: what) }
    }

    private mutating func audit(_ type: TypeDefinition, _ what: Named) {
        switch type.form {
        case .structure(let fields):
            let hasBox = fields.contains { recursion.needsBox(contract.shape(of: $0), in: type.name.value) }
            audit(fields, in: what, hasBox: hasBox)
        case .enumeration(let definition):
            let own: Set<String> = definition.hasOtherValues ? ["otherValues"] : []
            var scope = NameScope(what, reserved: ReservedNames.enumCases.union(own))
            for item in definition.cases {
                note(scope.claim(item.identifier, for: Named("the case", item.name.value, .value), at: item.name.range))
            }
        case .union(let union):
            // A union that can hold something sensitive prints itself.
            var scope = NameScope(what, reserved: ReservedNames.enumCases.union(["customMirror"]))
            for (item, identifier) in zip(union.cases, union.identifiers) {
                note(scope.claim(identifier, for: Named("the case", item.name.value, .none), at: item.name.range))
            }
        case .alias: break
        }
    }

    private mutating func audit(
        _ fields: [FieldDefinition], in place: Named, hasBody: Bool = false, hasBox: Bool = false
    ) {
        var reserved: Set<String> = hasBody ? ["body"] : []
        // Such a type makes its own mirror.
        if hasBox || fields.contains(where: \.isSensitive) { reserved.insert("customMirror") }
        for field in fields where field.hasOptions { checkOverride(field.swiftName, .value) }
        let identifiers = fields.map(\.identifier)
        if NameScope.areFree(identifiers, reserved: reserved) { return }
        var scope = NameScope(place, reserved: reserved)
        for (field, identifier) in zip(fields, identifiers) {
            note(scope.claim(identifier, for: Named("the field", field.name.value, .wire), at: field.name.range))
        }
    }

    /// Credentials are parameters of the client's initializer, beside its own.
    private mutating func auditCredentials() {
        var reserved = ReservedNames.clientLabels.union(CredentialDefinition.clientLabels)
        if let signing = contract.signing { reserved.insert(signing.keyIdentifier) }
        var labels = NameScope(Named("the initializer of", contract.service.value), reserved: reserved)
        for credential in contract.credentials {
            let name = credential.name
            note(labels.claim(credential.identifier, for: Named("the credential", name.value, .none), at: name.range))
        }
    }

    private mutating func auditVariables(of server: ServerDefinition) {
        var scope = NameScope(Named("the server", server.name.value))
        var seen: Set<String> = []
        for case .variable(let name, _) in server.urls.joined() where seen.insert(name).inserted {
            note(
                scope.claim(
                    SwiftIdentifier.make(from: name, .value), for: Named("the variable", name, .none),
                    at: server.name.range))
        }
    }

    private mutating func claimType(_ identifier: String, for what: Named, at range: SourceRange) {
        refuseReservedType(identifier, what, range)
        note(types.claim(identifier, for: what, at: range))
    }

    /// A type inside of another declaration, where it hides the client's own types of that name.
    private mutating func claimNested(
        _ identifier: String, inside owner: InlinePlace.Owner, for what: Named, at range: SourceRange
    ) {
        refuseReservedType(identifier, what, range)
        let path = contract.swiftPath(of: owner).joined(separator: ".")
        let reserved = reservedNames(inside: owner)
        note(
            nested[path, default: NameScope(Named("the Swift type", path), reserved: reserved)].claim(
                identifier, for: what, at: range))
    }

    /// The types that the declarations around a nested type name without their path.
    private func reservedNames(inside owner: InlinePlace.Owner) -> Set<String> {
        var reserved: Set<String> = [contract.service.value]
        switch owner {
        case .endpoint(let name):
            reserved.formUnion(ReservedNames.commandTypes)
            if let endpoint = endpoint(named: name), endpoint.stream != nil {
                reserved.formUnion(["Element", endpoint.payloadType])
            }
            if let endpoint = endpoint(named: name), !endpoint.responseHeaders.isEmpty {
                reserved.insert(endpoint.headersType)
            }
        case .response(let name):
            // Beside outcomes, the response is an enum, whose cases name the types of their values.
            let outcomes = endpoint(named: name)?.outcomes ?? []
            if !outcomes.isEmpty { reserved.insert("Completed") }
            for outcome in outcomes { if case .fields? = outcome.data { reserved.insert(outcome.dataType) } }
        case .type, .outcome, .error, .event: break
        }
        return reserved
    }

    private func endpoint(named name: String) -> ResolvedEndpoint? {
        contract.endpoints.first { $0.name.value == name }
    }

    private mutating func refuseReservedType(_ identifier: String, _ what: Named, _ range: SourceRange) {
        guard isReservedType(identifier), !ReservedNames.forbidden.contains(identifier) else { return }
        diagnostics.append(
            Diagnostic(
                rule: .swiftReservedWord,
                message:
                    "\(what.text) would have the Swift name `\(identifier)`, which generated code uses for something else",
                at: range,
                help: "rename it\(what.renaming)"
            ))
    }

    private func isReservedType(_ identifier: String) -> Bool {
        ReservedNames.isReservedType(identifier, hasConnection: contract.connection != nil)
    }

    private mutating func checkOverride(_ name: Located<String>?, _ style: SwiftIdentifier.Style) {
        guard let name else { return }
        let isCased = style == .type ? name.value.first?.isLowercase != true : name.value.first?.isUppercase != true
        if SwiftIdentifier.isValid(name.value), isCased { return }
        let rule =
            style == .type
            ? "begin the name of a type with an uppercase letter" : "begin the name with a lowercase letter"
        diagnostics.append(
            Diagnostic(
                rule: .swiftNameInvalid,
                message: "`\(name.value)` cannot be a Swift name here",
                at: name.range,
                help:
                    "\(rule), and use only letters, digits and underscores: `\(SwiftIdentifier.make(from: name.value, style))`"
            ))
    }

    private mutating func note(_ finding: Diagnostic?) {
        if let finding { diagnostics.append(finding) }
    }
}
