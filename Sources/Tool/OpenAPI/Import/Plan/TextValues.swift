import ContractModel
import Diagnostics

// What a place that carries only texts makes of a value: of one that has several types, of one that is a value or a list of such
// values, and of one that has no text form.
extension TypePlanner {
    /// The type for a value that is either a text or a number: a text, because every value travels as text here.
    func text(of view: SchemaView, at element: Element) -> TypeUse? {
        let scalars: Set<String> = ["string", "integer", "number", "boolean"]
        guard view.properties.isEmpty, view.constant == nil, view.values == nil, numberOfDigits(view) == nil else {
            return nil
        }
        var kinds = Set(view.types)
        if view.alternatives.count == 1, kinds.isEmpty {
            guard let found = scalarKinds(of: view.alternatives[0].members) else { return nil }
            kinds = Set(found.map { $0 == .bool ? "boolean" : $0.rawValue })
        } else if !view.alternatives.isEmpty {
            return nil
        }
        guard kinds.count > 1, kinds != ["integer", "number"], kinds.isSubset(of: scalars) else { return nil }
        let members = view.alternatives.flatMap(\.members).map { reader.view(of: [$0]) }
        for view in [view] + members { loseBounds(view, except: [], "a value of several types") }
        findings.add(
            .openAPIConstraintLost,
            "the value has several types (\(kinds.sorted().joined(separator: ", "))) and is sent as text, so it is a `string`",
            at: element)
        var use = TypeUse(type: .word("string"))
        use.doc = view.description
        return use
    }

    /// The type of a list whose elements are either a text or a number; nil for any other value.
    func textList(of view: SchemaView, at element: Element) -> TypeUse? {
        guard view.types == ["array"], !view.items.isEmpty,
            let inner = text(of: reader.view(of: view.items), at: element)
        else { return nil }
        var use = TypeUse(type: .list(inner.type))
        describe(&use, view)
        use.constraints.items = counts(of: view, "minItems", "maxItems")
        return use
    }

    /// The kinds of the values of several schemas, without null; nil if one of them has other values than texts, numbers and Booleans.
    private func scalarKinds(of members: [Element]) -> Set<UnionDefinition.Kind>? {
        var all: Set<UnionDefinition.Kind> = []
        for member in members where !reader.isNullOnly(member) {
            guard let kinds = kinds(of: member, depth: 0), kinds.isDisjoint(with: [.array, .object]) else { return nil }
            all.formUnion(kinds)
        }
        return all
    }

    // MARK: One value or several

    /// What a value is that is one value or a list of such values, which are spelled alike.
    struct OneOrMany {
        /// The alternative that is a list.
        var list: Element
        /// The alternatives that are one value.
        var singles: [Element]
        /// The elements of all alternatives.
        var elements: [Element]
    }

    /// The parts of `oneOf: [X, [X]]`, in any order; nil for any other value.
    func oneOrMany(_ view: SchemaView) -> OneOrMany? {
        guard view.alternatives.count == 1, view.types.isEmpty, view.properties.isEmpty else { return nil }
        var lists: [Element] = []
        var parts = OneOrMany(list: view.alternatives[0].keyword, singles: [], elements: [])
        for member in view.alternatives[0].members where !reader.isNullOnly(member) && !isEmptyText(member) {
            let inner = reader.view(of: [member])
            if inner.types == ["array"] {
                guard inner.items.count == 1 else { return nil }
                lists.append(member)
                parts.elements.append(inner.items[0])
            } else {
                parts.singles.append(member)
                parts.elements.append(member)
            }
        }
        guard let list = lists.first, parts.elements.count > 1, scalarKinds(of: parts.elements) != nil else {
            return nil
        }
        parts.list = list
        return parts
    }

    /// The type of values that several schemas describe; nil if all schemas are the same.
    func commonType(of schemas: [Element], _ name: String, at element: Element) -> PlannedType? {
        let contents = Set(schemas.map { (reader.followed($0) ?? $0).fingerprint(depth: 0) })
        guard contents.count > 1 else { return nil }
        let word =
            switch scalarKinds(of: schemas) {
            case [.integer]: "int"
            case [.number], [.integer, .number]: "double"
            case [.bool]: "bool"
            default: "string"
            }
        findings.add(
            .openAPIConstraintLost, "the alternatives of `\(name)` differ, so each of its values is any `\(word)`",
            at: element)
        return .word(word)
    }

    // MARK: Values without a text

    /// A required value that its place cannot carry, as a text that the app writes.
    func textField(_ name: String, in place: Parameter.Place?, at element: Element) -> PlannedField {
        var field = PlannedField(wire: name, type: .word("string"), isRequired: true)
        field.schema = element
        field.review = writtenText(name, in: place, at: element)
        return field
    }

    /// Reports a required value that the app has to write, and says what to review.
    func writtenText(_ name: String, in place: Parameter.Place?, at element: Element) -> String {
        findings.add(
            .openAPIStyleLost,
            "`\(name)` is a text that the app has to write, because \(Self.content(of: place))", at: element,
            help: "check the service's own documentation for its spelling")
        (element["schema"] ?? element).settle()
        return
            "`\(name)` is a text that the app has to write, because the document does not say how a request spells it"
    }

    func loseField(_ name: String, in place: Parameter.Place? = nil, at element: Element) {
        findings.add(
            .openAPIParameterLost, "`\(name)` is left out, because \(Self.content(of: place))", at: element)
    }

    /// Reports an alternative of a value that other alternatives can be sent of.
    func loseAlternative(of name: String, at member: Element) {
        findings.add(
            .openAPIParameterLost,
            "an alternative of `\(name)` is left out, because \(Self.content(of: nil))", at: member)
    }

    private static func content(of place: Parameter.Place?) -> String {
        switch place {
        case .cookie: "a cookie can contain only a single value"
        case .header: "a header can contain only single values and lists of them"
        case .path: "a path can contain only single values and lists of them"
        case .query, .querystring, nil:
            "a query or a form can contain only single values, lists of them, and objects of these"
        }
    }
}
