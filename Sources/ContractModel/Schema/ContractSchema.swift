import Diagnostics

/// The contract language as a JSON Schema (draft 2020-12), made from the description that the decoder uses.
///
/// It says of one file what can be said without knowing names and other files; `errand lint` says the rest.
package enum ContractSchema {
    package static var value: ReportValue {
        var pairs: ShapeSchema.Pairs = [
            ("$schema", .text(ShapeSchema.dialect)), ("title", .text("Errand contract")),
            ("description", .text("The endpoints of a service, its types, and its errors.")),
        ]
        pairs += ShapeSchema.mapping(LanguageKeys.contract)
        var definitions: ShapeSchema.Pairs = [("text", ShapeSchema.scalar)]
        definitions += TextForm.allCases.map { ($0.rawValue, ShapeSchema.form($0)) }
        definitions += ValueShape.Part.allCases.map { ($0.rawValue, .object(definition(of: $0))) }
        return .object(pairs + [("$defs", .object(definitions))])
    }

    private static func definition(of part: ValueShape.Part) -> ShapeSchema.Pairs {
        switch part {
        case .common: ShapeSchema.mapping(LanguageKeys.common)
        case .session: ShapeSchema.mapping(LanguageKeys.session)
        case .identityClaim: ShapeSchema.mapping(LanguageKeys.identityClaim)
        case .signing: ShapeSchema.mapping(LanguageKeys.signing)
        case .signingPlacement: ShapeSchema.mapping(LanguageKeys.signingPlacement)
        case .rateLimit: ShapeSchema.mapping(LanguageKeys.rateLimit)
        case .envelope: ShapeSchema.mapping(LanguageKeys.envelope)
        case .error: ShapeSchema.mapping(LanguageKeys.error, alsoNeeding: ["when"])
        case .builtInError: ShapeSchema.mapping(LanguageKeys.error, without: ["when", "data"])
        case .condition: ShapeSchema.mapping(LanguageKeys.condition)
        case .outcomeCondition: ShapeSchema.mapping(LanguageKeys.outcomeCondition)
        case .retry: ShapeSchema.mapping(LanguageKeys.retry)
        case .outcome: ShapeSchema.mapping(LanguageKeys.outcome)
        case .type: ShapeSchema.mapping(LanguageKeys.type)
        case .union: ShapeSchema.mapping(LanguageKeys.union)
        case .field: ShapeSchema.mapping(LanguageKeys.field)
        case .commonField: ShapeSchema.mapping(LanguageKeys.commonField)
        case .defaults: ShapeSchema.mapping(LanguageKeys.defaults)
        case .timeout: ShapeSchema.mapping(LanguageKeys.timeout)
        case .compression: ShapeSchema.mapping(LanguageKeys.compression)
        case .checksum: ShapeSchema.mapping(LanguageKeys.checksum)
        case .endpoint: ShapeSchema.mapping(LanguageKeys.endpoint)
        case .effect: ShapeSchema.mapping(LanguageKeys.effect)
        case .idempotencyKey: ShapeSchema.mapping(LanguageKeys.idempotencyKey)
        case .effectValue:
            ShapeSchema.either(
                .object([("enum", ShapeSchema.texts(Effect.allCases.map(\.rawValue)))]), mapping: reference(.effect))
        case .stream: ShapeSchema.mapping(LanguageKeys.stream)
        case .deliveryValue:
            ShapeSchema.either(
                .object([("enum", ShapeSchema.texts(Delivery.allCases.map(\.rawValue)))]), mapping: reference(.stream))
        case .body: ShapeSchema.mapping(LanguageKeys.body)
        case .response: ShapeSchema.mapping(LanguageKeys.response)
        case .confirm: ShapeSchema.mapping(LanguageKeys.confirm)
        case .paginate: ShapeSchema.mapping(LanguageKeys.paginate)
        case .retryValue:
            ShapeSchema.either(.object([("enum", ShapeSchema.texts(["never"]))]), mapping: reference(.retry))
        case .errors: errors
        case .typeDefinition:
            choice(
                .object([("anyOf", ShapeSchema.presence(of: ["enum", "union", "alias", "fields"]))]), .type, .fields)
        case .typeText: typeText(TextForm.type, "a type: `string`, `User?`, `[User]`, `[string: User]`")
        case .fieldType: typeText(TextForm.typeWithDefault, "a type, with a default after `=`: `int = 1`")
        case .fields: [("description", .text("name → field"))] + named(.either(.a(.fieldType), .a(.field)))
        case .payload: ShapeSchema.either(reference(.typeText), mapping: reference(.fields))
        case .enumeration: enumeration
        case .defaultValue:
            [
                (
                    "anyOf",
                    .list([
                        ShapeSchema.shape(.text), .object([("type", .text("array")), ("maxItems", .number(0))]),
                        .object([("type", .text("object")), ("maxProperties", .number(0))]),
                    ])
                )
            ]
        case .bodyValue: ShapeSchema.either(reference(.typeText), mapping: .object(choice(isLongBody, .body, .fields)))
        case .responseValue:
            ShapeSchema.either(
                reference(.typeText),
                mapping: .object(choice(isLongResponse, .response, .fields) + [("patternProperties", noStatuses)]))
        }
    }

    // MARK: Parts that can be written in more than one way

    /// A built-in error keeps what recognizes it.
    private static var errors: ShapeSchema.Pairs {
        [
            ("type", .text("object")), ("propertyNames", .object([("minLength", .number(1))])),
            ("properties", .object(BuiltInError.allCases.map { ($0.rawValue, reference(.builtInError)) })),
            ("additionalProperties", reference(.error)),
        ]
    }

    private static func typeText(_ pattern: String, _ meaning: String) -> ShapeSchema.Pairs {
        let map: ReportValue = .object([
            ("type", .text("object")), ("properties", .object([("string", reference(.typeText))])),
            ("required", ShapeSchema.texts(["string"])), ("additionalProperties", .flag(false)),
        ])
        return [
            ("description", .text(meaning)), ("type", ShapeSchema.texts(["string", "array"])),
            ("pattern", .text(pattern)),
            ("minItems", .number(1)), ("maxItems", .number(1)),
            ("items", .object(ShapeSchema.either(reference(.typeText), mapping: map))),
        ]
    }

    /// A list of texts, or names with values that are all whole numbers or all texts. `true` and `null` are words here.
    private static var enumeration: ShapeSchema.Pairs {
        let word: ReportValue = .object([("type", ShapeSchema.texts(["string", "boolean", "null"]))])
        let number: ReportValue = .object([("type", .text("integer"))])
        let value: ReportValue = .object([
            (
                "anyOf",
                .list([
                    .object([("additionalProperties", number)]),
                    .object([("additionalProperties", .object([("type", ShapeSchema.texts(["string", "boolean"]))]))]),
                ])
            )
        ])
        return [
            ("if", .object([("type", .text("object"))])),
            (
                "then",
                .object([
                    ("minProperties", .number(1)), ("propertyNames", .object([("minLength", .number(1))])),
                    ("allOf", .list([value])),
                ])
            ),
            (
                "else",
                .object([
                    ("type", .text("array")), ("minItems", .number(1)), ("uniqueItems", .flag(true)), ("items", word),
                ])
            ),
        ]
    }

    /// Whether a body is the long form, and not a list of fields with a field `encoding`.
    private static var isLongBody: ReportValue {
        .object([
            ("required", ShapeSchema.texts(["encoding"])),
            (
                "anyOf",
                .list([
                    hasOnly(LanguageKeys.body),
                    .object([
                        (
                            "properties",
                            .object([("encoding", .object([("enum", ShapeSchema.texts(["form", "multipart"]))]))])
                        )
                    ]),
                ])
            ),
        ])
    }

    /// Whether a response is the long form, and not a list of fields with a field `type` or `fields`.
    private static var isLongResponse: ReportValue {
        .object([
            ("anyOf", ShapeSchema.presence(of: ["type", "fields"])), ("allOf", .list([hasOnly(LanguageKeys.response)])),
        ])
    }

    /// A response has no statuses: `{200: Item}` would be a structure with a field `200`.
    private static var noStatuses: ReportValue { .object([("^[1-5]([0-9][0-9]|XX)$", .flag(false))]) }

    private static func hasOnly(_ description: MappingDescription) -> ReportValue {
        .object([("propertyNames", .object([("enum", ShapeSchema.texts(description.names))]))])
    }

    private static func choice(_ test: ReportValue, _ one: ValueShape.Part, _ other: ValueShape.Part)
        -> ShapeSchema.Pairs
    {
        [("type", .text("object")), ("if", test), ("then", reference(one)), ("else", reference(other))]
    }

    private static func named(_ value: ValueShape) -> ShapeSchema.Pairs {
        guard case .object(let pairs) = ShapeSchema.shape(.named(value)) else { return [] }
        return pairs
    }

    private static func reference(_ part: ValueShape.Part) -> ReportValue { ShapeSchema.shape(.a(part)) }
}
