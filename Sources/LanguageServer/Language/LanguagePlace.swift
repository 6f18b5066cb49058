import ContractModel
import YAMLTree

/// The language's rules for a place in a contract: the valid keys of a mapping there, and the valid texts.
///
/// It follows the shapes of `LanguageKeys` from the top of a contract. A shape does not say which texts are names of
/// definitions, since one file cannot determine that. This type does.
struct LanguagePlace {
    /// The kind of definition that a text names.
    enum Meaning: Equatable {
        case type, error, envelope, endpoint
        /// The path of a request, which may hold types of parameters.
        case target
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
        "login": .endpoint, "refresh": .endpoint, "logout": .endpoint, "endpoint": .endpoint,
    ]

    private static func element(of shape: ValueShape) -> ValueShape {
        if case .oneOrMore(let element, _) = shape { return element }
        return shape
    }

    // MARK: Shapes

    private mutating func add(_ shape: ValueShape, _ siblings: [String]) {
        switch shape {
        case .words(let words): self.words = words
        case .flag: words = ["true", "false"]
        case .form(.target): meaning = .target
        case .oneOrMore(let element, _):
            add(element, siblings)
            isList = true
        case .named(let value, _, _): entry = value
        case .either(let one, let other):
            add(one, siblings)
            add(other, siblings)
        case .a(let part): add(part, siblings)
        case .text, .form, .integer, .definition, .anything: break
        }
    }

    private mutating func add(_ part: ValueShape.Part, _ siblings: [String]) {
        switch part {
        case .typeText, .fieldType: meaning = .type
        case .fields: entry = .either(.a(.fieldType), .a(.field))
        case .errors: entry = .a(.error)
        case .retryValue:
            mappings = [LanguageKeys.retry]
            words = ["never"]
        case .effectValue:
            mappings = [LanguageKeys.effect]
            words = Effect.allCases.map(\.rawValue)
        case .typeDefinition: addFields(or: LanguageKeys.type, where: ["enum", "union", "alias", "fields"], siblings)
        case .payload:
            meaning = .type
            add(.fields, siblings)
        case .bodyValue:
            meaning = .type
            words = ["bytes"]
            addFields(or: LanguageKeys.body, where: ["encoding"], siblings)
        case .responseValue:
            meaning = .type
            words = ["none", "bytes"]
            addFields(or: LanguageKeys.response, where: ["type", "fields"], siblings)
        default: mappings = Self.mapping(of: part).map { [$0] } ?? []
        }
    }

    /// Fields alone, or a long form, which has one of the marks.
    private mutating func addFields(or long: MappingDescription, where marks: [String], _ siblings: [String]) {
        let isLong = marks.contains { siblings.contains($0) }
        if isLong || siblings.isEmpty { mappings = [long] }
        if !isLong { add(.fields, siblings) }
    }

    private static func mapping(of part: ValueShape.Part) -> MappingDescription? {
        switch part {
        case .common: LanguageKeys.common
        case .session: LanguageKeys.session
        case .identityClaim: LanguageKeys.identityClaim
        case .signing: LanguageKeys.signing
        case .signingPlacement: LanguageKeys.signingPlacement
        case .rateLimit: LanguageKeys.rateLimit
        case .envelope: LanguageKeys.envelope
        case .error, .builtInError: LanguageKeys.error
        case .condition: LanguageKeys.condition
        case .outcomeCondition: LanguageKeys.outcomeCondition
        case .retry: LanguageKeys.retry
        case .outcome: LanguageKeys.outcome
        case .type: LanguageKeys.type
        case .union: LanguageKeys.union
        case .field: LanguageKeys.field
        case .commonField: LanguageKeys.commonField
        case .defaults: LanguageKeys.defaults
        case .timeout: LanguageKeys.timeout
        case .compression: LanguageKeys.compression
        case .checksum: LanguageKeys.checksum
        case .endpoint: LanguageKeys.endpoint
        case .effect: LanguageKeys.effect
        case .idempotencyKey: LanguageKeys.idempotencyKey
        case .stream: LanguageKeys.stream
        case .body: LanguageKeys.body
        case .response: LanguageKeys.response
        case .confirm: LanguageKeys.confirm
        case .paginate: LanguageKeys.paginate
        default: nil
        }
    }
}
