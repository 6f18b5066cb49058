import ContractModel

/// The statements that hold a request's values against the constraints of the contract.
struct ConstraintChecks {
    private let emission: Emission

    init(_ emission: Emission) {
        self.emission = emission
    }

    /// One line for each check.
    ///
    /// - Parameter asText: whether dates become text in a path, query or form, where one without a text form has to be
    ///   found before; in JSON the writer finds it.
    func statements(_ fields: [FieldDefinition], asText: Bool = false) -> [String] {
        fields.flatMap { field -> [String] in
            let shape = emission.contract.shape(of: field)
            let name = SwiftLiteral.string(field.name.value)
            let isOptional = shape.isOptional || field.distinguishesNull
            let value = "self." + (field.deprecated == nil ? field.property : "_" + field.identifier)
            var checks: [String] = []
            let argument = isOptional ? "value" : value
            for constraints in emission.contract.allConstraints(of: field) {
                checks += self.checks(constraints, shape.wrapped, name, argument)
            }
            if isConstrained(shape) { checks += nested(shape.wrapped, argument) }
            if asText, let problem = TextExpressions.dateProblem(argument, of: shape.wrapped) {
                checks += Block.lines(
                    "if \(problem)", ["check.fail(\(name), \"must be a date in the years 0 to 9999\")"])
            }
            if checks.isEmpty || !isOptional { return checks }
            let pattern = field.distinguishesNull ? "case .value(let value)" : "let value"
            return Block.lines("if \(pattern) = \(value)", checks)
        }
    }

    /// The check of a request's body that is one type.
    func statements(forBody shape: Shape, _ value: String) -> [String] {
        isConstrained(shape) ? nested(shape, value) : []
    }

    func isConstrained(_ shape: Shape) -> Bool {
        shape.namedType.map(emission.usage.constrained.contains) ?? false
    }

    /// Checks what is inside a value.
    private func nested(_ shape: Shape, _ value: String) -> [String] {
        switch shape {
        case .list(let element): Block.lines("for value in \(value)", nested(element, "value"))
        case .map(let element): Block.lines("for value in \(value).values", nested(element, "value"))
        case .optional(let inner): Block.lines("if let value = \(value)", nested(inner, "value"))
        case .structure, .union, .enumeration, .primitive: ["\(value).validate(&check)"]
        }
    }

    private func checks(_ constraints: Constraints, _ shape: Shape, _ name: String, _ value: String) -> [String] {
        var checks: [String] = []
        if let bounds = constraints.range?.value, let range = range(bounds, shape) {
            checks.append("check.range(\(name), \(value), \(range))")
        }
        let count = Shape.primitive(.int)
        if let bounds = constraints.length?.value, let range = range(bounds, count) {
            checks.append("check.length(\(name), \(value), \(range))")
        }
        if let pattern = constraints.pattern?.value {
            checks.append("check.pattern(\(name), \(value), \(SwiftLiteral.string(pattern)))")
        }
        if let bounds = constraints.items?.value, let range = range(bounds, count) {
            checks.append("check.items(\(name), \(value), \(range))")
        }
        return checks
    }

    private func range(_ bounds: Constraints.Bounds, _ shape: Shape) -> String? {
        func bound(_ text: String?) -> String? {
            text.flatMap { emission.defaults.number($0, shape) }.map { $0.hasPrefix("-") ? "(\($0))" : $0 }
        }
        let (lower, upper) = (bound(bounds.lower), bound(bounds.upper))
        return lower == nil && upper == nil ? nil : (lower ?? "") + "..." + (upper ?? "")
    }
}

extension ResolvedContract {
    /// A field's own constraints and those of the aliases that its type goes through.
    func allConstraints(of field: FieldDefinition) -> [Constraints] {
        let own = field.constraints.isEmpty ? [] : [field.constraints]
        return own + expanded(field.type.unwrapped).constraints
    }
}

extension FieldDefinition {
    func hasOwnChecks(in contract: ResolvedContract) -> Bool {
        !contract.allConstraints(of: self).isEmpty
    }
}
