import ContractModel
import YAMLTree

/// What the language says of a place in a contract: which keys a mapping there has, or which values may stand there.
///
/// The keys and what they mean are `LanguageKeys`'; here stands only what lies below which.
enum LanguagePlace: Equatable {
    case contract, servers, common, commonFields, commonField, session, signing, signingPlacement
    case envelopes, envelope, errors, error, condition, retry, outcomes, outcome
    case types, type, union, fields, field, defaults
    case endpoints, endpoint, body, response, data, confirm, paginate, examples, example
    /// Names that the contract chooses, with a type each.
    case typesByName
    case typeName, errorName, envelopeName, endpointName, path, contractPath
    case words([String])
    /// Whatever the author likes.
    case anything

    /// The place that keys lead to. A tree of an earlier text tells the long form of a mapping from its short one.
    init(_ keys: [String], in document: YAMLDocument?) {
        var place = LanguagePlace.contract
        var node = document?.root
        for key in keys {
            place = place.below(key, beside: node?.mapping?.keys ?? [key])
            node = node?.mapping?[key]
        }
        self = place
    }

    /// The keys of a mapping here, where they are the language's.
    var description: MappingDescription? {
        switch self {
        case .contract: LanguageKeys.contract
        case .common: LanguageKeys.common
        case .commonField: LanguageKeys.commonField
        case .session: LanguageKeys.session
        case .signing: LanguageKeys.signing
        case .signingPlacement: LanguageKeys.signingPlacement
        case .envelope: LanguageKeys.envelope
        case .error: LanguageKeys.error
        case .condition: LanguageKeys.condition
        case .retry: LanguageKeys.retry
        case .outcome: LanguageKeys.outcome
        case .type: LanguageKeys.type
        case .union: LanguageKeys.union
        case .field: LanguageKeys.field
        case .defaults: LanguageKeys.defaults
        case .endpoint: LanguageKeys.endpoint
        case .body: LanguageKeys.body
        case .response: LanguageKeys.response
        case .confirm: LanguageKeys.confirm
        case .paginate: LanguageKeys.paginate
        default: nil
        }
    }

    /// Whether a type may stand here as text.
    var takesType: Bool {
        switch self {
        case .typeName, .field, .commonField, .body, .response, .data: true
        default: false
        }
    }

    /// The words of the language that may stand here as text.
    var words: [String] {
        switch self {
        case .words(let words): words
        case .retry: ["never"]
        case .response: ["none", "bytes"]
        case .body: ["bytes"]
        case .envelopeName: ["none"]
        default: []
        }
    }

    /// Whether only a mapping or a list may stand here, so that its key ends its line.
    var isContainer: Bool {
        switch self {
        case .contract, .servers, .common, .commonFields, .session, .signing, .signingPlacement, .envelopes, .envelope, .errors, .error,
             .outcomes, .outcome, .types, .type, .union, .fields, .defaults, .endpoints, .endpoint, .confirm, .paginate, .examples, .example,
             .typesByName: true
        default: false
        }
    }

    // MARK: Downwards

    private func below(_ key: String, beside siblings: [String]) -> LanguagePlace {
        switch self {
        case .contract: Self.sections[key] ?? (key == "stability" ? .words(Stability.allCases.map(\.rawValue)) : .anything)
        case .common: .commonFields
        case .commonFields: .commonField
        case .envelopes: .envelope
        case .errors: .error
        case .types: .type
        case .endpoints: .endpoint
        case .outcomes: .outcome
        case .examples: .example
        case .fields: .field
        case .typesByName: .typeName
        case .type: belowType(key, beside: siblings)
        case .body where siblings.contains("encoding"): Self.inBody(key)
        case .response where siblings.contains("type") || siblings.contains("fields"): Self.inBody(key)
        // Without a key of the long form these are fields.
        case .body, .response, .data: .field
        default: Self.entries(of: self)[key] ?? .anything
        }
    }

    /// A type is a mapping of fields unless a key says that it is something else.
    private func belowType(_ key: String, beside siblings: [String]) -> LanguagePlace {
        guard ["enum", "union", "alias", "fields"].contains(where: siblings.contains) else { return .field }
        switch key {
        case "fields": return .fields
        case "union": return .union
        case "alias": return .typeName
        case "closed": return Self.flag
        default: return .anything
        }
    }

    private static func inBody(_ key: String) -> LanguagePlace {
        switch key {
        case "type": .typeName
        case "fields": .fields
        case "encoding": .words(BodyDefinition.Encoding.allCases.map(\.rawValue))
        case "skipInvalid", "single": flag
        default: .anything
        }
    }

    private static let flag = LanguagePlace.words(["true", "false"])

    private static let sections: [String: LanguagePlace] = [
        "imports": .contractPath, "servers": .servers, "common": .common, "session": .session, "signing": .signing,
        "envelopes": .envelopes, "errors": .errors, "types": .types, "defaults": .defaults, "endpoints": .endpoints,
    ]

    private static func entries(of place: LanguagePlace) -> [String: LanguagePlace] {
        switch place {
        case .session: ["login": .endpointName, "refresh": .endpointName, "logout": .endpointName, "from": .contractPath]
        case .signing: [
            "algorithm": .words(SigningDefinition.Algorithm.allCases.map(\.rawValue)), "over": .words(["sortedParameters"]),
            "skipEmpty": flag, "trim": flag, "encode": .words(["values"]), "into": .signingPlacement, "send": .words(["headers"]),
            "case": .words(SigningDefinition.LetterCase.allCases.map(\.rawValue)),
        ]
        case .error: [
            "category": .words(ErrorCategory.allCases.map(\.rawValue)), "when": .condition, "data": .data, "retry": .retry,
            "applied": .words(Applied.allCases.map(\.rawValue)), "renew": .words(["false"]),
        ]
        case .condition: ["transport": .words(TransportKind.allCases.map(\.rawValue))]
        case .outcome: ["when": .condition, "data": .data]
        case .union: ["cases": .typesByName]
        case .field, .commonField: [
            "type": .typeName, "sensitive": flag, "coerce": flag, "skipInvalid": flag, "single": flag, "nullable": .words(["distinct"]),
            "each": .words(CommonParameter.Generated.allCases.map(\.rawValue)),
        ]
        case .defaults: shared.merging(["naming": .words(WireNaming.allCases.filter { $0 != .asWritten }.map(\.rawValue))]) { $1 }
        case .endpoint: shared.merging(ofEndpoints) { $1 }
        case .confirm: ["endpoint": .endpointName]
        default: [:]
        }
    }

    /// What an endpoint says and the defaults say for all.
    private static let shared: [String: LanguagePlace] = [
        "envelope": .envelopeName, "session": .words(SessionNeed.allCases.map(\.rawValue)), "errors": .errorName, "retry": .retry,
        "priority": .words(Priority.allCases.map(\.rawValue)),
    ]

    private static let ofEndpoints: [String: LanguagePlace] = [
        "query": .fields, "headers": .fields, "body": .body, "response": .response, "effect": .words(Effect.allCases.map(\.rawValue)),
        "confirm": .confirm, "outcomes": .outcomes, "delivery": .words(Delivery.allCases.map(\.rawValue)), "durable": flag,
        "network": .words(NetworkNeed.allCases.map(\.rawValue)), "paginate": .paginate, "examples": .examples,
    ].merging(HTTPMethod.allCases.map { ($0.rawValue, .path) }) { $1 }
}
