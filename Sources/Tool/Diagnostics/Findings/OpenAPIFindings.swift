// Parts of an OpenAPI document that a contract cannot express. A loss is a warning, and `errand import` exits with
// status 1. A note does not mean a loss.
extension FindingKind {
    static let kindsOfOpenAPI: [FindingKind] = [
        .openAPIBodyLost, .openAPIBrokenReference, .openAPIConstraintLost, .openAPIDefaultLost, .openAPIEffectLost,
        .openAPIEndpointLost, .openAPIEnvelopeLifted, .openAPIErrorInSuccess, .openAPIErrorsUndeclared,
        .openAPIExampleContradicts, .openAPIExampleLost, .openAPIExportLost, .openAPIExtensionLost, .openAPIFeatureLost,
        .openAPIFormatUnknown, .openAPIKeywordUnknown, .openAPIMediaLost, .openAPIOverlayElsewhere,
        .openAPIOverlayInvalid, .openAPIOverlayUnmatched, .openAPIParameterLost,
        .openAPIRemoteReference, .openAPIResponseLost, .openAPISchemaLost, .openAPISecurityLost,
        .openAPISecurityUndeclared, .openAPIServerLost,
        .openAPIStyleLost, .openAPIUnionLost, .openAPIUnread, .openAPIUnreadable, .openAPIUnused,
        .openAPIUpdateConflict, .openAPIUpdateRemoved, .openAPIUpdateWithoutBase,
    ]

    package static let openAPIBodyLost = FindingKind(
        "openapi-body-lost", .warning, finds: "A request body that a contract cannot express.",
        why: "A contract has no body for a GET request. In every other request, a declared body is always sent.",
        .openAPI,
        wrong: "/a: {get: {requestBody: {content: {application/json: {}}}, responses: {400: {description: Bad}}}}",
        right: "/a: {post: {requestBody: {content: {application/json: {}}}, responses: {400: {description: Bad}}}}")

    package static let openAPIBrokenReference = FindingKind(
        "openapi-broken-reference", .warning,
        finds: "A `$ref` whose target does not exist, or that leads back to itself.",
        why: "The part that it refers to is missing in the contract.", .openAPI,
        wrong: "/a: {get: {responses: {200: {$ref: '#/components/responses/Missing'}, 400: {description: Bad}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 400: {description: Bad}}}}")

    package static let openAPIConstraintLost = FindingKind(
        "openapi-constraint-lost", .warning, finds: "A constraint that the contract language does not have.",
        why: "The client does not check it, so the app can send a value that the service refuses.", .openAPI,
        wrong: parameter("type: integer, multipleOf: 5"), right: parameter("type: integer, maximum: 5"),
        instead: "The constraints of a contract are `range`, `length`, `pattern` and `items`.")

    package static let openAPIDefaultLost = FindingKind(
        "openapi-default-lost", .warning, finds: "A default that its field cannot have.",
        why: "If the response has no value, the app gets none either, and has to know the default itself.", .openAPI,
        wrong: response("type: object, properties: {size: {type: integer, default: many}}"),
        right: response("type: object, properties: {size: {type: integer, default: 3}}"))

    package static let openAPIEffectLost = FindingKind(
        "openapi-effect-lost", .warning, finds: "An idempotency key that stays an ordinary field.",
        why: "The app has to create the key itself, and the client does not repeat a request whose response was lost.",
        .openAPI,
        wrong: """
            /a: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {idempotency_key: {type: integer}}}}}}, responses: {400: {description: Bad}}}}
            """,
        right: """
            /a: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {idempotency_key: {type: string}}}}}}, responses: {400: {description: Bad}}}}
            """,
        instead: "An idempotency key is a text in a header, or in a field of the operation's own body.")

    package static let openAPIEndpointLost = FindingKind(
        "openapi-endpoint-lost", .warning, finds: "An operation that is not in the contract.",
        why: "The contract language does not have the method, or the operation needs a part that was lost.",
        .openAPI,
        wrong: "/a: {trace: {responses: {200: {description: Fine}}}, get: {responses: {400: {description: Bad}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 400: {description: Bad}}}}")

