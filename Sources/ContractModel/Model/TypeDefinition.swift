/// One entry of `types`.
package struct TypeDefinition: Sendable {
    package var name: Located<String>
    package var form: Form
    package var doc: String?
    package var deprecated: Deprecation?
    /// Another Swift name than the key's.
    package var swiftName: Located<String>?

    package enum Form: Sendable {
        case structure([FieldDefinition])
        case enumeration(EnumDefinition)
        case union(UnionDefinition)
        /// Another name for a type, with constraints that hold wherever it is used.
        case alias(TypeReference, Constraints)
    }

    package init(name: Located<String>, form: Form) {
        self.name = name
        self.form = form
    }
}

/// Values that are words or numbers on the wire.
package struct EnumDefinition: Sendable {
    package struct Case: Sendable {
        /// The name in the contract; the Swift name is made from it.
        package var name: Located<String>
        /// The text on the wire; for numbers their source text.
        package var wireValue: Located<String>

        package init(name: Located<String>, wireValue: Located<String>) {
            self.name = name
            self.wireValue = wireValue
        }
    }

    package enum WireKind: Sendable { case string, int }

    package var cases: [Case]
    package var wireKind: WireKind
    /// A closed enum refuses unknown values; an open one keeps them as `.unrecognized`.
    package var isClosed: Bool

    package init(cases: [Case], wireKind: WireKind, isClosed: Bool) {
        self.cases = cases
        self.wireKind = wireKind
        self.isClosed = isClosed
    }
}

/// One of several types, told apart by the value of a key.
package struct UnionDefinition: Sendable {
    package struct Case: Sendable {
        /// The discriminator's value on the wire; the Swift case name is made from it.
        package var name: Located<String>
        package var type: TypeReference

        package init(name: Located<String>, type: TypeReference) {
            self.name = name
            self.type = type
        }
    }

    /// The wire key whose value tells the case.
    package var discriminator: Located<String>
    package var cases: [Case]

    package init(discriminator: Located<String>, cases: [Case]) {
        self.discriminator = discriminator
        self.cases = cases
    }
}

/// That something should no longer be used, and what to use instead.
package struct Deprecation: Sendable, Equatable {
    package var message: String?

    package init(message: String?) {
        self.message = message
    }
}
