import ContractModel

/// Makes the template input of one structure.
struct StructurePlan {
    let context: EmissionContext
    let fields: [FieldDefinition]
    /// The contract's name, if the structure is one of its types.
    var typeName: String?
    var isRead = false
    var isWritten = false

    init(_ context: EmissionContext, fields: [FieldDefinition], typeName: String? = nil) {
        self.context = context
        self.fields = fields
        self.typeName = typeName
    }

    func input(_ name: String, doc: String?) -> StructureInput {
        // A type that only responses contain keeps the server's value unchanged.
        var members = MemberList(context, fields, typeName: typeName, isConstant: isRead && !isWritten)
        let equality = context.equality(of: fields)
        members.equality = equality
        var input = StructureInput()
        input.doc = DocComment(doc)
        input.access = context.access.rawValue
        input.name = SwiftIdentifier.spelled(name)
        input.conformances = context.conformances(
            [equality, context.identity(of: fields)], isRead: isRead, isWritten: isWritten,
            mirror: members.mirrorProtocol)
        input.members = members.input()
        if let typeName, context.usage.constrained.contains(typeName) {
            input.checks = ConstraintChecks(context).statements(fields, of: typeName)
        }
        if isRead { input.reader = reader() }
        if isWritten { input.writer = writer(members) }
        return input
    }

    // MARK: Reading

    private func reader() -> StructureInput.Reader {
        var reader = StructureInput.Reader()
        var optional: [String] = []
        var next = [Argument(.name("keys")), Argument(.reference(.name("fields")))]
        for (index, field) in fields.enumerated() {
            let shape = context.contract.shape(of: field)
            let start = start(field, shape)
            var input = StructureInput.Field()
            input.index = index
            input.local = Self.local(field)
            input.label = field.label
            input.type = start.type
            input.start = start.value
            input.isUnwrapped = start.isUnwrapped
            input.isLast = index == fields.count - 1
            if case .map(let element) = shape, field.holdsOtherMembers {
                next.append(Argument("others", .reference(.name(input.local))))
                next.append(Argument(context.reads.dataLoader(of: element)))
            } else {
                input.statement = context.reads.assignment(of: field, shape: shape, to: input.local)
                if !field.isRequired { optional.append(field.wireName) }
            }
            reader.fields.append(input)
        }
        reader.next = Expression.name("reader").method("nextField", next)
        reader.keys = [Argument(.strings(declaredKeys))]
        if !optional.isEmpty { reader.keys.append(Argument("optional", .strings(optional))) }
        return reader
    }

    /// The initial state of a local variable, before its key is read.
    private func start(
        _ field: FieldDefinition, _ shape: Shape
    ) -> (type: SwiftType, value: Expression?, isUnwrapped: Bool) {
        if field.distinguishesNull { return (context.spelling.type(field), .implicit("absent"), false) }
        let type = context.spelling.type(shape)
        if shape.isOptional { return (type, context.defaults.value(of: field), false) }
        let needsOptional = shape.loadsOptional
        if let value = context.defaults.value(of: field) {
            return (needsOptional ? .optional(type) : type, value, needsOptional)
        }
        if let zero = shape.zero(context.spelling) { return (type, zero, false) }
        return (.optional(type), nil, true)
    }

    /// A local variable that cannot be taken for what the reader itself declares.
    private static func local(_ field: FieldDefinition) -> String {
        let taken: Set<String> = ["reader", "keys", "fields", "value"]
        return taken.contains(field.identifier) ? "_\(field.identifier)" : field.property
    }

    private var declaredKeys: [String] { fields.filter { !$0.holdsOtherMembers }.map(\.wireName) }

    // MARK: Writing

    private func writer(_ members: MemberList) -> StructureInput.Writer {
        var writer = StructureInput.Writer()
        writer.isUnionCase = typeName.map(context.usage.writtenCases.contains) ?? false
        writer.statements =
            zip(fields, members.readers).flatMap { field, property in
                let shape = context.contract.shape(of: field)
                if case .map(let element) = shape, field.holdsOtherMembers {
                    return [context.writes.members(property, of: element, except: declaredKeys)]
                }
                return context.writes.field(field, shape: shape, property: property)
            }
        return writer
    }
}
