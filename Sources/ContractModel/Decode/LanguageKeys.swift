/// Every mapping of the contract language with its keys. The file is long because it is a table.
package enum LanguageKeys {
    package static let contract = MappingDescription(
        "contract", "a contract",
        [
            .required("errand", .words(["1"]), "version of the language: `1`"),
            .required("service", .form(.serviceName), "name of the service and of the Swift client"),
            .optional("version", .text, "version of the contract, as text"),
            .optional(
                "stability", .words(of: Stability.self),
                "which incompatible changes to expect: `draft`, `beta` or `stable` (default)"),
            .optional("doc", .text, "description of the service"),
            .optional(
                "imports", .oneOrMore(.text),
                "relative paths of contracts whose types, errors and envelopes are used here"),
            .optional(
                "servers", .named(.form(.serverURL)),
                "name → base URL; the first one is the default; `{port=8080}` is a variable with a default"),
            .optional("common", .mapping { common }, "parameters of every request"),
            .optional("session", .mapping { session }, "how requests authenticate, and how a client gets a token"),
            .optional("signing", .mapping { signing }, "how requests are signed"),
            .optional("rateLimit", .mapping { rateLimit }, "the header that says when the service's rate limit ends"),
            .optional(
                "envelopes", .named(.mapping { envelope }, .envelopeName), "name → how responses wrap their payload"),
            .optional("errors", .errors, "name → an error, with its condition and its category"),
            .optional("types", .named(.longForm(LongForm.type), .typeName), "name → a type"),
            .optional("defaults", .mapping { defaults }, "settings of every endpoint without its own value"),
            .required("endpoints", .named(.mapping { endpoint }), "name → a request and its response"),
        ])

    package static let common = MappingDescription(
        "common", "`common`",
        [
            .optional(
                "query", .named(.either(.type(hasDefault: true), .mapping { commonField })),
                "fields in the query of every request"),
            .optional(
                "headers", .named(.either(.type(hasDefault: true), .mapping { commonField })),
                "fields in the headers of every request"),
            .optional(
                "parameters", .named(.either(.type(hasDefault: true), .mapping { commonField })),
                "fields in the query of GET, HEAD and DELETE and in the body otherwise"),
        ])

    // The typed tables beside this file read and print these mappings.
    package static let defaults = SettingsKeys.defaults.description
    package static let endpoint = EndpointKeys.mapping.description
    package static let error = ErrorKeys.error.description
    package static let condition = ConditionKeys.condition.description
    package static let outcomeCondition = ConditionKeys.outcomeCondition.description
    package static let outcome = ErrorKeys.outcome.description
    package static let session = SessionKeys.mapping.description
    package static let identityClaim = SessionKeys.identityClaim.description
    package static let signing = SigningKeys.mapping.description
    package static let signingPlacement = SigningKeys.placement.description
    package static let envelope = ServiceKeys.envelope.description
    package static let rateLimit = ServiceKeys.rateLimit.description
    package static let timeout = PolicyKeys.timeout.description
    package static let retry = PolicyKeys.retry.description
    package static let compression = PolicyKeys.compression.description
    package static let checksum = PolicyKeys.checksum.description
    package static let effect = PolicyKeys.effect.description
    package static let idempotencyKey = PolicyKeys.idempotencyKey.description
    package static let stream = PolicyKeys.stream.description
    package static let confirm = PolicyKeys.confirm.description
    package static let paginate = PolicyKeys.paginate.description

    /// An error that isn't built in.
    package static let declaredError = error.derived("error", requiring: ["when"])
    /// A built-in error that the contract declares again. What recognizes it stays.
    package static let builtInError = error.derived("builtInError", without: ["when", "data"])

    package static let type = MappingDescription(
        "type", "a type in its long form",
        [
            .optional("fields", .fields, "name → field, if the type needs other keys beside its fields"),
            .optional("enum", .enumeration, "list of values, or Swift name → wire value"),
            .optional("closed", .flag, "`true`: refuses an unknown value of the enum"),
            .optional(
                "union", .mapping { union },
                "one of several types: `{by: KEY, cases: {VALUE: TYPE}}` or `{keys: {KEY: TYPE}}`"),
            .optional("alias", .type(), "another type, optionally with constraints"),
            .optional("range", .form(.numberBounds), "minimum and maximum: `1..500`, `0..`"),
            .optional("length", .form(.countBounds), "minimum and maximum number of characters: `8..64`"),
            .optional("pattern", .text, "regular expression for the whole text"),
            .optional("items", .form(.countBounds), "minimum and maximum number of elements"),
            .optional("format", .text, "format of a `timestamp`: `yyyy-MM-dd HH:mm:ss`"),
            .optional("zone", .form(.zone), "zone of a `format` without an offset: `UTC` (default) or `+08:00`"),
            .optional("doc", .text, "description of the type"),
            .optional("deprecated", .text, "`true`, or what to use instead"),
            .optional("swift", .text, "another Swift name"),
        ],
        rules: [
            .exactlyOne(["enum", "union", "alias", "fields"]).explained(
                remove: "a type is only one of a structure, an enum, a union and an alias"),
            .onlyWith("closed", "enum").explained(remove: "only an enum is open or closed"),
            zoneNeedsFormat,
        ]
            + ["range", "length", "pattern", "items", "format"].map {
                .onlyWith($0, "alias").explained(remove: "constraints belong to a field, or to a type with `alias`")
            })

    private static let zoneNeedsFormat = KeyRule.needs("zone", "format").explained(
        missing: "`zone` is only valid with `format`",
        add: "add a format, such as `format: yyyy-MM-dd HH:mm:ss`")

    package static let union = MappingDescription(
        "union", "`union`",
        [
            .optional("by", .text, "wire key whose value determines the case"),
            .optional("cases", .named(.type(), atLeast: 1), "value of that key → type"),
            .optional("keys", .named(.type(), atLeast: 1), "wire key that only this case has → type"),
        ],
        rules: [
            .exactlyOne(["by", "keys"]).explained(
                .unionWithoutDiscriminator, missing: "`union` needs `by`",
                add: "add the key whose value tells the case, or write `keys: {KEY: TYPE}`",
                remove:
                    "write `by` if the value of one key tells the cases apart, or `keys` if each case has its own key"),
            .exactlyOne(["keys", "cases"]).explained(
                missing: "`union` needs `cases`", add: "add `cases: {VALUE: TYPE}`",
                remove: "remove `cases`; `keys` lists the cases, each under a key that only this case has"),
        ])

    package static let field = MappingDescription(
        "field", "a field in its long form",
        [
            .optional("type", .type(hasDefault: true), "the field's type"),
            .optional("fields", .fields, "name → field: a nested structure, which `type` refers to as `fields`"),
            .optional("wire", .text, "name on the wire"),
            .optional("default", .literal, "value if the field is absent"),
            .optional("doc", .text, "description of the field"),
            .optional("deprecated", .text, "`true`, or what to use instead"),
            .optional("sensitive", .flag, "`true`: descriptions, logs, errors and traces do not show the value"),
            .optional("swift", .text, "another Swift name"),
            .optional("range", .form(.numberBounds), "minimum and maximum: `1..500`, `0..`"),
            .optional("length", .form(.countBounds), "minimum and maximum number of characters: `8..64`"),
            .optional("pattern", .text, "regular expression for the whole text"),
            .optional("items", .form(.countBounds), "minimum and maximum number of elements"),
            .optional("format", .text, "format of a `timestamp`: `yyyy-MM-dd HH:mm:ss`"),
            .optional("zone", .form(.zone), "zone of a `format` without an offset: `UTC` (default) or `+08:00`"),
            .optional(
                "coerce", .flag,
                "`true`: also reads a number as a string, a string as a number, 0 and 1 as a bool, and `\"\"` as nil"),
            .optional("skipInvalid", .flag, "`true`: an invalid element is skipped, and the rest of the list is kept"),
            .optional("single", .flag, "`true`: a single object counts as a list of one element"),
            .optional(
                "nullable", .words(of: Nullability.self),
                "`distinct`: the app can tell absent, null and a value apart; `required`: always present, nil as null"),
            .optional("contentType", .text, "media type of a multipart file"),
        ],
        rules: [
            .atLeastOne(["type", "fields"]).explained(
                missing: "a field in its long form needs `type`",
                add: "write `{type: string, …}`, or `{fields: {name: string}}` for a structure"),
            zoneNeedsFormat,
        ])

    private static let defaultWithoutEffect =
        "`default` has no effect with `const` or `each`, because the app does not pass the value"

    package static let commonField = MappingDescription(
        "commonField", "a common parameter",
        generatedKeys + field.keys.filter { !readingKeys.contains($0.name) }.map(optional),
        rules: [
            .atLeastOne(["type", "const", "each"]).explained(
                missing: "a common parameter needs `type`, `const` or `each`",
                add: "write `NAME: string`, `{const: text}` or `{each: uuid}`"),
            .atMostOne(["const", "each"]).explained(
                remove: "write only one of them; a value is either fixed or created for each request"),
            .excludes("const", ["default"]).explained(conflict: defaultWithoutEffect),
            .excludes("each", ["default"]).explained(conflict: defaultWithoutEffect),
            zoneNeedsFormat,
        ])

    private static func optional(_ key: MappingDescription.Key) -> MappingDescription.Key {
        .optional(key.name, key.shape, key.meaning)
    }

    private static let generatedKeys: [MappingDescription.Key] = [
        .optional("const", .text, "fixed text that every request contains"),
        .optional(
            "each", .words(of: CommonParameter.Generated.self),
            "value that is created for each request: `timestamp` (in the format of `type`) or `uuid`"),
    ]

    /// The keys that are only valid for a value in a response, for a structure, or for one kind of body.
    private static let readingKeys: Set<String> = [
        "fields", "coerce", "skipInvalid", "single", "nullable", "contentType",
    ]

    /// Every mapping with keys of its own, in the order in which a contract leads to them.
    package static let all: [MappingDescription] = {
        var subjects: Set<String> = [outcomeCondition.subject]
        return reachable.filter { subjects.insert($0.subject).inserted }.map { $0.name == error.name ? error : $0 }
    }()

    /// Every mapping that a contract leads to.
    static let reachable: [MappingDescription] = {
        var found: [MappingDescription] = [contract]
        var names: Set<String> = [contract.name]
        var position = 0
        while position < found.count {
            for mapping in found[position].keys.flatMap({ $0.shape.mappings }) where names.insert(mapping.name).inserted
            {
                found.append(mapping)
            }
            position += 1
        }
        return found
    }()
}
