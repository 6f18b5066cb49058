/// One of several types.
package struct UnionDefinition: Sendable {
    /// How many unions a value can be in, each a case of the one around it.
    package static let deepest = 32

    /// What identifies the case of a value.
    package enum Distinction: Sendable {
        /// The value of a wire key, which is a text or an integer.
        case value(of: Located<String>, EnumDefinition.WireKind)
        /// The presence of a key that only one case has.
        case key
        /// The kind of the JSON value.
        case kind
    }

    /// The kinds of JSON values that a case can have.
    package enum Kind: String, Sendable, CaseIterable {
        case string, integer, number, bool, array, object
    }

    package struct Case: Sendable {
        /// The discriminator's value on the wire, the key that only this case has, or the kind.
        package var name: Located<String>
        package var type: TypeReference

        package init(name: Located<String>, type: TypeReference) {
            self.name = name
            self.type = type
        }
    }

    package var distinction: Distinction
    package var cases: [Case]

    package init(_ distinction: Distinction, cases: [Case]) {
        self.distinction = distinction
        self.cases = cases
    }

    /// The name of the case of all objects whose discriminator has no case of its own, or that lack it.
    package static let others = "*"

    /// The case of all other objects, in a union by a discriminator; nil if the union keeps them as they are.
    package var otherCase: Case? { discriminator == nil ? nil : cases.first { $0.name.value == Self.others } }

    /// The cases whose names are values on the wire.
    package var namedCases: [Case] { otherCase == nil ? cases : cases.filter { $0.name.value != Self.others } }

    /// The case of an object by the value of its discriminator.
    package func objectCase(_ value: String?) -> Case? {
        namedCases.first { $0.name.value == value } ?? otherCase
    }

    /// The wire key whose value identifies the case; `nil` in a union by keys or by kinds.
    package var discriminator: Located<String>? {
        if case .value(let key, _) = distinction { key } else { nil }
    }

    /// Whether the values of the discriminator are integers.
    package var hasNumbers: Bool {
        if case .value(_, .int) = distinction { true } else { false }
    }

    package var isByKind: Bool {
        if case .kind = distinction { true } else { false }
    }
}

extension Primitive {
    /// The kind of its JSON values; `nil` if they can have several kinds, or none.
    package var jsonKind: UnionDefinition.Kind? {
        switch self {
        case .string, .timestamp, .date, .dateOrTimestamp, .uuid, .url, .bytes: .string
        case .bool: .bool
        case .int, .int32, .int64, .uint: .integer
        case .double, .float, .decimal, .timestampUnix, .timestampMilliseconds: .number
        case .json, .file: nil
        }
    }
}

extension TypeReference {
    /// The kind of its JSON values; `nil` if they can have several kinds, or none.
    ///
    /// - Parameter definition: the definition of a type, which is no alias.
    package func jsonKind(_ definition: (String) -> TypeDefinition?) -> UnionDefinition.Kind? {
        switch self {
        case .primitive(let primitive): primitive.jsonKind
        case .list: .array
        case .map: .object
        case .optional: nil
        case .named(let name): definition(name.value)?.jsonKind
        }
    }
}

extension TypeDefinition {
    /// The kind of its JSON values; `nil` for a union by kinds, and for an alias.
    fileprivate var jsonKind: UnionDefinition.Kind? {
        switch form {
        case .structure: .object
        case .enumeration(let enumeration): enumeration.wireKind == .int ? .integer : .string
        case .union(let union): union.isByKind ? nil : .object
        case .alias: nil
        }
    }
}
