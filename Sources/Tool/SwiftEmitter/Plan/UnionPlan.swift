import ContractModel

/// Makes the template input of one union.
struct UnionPlan {
    private let context: EmissionContext
    private let union: UnionDefinition
    private let reader = Expression.name("reader")
    private let writer = Expression.name("writer")
    private let value = Expression.name("value")

    private init(_ context: EmissionContext, _ union: UnionDefinition) {
        self.context = context
        self.union = union
    }

    static func input(_ context: EmissionContext, _ type: TypeDefinition, _ union: UnionDefinition) -> UnionInput {
        let plan = UnionPlan(context, union)
        let name = type.name.value
        let isRead = context.usage.read.contains(name)
        let isWritten = context.usage.written.contains(name)
        var input = UnionInput()
        input.doc = DocComment(Deprecation.doc(type.doc, type.deprecated))
        input.access = context.access.rawValue
        input.isIndirect = context.recursion.indirectUnions.contains(name)
        input.name = SwiftIdentifier.spelled(type.identifier)
        input.string = context.spelling.library("String")
        input.isSensitive = context.contract.reachesSensitive(from: name)
        input.conformances = context.conformances(
            [context.equalitySupport.supported(context.equality, byUnion: name)],
            isRead: isRead, isWritten: isWritten, mirror: input.isSensitive ? .named("Redacted") : nil)
        input.distinction = union.distinction
        if !union.isByKind { input.tokens = [Argument(.strings(union.namedCases.map(\.name.value)))] }
        input.look = plan.look
        input.isRead = isRead
        input.isWritten = isWritten
        let cases = zip(union.cases, union.identifiers)
        input.cases = cases.filter { !plan.isOther($0.0) }.enumerated().map { plan.input($0, $1.0, $1.1) }
        input.cases += cases.filter { plan.isOther($0.0) }.map { plan.input(0, $0, $1) }
        input.isOpen = union.otherCase == nil
        input.isChecked =
            context.usage.constrained.contains(name) && input.cases.contains { $0.isChecked || !$0.checks.isEmpty }
        input.isPartlyChecked = input.isOpen || input.cases.contains { !$0.isChecked && $0.checks.isEmpty }
        return input
    }

    private func isOther(_ item: UnionDefinition.Case) -> Bool { item.name.value == union.otherCase?.name.value }

    /// The call that looks ahead for what identifies the case.
    private var look: Expression {
        let names = Expression.name("tokens")
        let tokens = union.otherCase == nil ? Argument(names) : Argument("orOther", names)
        switch union.distinction {
        case .value(let key, let kind):
            return reader.method(
                kind == .int ? "peekNumber" : "peekToken", [Argument("at", .string(key.value)), tokens])
        case .key: return reader.method("peekKey", [tokens])
        case .kind:
            return reader.method(
                "peekKind", [Argument("among", .array(union.cases.map { .implicit($0.name.value) }))])
        }
    }

    private func input(_ index: Int, _ item: UnionDefinition.Case, _ identifier: String) -> UnionInput.Case {
        let shape = context.contract.shape(of: item.type)
        let name = SwiftIdentifier.spelled(identifier)
        var input = UnionInput.Case()
        input.pattern = union.isByKind ? .implicit(item.name.value) : .integer(Int64(index))
        input.isOther = isOther(item)
        input.name = name
        input.label = .string(identifier)
        input.type = context.spelling.type(item.type)
        if shape.loadsOptional {
            input.payload = context.spelling.type(shape)
        } else {
            input.reading = ReadStatements(spelling: context.spelling).payload(
                of: shape, ReadStatements.Policy(), wrap: .member(.name("Self"), name))
        }
        input.writing = writing(item, shape)
        let checks = ConstraintChecks(context)
        if shape.loadsOptional, context.contract.expanded(item.type).constraints.allSatisfy(\.isEmpty) {
            input.isChecked = checks.isConstrained(shape)
        } else {
            input.checks = checks.checks(of: item.type, .string(identifier), value)
        }
        return input
    }

    private func writing(_ item: UnionDefinition.Case, _ shape: Shape) -> [Statement] {
        // A union that is a case writes what tells its own cases apart, and so does every value that is told apart by its kind.
        guard !union.isByKind, case .structure(let name) = shape else {
            return [WriteStatements().value(value, of: shape)]
        }
        var statements = [Statement.expression(writer.method("beginObject"))]
        if let discriminator = union.discriminator?.value, !isOther(item), !hasField(discriminator, name) {
            let tag: Expression =
                union.hasNumbers ? .integer(Int64(item.name.value) ?? 0) : .string(item.name.value)
            statements.append(.expression(writer.method("key", .string(discriminator))))
            statements.append(.expression(writer.method("write", tag)))
        }
        statements.append(.expression(value.method("writeFields", [Argument("to", .reference(writer))])))
        statements.append(.expression(writer.method("endObject")))
        return statements
    }

    /// Whether a structure writes the discriminator itself.
    private func hasField(_ wireName: String, _ structure: String) -> Bool {
        guard case .structure(let fields)? = context.contract.type(named: structure)?.form else { return false }
        return fields.contains { $0.wireName == wireName }
    }
}
