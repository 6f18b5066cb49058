import YAMLTree

/// The language's rules for a place in a contract: the valid keys of a mapping there, and the valid texts.
///
/// It follows the shapes of `LanguageKeys` from the top of a contract.
package struct LanguagePlace {
    /// The valid mappings here. There are two while nothing distinguishes the long form from the short one.
    package private(set) var mappings: [MappingDescription] = []
    /// The shape of the values, if the contract chooses the keys.
    private var entry: ValueShape?
    /// The keys that the language gives among those that the contract chooses.
    private var others: [String] = []
    /// The kinds of the names that are keys here, and below.
    private var names: ArraySlice<NameKind?> = []
    /// The language's words that are valid here.
    package private(set) var words: [String] = []
    package private(set) var meaning: TextMeaning?
    package private(set) var isList = false
    /// Whether a list here has the values of an enum.
    package private(set) var isEnumeration = false
    /// Whether a mapping here consists of fields, and has another form in which they are under `fields`.
    package private(set) var areFieldsAlone = false

    /// The top of a contract.
    package static let top: LanguagePlace = {
        var place = LanguagePlace()
        place.mappings = [LanguageKeys.contract]
        return place
    }()

    /// The place that keys lead to. A tree of an earlier text tells the long form of a mapping from its short one.
    package init(_ keys: [String], in document: YAMLDocument?) {
        var node = document?.root
        self = Self.top
        for (depth, key) in keys.enumerated() {
            node = node?.mapping?[key]
            self = below(key, node?.mapping?.keys ?? keys.dropFirst(depth + 1).prefix(1).map { $0 })
        }
    }

    private init() {}

    /// A key of the language here, with what it means.
    package func key(_ name: String) -> MappingDescription.Key? {
        for mapping in mappings {
            if let key = mapping.keys.first(where: { $0.name == name }) { return key }
        }
        return nil
    }

    /// The kind of definition that the keys here introduce, or name.
    package var keyMeaning: NameKind? { names.first.flatMap { $0 } }

    /// The kind of definition that a key here introduces, or names.
    package func meaning(ofKey key: String) -> NameKind? { others.contains(key) ? nil : keyMeaning }

    /// The key of the mapping here that a text alone is the value of, and whether the text may have a default after `=`.
    package var keyOfText: (key: String, hasDefault: Bool)? {
        for mapping in mappings {
            guard let key = mapping.short ?? (mapping.allows("type") ? "type" : nil) else { continue }
            return (key, key == "type" && mapping.allows("default"))
        }
        return nil
    }

    /// Whether only a mapping is valid here, so that its key ends its line.
    package var isBlock: Bool { (!mappings.isEmpty || entry != nil) && words.isEmpty && meaning == nil && !isList }

    // MARK: Downwards

    /// The place of the value of a key.
    ///
    /// - Parameter siblings: the keys of the value, if it is a mapping.
    package func below(_ key: String, _ siblings: [String]) -> LanguagePlace {
        var place = LanguagePlace()
        if let known = self.key(key) {
            place.names = known.names[...]
            place.add(known.shape, siblings)
            place.meaning = known.refersTo ?? place.meaning
            if place.meaning == .name(.envelope) { place.words = ["none"] }
        } else if let entry {
            place.names = names.dropFirst()
            place.add(entry, siblings)
        }
        return place
    }

    // MARK: Shapes

    private mutating func add(_ shape: ValueShape, _ siblings: [String]) {
        switch shape {
        case .words(let words): self.words += words
        case .flag: words = ["true", "false"]
        case .form(.target): meaning = .target
        case .form(.credentials): meaning = .credentials
        case .oneOrMore(let element, _):
            add(element, siblings)
            isList = true
        case .named(let value, _, _): entry = value
        case .namedExcept(let own, _, let value, _): (others, entry) = (own, value)
        case .either(let one, let other):
            add(one, siblings)
            add(other, siblings)
        case .mapping(let mapping): mappings.append(mapping())
        case .longForm(let form):
            let isLong = form.marks.contains { siblings.contains($0) }
            if isLong || siblings.isEmpty { mappings.append(form.mapping()) }
            if !isLong { add(ValueShape.fields, siblings) }
            areFieldsAlone = !isLong && !siblings.isEmpty
        case .type(_, let words):
            meaning = .name(.type)
            self.words += words
        case .enumeration: isEnumeration = true
        case .text, .form, .integer, .literal, .definition, .anything: break
        }
    }
}
