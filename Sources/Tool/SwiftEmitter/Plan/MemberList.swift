import ContractModel

/// The stored properties of a model or command, with their initializer.
///
/// A property that would make its type hold itself keeps its value in a box, and a deprecated one keeps it under another
/// name, since generated code must use it without a warning; both look like ordinary properties from outside.
struct MemberList {
    private struct Member {
        let field: FieldDefinition
        let type: SwiftType
        let isBoxed: Bool

        var property: String { field.property }
        var isDeprecated: Bool { field.deprecated != nil && !isBoxed }
        /// Where the value is kept.
        var storage: String { isBoxed || isDeprecated ? field.hiddenProperty : property }
    }

    /// The protocol for comparing that the type has.
    var equality: ModelConformance?
    var deprecation: Deprecation?
    private let context: EmissionContext
    private let members: [Member]
    private let isConstant: Bool

    /// - Parameter isConstant: whether the properties are never set again, as those of a command and of a model that is
    ///   only read; each that can be set costs the compiler three functions.
    init(_ context: EmissionContext, _ fields: [FieldDefinition], typeName: String? = nil, isConstant: Bool = false) {
        self.context = context
        self.isConstant = isConstant
        members = fields.map { field in
            Member(
                field: field, type: context.spelling.type(field),
                isBoxed: context.recursion.needsBox(context.contract.shape(of: field), in: typeName))
        }
    }

    func input() -> MembersInput {
        var input = MembersInput()
        input.access = context.access.rawValue
        input.isConstant = isConstant
        input.equality = equality.map { context.spelling.library($0.rawValue) }
        input.string = context.spelling.library("String")
        input.deprecation = deprecation?.attribute
        input.hasMirror = mirrorProtocol != nil
        input.properties = zip(members, readers).map(property)
        if !members.isEmpty { input.properties[members.count - 1].isLast = true }
        return input
    }

    private func property(_ member: Member, _ reader: Expression) -> MembersInput.Property {
        var property = MembersInput.Property()
        let field = member.field
        property.doc = DocComment(member.isBoxed ? Deprecation.doc(field.doc, field.deprecated) : field.doc)
        property.name = member.property
        property.label = field.label
        property.type = member.type
        property.storage = member.storage
        property.value = reader
        property.literal = .string(field.identifier)
        property.initial = initial(member)
        if member.isBoxed { property.box = "\(SwiftIdentifier.make(from: field.identifier, .type))Box" }
        if member.isDeprecated { property.deprecation = field.deprecated?.attribute }
        property.isSensitive = field.isSensitive
        property.isOnly = members.count == 1
        return property
    }

    /// The default of the initializer's parameter.
    private func initial(_ member: Member) -> Expression? {
        if member.field.distinguishesNull { return .implicit("absent") }
        if let value = context.defaults.value(of: member.field) { return value }
        // With a default, an app that forgets the value would send null.
        if member.field.writesNull { return nil }
        return context.contract.shape(of: member.field).isOptional ? .null : nil
    }

    /// The protocol of a type that makes its own mirror, because it holds something sensitive, or a box that nothing that
    /// prints it should show.
    var mirrorProtocol: SwiftType? {
        if members.contains(where: \.field.isSensitive) { return .named("Redacted") }
        return members.contains(where: \.isBoxed) ? context.spelling.library("CustomReflectable") : nil
    }

    /// Whether the initializer can be called without arguments.
    var hasOnlyDefaults: Bool { members.allSatisfy { initial($0) != nil } }

    /// The expressions that read the properties inside the type.
    var readers: [Expression] {
        members.map { .member(.own, $0.isDeprecated ? $0.storage : $0.property) }
    }
}
