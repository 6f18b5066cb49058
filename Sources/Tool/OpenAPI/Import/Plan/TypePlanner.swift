import ContractModel
import Diagnostics

/// Which way a value goes, which matters for schemas with `readOnly` or `writeOnly` parts.
enum Direction: Hashable {
    case both
    case request
    case response
}

/// The plan for a place of the document: a type, with its further keys.
struct TypeUse {
    var type: PlannedType
    var isNullable = false
    var constraints = Constraints()
    var doc: String?
    var isDeprecated = false
    var isReadOnly = false
    var isWriteOnly = false
    var isSensitive = false
    var defaultValue: Element?
    var example: PlannedValue?
    /// The only value that a text, a number or a bool may have.
    var constant: DefaultValue?
    /// Whether a service may also write its numbers as texts.
    var coerces = false
}

/// A place of the document, for the type of its schemas.
struct TypePlace {
    /// The schemas that apply together there.
    let schemas: [Element]
    /// The source of the name of a type there.
    let origin: PlannedTypeEntry.Origin
    let direction: Direction
    /// The number of schemas around it.
    var depth = 0
    /// The entry that a type with a name takes; nil for a new one.
    var entry: PlannedTypeEntry?

    var schema: Element { schemas[0] }

    /// The place of a part of the type there.
    func part(_ name: String, of entry: PlannedTypeEntry) -> TypePlace {
        TypePlace(schemas: schemas, origin: .part(of: entry.number, name), direction: direction, depth: depth + 1)
    }
}

/// Turns schemas into types of the contract. A schema that others refer to is planned once; structures wait in a queue,
/// so that schemas may refer to themselves and nothing recurses deeper than a document is nested.
final class TypePlanner {
    let documents: DocumentSet
    let reader: SchemaReader
    let root: Element
    var findings: ImportFindings { documents.findings }
    private(set) var entries: [PlannedTypeEntry] = []
    private var components: [SchemaKey: TypeUse] = [:]
    var waiting: [Waiting] = []
    /// Whether a schema has parts that go one way only, by its place.
    var directed: [ElementKey: Bool] = [:]
    /// The kinds of values that a schema allows, by its place and by how deep it is among alternatives.
    var knownKinds: [KindKey: Set<UnionDefinition.Kind>?] = [:]
    /// Schemas by those that extend them with `allOf`, in the order of the document.
    lazy var children: [ElementKey: [(name: String, schema: Element)]] = findChildren()

    /// The name of the list whose elements are being planned, if it is in a query or a form.
    var elementName: String?
    /// The places of unions, by the numbers of their entries.
    var unionPlaces: [Int: Element] = [:]
    /// What tells a structure apart in a union that has it for all other values, by the numbers of their entries.
    var unionValues: [Int: String] = [:]
    /// The structures of schemas that others extend, without these.
    var bases: [SchemaKey: PlannedType] = [:]
    /// The types of referenced schemas in a form; `nil` if a schema can't be sent in a form.
    var formComponents: [ElementKey: FormUse?] = [:]
    /// The number of schemas being planned, each of which needs the next one.
    private var openComponents = 0
    /// The types of schemas without a reference, by their places. A place has one type, so that the number of types follows the
    /// size of a document, however its schemas contain each other.
    private var inlines: [InlineKey: TypeUse] = [:]
    /// The number of types and fields so far. Several schemas in one `allOf` can have more combinations than a program can hold.
    private var size = 0
    private let largest: Int
    var sharedNumbers: [SharedKey: Int] = [:]
    var sharedTypes: [SharedKey: PlannedType] = [:]
    /// The enums of single values, by the places of their schemas.
    var constantNumbers: [ConstantKey: Int] = [:]
    /// What the examples of the document show.
    let evidence: ExampleEvidence

    struct KindKey: Hashable {
        let schema: ElementKey
        let depth: Int
    }

    /// A schema in one direction.
    struct SchemaKey: Hashable {
        let key: ElementKey
        let direction: Direction
    }

    /// A structure whose fields are not yet known.
    struct Waiting {
        let entry: PlannedTypeEntry
        let schemas: [Element]
        let direction: Direction
        /// The view of the schemas, if it has more than their own properties.
        var view: SchemaView?
    }

