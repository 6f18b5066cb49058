/// The form of a key's value, as far as one file determines it. The decoder reads words and bounds from it, the schema contains
/// all of it, and the editor follows it.
package indirect enum ValueShape: Sendable {
    /// Any scalar, taken as its text.
    case text
    /// A text that is written in a certain way.
    case form(TextForm)
    case words([String])
    case flag
    case integer(ClosedRange<Int>)
    /// One value, or a list with at least `atLeast` of them.
    case oneOrMore(ValueShape, atLeast: Int = 0)
    /// A mapping whose keys are names that the contract chooses, written as the form says.
    case named(ValueShape, TextForm? = nil, atLeast: Int = 0)
    /// The same, except that some names have a value of another shape. With `areNeeded`, the mapping must have these names.
    case namedExcept([String], ValueShape, others: ValueShape, areNeeded: Bool = false)
    /// The second if the value is a mapping, otherwise the first.
    case either(ValueShape, ValueShape)
    /// A mapping with the language's own keys. It is a function, because mappings contain each other. Code that follows the shapes
    /// from one mapping finds all of them, and needs no list.
    case mapping(@Sendable () -> MappingDescription)
    /// Fields alone, or a mapping with other keys beside them.
    case longForm(LongForm)
    /// `[User]?` as text, or the flow forms `[User]` and `[string: User]`. With `hasDefault`, text may have a default after `=`.
    /// `words` are valid in place of a type.
    case type(hasDefault: Bool = false, words: [String] = [])
    /// The values of an enum.
    case enumeration
    /// The default of a field: a scalar, `[]` or `{}`.
    case literal
    /// A form that a language other than the contracts' has a name for.
    case definition(String)
    case anything

    /// The words of an enum.
    package static func words<Word: RawRepresentable & CaseIterable>(of type: Word.Type) -> ValueShape
    where Word.RawValue == String {
        .words(Word.allCases.map(\.rawValue))
    }

    /// The mappings with the language's own keys that a value of the shape may be or contain.
    var mappings: [MappingDescription] {
        switch self {
        case .oneOrMore(let shape, _), .named(let shape, _, _): shape.mappings
        case .either(let one, let other): one.mappings + other.mappings
        case .namedExcept(_, let some, let others, _): others.mappings + some.mappings
        case .mapping(let mapping): [mapping()]
        case .longForm(let form): [form.mapping()] + Self.fields.mappings
        case .text, .form, .words, .flag, .integer, .type, .enumeration, .literal, .definition, .anything: []
        }
    }

    /// Name → field.
    package static let fields: ValueShape = .named(
        .either(.type(hasDefault: true), .mapping { FieldKeys.mapping.description }))

    /// One type, or fields.
    static let payload: ValueShape = .either(.type(), fields)
}

/// A mapping that is written in the place of fields, and that one of its keys tells from them.
package struct LongForm: Sendable {
    package let mapping: @Sendable () -> MappingDescription
    /// The keys of which the long form has at least one.
    package let marks: [String]
    /// Whether a mapping with a key that isn't one of the long form's is fields, one of which is named as a mark.
    package let hasOnlyItsKeys: Bool
    /// Words of the first mark that tell the long form in any case.
    package let certainWords: [String]
    /// Whether a status as a key is refused.
    package let refusesStatuses: Bool

    private init(
        _ marks: [String], hasOnlyItsKeys: Bool = false, certainWords: [String] = [], refusesStatuses: Bool = false,
        _ mapping: @escaping @Sendable () -> MappingDescription
    ) {
        self.mapping = mapping
        self.marks = marks
        self.hasOnlyItsKeys = hasOnlyItsKeys
        self.certainWords = certainWords
        self.refusesStatuses = refusesStatuses
    }

    package static let type = LongForm(TypeKeys.marksOfLongForm) { TypeKeys.mapping.description }
    package static let body = LongForm(["encoding"], hasOnlyItsKeys: true, certainWords: ["form", "multipart"]) {
        BodyKeys.mapping.description
    }
    package static let response = LongForm(["type", "fields", "headers"], hasOnlyItsKeys: true, refusesStatuses: true) {
        ResponseKeys.mapping.description
    }
}
