import Diagnostics

/// A named value with a type: of a structure, a query, a header block, a body, an error's data.
///
/// An object that never changes, since a contract has thousands of them and every stage hands them on.
package final class FieldDefinition: Sendable {
    /// The name in the contract; the Swift name is made from it.
    package let name: Located<String>
    package let type: TypeReference
    package let typeRange: SourceRange
    /// The name on the wire. Set by the resolver; until then the contract's name.
    package let wireName: String
    /// The options of the long form, and the default. Most fields have none.
    private let rare: RareOptions?

    /// - Parameter wireName: the name on the wire; `nil` for the contract's name.
    package init(
        name: Located<String>, type: TypeReference, typeRange: SourceRange, wireName: String? = nil,
        options: FieldOptions? = nil
    ) {
        self.name = name
        self.type = type
        self.typeRange = typeRange
        self.wireName = wireName ?? name.value
        rare = options.map(RareOptions.init)
    }

    private init(_ other: FieldDefinition, wireName: String, rare: RareOptions?) {
        name = other.name
        type = other.type
        typeRange = other.typeRange
        self.wireName = wireName
        self.rare = rare
    }

    /// The name on the wire where `wire:` gives one; otherwise it follows from the name and `defaults.naming`.
    package var declaredWireName: Located<String>? { rare?.options.declaredWireName }
    package var swiftName: Located<String>? { rare?.options.swiftName }
    package var defaultValue: Located<DefaultValue>? { rare?.options.defaultValue }
    /// A value that people, the mock server and the pages show for it.
    package var example: ExampleValue? { rare?.options.example }
    package var doc: String? { rare?.options.doc }
    package var deprecated: Deprecation? { rare?.options.deprecated }
    /// Blanked in everything that is printed; an ordinary value for the app.
    package var isSensitive: Bool { rare?.options.isSensitive ?? false }
    /// Accepts a number sent as string and the reverse, 0 and 1 as bool, `""` as nil for an optional.
    package var coerces: Bool { rare?.options.coerces ?? false }
    /// A wrong value is nil, or an empty list or map. The resolver applies `reading: lenient`.
    package var isLenient: Bool { leniency ?? false }
    /// What the field says of it.
    package var leniency: Bool? { rare?.options.isLenient }
    /// One bad element does not lose the list; what was skipped is reported.
    package var skipsInvalid: Bool { rare?.options.skipsInvalid ?? false }
    /// One object in place of a list is a list of one.
    package var acceptsSingle: Bool { rare?.options.acceptsSingle ?? false }
    /// The first of its options about how JSON is read; nil if it has none.
    package var readingOption: String? {
        if coerces { return "coerce" }
        if leniency != nil { return "lenient" }
        if skipsInvalid { return "skipInvalid" }
        return acceptsSingle ? "single" : nil
    }
    /// How null differs from an absent member.
    package var nullable: Nullability? { rare?.options.nullable }
    /// Absent, null and a value are three cases (`nullable: distinct`).
    package var distinguishesNull: Bool { nullable == .distinct }
    /// The member is always present: nil is written as null (`nullable: required`).
    package var writesNull: Bool { nullable == .required }
    /// What is between the values of a list that is sent as one text; nil for a parameter for each value.
    package var joining: Located<Joining>? { rare?.options.joining }
    /// Whether it has the members that no other field has. It has no name on the wire.
    package var holdsOtherMembers: Bool { rare?.options.holdsOtherMembers ?? false }
    /// The media type of its part in a multipart body.
    package var contentType: Located<String>? { rare?.options.contentType }
    /// Whether its part in a multipart body is declared as JSON.
    package var isJSONPart: Bool { contentType.map { BodyDefinition.isJSON(mediaType: $0.value) } ?? false }
    /// Whether it is a file of a multipart body, or a list of files.
    package var isFile: Bool { type.unwrapped == .primitive(.file) || type.unwrapped == .list(.primitive(.file)) }
    package var constraints: Constraints { rare?.options.constraints ?? Constraints() }

    /// Whether the field says anything beside its name and type.
    package var hasOptions: Bool { rare != nil }
    /// Everything that the field says beside its name and type.
    package var options: FieldOptions? { rare?.options }

    /// Whether a reader requires the field: it isn't optional and has no default, or it is `nullable: required`.
    package var isRequired: Bool {
        guard !type.isOptional else { return writesNull }
        guard let rare else { return true }
        return rare.options.defaultValue == nil && rare.options.nullable != .distinct
    }

    /// The field under another name on the wire.
    package func onWire(as wireName: String) -> FieldDefinition {
        wireName == self.wireName || holdsOtherMembers ? self : FieldDefinition(self, wireName: wireName, rare: rare)
    }

    /// The members of an object that no other field has: a map, in Swift the property `additionalProperties`.
    package static func otherMembers(_ value: TypeReference, at range: SourceRange) -> FieldDefinition {
        var options = FieldOptions()
        options.holdsOtherMembers = true
        options.defaultValue = Located(.emptyMap, at: range)
        options.doc = "The members that the contract does not declare."
        return FieldDefinition(
            name: Located(otherMembersName, at: range), type: .map(value), typeRange: range, wireName: "",
            options: options)
    }

    /// The key of the language, and the name of the property.
    package static let otherMembersName = "additionalProperties"

    /// The type of the values, if the field has the members that no other field has.
    package var otherMembers: TypeReference? {
        guard holdsOtherMembers, case .map(let value) = type else { return nil }
        return value
    }

    /// The field under another name in Swift.
    package func inSwift(as swiftName: Located<String>?) -> FieldDefinition {
        var options = rare?.options ?? FieldOptions()
        options.swiftName = swiftName
        return FieldDefinition(self, wireName: wireName, rare: RareOptions(options))
    }

    /// The field as it is read from a text, such as that of a header.
    package var coercing: FieldDefinition {
        var options = rare?.options ?? FieldOptions()
        options.coerces = true
        return FieldDefinition(self, wireName: wireName, rare: RareOptions(options))
    }

    /// The field with a substitute for a wrong value.
    package func readLeniently() -> FieldDefinition {
        var options = rare?.options ?? FieldOptions()
        options.isLenient = true
        return FieldDefinition(self, wireName: wireName, rare: RareOptions(options))
    }

    /// The field without its example.
    package var withoutExample: FieldDefinition {
        guard var options = rare?.options, options.example != nil else { return self }
        options.example = nil
        return FieldDefinition(self, wireName: wireName, rare: RareOptions(options))
    }

    /// The field with another default.
    package func defaulting(to value: Located<DefaultValue>?) -> FieldDefinition {
        var options = rare?.options ?? FieldOptions()
        options.defaultValue = value
        return FieldDefinition(self, wireName: wireName, rare: RareOptions(options))
    }
}

