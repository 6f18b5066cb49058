/// The form of a key's value, as far as one file determines it. The decoder reads words and bounds from it, and the schema
/// contains all of it.
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
    case either(ValueShape, ValueShape)
    /// A part of the language that has a name.
    case a(Part)
    /// A form that a language other than the contracts' has a name for.
    case definition(String)
    case anything

    /// The words of an enum.
    package static func words<Word: RawRepresentable & CaseIterable>(of type: Word.Type) -> ValueShape
    where Word.RawValue == String {
        .words(Word.allCases.map(\.rawValue))
    }

    /// The parts of the language that occur in several places, or that can be written in more than one way.
    package enum Part: String, Sendable, CaseIterable {
        case common, session, signing, signingPlacement, rateLimit, envelope, error, builtInError, condition,
            outcomeCondition,
            retry, outcome, type,
            union
        case compression, checksum
        case field, commonField, defaults, timeout, endpoint, effect, idempotencyKey, stream, body, response, confirm,
            paginate
        case identityClaim
        /// One word, or a mapping of `keyed` to what is known of its key.
        case effectValue
        /// One word, or a mapping of `stream` to how its elements come.
        case deliveryValue
        /// `never`, or a mapping.
        case retryValue
        /// Errors by name: those of the contract, and built-in ones that it declares again.
        case errors
        /// Fields alone, or the long form.
        case typeDefinition
        /// `[User]?` as text, or the flow forms `[User]` and `[string: User]`.
        case typeText
        /// The same, with a default after `=` if it is text.
        case fieldType
        case fields
        /// Fields, or one type.
        case payload
        case enumeration
        case defaultValue
        case bodyValue
        case responseValue
    }
}
