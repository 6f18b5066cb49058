import ContractModel

/// The stored properties of a model or command, with their initialiser.
///
/// A property that would make its type hold itself keeps its value in a box, and a deprecated one keeps it under another
/// name, since generated code must use it without a warning; both look like ordinary properties from outside.
struct MemberList {
    private struct Member {
        let field: FieldDefinition
        let type: String
        let isBoxed: Bool

        var property: String { field.property }
        var isDeprecated: Bool { field.deprecated != nil && !isBoxed }
        /// Where the value is kept.
        var storage: String { isBoxed || isDeprecated ? "stored_" + field.identifier : property }
    }

    private let emission: Emission
    private let members: [Member]
    private let isConstant: Bool

    /// - Parameter isConstant: whether the properties are never set again, as those of a command and of a model that is
    ///   only read; each that can be set costs the compiler three functions.
    init(_ emission: Emission, _ fields: [FieldDefinition], typeName: String? = nil, isConstant: Bool = false) {
        self.emission = emission
        self.isConstant = isConstant
        members = fields.map { field in
            Member(
                field: field, type: emission.spelling.spelled(field),
                isBoxed: emission.recursion.needsBox(emission.contract.shape(of: field), in: typeName))
        }
    }

    /// The expressions that read the properties inside the type.
    var readers: [String] { members.map { "self." + ($0.isDeprecated ? $0.storage : $0.property) } }

    /// The declarations, those without a doc comment several on a line.
    func declarations(indent: String) -> String {
        let access = emission.access.rawValue
        let keyword = isConstant ? "let" : "var"
        var text = ""
        var plain: [String] = []
        func flush() {
            if plain.isEmpty { return }
            text +=
                SourceLayout.fill(
                    plain, separator: ", ", first: "\(indent)\(access) \(keyword) ", indent: indent + "    ") + "\n"
            plain = []
        }
        for member in members {
            let declaration = "\(member.property): \(member.type)"
            if member.field.doc == nil, !member.isBoxed, !member.isDeprecated {
                plain.append(declaration)
                continue
            }
            flush()
            let doc = member.isBoxed ? Deprecation.doc(member.field.doc, member.field.deprecated) : member.field.doc
            text += DocComment.lines(doc, indent: indent)
            if member.isBoxed {
                text += boxed(member, indent: indent)
            } else if member.isDeprecated, let deprecation = member.field.deprecated {
                text += "\(indent)\(deprecation.attribute)\n"
                let setter = isConstant ? "" : " set { \(member.storage) = newValue }"
                text += "\(indent)\(access) var \(declaration) { get { \(member.storage) }\(setter) }\n"
                text += "\(indent)private \(keyword) \(member.storage): \(member.type)\n"
            } else {
                text += "\(indent)\(access) \(keyword) \(declaration)\n"
            }
        }
        flush()
        return text
    }

    private func boxed(_ member: Member, indent: String) -> String {
        let box = "Box_" + member.field.identifier
        let setter = isConstant ? "" : "\n\(indent)    set { \(member.storage) = .holding(newValue) }"
        return """
            \(indent)\(emission.access.rawValue) var \(member.property): \(member.type) {
            \(indent)    get { switch \(member.storage) { case .holding(let value): value } }\(setter)
            \(indent)}
            \(indent)private \(isConstant ? "let" : "var") \(member.storage): \(box)
            \(indent)private indirect enum \(box): Sendable { case holding(\(member.type)) }

            """
    }

    /// The initialiser, on one line where it fits.
    func initialiser(indent: String, deprecation: Deprecation? = nil) -> String {
        let attribute = deprecation.map { "\(indent)\($0.attribute)\n" } ?? ""
        let first = "\(indent)\(emission.access.rawValue) init("
        let parameters = parameters(indent: indent + "    ", first: first, reserve: 3)
        let assignments = assignmentList
        let short = "\(first)\(parameters)) { \(assignments.joined(separator: "; ")) }"
        if assignments.isEmpty { return "\(attribute)\(first)) {}" }
        if short.utf8.count <= SourceLayout.width, !short.contains("\n") { return attribute + short }
        let body = SourceLayout.fill(assignments, separator: "; ", first: indent + "    ", indent: indent + "    ")
        return "\(attribute)\(first)\(parameters)) {\n\(body)\n\(indent)}"
    }

    /// The parameters of the initialiser, with defaults where the contract has them.
    func parameters(indent: String, first: String = "", reserve: Int = 0) -> String {
        let text = SourceLayout.fill(parameterList, separator: ", ", first: first, indent: indent, reserve: reserve)
        return String(text.dropFirst(first.count))
    }

    var parameterList: [String] {
        members.map { member in
            let shape = emission.contract.shape(of: member.field)
            let label = "\(member.property): \(member.type)"
            if member.field.distinguishesNull { return label + " = .absent" }
            if let value = emission.defaults.value(of: member.field) { return "\(label) = \(value)" }
            return shape.isOptional ? label + " = nil" : label
        }
    }

    /// The arguments that pass on parameters of the same names.
    var arguments: [String] { members.map { "\($0.field.label): \($0.property)" } }

    private var assignmentList: [String] {
        members.map { member in
            member.isBoxed
                ? "\(member.storage) = .holding(\(member.property))" : "self.\(member.storage) = \(member.property)"
        }
    }

    /// The mirror that shows everything but what is sensitive.
    func mirror(indent: String) -> String {
        let children = zip(members, readers).map { member, reader in
            let value = member.field.isSensitive ? "Redaction.mark" : "\(reader) as Any"
            return "(\(SwiftLiteral.string(member.field.identifier)), \(value))"
        }
        let list = SourceLayout.fill(children, separator: ", ", first: indent + "        ", indent: indent + "        ")
        return """
            \(indent)\(emission.access.rawValue) var customMirror: Mirror {
            \(indent)    let children: [(\(emission.spelling.library("String"))?, Any)] = [
            \(list)
            \(indent)    ]
            \(indent)    return Mirror(self, children: children, displayStyle: .struct)
            \(indent)}

            """
    }
}
