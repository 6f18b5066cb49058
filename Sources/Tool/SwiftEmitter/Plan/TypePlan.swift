import ContractModel

/// Makes the template input of one type.
enum TypePlan {
    static func input(_ context: EmissionContext, _ type: TypeDefinition) -> TypeInput {
        var input = TypeInput()
        switch type.form {
        case .structure(let fields):
            var plan = StructurePlan(context, fields: fields, typeName: type.name.value)
            plan.isRead = context.usage.read.contains(type.name.value)
            plan.isWritten = context.usage.written.contains(type.name.value)
            input.structure = plan.input(type.identifier, doc: Deprecation.doc(type.doc, type.deprecated))
        case .enumeration(let definition): input.enumeration = EnumerationPlan.input(context, type, definition)
        case .union(let union): input.union = UnionPlan.input(context, type, union)
        case .alias(let target, _):
            var alias = AliasInput()
            alias.doc = DocComment(Deprecation.doc(type.doc, type.deprecated))
            alias.access = context.access.rawValue
            alias.name = SwiftIdentifier.spelled(type.identifier)
            alias.target = context.spelling.type(target)
            input.alias = alias
        }
        return input
    }

    /// Notes what the type's declaration needs to have imported.
    static func addImports(of type: TypeDefinition, _ context: EmissionContext, to imports: inout ImportPlan) {
        let name = type.name.value
        let isUsed = context.usage.read.contains(name) || context.usage.written.contains(name)
        switch type.form {
        case .structure(let fields):
            imports.add(fields)
            if isUsed { imports.runtime = true }
        case .enumeration: if isUsed { imports.runtime = true }
        case .union(let union):
            for item in union.cases { imports.add(item.type) }
            // It keeps what it does not know as a JSON value.
            imports.runtime = true
        case .alias(let target, _): imports.add(target)
        }
    }
}

extension CommandPlan {
    /// Notes what the declaration of the client's method needs to have imported.
    static func addImports(ofMethod endpoint: ResolvedEndpoint, to imports: inout ImportPlan) {
        imports.add(endpoint.inputs)
        if case .type(let type, _)? = endpoint.body?.content { imports.add(type) }
        // With outcomes, the response is a type of the client's own. A stream is one of the runtime's, with the command.
        if endpoint.outcomes.isEmpty, endpoint.stream == nil, case .type(let type, _, _) = endpoint.response.value {
            imports.add(type)
        }
    }

    /// Notes what the command's declarations need to have imported.
    static func addImports(of endpoint: ResolvedEndpoint, _ context: EmissionContext, to imports: inout ImportPlan) {
        imports.add(endpoint.inputs)
        if case .type(let type, _)? = endpoint.body?.content { imports.add(type) }
        switch endpoint.response.value {
        case .type(let type, _, _): imports.add(type)
        case .fields(let fields): imports.add(fields)
        case .none, .bytes: break
        }
        imports.add(endpoint.responseHeaders)
        for outcome in endpoint.outcomes {
            switch outcome.data {
            case .fields(let fields): imports.add(fields)
            case .type(let type, _): imports.add(type)
            case nil: break
            }
        }
        if let element = context.contract.pageElement(of: endpoint) { imports.add(element) }
        if SessionPlan(context).readsFoundation(of: endpoint) { imports.addFoundation() }
        for name in endpoint.listedErrors {
            if case .type(let type, _)? = context.contract.error(named: name)?.data { imports.add(type) }
        }
    }
}
