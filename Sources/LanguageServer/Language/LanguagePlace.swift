import ContractModel
import YAMLTree

/// What the language says of a place in a contract: which keys a mapping there has, and which texts may stand there.
///
/// It follows the shapes of `LanguageKeys` from the top of a contract. What a shape does not say, since one file cannot
/// tell, is which texts are names of something; that is here.
struct LanguagePlace {
    /// What a text is the name of.
    enum Meaning: Equatable {
        case type, error, envelope, endpoint
        /// The path of a request, which may hold types of parameters.
        case target
        /// The path of another contract.
        case contract
    }

    /// The mappings that may stand here; two where nothing tells the long form from the short one yet.
    private(set) var mappings: [MappingDescription] = []
    /// What is below the names that the contract chooses, where it chooses the keys.
    private var entry: ValueShape?
    /// The words of the language that may stand here.
    private(set) var words: [String] = []
    private(set) var meaning: Meaning?
    /// What the keys here define, or in an example mean.
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

    /// Whether only a mapping may stand here, so that its key ends its line.
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