    /// The schemas that apply together at a place.
    private struct InlineKey: Hashable {
        let keys: [ElementKey]
        let direction: Direction
    }

    /// - Parameter largest: the maximum number of types and fields.
    init(_ document: APIDocument, _ documents: DocumentSet, largest: Int) {
        self.largest = largest
        self.documents = documents
        root = document.root
        reader = SchemaReader(documents: documents, is31: document.version == .openAPI31)
        evidence = ExampleEvidence(of: document, documents)
    }

    // MARK: Uses

    /// The type of a schema at a place. `origin` names an inline type there.
    func use(of schema: Element, as origin: PlannedTypeEntry.Origin, _ direction: Direction) -> TypeUse {
        use(of: [schema], as: origin, direction)
    }

    func use(of schemas: [Element], as origin: PlannedTypeEntry.Origin, _ direction: Direction, depth: Int = 0)
        -> TypeUse
    {
        guard depth < 28 else { return lost("the schemas are nested too deeply here", schemas[0]) }
        guard hasRoom else { return loseRest(at: schemas[0]) }
        let schemas = isSameReference(schemas) ? [schemas[0]] : schemas
        if schemas.count == 1, let wrapped = wrapped(schemas[0]) {
            let schema = schemas[0]
            var use =
                wrapped.isReference
                ? component(wrapped.element, direction, as: origin)
                : self.use(of: [wrapped.element], as: origin, direction, depth: depth + 1)
            use.isNullable = reader.isNullable(schema) || use.isNullable
            // What a part of `allOf` says that only describes is said of the whole. The schema itself says it last.
            for part in (schema["allOf"]?.items.filter(isDescription) ?? []) + [schema] { describe(&use, by: part) }
            return use
        }
        // A type that is the same in both directions is one type, in any order of its uses.
        var direction = direction
        if direction != .both, !schemas.contains(where: isDirected) { direction = .both }
        let key = InlineKey(keys: schemas.map(\.key), direction: direction)
        if let known = inlines[key] { return known }
        let view = reader.view(of: schemas)
        var use =
            (direction == .both && schemas.count == 1 ? referenced(schemas[0]) : nil)
            ?? inline(view, at: TypePlace(schemas: schemas, origin: origin, direction: direction, depth: depth))
        use.isNullable = use.isNullable || schemas.allSatisfy { reader.isNullable($0) }
        describe(&use, view)
        inlines[key] = use
        return use
    }

    /// Whether several schemas are all the same one, by name.
    private func isSameReference(_ schemas: [Element]) -> Bool {
        guard schemas.count > 1, let first = schemas[0]["$ref"]?.text else { return false }
        return schemas.allSatisfy {
            $0.file == schemas[0].file && $0["$ref"]?.text == first && reader.saysOnly($0, "$ref")
        }
    }

    // MARK: Size

    /// Whether the contract may have more types and fields.
    var hasRoom: Bool { size < largest }

    func loseRest(at place: Element) -> TypeUse {
        lost("the schemas combine to more than \(largest) types and fields", place)
    }

    /// Counts a type and its fields.
    func count(_ fields: Int) { size += 1 + fields }

    func describe(_ use: inout TypeUse, _ view: SchemaView) {
        use.doc = view.description
        use.isDeprecated = view.isDeprecated
        use.isReadOnly = view.isReadOnly
        use.isWriteOnly = view.isWriteOnly
        use.defaultValue = view.defaultValue
        // The members of an object have the parts of its example.
        if isStructure(use.type), !view.properties.isEmpty { return }
        use.example = view.example.map { PlannedValue($0) } ?? use.example
    }

    private func isStructure(_ type: PlannedType) -> Bool {
        guard case .named(let number) = type, case .structure = entries[number].form else { return false }
        return true
    }

