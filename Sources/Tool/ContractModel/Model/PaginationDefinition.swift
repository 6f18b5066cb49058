import Diagnostics

/// How a list that comes in parts is walked. Paths are of the whole response.
package struct PaginationDefinition: Sendable {
    package enum Style: Sendable {
        case page(parameter: Located<String>, total: Located<FieldPath>?)
        case offset(parameter: Located<String>, size: Located<String>?, total: Located<FieldPath>?)
        /// `more` is the path of the flag that says whether another page follows.
        case cursor(parameter: Located<String>, next: CursorPlace, more: Located<FieldPath>?)
        /// The URL of the next part is in a `Link` header under this relation (RFC 8288).
        case link(relation: Located<String>, foreign: ForeignLinkRule)
    }

    package var style: Style
    /// Where the elements are, when they are not the payload itself.
    package var items: Located<FieldPath>?

    package init(style: Style, items: Located<FieldPath>?) {
        self.style = style
        self.items = items
    }
}

/// Where a page has the cursor of the next one.
package enum CursorPlace: Sendable {
    /// A path of the whole response.
    case response(Located<FieldPath>)
    /// A path of the last element.
    case lastElement(Located<FieldPath>)
}

/// The treatment of a link to another origin.
package enum ForeignLinkRule: String, Sendable, CaseIterable { case refused, anonymous }

/// The result of searching a path among the fields of a structure and of its nested structures.
package enum FieldSearch {
    /// The fields that lead there, the last one first found by its name on the wire, else by its name.
    case found([FieldDefinition])
    /// The path goes on in something that may hold any key.
    case unknown
    /// No such field exists; these are the other fields at its place.
    case missing(position: Int, among: [FieldDefinition])

    /// - Parameters:
    ///   - keys: the steps.
    ///   - type: the type that the first step is a field of.
    ///   - expand: resolves aliases.
    ///   - fields: the fields of a structure; nil for any other type.
    package static func of(
        _ keys: ArraySlice<String>, in fields: [FieldDefinition], expand: (TypeReference) -> TypeReference?,
        structure: (TypeReference) -> [FieldDefinition]?
    ) -> FieldSearch {
        var open = fields
        var way: [FieldDefinition] = []
        for (position, key) in keys.enumerated() {
            guard let field = open.first(where: { $0.wireName == key }) ?? open.first(where: { $0.name.value == key })
            else { return .missing(position: position, among: open) }
            way.append(field)
            if position == keys.count - 1 { break }
            let type = expand(field.type.unwrapped)?.unwrapped ?? field.type.unwrapped
            if let inner = structure(field.type) {
                open = inner
            } else {
                switch type {
                case .primitive(.json), .map, .named: return .unknown
                case .primitive, .list, .optional: return .missing(position: position + 1, among: [])
                }
            }
        }
        return .found(way)
    }
}