/// The options of a field beside its name and type.
package struct FieldOptions: Sendable {
    package var declaredWireName: Located<String>?
    package var swiftName: Located<String>?
    package var defaultValue: Located<DefaultValue>?
    package var example: ExampleValue?
    package var doc: String?
    package var deprecated: Deprecation?
    package var isSensitive = false
    package var coerces = false
    package var skipsInvalid = false
    package var acceptsSingle = false
    package var isLenient: Bool?
    package var nullable: Nullability?
    package var joining: Located<Joining>?
    package var contentType: Located<String>?
    package var holdsOtherMembers = false
    package var constraints = Constraints()

    package init() {}
}

/// What is between the values of a list in one text.
package enum Joining: String, CaseIterable, Sendable {
    case commas, spaces, pipes

    /// The style of a parameter in OpenAPI, beside `explode: false`.
    package var style: String {
        switch self {
        case .commas: "form"
        case .spaces: "spaceDelimited"
        case .pipes: "pipeDelimited"
        }
    }
}

/// How null differs from an absent member of a JSON object.
package enum Nullability: String, CaseIterable, Sendable {
    /// Absent, null and a value are three cases, which an app can tell apart.
    case distinct
    /// The member is always present. An optional without a value is null.
    case required
}

/// The value of an absent field.
///
/// As decoded, any scalar is `.text`; the resolver replaces it by the form that fits the field's type.
package enum DefaultValue: Sendable, Equatable {
    /// A scalar's text, not yet checked against the type.
    case text(String, isQuoted: Bool)
    case string(String)
    case bool(Bool)
    /// A number's text, checked to be a number of the field's type.
    case number(String)
    /// A case of the field's enum, by its name in the contract.
    case enumCase(String)
    case emptyList
    case emptyMap

    /// The text of a scalar, as a contract has it; nil for a list or a map.
    package var scalarText: String? {
        switch self {
        case .text(let text, _), .string(let text), .number(let text), .enumCase(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .emptyList, .emptyMap: nil
        }
    }
}

extension FieldDefinition {
    /// The default by which a server can tell requests apart, because a request usually has it without a decision of the app.
    ///
    /// - Parameter isInBody: whether a number and a case of an enum are such values, too. In a query, a number is usually that of the
    ///   first page.
    package func constant(isInBody: Bool) -> DefaultValue? {
        switch defaultValue?.value {
        case .string?, .bool?: defaultValue?.value
        case .number?, .enumCase?: isInBody ? defaultValue?.value : nil
        case .text?, .emptyList?, .emptyMap?, nil: nil
        }
    }
}

/// The restrictions of a built-in type: bounds that a request's values must keep, and the format of timestamps. A request that
/// breaks a bound fails as `invalidRequest` before it is sent.
package struct Constraints: Sendable, Equatable {
    /// The least and greatest number allowed, as their source texts; `nil` if that side is open.
    package var range: Located<Bounds>?
    /// The least and greatest number of characters of a string or bytes.
    package var length: Located<Bounds>?
    /// A regular expression that the whole string must match.
    package var pattern: Located<String>?
    /// The least and greatest number of elements of a list or map.
    package var items: Located<Bounds>?
    /// The forms of the instants in it, the one that is written first; `nil` as the type says.
    package var format: Located<[TimestampForm]>?

    package struct Bounds: Sendable, Equatable {
        package var lower: String?
        package var upper: String?

        package init(lower: String?, upper: String?) {
            self.lower = lower
            self.upper = upper
        }
    }

    package init() {}

    /// Whether it bounds nothing.
    package var isEmpty: Bool { range == nil && length == nil && pattern == nil && items == nil }
}

private final class RareOptions: Sendable {
    let options: FieldOptions

    init(_ options: FieldOptions) { self.options = options }
}
