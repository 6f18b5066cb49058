/// Every mapping of the contract language with its keys. The file is long because it is a table.
package enum LanguageKeys {
    package static let contract = MappingDescription(
        "a contract",
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
            .optional("common", .a(.common), "parameters of every request"),
            .optional("session", .a(.session), "how requests authenticate, and how a client gets a token"),
            .optional("signing", .a(.signing), "how requests are signed"),
            .optional("rateLimit", .a(.rateLimit), "the header that says when the service's rate limit ends"),
            .optional("envelopes", .named(.a(.envelope), .envelopeName), "name → how responses wrap their payload"),
            .optional("errors", .a(.errors), "name → an error, with its condition and its category"),
            .optional("types", .named(.a(.typeDefinition), .typeName), "name → a type"),
            .optional("defaults", .a(.defaults), "settings of every endpoint without its own value"),
            .required("endpoints", .named(.a(.endpoint)), "name → a request and its response"),
        ])

    package static let common = MappingDescription(
        "`common`",
        [
            .optional(
                "query", .named(.either(.a(.fieldType), .a(.commonField))),
                "fields in the query of every request"),
            .optional(
                "headers", .named(.either(.a(.fieldType), .a(.commonField))),
                "fields in the headers of every request"),
            .optional(
                "parameters", .named(.either(.a(.fieldType), .a(.commonField))),
                "fields in the query of GET, HEAD and DELETE and in the body otherwise"),
        ])

    package static let error = MappingDescription(
        "an error",
        [
            .required(
                "category", .words(of: ErrorCategory.self),
                "how the client handles the error: `retryable`, `nonRetryable` or `requiresLogout`",
                missing: .errorWithoutCategory),
            .optional(
                "when", .oneOrMore(.a(.condition), atLeast: 1),
                "condition of the response, or a list of alternative conditions"),
            .optional("data", .a(.payload), "payload that comes with it"),
            .optional("message", .text, "text for the user"),
            .optional(
                "retry", .a(.retryValue), "how often and how fast it is retried: `{attempts, base, cap}` or `never`"),
            .optional(
                "applied", .words(of: Applied.self),
                "whether the server may have carried out the failed request: `never` or `maybe`"),
            .optional("renew", .flag, "`false`: a `requiresLogout` does not start a login"),
            .optional("doc", .text, "what it means"),
            .optional("deprecated", .text, "`true`, or what to use instead"),
            .optional("swift", .text, "another Swift name"),
        ],
        rules: [
            .where("category", ["retryable", "nonRetryable"], [.forbidden(["renew"])]).explained(
                conflict: "`renew` is only valid with `category: requiresLogout`",
                remove: "remove `renew`; other errors do not start a login")
        ])

    /// How often a command may be sent at all.
    static let mostAttempts = 1...100

    package static let condition = MappingDescription(
        "a condition",
        [
            .optional(
                "transport", .oneOrMore(.words(of: TransportKind.self), atLeast: 1),
                "failure of the transport: `offline`, `dns`, `refused`, `lost`, `timeout`, `tls`, `authentication`"),
            .optional(
                "status", .oneOrMore(.form(.status), atLeast: 1), "HTTP status: `503`, `[502, 503]` or `500..599`"),
            .optional(
                "code", .oneOrMore(.form(.code), atLeast: 1),
                "the envelope's code: `4010`, `[4010, 4012]` or `4010..4019`"),
            .optional("body", .named(.text, .path, atLeast: 1), "path → value that the body has there"),
        ],
        rules: [
            .atLeastOne(["transport", "status", "code", "body"]).explained(
                .emptyCondition, missing: "an empty condition would match every response",
                add: "name a `status`, a `code`, a `body` value or a `transport` failure"),
            .excludes("transport", ["status", "code", "body"]).explained(
                conflict: "if the transport failed, there is no response to check",
                remove: "write two conditions in a list: `[{transport: lost}, {status: 503}]`"),
        ])

    /// An outcome is a response of the server, so its conditions don't include failures of the transport.
    package static let outcomeCondition = MappingDescription(
        "a condition of an outcome", condition.keys.filter { $0.name != "transport" },
        rules: [
            .atLeastOne(["status", "code", "body"]).explained(
                .emptyCondition, missing: "an empty condition would match every response",
                add: "name a `status`, a `code` or a `body` value")
        ])

    package static let retry = MappingDescription(
        "`retry`",
        [
            .optional("attempts", .integer(mostAttempts), "how often at most it is sent, the first time included"),
            .optional("base", .form(.duration), "pause before the second attempt; it doubles from there"),
            .optional("cap", .form(.duration), "longest pause"),
        ])

    package static let outcome = MappingDescription(
        "an outcome",
        [
            .required(
                "when", .oneOrMore(.a(.outcomeCondition), atLeast: 1),
                "condition of the response, or a list of alternative conditions"),
            .optional("data", .a(.payload), "payload that comes with it"),
            .optional("doc", .text, "what it means"),
        ])

    package static let type = MappingDescription(
        "a type in its long form",
        [
            .optional("fields", .a(.fields), "name → field, if the type needs other keys beside its fields"),
            .optional("enum", .a(.enumeration), "list of values, or Swift name → wire value"),
            .optional("closed", .flag, "`true`: refuses an unknown value of the enum"),
            .optional(
                "union", .a(.union), "one of several types: `{by: KEY, cases: {VALUE: TYPE}}` or `{keys: {KEY: TYPE}}`"),
            .optional("alias", .a(.typeText), "another type, optionally with constraints"),
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
        "`union`",
        [
            .optional("by", .text, "wire key whose value determines the case"),
            .optional("cases", .named(.a(.typeText), atLeast: 1), "value of that key → type"),
            .optional("keys", .named(.a(.typeText), atLeast: 1), "wire key that only this case has → type"),
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
        "a field in its long form",
        [
            .optional("type", .a(.fieldType), "the field's type"),
            .optional("fields", .a(.fields), "name → field: a nested structure, which `type` refers to as `fields`"),
            .optional("wire", .text, "name on the wire"),
            .optional("default", .a(.defaultValue), "value if the field is absent"),
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
        "a common parameter",
        [
            .optional("const", .text, "fixed text that every request contains"),
            .optional(
                "each", .words(of: CommonParameter.Generated.self),
                "value that is created for each request: `timestamp` (in the format of `type`) or `uuid`"),
        ] + field.keys.filter { !readingKeys.contains($0.name) }.map { .optional($0.name, $0.shape, $0.meaning) },
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

    /// The keys that are only valid for a value in a response, for a structure, or for one kind of body.
    private static let readingKeys: Set<String> = [
        "fields", "coerce", "skipInvalid", "single", "nullable", "contentType",
    ]

    package static let timeout = MappingDescription(
        "`timeout`",
        [
            .required("any", .form(.duration), "bound of one attempt"),
            .required(
                "constrained", .form(.duration),
                "maximum time of one attempt on a metered network, or if the user saves data"),
        ])

    /// In bytes, from which a body is compressed.
    static let compressedSizes = 0...(1 << 30)

    package static let compression = MappingDescription(
        "`compression` in its long form",
        [
            .required(
                "encoding", .words(of: CompressionDefinition.Coding.self), "content coding of the body: `gzip`"),
            .optional(
                "minimumSize", .integer(compressedSizes),
                "size in bytes below which a body is not compressed: `1024` (default)"),
        ])

    package static let defaults = MappingDescription(
        "`defaults`",
        [
            .optional("envelope", .text, "envelope of the responses"),
            .optional(
                "timeout", .either(.form(.duration), .a(.timeout)),
                "maximum time of one attempt: `20s`, or `{any: 20s, constrained: 60s}`"),
            .optional("deadline", .form(.duration), "maximum time of all attempts and the pauses between them"),
            .optional(
                "patience", .form(.patience),
                "maximum time to wait for a person, a login or the network: `2m`, `0s` or `forever`"),
            .optional("session", .words(of: SessionNeed.self), "`required`, `optional` or `none`"),
            .optional("errors", .oneOrMore(.text), "errors that every endpoint can fail with"),
            .optional("retry", .a(.retryValue), "`{attempts, base, cap}` or `never`"),
            .optional("priority", .words(of: Priority.self), "`high`, `normal` or `low`"),
            .optional(
                "compression", .either(.words(of: CompressionDefinition.Word.self), .a(.compression)),
                "content coding of bodies: `gzip`, `none` (default), or `{encoding: gzip, minimumSize: 4096}`"),
            .optional(
                "naming", .words(of: WireNaming.self),
                "wire names of fields: `snake_case`, `camelCase`, `kebab-case` or `PascalCase`"),
        ])

    /// Every mapping, in the order of the language reference.
    package static let all: [MappingDescription] = [
        contract, common, commonField, session, identityClaim, signing, signingPlacement, rateLimit, envelope, error,
        condition,
        retry,
        outcome, type, union, field, defaults, timeout, compression, checksum, endpoint, effect, idempotencyKey, stream,
        body,
        response,
        confirm,
        paginate,
    ]
}
