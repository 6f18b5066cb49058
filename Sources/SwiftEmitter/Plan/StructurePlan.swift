import ContractModel

/// Makes the template input of one structure.
struct StructurePlan {
    let emission: Emission
    let fields: [FieldDefinition]
    /// The contract's name, where the structure is one of its types.
    var typeName: String?
    var isRead = false
    var isWritten = false

    private static let memberIndent = "        "
    private static let statementIndent = "            "

    init(_ emission: Emission, fields: [FieldDefinition], typeName: String? = nil) {
        self.emission = emission
        self.fields = fields
        self.typeName = typeName
    }

    func input(_ name: String, doc: String?) -> StructureInput {
        // What only ever comes from the server is as the server said it.
        let members = MemberList(emission, fields, typeName: typeName, isConstant: isRead && !isWritten)
        var input = StructureInput()
        input.doc = DocComment.lines(doc, indent: "    ")
        input.access = emission.access.rawValue
        input.name = SwiftIdentifier.spelled(name)
        input.conformances = conformances
        input.properties = members.declarations(indent: Self.memberIndent)
        input.initialiser = members.initialiser(indent: Self.memberIndent)
        input.extras = extras(members)
        if isRead { input.reader = reader() }
        if isWritten { input.writer = writer(members) }
        return input
    }

    private var isSensitive: Bool { fields.contains(where: \.isSensitive) }

    private var conformances: String {
        emission.conformances(isRead: isRead, isWritten: isWritten, isSensitive: isSensitive)
    }

    private func extras(_ members: MemberList) -> String {
        var text = isSensitive ? members.mirror(indent: Self.memberIndent) : ""
        if let typeName, emission.usage.constrained.contains(typeName) {
            text += Self.memberIndent + "func validate(_ check: inout RequestCheck) {\n"
            text += ConstraintChecks(emission).statements(fields, indent: Self.statementIndent)
            text += Self.memberIndent + "}\n"
        }
        return text
    }

    // MARK: Reading

    private func reader() -> StructureInput.Reader {
        var reader = StructureInput.Reader()
        var locals: [String] = []
        var cases: [String] = []
        var arguments: [String] = []
        var required: [Bool] = []
        for (index, field) in fields.enumerated() {
            let shape = emission.contract.shape(of: field)
            let local = Self.local(field)
            let start = start(field, shape)
            locals.append("\(local): \(start.type)\(start.value.map { " = " + $0 } ?? "")")
            cases.append("case \(index): " + emission.reads.assignment(of: field, shape: shape, to: local))
            arguments.append("\(field.label): \(local)")
            if start.isUnwrapped { reader.bindings += ", let \(local)" }
            required.append(!shape.isOptional && field.isRequired)
        }
        reader.keys = keys(required)
        if !locals.isEmpty {
            reader.locals =
                SourceLayout.fill(
                    locals, separator: ", ", first: Self.statementIndent + "var ", indent: Self.statementIndent + "    "
                ) + "\n"
            reader.cases = SourceLayout.cases(cases, indent: Self.statementIndent) + "\n"
        }
        reader.arguments = SourceLayout.fill(
            arguments, separator: ", ", first: Self.statementIndent + "    return Self(",
            indent: Self.statementIndent + "        ",
            reserve: 1)
        reader.arguments.removeFirst(Self.statementIndent.count + 16)
        return reader
    }

    /// What a local variable is before its key was read.
    private func start(_ field: FieldDefinition, _ shape: Shape) -> (type: String, value: String?, isUnwrapped: Bool) {
        if field.distinguishesNull { return (emission.spelling.spelled(field), ".absent", false) }
        if shape.isOptional { return (emission.spelling.spelled(shape), emission.defaults.value(of: field), false) }
        let type = emission.spelling.spelled(shape)
        let needsOptional = shape.loadsOptional
        if let value = emission.defaults.value(of: field) {
            return (needsOptional ? type + "?" : type, value, needsOptional)
        }
        if let zero = shape.zero(emission.spelling) { return (type, zero, false) }
        return (type + "?", nil, true)
    }

    private func keys(_ required: [Bool]) -> String {
        let names = fields.map(\.wireName)
        var list = SwiftLiteral.joined(names).map { [$0] } ?? names.map(SwiftLiteral.string)
        var words: [String] = []
        for start in stride(from: 0, to: required.count, by: 64) {
            var word: UInt64 = 0
            for (bit, flag) in required[start..<min(start + 64, required.count)].enumerated() where flag {
                word |= 1 << UInt64(bit)
            }
            words.append(required.count <= 16 ? "0b" + String(word, radix: 2) : "0x" + String(word, radix: 16))
        }
        if required.contains(true) {
            list.append("required: " + words[0])
            list += words.dropFirst()
        }
        return SourceLayout.fill(list, separator: ", ", first: "", indent: Self.statementIndent)
    }

    /// A local variable that cannot be taken for what the reader itself declares.
    private static func local(_ field: FieldDefinition) -> String {
        let taken: Set<String> = ["reader", "keys", "fields", "value"]
        return taken.contains(field.identifier) ? field.identifier + "_" : field.property
    }

    // MARK: Writing

    private func writer(_ members: MemberList) -> StructureInput.Writer {
        var writer = StructureInput.Writer()
        writer.isUnionCase = typeName.map(emission.usage.writtenCases.contains) ?? false
        writer.statements = zip(fields, members.readers).map { field, property in
            Self.statementIndent
                + emission.writes.field(field, shape: emission.contract.shape(of: field), property: property) + "\n"
        }.joined()
        return writer
    }
}
