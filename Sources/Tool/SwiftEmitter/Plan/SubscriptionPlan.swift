import ContractModel

/// Makes the conformance of a command whose elements have positions, so that it continues after the last one.
struct SubscriptionPlan {
    private let context: EmissionContext

    init(_ context: EmissionContext) {
        self.context = context
    }

    /// The subscriptions with positions among these endpoints.
    func inputs(of endpoints: ArraySlice<ResolvedEndpoint>) -> [SubscriptionInput] { endpoints.compactMap(input) }

    private func input(of endpoint: ResolvedEndpoint) -> SubscriptionInput? {
        guard let stream = endpoint.stream, stream.format == .frames, let position = stream.position?.value,
            let resume = stream.resume?.value, let place = self.position(position, of: endpoint)
        else { return nil }
        let inputs = endpoint.inputs + CommandPlan(context, endpoint).bodyField
        var input = SubscriptionInput()
        input.type = context.command(endpoint)
        input.access = context.access.rawValue
        input.position = place.expression
        input.positionUsesDeprecated = place.isDeprecated
        input.arguments = ArgumentInput.list(
            inputs.map { field in
                let value = field.name.value == resume ? self.resumed(field) : .member(.own, field.property)
                return ArgumentInput(field.label, value)
            })
        input.resumingUsesDeprecated = endpoint.deprecated != nil || inputs.contains { $0.deprecated != nil }
        return input
    }

    /// The position of an element: a number, or a text. The resolver has checked that it is not optional.
    private func position(
        _ name: String, of endpoint: ResolvedEndpoint
    ) -> (expression: Expression, isDeprecated: Bool)? {
        var fields: [FieldDefinition] = []
        var isOptional = false
        switch endpoint.response.value {
        case .fields(let own): fields = own
        case .type(let type, _, _):
            let shape = context.contract.shape(of: type)
            isOptional = shape.isOptional
            fields = context.contract.structureFields(shape)
        case .none, .bytes: return nil
        }
        guard let field = fields.first(where: { $0.name.value == name }) else { return nil }
        let shape = context.contract.shape(of: field)
        let step = Expression.Step(property: field.property, isAfterOptional: isOptional)
        let value = Expression.path(.name("element"), [step])
        let type = SwiftType.named("StreamPosition")
        func made(_ value: Expression) -> Expression { type.make(value) }
        let expression: Expression
        switch shape {
        case .primitive(.int), .primitive(.string):
            expression = isOptional ? value.method("map", closure: made(.parameter(0))) : made(value)
        default:
            // On some systems an integer of 64 bits is wider than `Int`.
            let int = context.spelling.library("Int")
            func exactly(_ value: Expression) -> Expression { int.make([Argument("exactly", value)]) }
            let number = isOptional ? value.method("flatMap", closure: exactly(.parameter(0))) : exactly(value)
            expression = number.method("map", closure: made(.parameter(0)))
        }
        return (expression, field.deprecated != nil)
    }

    /// The value of the input that sends a position back. The resolver has checked that it is optional.
    private func resumed(_ field: FieldDefinition) -> Expression {
        let position = Expression.name("position")
        let shape = context.contract.shape(of: field).wrapped
        switch shape {
        case .primitive(.int): return .member(position, "number")
        case .primitive(.string): return .member(position, "text")
        default:
            let exactly = context.spelling.type(shape).make([Argument("exactly", .parameter(0))])
            return Expression.member(position, "number").method("flatMap", closure: exactly)
        }
    }
}
