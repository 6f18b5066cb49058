import ContractModel

/// Makes the template input of one structure.
struct StructurePlan {
    let emission: Emission
    let fields: [FieldDefinition]
    /// The contract's name, if the structure is one of its types.
    var typeName: String?
    var isRead = false
    var isWritten = false

    init(_ emission: Emission, fields: [FieldDefinition], typeName: String? = nil) {
        self.emission = emission
        self.fields = fields
        self.typeName = typeName
    }

    func input(_ name: String, doc: String?) -> StructureInput {
        // A type that only responses contain keeps the server's value unchanged.
        var members = MemberList(emission, fields, typeName: typeName, isConstant: isRead && !isWritten)
        let equality = emission.equality(of: fields)
        members.equality = equality
        var input = StructureInput()
        input.doc = DocComment(doc)
        input.access = emission.access.rawValue
        input.name = SwiftIdentifier.spelled(name)
        input.conformances = emission.conformances(
            [equality, emission.identity(of: fields)], isRead: isRead, isWritten: isWritten,
            mirror: members.mirrorProtocol)
        input.members = members.input()
        if let typeName, emission.usage.constrained.contains(typeName) {
            input.checks = ConstraintChecks(emission).statements(fields, of: typeName)
        }
        if isRead { input.reader = reader() }
        if isWritten { input.writer = writer(members) }
        return input
    }

    // MARK: Reading

    private func reader() -> StructureInput.Reader {
        var reader = StructureInput.Reader()
        var required: [Bool] = []
        var next = [Argument(.name("keys")), Argument(.reference(.name("fields")))]
        for (index, field) in fields.enumerated() {
            let shape = emission.contract.shape(of: field)
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
                next.append(Argument(emission.reads.dataLoader(of: element)))
            } else {
                input.statement = emission.reads.assignment(of: field, shape: shape, to: input.local)
                required.append(field.isRequired)
            }
            reader.fields.append(input)
        }
        reader.next = Expression.name("reader").method("nextField", next)
        reader.keys = keys(required)
        return reader
    }

    /// The initial state of a local variable, before its key is read.
    private func start(
        _ field: FieldDefinition, _ shape: Shape
    ) -> (type: SwiftType, value: Expression?, isUnwrapped: Bool) {
        if field.distinguishesNull { return (emission.spelling.type(field), .implicit("absent"), false) }
        let type = emission.spelling.type(shape)
        if shape.isOptional { return (type, emission.defaults.value(of: field), false) }
        let needsOptional = shape.loadsOptional
        if let value = emission.defaults.value(of: field) {
            return (needsOptional ? .optional(type) : type, value, needsOptional)
        }
        if let zero = shape.zero(emission.spelling) { return (type, zero, false) }
        return (.optional(type), nil, true)
    }

    private func keys(_ required: [Bool]) -> [Argument] {
        let names = declaredKeys
        var list = Argument.joined(names).map { [$0] } ?? names.map { Argument(.string($0)) }
        var words: [Expression] = []
        for start in stride(from: 0, to: required.count, by: 64) {
            var word: UInt64 = 0
            for (bit, flag) in required[start..<min(start + 64, required.count)].enumerated() where flag {
                word |= 1 << UInt64(bit)
            }
            words.append(.bits(word, areFew: required.count <= 16))
        }
        if required.contains(true) {
            list.append(Argument("required", words[0]))
            list += words.dropFirst().map { Argument($0) }
        }
        return list
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
        writer.isUnionCase = typeName.map(emission.usage.writtenCases.contains) ?? false
        writer.statements =
            zip(fields, members.readers).flatMap { field, property in
                let shape = emission.contract.shape(of: field)
                if case .map(let element) = shape, field.holdsOtherMembers {
                    return [emission.writes.members(property, of: element, except: declaredKeys)]
                }
                return emission.writes.field(field, shape: shape, property: property)
            }
        return writer
    }
}