    package static let openAPIEnvelopeLifted = FindingKind(
        "openapi-envelope-lifted", .note,
        finds: "A wrapped response with another value beside its payload.",
        why:
            "The wrapper becomes an envelope, so the app gets the payload without the other value. Every failure has code and message.",
        .lines,
        wrong:
            "properties: {code: {type: integer}, message: {type: string}, ts: {type: integer}, data: {$ref: '#/components/schemas/User'}}",
        instead: "If an app needs the value, declare the whole response as a type, and write `envelope: none`.")

    package static let openAPIErrorInSuccess = FindingKind(
        "openapi-error-in-success", .note,
        finds: "A successful response with a field for an error.",
        why: "Errand treats the response as a success, so the app has to check the field itself.", .openAPI,
        wrong:
            "/a: {get: {responses: {200: {description: Fine, content: {application/json: {schema: {type: object, properties: {error: {type: object, properties: {text: {type: string}}}}}}}}, 404: {description: None}}}}",
        instead: "If the field means that the request failed, give the contract an envelope with `error: error`.")

    package static let openAPIErrorsUndeclared = FindingKind(
        "openapi-errors-undeclared", .note, finds: "A document that describes no errors.",
        why:
            "Every service fails at times. Until you declare the service's own errors, the contract has one for each common HTTP status.",
        .openAPI, wrong: "/a: {get: {responses: {200: {description: Fine}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 404: {description: No such thing.}}}}")

    package static let openAPIExampleLost = FindingKind(
        "openapi-example-lost", .warning, finds: "An example that contradicts its own schema.",
        why: """
            Examples of a contract are checked, and people copy them. Either the example or the type is wrong, and the document does
            not say which of them.
            """, .lines,
        instead:
            "Find out which of both the service sends. If that is the example, change the type in the contract, and add the example."
    )

    package static let openAPIExampleContradicts = FindingKind(
        "openapi-example-contradicts", .note,
        finds: "An example that is no date, or no point in time, although its type is.",
        why: """
            Examples are often copied from what a service sends. If most examples of a value contradict its `format`, the contract
            has a type that reads them: another form of a timestamp, `dateOrTimestamp`, or a `string`.
            """, .openAPI,
        wrong: response("type: object, properties: {at: {type: string, format: date-time}}", example: "{at: '12:00'}"),
        right: response(
            "type: object, properties: {at: {type: string, format: date-time}}",
            example: "{at: '2026-11-21T08:00:00Z'}"),
        instead: "Look at a response of the service, and correct the type if it is another one.")

    package static let openAPIExtensionLost = FindingKind(
        "openapi-extension-lost", .note, finds: "An extension (`x-…`), which only some tools understand.",
        why: "Its content is missing in the contract. Each name is reported once.", .openAPI,
        wrong: "/a: {get: {x-owner: books, responses: {400: {description: Bad}}}}",
        right: "/a: {get: {tags: [books], responses: {400: {description: Bad}}}}")

    package static let openAPIFeatureLost = FindingKind(
        "openapi-feature-lost", .warning, finds: "A webhook, a callback or a link.",
        why: "A contract describes only requests that an app makes, each one separately.", .openAPI,
        wrong: """
            /a: {get: {callbacks: {done: {'{$request.query.url}': {}}}, responses: {400: {description: Bad}}}}
            """,
        right: "/a: {get: {responses: {400: {description: Bad}}}}")

    package static let openAPIFormatUnknown = FindingKind(
        "openapi-format-unknown", .note, finds: "A `format` that the contract language does not have.",
        why: "The client reads and sends the value as its `type`. Each format is reported once.", .openAPI,
        wrong: parameter("type: string, format: email"), right: parameter("type: string, format: uuid"))

    package static let openAPIKeywordUnknown = FindingKind(
        "openapi-keyword-unknown", .warning, finds: "A key that OpenAPI does not allow at this place.",
        why: "The key may be misspelled. Its content is missing in the contract.", .openAPI,
        wrong: "/a: {get: {sumary: All of them, responses: {400: {description: Bad}}}}",
        right: "/a: {get: {summary: All of them, responses: {400: {description: Bad}}}}")

