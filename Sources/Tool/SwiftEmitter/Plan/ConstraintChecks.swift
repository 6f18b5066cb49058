import ContractModel

/// The statements that hold a request's values against the constraints of the contract.
struct ConstraintChecks {
    private let context: EmissionContext
    private let check = Expression.name("check")
    private let value = Expression.name("value")

    init(_ context: EmissionContext) {
        self.context = context
    }

    /// One statement for each check, and one around those of an optional.
    ///
    /// - Parameters:
    ///   - typeName: the structure that has the fields, if it is one of the contract's types.
    ///   - asText: whether dates become text in a path, query or form, where one without a text form has to be found
    ///     before; in JSON the writer finds it.
    func statements(_ fields: [FieldDefinition], of typeName: String? = nil, asText: Bool = false) -> [Statement] {
        zip(fields, MemberList(context, fields, typeName: typeName).readers).flatMap { field, value -> [Statement] in
            let shape = context.contract.shape(of: field)
            let name = Expression.string(field.name.value)
            let isOptional = shape.isOptional || field.distinguishesNull
            var checks: [Statement] = []
            let argument = isOptional ? self.value : value
            for constraints in context.contract.allConstraints(of: field) {
                checks += self.checks(constraints, shape.wrapped, name, argument)
            }
            checks += inner(field.type, name, argument)
            if asText, let problem = TextExpressions.dateProblem(argument, of: shape.wrapped) {
                let fail = check.method("fail", name, .string("must be a date in the years 0 to 9999"))
                checks.append(.condition(problem, [.expression(fail)]))
            }
            if checks.isEmpty || !isOptional { return checks }
            return [
                field.distinguishesNull
                    ? .presentValue(of: value, checks) : .binding(name: "value", value, checks)
            ]
        }
    }

    /// The checks of a request's body that is one type.
    func statements(forBody type: TypeReference, _ value: Expression) -> [Statement] {
        let isOptional = context.contract.shape(of: type).isOptional
        let all = checks(of: type, .string("body"), isOptional ? self.value : value)
        return all.isEmpty || !isOptional ? all : [.binding(name: "value", value, all)]
    }

    func isConstrained(_ shape: Shape) -> Bool {
        shape.namedType.map(context.usage.constrained.contains) ?? false
    }

    /// Checks a value that is there against the aliases of its type, and what is inside of it.
    func checks(of type: TypeReference, _ name: Expression, _ value: Expression) -> [Statement] {
        let shape = context.contract.shape(of: type).wrapped
        return context.contract.expanded(type.unwrapped).constraints.flatMap { checks($0, shape, name, value) }
            + inner(type, name, value)
    }

    /// Checks what is inside a value that is there.
    private func inner(_ type: TypeReference, _ name: Expression, _ value: Expression) -> [Statement] {
        let elements: (type: TypeReference, values: Expression)
        switch context.contract.expanded(type.unwrapped).type.unwrapped {
        case .list(let element): elements = (element, value)
        case .map(let element): elements = (element, .member(value, "values"))
        default:
            let isChecked = isConstrained(context.contract.shape(of: type))
            return isChecked ? [.expression(value.method("validate", .reference(check)))] : []
        }
        var checks = checks(of: elements.type, name, self.value)
        if checks.isEmpty { return [] }
        if context.contract.shape(of: elements.type).isOptional { checks = [.binding(name: "value", nil, checks)] }
        return [.loop(name: "value", in: elements.values, checks)]
    }

    private func checks(
        _ constraints: Constraints, _ shape: Shape, _ name: Expression, _ value: Expression
    ) -> [Statement] {
        var checks: [Statement] = []
        if let bounds = constraints.range?.value, let range = range(bounds, shape) {
            checks.append(.expression(check.method("range", name, value, range)))
        }
        let count = Shape.primitive(.int)
        if let bounds = constraints.length?.value, let range = range(bounds, count) {
            checks.append(.expression(check.method("length", name, value, range)))
        }
        if let pattern = constraints.pattern?.value {
            checks.append(.expression(check.method("pattern", name, value, .string(pattern))))
        }
        if let bounds = constraints.items?.value, let range = range(bounds, count) {
            checks.append(.expression(check.method("items", name, value, range)))
        }
        return checks
    }

    private func range(_ bounds: Constraints.Bounds, _ shape: Shape) -> Expression? {
        let lower = bounds.lower.flatMap { context.defaults.number($0, shape) }
        let upper = bounds.upper.flatMap { context.defaults.number($0, shape) }
        return lower == nil && upper == nil ? nil : .range(lower, upper)
    }
}

extension ResolvedContract {
    /// Whether a type is an alias with constraints, or has elements of one.
    func hasConstraints(_ type: TypeReference) -> Bool {
        expanded(type.unwrapped).constraints.contains { !$0.isEmpty } || hasConstrainedElements(type)
    }

    /// Whether a list or map of this type has elements of an alias with constraints.
    func hasConstrainedElements(_ type: TypeReference) -> Bool {
        switch expanded(type.unwrapped).type.unwrapped {
        case .list(let element), .map(let element):
            hasConstraints(element)
        case .primitive, .named, .optional: false
        }
    }

    /// A field's own constraints and those of the aliases that its type goes through.
    func allConstraints(of field: FieldDefinition) -> [Constraints] {
        let own = field.constraints.isEmpty ? [] : [field.constraints]
        return own + expanded(field.type.unwrapped).constraints.filter { !$0.isEmpty }
    }
}

extension FieldDefinition {
    func hasOwnChecks(in contract: ResolvedContract) -> Bool {
        !contract.allConstraints(of: self).isEmpty
    }
}
