import ContractModel

/// Makes the template inputs of an event: the structure of its data, and its conformance.
struct EventPlan {
    /// The structure. Data of a type of the contract is its only property, `data`.
    private(set) var type = TypeInput()
    private(set) var input = EventInput()
    private let context: EmissionContext
    private let event: EventDefinition

    init(_ context: EmissionContext, _ event: EventDefinition) {
        self.context = context
        self.event = event
        let name = SwiftIdentifier.spelled(event.identifier)
        input.type = context.inside(name)
        input.access = context.access.rawValue
        input.service = context.service
        input.kind = .string(event.frame.value)
        var plan = StructurePlan(context, fields: fields)
        plan.isRead = true
        let doc = event.doc ?? "The event `\(event.name.value)`."
        var structure = plan.input(event.identifier, doc: Deprecation.doc(doc, event.deprecated))
        let own = Expression.type(.named("Self"))
        switch event.data {
        case .fields: break
        case .type(let type, _):
            structure.reader = nil
            let shape = context.contract.shape(of: type)
            input.loading = context.reads.payload(of: shape, ReadStatements.Policy(), wrap: own, label: "data")
        case nil:
            structure.reader = nil
            let reader = Expression.name("reader")
            let value = Expression.conditional(.member(reader, "isFaulted"), .null, otherwise: .call(own, []))
            input.loading = [.expression(reader.method("skipValue")), .result(value)]
        }
        self.type.structure = structure
    }

    private var fields: [FieldDefinition] {
        switch event.data {
        case .fields(let fields): fields
        case .type(let type, let range):
            [FieldDefinition(name: Located("data", at: range), type: type, typeRange: range)]
        case nil: []
        }
    }

    func addImports(to imports: inout ImportPlan) {
        imports.runtime = true
        imports.add(fields)
    }
}