    /// Adds what a schema says of the one that it refers to.
    private func describe(_ use: inout TypeUse, by schema: Element) {
        schema["type"]?.settle()  // It repeats that of the other one.
        let documentation = Documentation(
            description: schema.text("description"), page: schema["externalDocs"]?.text("url"))
        use.doc = documentation.text ?? use.doc
        use.isDeprecated = schema.flag("deprecated") || use.isDeprecated
        use.isReadOnly = schema.flag("readOnly") || use.isReadOnly
        use.isWriteOnly = schema.flag("writeOnly") || use.isWriteOnly
        use.defaultValue = schema["default"] ?? use.defaultValue
        use.example = reader.ownExample(of: schema).map { PlannedValue($0) } ?? use.example
    }

    /// The only schema that this one refers to: by `$ref`, or as the only member of a group.
    private func wrapped(_ schema: Element) -> (element: Element, isReference: Bool)? {
        if schema.isReference {
            let isAlone = reader.saysOnly(schema, "$ref")
            guard !reader.is31 || isAlone, let target = reader.followed(schema) else { return nil }
            if !isAlone { _ = reader.view(of: [schema]) }  // reports keywords without effect
            return (target, true)
        }
        for keyword in ["allOf", "oneOf", "anyOf"] {
            guard let group = schema[keyword] else { continue }
            let members = group.items.filter { keyword == "allOf" || !reader.isNullOnly($0) }
            let others = keyword == "allOf" ? members.filter { !isDescription($0) } : members
            guard others.count == 1, reader.saysOnly(schema, keyword), schema["discriminator"] == nil else {
                return nil
            }
            return (others[0], false)
        }
        return nil
    }

    private func isDescription(_ schema: Element) -> Bool {
        !schema.isReference
            && schema.entries.allSatisfy { SchemaReader.describing.contains($0.name) || $0.name.hasPrefix("x-") }
    }

    @discardableResult func lost(_ message: String, _ place: Element) -> TypeUse {
        findings.add(.openAPIUnionLost, "\(message), so the type is `json`", at: place)
        return TypeUse(type: .word("json"))
    }

    // MARK: Components

    /// The type of a referenced schema. `origin` names the schema if its own place has no name.
    func component(_ schema: Element, _ wanted: Direction, as origin: PlannedTypeEntry.Origin? = nil) -> TypeUse {
        guard schema.isMapping else { return TypeUse(type: .word("json")) }
        let direction = wanted == .both || !isDirected(schema) ? .both : wanted
        let key = SchemaKey(key: schema.key, direction: direction)
        if let known = components[key] {
            if case .named(let number) = known.type, !entries[number].isKnown { entries[number].isAwaited = true }
            return known
        }
        if direction == .both, let known = planned(schema) { return known }
        guard hasRoom else { return loseRest(at: schema) }
        guard openComponents < 28 else {
            return lost("the schemas refer to each other too deeply without an object in between", schema)
        }
        openComponents += 1
        defer { openComponents -= 1 }
        let name = componentName(schema)
        let entry = PlannedTypeEntry(
            number: entries.count, origin: name.isEmpty ? origin ?? .component("value") : .component(name),
            schema: schema, form: .alias(.word("json"), Constraints()))
        entry.direction = direction
        entries.append(entry)
        count(0)
        var use = TypeUse(type: .named(entry.number))
        use.isNullable = reader.isNullable(schema)
        components[key] = use
        if schema.text("format") == "password" { use.isSensitive = true }

        if let wrapped = wrapped(schema), wrapped.isReference {
            // The schema is only another name of its target.
            let target = component(wrapped.element, direction, as: origin)
            let nullable = use.isNullable || target.isNullable
            if entry.isAwaited {
                let isOwn = target.type == .named(entry.number)
                if isOwn { loseSelfReference(schema) }
                entry.form = .alias(isOwn ? .word("json") : target.type, Constraints())
                entry.isKnown = true
                return use
            }
            use = target
            use.isNullable = nullable
            components[key] = use
            return use
        }
        let view = reader.view(of: [schema])
        entry.doc = view.description
        entry.isDeprecated = view.isDeprecated
        use.isReadOnly = view.isReadOnly
        use.isWriteOnly = view.isWriteOnly
        let inner = inline(
            view, at: TypePlace(schemas: [schema], origin: entry.origin, direction: direction, entry: entry))
        use.coerces = inner.coerces
        use.example = isStructure(inner.type) ? nil : view.example.map { PlannedValue($0) } ?? inner.example
        if case .named(entry.number) = inner.type {
            if case .alias = entry.form { loseSelfReference(schema) }
            entry.isKnown = true
            components[key] = use
            return use
        }
        let isPlain = inner.constraints.isEmpty && entry.doc == nil
        if entry.isAwaited {
            loseSelfReference(schema)
            entry.form = .alias(.word("json"), Constraints())
        } else if isPlain || inner.constant != nil || inner.type == .word("json") || inner.type.holdsFile {
            var direct = inner
            direct.isNullable = use.isNullable
            direct.doc = entry.doc
            direct.example = use.example
            components[key] = direct
            return direct
        } else {
            entry.form = .alias(inner.type, inner.constraints)
        }
        entry.isKnown = true
        components[key] = use
        return use
    }

