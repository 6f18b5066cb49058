import Diagnostics

/// A named value with a type: of a structure, a query, a header block, a body, an error's data.
package struct FieldDefinition: Sendable {
    /// The name in the contract; the Swift name is made from it.
    package var name: Located<String>
    package var type: TypeReference
    package var typeRange: SourceRange
    /// The name on the wire where `wire:` gives one; otherwise it follows from the name and `defaults.naming`.
    package var declaredWireName: Located<String>?
    /// The name on the wire. Set by the resolver; until then the contract's name.
    package var wireName: String
    package var swiftName: Located<String>?
    package var defaultValue: Located<DefaultValue>?
    package var doc: String?
    package var deprecated: Deprecation?
    /// Blanked in everything that is printed; an ordinary value for the app.
    package var isSensitive = false
    package var constraints = Constraints()
    /// Accepts a number sent as string and the reverse, 0 and 1 as bool, `""` as nil for an optional.
    package var coerces = false
    /// One bad element does not lose the list; what was skipped is reported.
    package var skipsInvalid = false
    /// One object where a list is meant is a list of one.
    package var acceptsSingle = false
    /// Absent, null and a value are three cases (`nullable: distinct`).
    package var distinguishesNull = false
    /// The media type of a multipart file.
    package var contentType: Located<String>?

    package init(name: Located<String>, type: TypeReference, typeRange: SourceRange) {
        self.name = name
        self.type = type
        self.typeRange = typeRange
        self.wireName = name.value
    }

    /// Whether a reader must find it: neither optional nor with a default.
    package var isRequired: Bool { !type.isOptional && defaultValue == nil && !distinguishesNull }
}

/// What a field is where it is absent.
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
}

/// Bounds that a request's values must keep; one that breaks them fails as `invalidRequest` before anything is sent.
package struct Constraints: Sendable, Equatable {
    /// The least and greatest number allowed, as their source texts; `nil` where that side is open.
    package var range: Located<Bounds>?
    /// The least and greatest number of characters of a string or bytes.
    package var length: Located<Bounds>?
    /// A regular expression that the whole string must match.
    package var pattern: Located<String>?
    /// The least and greatest number of elements of a list or map.
    package var items: Located<Bounds>?

    package struct Bounds: Sendable, Equatable {
        package var lower: String?
        package var upper: String?

        package init(lower: String?, upper: String?) {
            self.lower = lower
            self.upper = upper
        }
    }

    package init() {}

    package var isEmpty: Bool { range == nil && length == nil && pattern == nil && items == nil }
}
