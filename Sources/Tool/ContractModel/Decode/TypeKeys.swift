import Diagnostics
import YAMLTree

/// The keys of a type in its long form, as written.
struct TypeKeys: Sendable {
    let name: Located<String>
    fileprivate var fields: [FieldDefinition]?
    /// The type of the values of all members that are no fields.
    fileprivate var others: Located<TypeReference>?
    var enumeration: EnumDefinition?
    fileprivate var isClosed = false
    fileprivate var union: UnionDefinition?
    fileprivate var alias: TypeReference?
    fileprivate var constraints = Constraints()
    fileprivate var doc: String?
    fileprivate var deprecated: Deprecation?
    fileprivate var swiftName: Located<String>?

    fileprivate init(name: Located<String>) { self.name = name }

    fileprivate init(_ type: TypeDefinition) {
        name = type.name
        switch type.form {
        case .structure(let fields):
            self.fields = fields.filter { !$0.holdsOtherMembers }
            others =
                fields.lazy.compactMap { field in
                    field.otherMembers.map { Located($0, at: field.typeRange) }
                }.first
        case .enumeration(let enumeration): (self.enumeration, isClosed) = (enumeration, enumeration.isClosed)
        case .union(let union): self.union = union
        case .alias(let target, let constraints): (alias, self.constraints) = (target, constraints)
        }
        (doc, deprecated, swiftName) = (type.doc, type.deprecated, type.swiftName)
    }

    fileprivate var definition: TypeDefinition? {
        let form: TypeDefinition.Form
        if var enumeration {
            enumeration.isClosed = isClosed
            form = .enumeration(enumeration)
        } else if let union {
            form = .union(union)
        } else if let alias {
            form = .alias(alias, constraints)
        } else if let fields {
            form = .structure(fields + (others.map { [.otherMembers($0.value, at: $0.range)] } ?? []))
        } else {
            return nil
        }
        var definition = TypeDefinition(name: name, form: form)
        (definition.doc, definition.deprecated, definition.swiftName) = (doc, deprecated, swiftName)
        return definition
    }

    // MARK: The table

    private typealias Key = LanguageKey<TypeKeys>

    /// The keys of which the long form has one.
    static let marks = ["enum", "union", "alias", "fields"]

    /// The keys that only the long form has. Fields are beside none of them.
    static let marksOfLongForm = marks + [FieldDefinition.otherMembersName]

    static let mapping = LanguageMapping<TypeKeys>(
        "type", "a type in its long form",
        [fieldsKey, othersKey, Key.enumeration, closed, unionKey, aliasKey] + constraintKeys + [
            docKey, deprecatedKey, swift,
        ],
        rules: [
            .exactlyOne(marks).explained(
                remove: "a type is only one of a structure, an enum, a union and an alias"),
            .onlyWith(FieldDefinition.otherMembersName, "fields").explained(
                remove: "only a structure has members beside its fields"),
            .onlyWith("closed", "enum").explained(remove: "only an enum is open or closed"),
            ConstraintKeys.zoneNeedsFormat,
        ]
            + ["range", "length", "pattern", "items", "format"].map {
                .onlyWith($0, "alias").explained(remove: "constraints belong to a field, or to a type with `alias`")
            })

    private static let fieldsKey = Key(
        "fields", \.fields, .fields, "name → field, if the type needs other keys beside its fields")
    private static let othersKey = Key(
        FieldDefinition.otherMembersName, \.others, .type,
        "type of the values of all members that are no fields, which are kept as a map")
    private static let closed = Key(
        "closed", \.isClosed, .flag, "`true`: refuses an unknown value of the enum", usual: false)
    private static let unionKey = Key(
        "union", \.union,
        .mapping(
            { UnionKeys.mapping }, empty: { _ in UnionKeys() }, value: { $1.definition(&$0) },
            keys: { union, _ in UnionKeys(union) }),
        "one of several types: `{by: KEY, cases: {VALUE: TYPE}}`, `{keys: {KEY: TYPE}}` or `{kinds: {KIND: TYPE}}`")
    private static let aliasKey = Key("alias", \.alias, .type, "another type, optionally with constraints")
    private static let constraintKeys = ConstraintKeys.all.map { $0.of(\TypeKeys.constraints) }
    private static let docKey = Key("doc", \.doc, .text, "description of the type")
    private static let deprecatedKey = Key.deprecated(\.deprecated)
    private static let swift = Key("swift", \.swiftName, .text, "another Swift name")
}

extension TypeDefinition {
    /// Fields alone, or the long form if it says more.
    func printed(in scope: PrintScope) -> PrintedNode {
        let pairs = TypeKeys.mapping.pairs(of: TypeKeys(self), scope)
        guard case .structure(let fields) = form, pairs.count == 1, !fields.isEmpty,
            !fields.contains(where: { $0.name.value == "doc" || TypeKeys.marksOfLongForm.contains($0.name.value) })
        else { return .mapping(pairs) }
        return pairs[0].value
    }
}

extension ContractDecoder {
    /// One entry of `types`: the long form if it has one of that form's keys, otherwise fields.
    mutating func type(_ name: Located<String>, _ node: YAMLNode) -> TypeDefinition? {
        guard isIdentifier(name.value) else {
            report(
                .invalidName,
                "\(quoted(name.value)) cannot be the name of a type",
                at: name.range, help: "use only letters, digits and `_`: `\(typeName(name.value))`")
            return nil
        }
        if Primitive(spelling: name.value) != nil || name.value == "none" {
            report(
                .invalidName, "`\(name.value)` is a \(name.value == "none" ? "word" : "type") of the language",
                at: name.range, help: "choose another name, such as `\(typeName(name.value))`")
            return nil
        }
        guard let mapping = node.mapping else {
            if node.kind != .unreadable {
                report(
                    .wrongKind, "the type `\(name.value)` must be a mapping of fields, and is \(node.kindName)",
                    at: node.range,
                    help: node.kind == .scalar
                        ? "write an alias as `{alias: \(node.text ?? "string")}`"
                        : "write `field: type` pairs")
            }
            return nil
        }
        owner = .type(name.value)
        guard let mark = TypeKeys.marksOfLongForm.first(where: { mapping[$0] != nil }) else {
            if reportOptionsBesideFields(mapping) { return nil }
            return TypeDefinition(name: name, form: .structure(fields(node, of: name.value)))
        }
        if reportFieldNamedAsMark(mapping, mark) { return nil }
        var keys = TypeKeys(name: name)
        return read(node, as: TypeKeys.mapping, into: &keys) ? keys.definition : nil
    }
}
