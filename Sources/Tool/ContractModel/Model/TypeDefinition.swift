/// One entry of `types`.
package struct TypeDefinition: Sendable {
    package var name: Located<String>
    package var form: Form
    package var doc: String?
    @Indirect package var deprecated: Deprecation?
    /// Another Swift name than the key's.
    @Indirect package var swiftName: Located<String>?
    /// The place of a structure that is the inside of a field; `nil` for a type of `types`.
    @Indirect package var inline: InlinePlace?

    package enum Form: Sendable {
        case structure([FieldDefinition])
        case enumeration(EnumDefinition)
        indirect case union(UnionDefinition)
        /// Another name for a type, with constraints that apply to every use.
        indirect case alias(TypeReference, Constraints)
    }

    package init(name: Located<String>, form: Form) {
        self.name = name
        self.form = form
    }
}

/// The place of a structure that is the inside of a field: `address: {fields: {street: string}}`. It is generated inside of what
/// the field belongs to, under the field's name.
package struct InlinePlace: Sendable {
    package enum Owner: Sendable, Hashable {
        /// A type, which may be the inside of a field itself.
        case type(String)
        /// The inputs of an endpoint.
        case endpoint(String)
        /// The response of an endpoint.
        case response(of: String)
        /// The data of an endpoint's outcome.
        case outcome(String, of: String)
        /// The data of an error.
        case error(String)
        /// The data of an event.
        case event(String)
    }

    package let owner: Owner
    package let field: String
    /// The Swift name that the field has; `nil` if it follows from its name.
    package var swiftField: String?

    package init(owner: Owner, field: String) {
        self.owner = owner
        self.field = field
    }

    /// The name by which references find the type. No type of `types` has a dot or a slash in its name.
    package var typeName: String {
        switch owner {
        case .type(let name): "\(name).\(field)"
        case .endpoint(let name): "\(name)/\(field)"
        case .response(let endpoint): "\(endpoint)/response.\(field)"
        case .outcome(let name, let endpoint): "\(endpoint)/\(name).\(field)"
        case .error(let name): "errors/\(name).\(field)"
        case .event(let name): "events/\(name).\(field)"
        }
    }
}

/// Values that are words or numbers on the wire.
package struct EnumDefinition: Sendable {
    package struct Case: Sendable {
        /// The name in the contract; the Swift name is made from it.
        package var name: Located<String>
        /// The text on the wire; for numbers their source text.
        package var wireValue: Located<String>
        /// Other texts on the wire that are read as the case. They are never written.
        package var otherValues: [Located<String>]

        /// Every text on the wire that is read as the case, the one that is written first.
        package var wireValues: [Located<String>] { [wireValue] + otherValues }

        package init(name: Located<String>, wireValue: Located<String>, otherValues: [Located<String>] = []) {
            self.name = name
            self.wireValue = wireValue
            self.otherValues = otherValues
        }
    }

    package enum WireKind: String, Sendable, CaseIterable { case string, int }

    package var cases: [Case]
    package var wireKind: WireKind
    /// A closed enum refuses unknown values; an open one keeps them as `.unrecognized`.
    package var isClosed: Bool

    /// Whether a case has several values on the wire.
    package var hasOtherValues: Bool { cases.contains { !$0.otherValues.isEmpty } }

    package init(cases: [Case], wireKind: WireKind, isClosed: Bool) {
        self.cases = cases
        self.wireKind = wireKind
        self.isClosed = isClosed
    }
}

/// That something should no longer be used, what to use instead, and until when it can be used.
package struct Deprecation: Sendable, Equatable {
    package var message: String?
    /// The day from which the service may not have it anymore (RFC 8594, section 3).
    package var sunset: Located<CalendarDay>?

    package init(message: String?, sunset: Located<CalendarDay>? = nil) {
        self.message = message
        self.sunset = sunset
    }

    /// The message and the day, for people. Nil if the contract says neither.
    package var sentence: String? {
        let day = sunset.map { "The service may end it on \($0.value.text)." }
        let parts = [message, day].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
