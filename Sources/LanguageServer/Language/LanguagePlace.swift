import ContractModel
import YAMLTree

/// The language's rules for a place in a contract: the valid keys of a mapping there, and the valid texts.
///
/// It follows the shapes of `LanguageKeys` from the top of a contract. A shape does not say which texts are names of
/// definitions, since one file cannot determine that. This type does.
struct LanguagePlace {
    /// The kind of definition that a text names.
    enum Meaning: Equatable {
        case type, error, envelope, endpoint, role, group
        /// The path of a request, which may hold types of parameters.
        case target
        /// Names of credentials of the contract.
        case credentials
        /// The path of another contract.
        case contract
    }

    /// The valid mappings here. There are two while nothing distinguishes the long form from the short one.
    private(set) var mappings: [MappingDescription] = []
    /// The shape of the values, if the contract chooses the keys.
    private var entry: ValueShape?
    /// The language's words that are valid here.
    private(set) var words: [String] = []
    private(set) var meaning: Meaning?
    /// The kind of definition that the keys here introduce, or name in an example.
    private(set) var keyMeaning: NameKind?
    private var isList = false

    /// The place that keys lead to. A tree of an earlier text tells the long form of a mapping from its short one.
    init(_ keys: [String], in document: YAMLDocument?) {
        var node = document?.root
        self.init()
        mappings = [LanguageKeys.contract]
        for (depth, key) in keys.enumerated() {
            node = node?.mapping?[key]
            let siblings = node?.mapping?.keys ?? keys.dropFirst(depth + 1).prefix(1).map { $0 }
            self = below(key, siblings)
        }
        keyMeaning =
            switch (keys.count, keys.first) {
            case (1, "types"): .type
            case (1, "errors"): .error
            case (1, "envelopes"): .envelope
            case (1, "endpoints"): .endpoint
            case (1, "roles"), (2, "servers"): .role
            case (1, "servers"), (1, "trust"): .server
            case (1, "groups"): .group
            case (4, "endpoints") where keys[2] == "examples": .error
            default: nil
            }
    }

    private init() {}

    /// A key of the language here, with what it means.
    func key(_ name: String) -> MappingDescription.Key? {
        mappings.lazy.flatMap(\.keys).first { $0.name == name }
    }

    /// Whether only a mapping is valid here, so that its key ends its line.
    var isBlock: Bool { (!mappings.isEmpty || entry != nil) && words.isEmpty && meaning == nil && !isList }

    // MARK: Downwards

    private func below(_ key: String, _ siblings: [String]) -> LanguagePlace {
        var place = LanguagePlace()
        if let known = self.key(key) {
            place.add(known.shape, siblings)
            if case .text = Self.element(of: known.shape) { place.meaning = Self.meanings[key] }
            if place.meaning == .envelope { place.words = ["none"] }
        } else if let entry {
            place.add(entry, siblings)
        }
        return place
    }

    /// The keys whose text is a name. Each means the same in every mapping that has it.
    private static let meanings: [String: Meaning] = [
        "imports": .contract, "from": .contract, "errors": .error, "envelope": .envelope,
        "login": .endpoint, "refresh": .endpoint, "logout": .endpoint, "attach": .endpoint,
        "endpoint": .endpoint, "clears": .endpoint, "server": .role, "group": .group,
    ]

    private static func element(of shape: ValueShape) -> ValueShape {
        if case .oneOrMore(let element, _) = shape { return element }
        return shape
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
        case .namedExcept(_, _, let others, _): entry = others
        case .either(let one, let other):
            add(one, siblings)
            add(other, siblings)
        case .mapping(let mapping): mappings.append(mapping())
        case .longForm(let form):
            let isLong = form.marks.contains { siblings.contains($0) }
            if isLong || siblings.isEmpty { mappings.append(form.mapping()) }
            if !isLong { add(ValueShape.fields, siblings) }
        case .type(_, let words):
            meaning = .type
            self.words += words
        case .text, .form, .integer, .enumeration, .literal, .definition, .anything: break
        }
    }
}