    private func loseSelfReference(_ schema: Element) {
        findings.add(
            .openAPISchemaLost, "the schema contains itself without an object in between, so the type there is `json`",
            at: schema)
    }

    // Bundled documents refer to parts of operations and of other schemas: `#/paths/~1users/get/responses/200/…/items`. Such a
    // part is one type, whether the reference to it or its own place comes first.

    /// The type that a schema has become in its own place, if that is a type with a name.
    private func planned(_ schema: Element) -> TypeUse? {
        let key = InlineKey(keys: [schema.key], direction: .both)
        guard let known = inlines[key], !known.type.numbers.isEmpty else { return nil }
        var use = TypeUse(type: known.type)
        use.isNullable = known.isNullable
        use.constraints = known.constraints
        return use
    }

    /// The type that a schema has become because of a reference, if that is a type with a name.
    private func referenced(_ schema: Element) -> TypeUse? {
        guard let known = components[SchemaKey(key: schema.key, direction: .both)],
            case .named(let number) = known.type, entries[number].isKnown
        else { return nil }
        if case .alias = entries[number].form { return nil }
        return known
    }

    /// The name of a referenced schema: its key, or the name of its file; empty for a part such as `items`.
    func componentName(_ schema: Element) -> String {
        let plain: Set<String> = ["schema", "items", "properties", "allOf", "oneOf", "anyOf", "content", "get", "post"]
        let tokens = schema.tokens
        guard let last = tokens.last else { return NameText.fileStem(documents.name(ofFile: schema.file)) }
        guard plain.contains(last) || Int(last) != nil && tokens.dropLast().last.map(plain.contains) == true else {
            // A property has its owner's name, as it has where nothing refers to it.
            guard tokens.dropLast().last == "properties" else { return last }
            let owner = tokens.dropLast(2).last ?? NameText.fileStem(documents.name(ofFile: schema.file))
            return plain.contains(owner) || owner.contains("/") ? last : owner + "_" + last
        }
        return tokens.suffix(4).filter { !plain.contains($0) && !$0.contains("/") && Int($0) == nil }.joined(
            separator: "_")
    }

    // MARK: Inline

    /// The entry for a type at a place.
    func entry(at place: TypePlace) -> PlannedTypeEntry { place.entry ?? entry(place.origin, at: place.schema) }

    /// A new entry for a type.
    func entry(_ origin: PlannedTypeEntry.Origin, at place: Element) -> PlannedTypeEntry {
        let entry = PlannedTypeEntry(
            number: entries.count, origin: origin, schema: place, form: .structure([]))
        entry.isKnown = true
        entries.append(entry)
        count(0)
        return entry
    }

    /// A second type for the place of another one, still with the same form.
    func second(of other: PlannedTypeEntry, _ origin: PlannedTypeEntry.Origin) -> PlannedTypeEntry {
        let entry = PlannedTypeEntry(number: entries.count, origin: origin, schema: other.schema, form: other.form)
        (entry.doc, entry.isDeprecated, entry.direction, entry.isKnown) = (
            other.doc, other.isDeprecated, other.direction, true
        )
        unionPlaces[entry.number] = unionPlaces[other.number]
        entries.append(entry)
        if case .structure(let fields) = other.form { count(fields.count) } else { count(0) }
        return entry
    }
}