    package static let openAPIMediaLost = FindingKind(
        "openapi-media-lost", .warning, finds: "A media type that the client cannot send or read.",
        why:
            "In a contract each body has one format: JSON, a form, or bytes. Other formats of the same content are a note.",
        .openAPI,
        wrong: """
            /a: {get: {responses: {200: {description: Fine, content: {application/json: {schema: {type: string}}, application/xml: {}}}, 400: {description: Bad}}}}
            """,
        right:
            "/a: {get: {responses: {200: {description: Fine, content: {application/json: {schema: {type: string}}}}, 400: {description: Bad}}}}"
    )

    package static let openAPIOverlayElsewhere = FindingKind(
        "openapi-overlay-elsewhere", .note, finds: "An overlay whose `extends` names another document.",
        why: "The overlay may not fit the document that it is applied to.", .lines, wrong: "extends: other.yaml",
        right: "extends: api.yaml")

    package static let openAPIOverlayInvalid = FindingKind(
        "openapi-overlay-invalid", finds: "An overlay that cannot be applied.",
        why: """
            Nothing is imported, because a contract without the changes of the overlay would describe another service. The import
            reads the part of JSONPath that published overlays use: names, indexes, wildcards, `..`, and filters with `==`, `!=`,
            `!`, `&&` and `||`.
            """, .lines, wrong: "  - {target: $.paths./users.get, remove: true}",
        right: "  - {target: \"$.paths['/users'].get\", remove: true}")

    package static let openAPIOverlayUnmatched = FindingKind(
        "openapi-overlay-unmatched", .warning, finds: "An action of an overlay whose `target` selects nothing.",
        why: "The action changes nothing. The document may have changed, or the target is misspelled.", .lines,
        wrong: "  - {target: \"$.paths['/user']\", remove: true}",
        right: "  - {target: \"$.paths['/users']\", remove: true}")

    package static let openAPIParameterLost = FindingKind(
        "openapi-parameter-lost", .warning, finds: "A parameter or a field of a form that is not in the contract.",
        why: "The app cannot send it.", .openAPI,
        wrong: """
            /a: {get: {parameters: [{name: s, in: cookie, schema: {type: object}}], responses: {400: {description: Bad}}}}
            """,
        right: parameter("type: string"))

    package static let openAPIRemoteReference = FindingKind(
        "openapi-remote-reference", .warning, finds: "A `$ref` to a URL on the network.",
        why: "An import reads only local files, so the same input always gives the same contract.", .openAPI,
        wrong: "/a: {get: {responses: {200: {$ref: 'https://example.com/a.yaml'}, 400: {description: Bad}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 400: {description: Bad}}}}",
        instead: "Save the file beside the document, and refer to it by a relative path.")

    package static let openAPIResponseLost = FindingKind(
        "openapi-response-lost", .warning, finds: "A response or a response header that the client does not read.",
        why: "The app cannot use it.", .openAPI,
        wrong: "/a: {get: {responses: {200: {description: Fine, headers: {X-Left: {}}}, 400: {description: Bad}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 400: {description: Bad}}}}")

    package static let openAPISchemaLost = FindingKind(
        "openapi-schema-lost", .warning, finds: "A keyword of JSON Schema that the contract language does not have.",
        why: "The type in the contract allows more values than the schema, or fewer.", .openAPI,
        wrong: parameter("type: string, not: {minLength: 3}"), right: parameter("type: string, maxLength: 2"))

    package static let openAPISecurityLost = FindingKind(
        "openapi-security-lost", .warning, finds: "A security scheme that the contract does not use.",
        why: """
            The scheme is of a kind that the client cannot send, such as a certificate, or no operation needs it. The client sends
            requests that need such a scheme without credentials.
            """,
        .lines,
        instead: "Send such requests through an interceptor, or describe them in a contract of their own.")

    package static let openAPISecurityUndeclared = FindingKind(
        "openapi-security-undeclared", .note,
        finds: "A document without a security scheme, whose operations refuse requests without credentials (401).",
        why:
            "The contract has no session, so the client sends no token, and no 401 asks for a login. Each of them is an ordinary error.",
        .openAPI, wrong: "/a: {get: {responses: {200: {description: Fine}, 401: {description: Who are you?}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 404: {description: No such thing.}}}}",
        instead: "Add `session` to the contract.")

    package static let openAPIServerLost = FindingKind(
        "openapi-server-lost", .warning, finds: "A server whose URL a contract cannot have.",
        why: "A relative URL is relative to the document's own address, which an app does not know.", .lines,
        wrong: "servers: [{url: /api}]", right: "servers: [{url: 'https://books.example/api'}]",
        instead: "Add the server to the contract.")

