import ContractModel

// The identifier that each declaration gets, before it is known whether it is free: what `swift:` says, or what
// the rule makes of the name.

extension FieldDefinition {
    var identifier: String { swiftName?.value ?? SwiftIdentifier.make(from: name.value, .value) }
    /// The identifier as source code spells it.
    var property: String { SwiftIdentifier.spelled(identifier) }
    /// The identifier before an argument.
    var label: String { SwiftIdentifier.label(identifier) }
}

extension TypeDefinition {
    var identifier: String { swiftName?.value ?? SwiftIdentifier.make(from: name.value, .type) }
}

extension EnumDefinition.Case {
    var identifier: String { SwiftIdentifier.make(from: name.value, .value) }
}

extension UnionDefinition.Case {
    var identifier: String { SwiftIdentifier.make(from: name.value, .value) }
}

extension ErrorDefinition {
    var identifier: String { swiftName?.value ?? SwiftIdentifier.make(from: name.value, .value) }
    /// The structure of its data, where the contract lists the fields.
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

extension SigningDefinition {
    /// The label of the key in the client's initializer.
    var keyIdentifier: String { SwiftIdentifier.make(from: key.value, .value) }
}

extension ResolvedEndpoint {
    /// The client's method.
    var identifier: String { swiftName?.value ?? SwiftIdentifier.make(from: name.value, .value) }

    /// The command's type. A name without letter case would be the method's own.
    var commandType: String {
        let identifier = identifier
        let type = SwiftIdentifier.make(from: identifier, .type)
        return type == identifier ? type + "Command" : type
    }

    /// The failure of an endpoint that declares errors of its own.
    var failureType: String { commandType + "Failure" }

    /// Everything the app gives: path, query, headers, body.
    var inputs: [FieldDefinition] {
        var fields = (path?.parameters ?? []) + query + headers
        if case .fields(let body)? = body?.content { fields += body }
        return fields
    }
}
