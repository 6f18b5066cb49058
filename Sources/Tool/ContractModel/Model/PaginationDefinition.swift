import Diagnostics

/// How a list that comes in parts is walked. Paths are of the whole response.
package struct PaginationDefinition: Sendable {
    package enum Style: Sendable {
        case page(parameter: Located<String>, total: Located<FieldPath>?)
        case offset(parameter: Located<String>, size: Located<String>?, total: Located<FieldPath>?)
        /// `more` is the path of the flag that says whether another page follows.
        case cursor(parameter: Located<String>, next: CursorPlace, more: Located<FieldPath>?)
        /// A page has the URL of the next one.
        case link(LinkPlace, foreign: ForeignLinkRule)
    }

    package var style: Style
    /// Where the elements are, when they are not the payload itself.
    package var items: Located<FieldPath>?
    /// The status with which the service refuses a page after the last one; nil if it responds with an empty page.
    package var past: Int?

    package init(style: Style, items: Located<FieldPath>?, past: Int? = nil) {
        self.style = style
        self.items = items
        self.past = past
    }
}

/// Where a page has the cursor of the next one.
package enum CursorPlace: Sendable {
    /// A path of the whole response.
    case response(Located<FieldPath>)
    /// A path of the last element.
    case lastElement(Located<FieldPath>)
}

/// Where a page has the URL of the next one.
package enum LinkPlace: Sendable {
    /// In a `Link` header, under a relation (RFC 8288).
    case header(relation: Located<String>)
    /// At a path of the whole response.
    case response(Located<FieldPath>)
}

/// The treatment of a link to another origin. `own` takes its path and query to the service's origin.
package enum ForeignLinkRule: String, Sendable, CaseIterable { case refused, anonymous, own }

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