    package static let openAPIStyleLost = FindingKind(
        "openapi-style-lost", .warning, finds: "A parameter whose `style` a contract does not have.",
        why: "The client sends it in another style, or the app has to build the text itself.", .openAPI,
        wrong: """
            /a: {get: {parameters: [{name: s, in: query, allowReserved: true, schema: {type: string}}], responses: {400: {description: Bad}}}}
            """,
        right: """
            /a: {get: {parameters: [{name: s, in: query, schema: {type: string}}], responses: {400: {description: Bad}}}}
            """)

    package static let openAPIUnionLost = FindingKind(
        "openapi-union-lost", .warning,
        finds: "A value of several types that neither a key nor the kind of the value tells apart.",
        why: "The client reads it as plain JSON, and the app has to find out the type itself.", .openAPI,
        wrong: response(
            "anyOf: [{required: [a], properties: {a: {type: string}}}, {properties: {a: {type: integer}}}]"),
        right: response("anyOf: [{required: [a], properties: {a: {type: string}}}, {type: integer}]"),
        instead:
            "Add a `discriminator`, a `const` in each alternative, or a required key in each alternative that the others do not have."
    )

    package static let openAPIUnread = FindingKind(
        "openapi-unread", .warning, finds: "A key that the import does not read.",
        why: "The contract says nothing about its content. Each key of a kind of object is reported once.", .openAPI,
        wrong: """
            /a: {get: {responses: {200: {description: Fine, content: {application/json: {shema: {type: string}}}}, 400: {description: Bad}}}}
            """,
        right: """
            /a: {get: {responses: {200: {description: Fine, content: {application/json: {schema: {type: string}}}}, 400: {description: Bad}}}}
            """,
        instead: "Correct the key if it is misspelled. If an app needs its content, write it in the contract.")

    package static let openAPIUnused = FindingKind(
        "openapi-unused", .note, finds: "Components that no operation of the contract uses.",
        why: "A contract has only what its endpoints use.", .lines,
        instead: "Remove them from the document, or refer to them where they belong.")

    package static let openAPIUnreadable = FindingKind(
        "openapi-unreadable", finds: "A file that is not a document of OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0.",
        why: "Nothing in it can be imported.", .lines, wrong: "title: Books", right: "openapi: 3.1.0")

    private static func parameter(_ schema: String) -> String {
        "/a: {get: {parameters: [{name: s, in: query, schema: {\(schema)}}], responses: {400: {description: Bad}}}}"
    }

    private static func response(_ schema: String, example: String? = nil) -> String {
        let example = example.map { ", example: \($0)" } ?? ""
        return """
            /a: {get: {responses: {200: {description: Fine, content: {application/json: {schema: {\(schema)}\(example)}}}, 400: {description: Bad}}}}
            """
    }

    package static let openAPIExportLost = FindingKind(
        "openapi-export-lost", .warning, finds: "A connection, which OpenAPI cannot describe.",
        why: """
            The frames and events of a connection are under `x-errand-frames` and `x-errand-events` of the document that
            `errand export openapi` writes. Other tools do not read them.
            """, .lines,
        instead: "Describe it elsewhere for readers of the document.")

    package static let openAPIUpdateConflict = FindingKind(
        "openapi-update-conflict", .warning,
        finds: "A part that both the newer document and a person have changed.",
        why: "`errand import --update` keeps the person's text, so the contract differs from the newer document there.",
        .lines,
        instead: "Compare both, and write the correct text. The next update does not report it again.")

    package static let openAPIUpdateRemoved = FindingKind(
        "openapi-update-removed", .warning, finds: "An endpoint that the newer document no longer has.",
        why: "Code that calls the endpoint no longer compiles, and the service may already refuse the request.", .lines,
        instead: "Remove the calls. If the service still has the endpoint, add it to the contract again.")

    package static let openAPIUpdateWithoutBase = FindingKind(
        "openapi-update-without-base", finds: "An `errand import --update` without a record of the last import.",
        why: "Without the record, the tool cannot distinguish edits by people from changes of the document.", .lines,
        instead: "Commit the folder `.errand` beside the contract. Every import writes it.")
}
