/// A type as a contract spells it: `string`, `User?`, `[User]`, `[string: User]`.
package indirect enum TypeReference: Sendable, Equatable {
    case primitive(Primitive)
    /// A type that `types` of this contract or of an imported one defines.
    case named(Located<String>)
    case optional(TypeReference)
    case list(TypeReference)
    /// A map whose keys are strings.
    case map(TypeReference)

    /// The type with another type in the place of the one that it names.
    package func replacingName(by other: (Located<String>) -> TypeReference) -> TypeReference {
        switch self {
        case .primitive: return self
        case .named(let name): return other(name)
        case .optional(let inner):
            let inner = inner.replacingName(by: other)
            return inner.isOptional ? inner : .optional(inner)
        case .list(let inner): return .list(inner.replacingName(by: other))
        case .map(let inner): return .map(inner.replacingName(by: other))
        }
    }

    /// The type without an outer `?`.
    package var unwrapped: TypeReference {
        if case .optional(let wrapped) = self { return wrapped.unwrapped }
        return self
    }

    /// Whether the type is a list, also an optional one. The name of an alias is none.
    package var isList: Bool {
        if case .list = unwrapped { true } else { false }
    }

    package var isOptional: Bool {
        if case .optional = self { return true }
        return false
    }

    /// The built-in type, optional or not; nil for any other type.
    package var primitive: Primitive? {
        switch self {
        case .primitive(let primitive): return primitive
        case .optional(let inner): return inner.primitive
        case .named, .list, .map: return nil
        }
    }

    /// The named types it mentions, in the order of the text.
    package var names: [Located<String>] {
        switch self {
        case .primitive: return []
        case .named(let name): return [name]
        case .optional(let inner), .list(let inner), .map(let inner): return inner.names
        }
    }

    /// The type with another name in the place of a name.
    func replacing(_ name: String, by other: String) -> TypeReference {
        switch self {
        case .primitive: self
        case .named(let word): word.value == name ? .named(Located(other, at: word.range)) : self
        case .optional(let inner): .optional(inner.replacing(name, by: other))
        case .list(let inner): .list(inner.replacing(name, by: other))
        case .map(let inner): .map(inner.replacing(name, by: other))
        }
    }

    /// Whether it is a list or map with files in it.
    package var holdsFile: Bool {
        switch self {
        case .primitive, .named: return false
        case .optional(let inner): return inner.holdsFile
        case .list(let inner), .map(let inner): return inner.unwrapped == .primitive(.file) || inner.holdsFile
        }
    }

    /// The spelling of the contract language.
    package var spelling: String {
        switch self {
        case .primitive(let primitive): return primitive.spelling
        case .named(let name): return name.value
        case .optional(let inner): return inner.spelling + "?"
        case .list(let inner): return "[\(inner.spelling)]"
        case .map(let inner): return "[string: \(inner.spelling)]"
        }
    }
}

/// The types that the language brings.
package enum Primitive: String, Sendable, CaseIterable {
    case string, bool, int, int32, int64, uint, double, float
    /// A decimal number, read and written from its text and never through binary.
    case decimal
    /// An instant in RFC 3339 form; a fraction of a second is optional.
    case timestamp
    /// An instant as seconds since 1970.
    case timestampUnix
    /// An instant as milliseconds since 1970.
    case timestampMilliseconds
    /// A calendar date without time zone: `2026-11-21`.
    case date
    /// A calendar date or an instant: `2026-11-21` or `2026-11-21T08:00:00Z`.
    case dateOrTimestamp
    case uuid, url
    /// Bytes, in JSON as base64 (RFC 4648, section 4).
    case bytes
    /// Any JSON value.
    case json
    /// A file of a multipart body. It is valid nowhere else.
    case file

    package var spelling: String {
        switch self {
        case .timestampUnix: "timestamp(unix)"
        case .timestampMilliseconds: "timestamp(milliseconds)"
        default: rawValue
        }
    }

    package init?(spelling: String) {
        guard let match = Self.bySpelling[spelling] else { return nil }
        self = match
    }

    private static let bySpelling = Dictionary(uniqueKeysWithValues: allCases.map { ($0.spelling, $0) })

    /// Whether its values are integers.
    package var isInteger: Bool {
        switch self {
        case .int, .int32, .int64, .uint: true
        default: false
        }
    }

    /// Whether its values are numbers.
    package var isWholeNumber: Bool {
        switch self {
        case .int, .int32, .int64, .uint: true
        default: false
        }
    }

    package var isNumber: Bool {
        switch self {
        case .int, .int32, .int64, .uint, .double, .float, .decimal: true
        default: false
        }
    }
}
