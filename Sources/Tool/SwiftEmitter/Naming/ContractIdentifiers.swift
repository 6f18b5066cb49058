import ContractModel

// The identifier that each declaration gets, before it is known whether it is free: what `swift:` says, or what
// the rule makes of the name.

extension FieldDefinition {
    var identifier: String { swiftName?.value ?? SwiftIdentifier.make(from: name.value, .value) }
    /// The identifier as source code spells it.
    var property: String { SwiftIdentifier.spelled(identifier) }
    /// The property that keeps the value where ``property`` is computed from it. A getter of `_read` or `_modify` alone would
    /// be an accessor of that name.
    var hiddenProperty: String { (["read", "modify"].contains(identifier) ? "__" : "_") + identifier }
    /// The identifier before an argument.
    var label: String { SwiftIdentifier.label(identifier) }
}

extension TypeDefinition {
    /// The last part of the type's name, if it is nested.
    var identifier: String {
        swiftName?.value ?? SwiftIdentifier.make(from: inline?.swiftField ?? inline?.field ?? name.value, .type)
    }
}

extension ResolvedContract {
    /// The type's name inside of the client, after those of the types around it: `Order` and `Address` for the inside of a
    /// field.
    func swiftPath(of type: TypeDefinition) -> [String] {
        guard let inline = type.inline else { return [type.identifier] }
        return swiftPath(of: inline.owner) + [type.identifier]
    }

    /// The path of the type that encloses the structure of a field.
    func swiftPath(of owner: InlinePlace.Owner) -> [String] {
        func command(_ name: String) -> String {
            endpoints.first { $0.name.value == name }.map { SwiftIdentifier.spelled($0.commandType) } ?? name
        }
        switch owner {
        case .type(let name): return type(named: name).map { swiftPath(of: $0) } ?? [name]
        case .endpoint(let name): return [command(name)]
        case .response(let name):
            return [command(name), endpoints.first { $0.name.value == name }?.payloadType ?? "Response"]
        case .outcome(let name, let endpoint):
            let outcomes = endpoints.first { $0.name.value == endpoint }?.outcomes ?? []
            let data = outcomes.first { $0.name.value == name }?.dataType ?? name
            return [command(endpoint), SwiftIdentifier.spelled(data)]
        case .error(let name): return [self.error(named: name).map { SwiftIdentifier.spelled($0.dataType) } ?? name]
        case .event(let name):
            return [events.first { $0.name.value == name }.map { SwiftIdentifier.spelled($0.identifier) } ?? name]
        }
    }
}

extension GroupDefinition {
    /// The client's property.
    var identifier: String { SwiftIdentifier.make(from: name.value, .value) }
    /// The structure with the methods.
    var typeName: String { SwiftIdentifier.make(from: name.value, .type) + "Group" }
}

extension EventDefinition {
    /// The name of its Swift type.
    var identifier: String { swiftName?.value ?? SwiftIdentifier.make(from: name.value, .type) }
}

extension EnumDefinition.Case {
    var identifier: String { SwiftIdentifier.make(from: name.value, .value) }
}

extension UnionDefinition {
    /// The identifiers of the cases. A text that identifies a case is its name. A key, a number or a kind says little about its
    /// case, so that the name of the case's type is its name. Where this name would not be the only one, a number follows it, and
    /// a kind replaces it.
    var identifiers: [String] {
        let names = cases.map { item -> String in
            switch distinction {
            case .value where item.name.value == Self.others: item.type.names.first?.value ?? "other"
            case .value(_, .string): item.name.value
            case .key: item.type.names.first?.value ?? item.name.value
            case .value(_, .int), .kind: if case .named(let name) = item.type { name.value } else { item.name.value }
            }
        }
        let made = names.map { SwiftIdentifier.make(from: $0, .value) }
        let folded = made.map(SwiftIdentifier.folded)
        let counts = folded.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        guard hasNumbers || isByKind else {
            return zip(cases, zip(made, folded)).map { item, names in
                guard item.name.value == Self.others, discriminator != nil, counts[names.1] != 1 else { return names.0 }
                return SwiftIdentifier.make(from: "other" + (item.type.names.first?.value ?? ""), .value)
            }
        }
        let kinds = isByKind ? Set(Kind.allCases.map(\.rawValue)) : []
        return zip(cases, zip(made, folded)).map { item, names in
            let (name, key) = names
            if counts[key] == 1, !kinds.contains(key) { return name }
            return SwiftIdentifier.make(from: isByKind ? item.name.value : name + item.name.value, .value)
        }
    }
}

extension ErrorDefinition {
    var identifier: String { swiftName?.value ?? SwiftIdentifier.make(from: name.value, .value) }
    /// The structure of its data, if the contract lists the fields.
    var dataType: String { SwiftIdentifier.make(from: identifier, .type) }
}

extension OutcomeDefinition {
    var identifier: String { SwiftIdentifier.make(from: name.value, .value) }
    var dataType: String { SwiftIdentifier.make(from: identifier, .type) }
}

extension EnvelopeDefinition {
    var identifier: String { SwiftIdentifier.make(from: name.value, .value) }
}

extension ServerDefinition {
    var identifier: String { SwiftIdentifier.make(from: name.value, .value) }
}

extension ServerRoleDefinition {
    /// The property of a server that has the role's base URL.
    var identifier: String { SwiftIdentifier.make(from: name.value, .value) }
}

extension CredentialDefinition {
    /// The label of the credential in the client's initializer.
    var identifier: String { SwiftIdentifier.make(from: name.value, .value) }
}

extension SigningDefinition {
    /// The label of the key in the client's initializer.
    var keyIdentifier: String { SwiftIdentifier.make(from: key.value, .value) }
}

extension ResolvedEndpoint {
    /// The client's method.
    var identifier: String {
        definition.swiftName?.value ?? SwiftIdentifier.make(from: definition.name.value, .value)
    }

    /// The command's type. A name without letter case would be the method's own.
    var commandType: String {
        let identifier = identifier
        let type = SwiftIdentifier.make(from: identifier, .type)
        return type == identifier ? type + "Command" : type
    }

    /// The failure of an endpoint that declares errors of its own.
    var failureType: String { commandType + "Failure" }

    /// The type inside of the command that is its response, or an element.
    var payloadType: String {
        if definition.stream == nil { return "Response" }
        return hasGaps ? "Event" : "Element"
    }

    /// The type inside of the command that has the declared headers of its response.
    var headersType: String { "Headers" }

    /// Whether the stream's reader is told where elements may be missing: it is opened again without a position, or an id.
    var hasGaps: Bool {
        guard let stream = definition.stream else { return false }
        return stream.format == .frames ? stream.position == nil : stream.reopening == .always
    }
}
