// What an OpenAPI document says that a contract cannot say. A loss is a warning, and `errand import` ends with 1; a note
// leaves the contract complete.
extension FindingKind {
    static let kindsOfOpenAPI: [FindingKind] = [
        .openAPIBodyLost, .openAPIBrokenReference, .openAPIConstraintLost, .openAPIDefaultLost, .openAPIEffectLost,
        .openAPIEndpointLost, .openAPIEnvelopeLifted, .openAPIErrorInSuccess, .openAPIErrorsUndeclared,
        .openAPIExampleLost, .openAPIExportLost, .openAPIExtensionLost, .openAPIFeatureLost,
        .openAPIFormatUnknown, .openAPIKeywordUnknown, .openAPIMediaLost, .openAPIParameterLost,
        .openAPIRemoteReference, .openAPIResponseLost, .openAPISchemaLost, .openAPISecurityLost, .openAPIServerLost,
        .openAPIStyleLost, .openAPIUnionLost, .openAPIUnreadable,
        .openAPIUpdateConflict, .openAPIUpdateRemoved, .openAPIUpdateWithoutBase,
    ]

    package static let openAPIBodyLost = FindingKind(
        "openapi-body-lost", .warning, finds: "A request body that a contract cannot send as the document says.",
        why: "A GET request has no body, and every other one always has the one that its contract declares.", .openAPI,
        wrong: "/a: {get: {requestBody: {content: {application/json: {}}}, responses: {400: {description: Bad}}}}",
        right: "/a: {post: {requestBody: {content: {application/json: {}}}, responses: {400: {description: Bad}}}}")

    package static let openAPIBrokenReference = FindingKind(
        "openapi-broken-reference", .warning, finds: "A `$ref` that leads nowhere, or back to itself.",
        why: "What it stands for is not in the contract.", .openAPI,
        wrong: "/a: {get: {responses: {200: {$ref: '#/components/responses/Missing'}, 400: {description: Bad}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 400: {description: Bad}}}}")

    package static let openAPIConstraintLost = FindingKind(
        "openapi-constraint-lost", .warning, finds: "A constraint of a schema that a contract does not have.",
        why: "The app can send what the service refuses.", .openAPI,
        wrong: parameter("type: integer, multipleOf: 5"), right: parameter("type: integer, maximum: 5"),
        instead: "The constraints of a contract are `range`, `length`, `pattern` and `items`.")

    package static let openAPIDefaultLost = FindingKind(
        "openapi-default-lost", .warning, finds: "A default that its field cannot have.",
        why: "Where the app says nothing, nothing is sent, and the service decides.", .openAPI,
        wrong: parameter("type: integer, default: many"), right: parameter("type: integer, default: 3"))

    package static let openAPIEffectLost = FindingKind(
        "openapi-effect-lost", .warning, finds: "An idempotency key that stays an ordinary field.",
        why: "The app makes the key itself, and a request whose response was lost is not sent again.", .openAPI,
        wrong: """
            /a: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {idempotency_key: {type: integer}}}}}}, responses: {400: {description: Bad}}}}
            """,
        right: """
            /a: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {idempotency_key: {type: string}}}}}}, responses: {400: {description: Bad}}}}
            """,
        instead: "A key is a text, in a header or in a field of the operation's own body.")

    package static let openAPIEndpointLost = FindingKind(
        "openapi-endpoint-lost", .warning, finds: "An operation that is not in the contract.",
        why: "A contract has no such method, or the operation cannot be called without something else that was lost.",
        .openAPI,
        wrong: "/a: {trace: {responses: {200: {description: Fine}}}, get: {responses: {400: {description: Bad}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 400: {description: Bad}}}}")

    package static let openAPIEnvelopeLifted = FindingKind(
        "openapi-envelope-lifted", .note,
        finds: "Responses that are wrapped have another value beside their payload.",
        why:
            "The wrapper became an envelope, so that the app gets the payload alone. Code and message are in every failure.",
        .lines,
        wrong:
            "properties: {code: {type: integer}, message: {type: string}, ts: {type: integer}, data: {$ref: '#/components/schemas/User'}}",
        instead: "Where an app needs the value, write the whole response as a type, and `envelope: none`.")

    package static let openAPIErrorInSuccess = FindingKind(
        "openapi-error-in-success", .note,
        finds: "A successful response has an error in it, and nothing says which.",
        why: "The app looks at it itself: to Errand the response is a success.", .openAPI,
        wrong:
            "/a: {get: {responses: {200: {description: Fine, content: {application/json: {schema: {type: object, properties: {error: {type: object, properties: {text: {type: string}}}}}}}}, 404: {description: None}}}}",
        instead: "Where it says that the request failed, give the contract an envelope with `error: error`.")

    package static let openAPIErrorsUndeclared = FindingKind(
        "openapi-errors-undeclared", .note, finds: "A document without a single error.",
        why: "Every service fails at times. The contract has the errors that HTTP has names for, until it has its own.",
        .openAPI, wrong: "/a: {get: {responses: {200: {description: Fine}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 404: {description: No such thing.}}}}")

    package static let openAPIExampleLost = FindingKind(
        "openapi-example-lost", .warning, finds: "An example that does not fit its own schema.",
        why: "Examples of a contract are checked, and people copy them.", .lines,
        instead: "Correct the example in the document.")

    package static let openAPIExtensionLost = FindingKind(
        "openapi-extension-lost", .note, finds: "An extension (`x-…`), which only its author's tools understand.",
        why: "What it says is not in the contract. It is counted once for each name.", .openAPI,
        wrong: "/a: {get: {x-owner: books, responses: {400: {description: Bad}}}}",
        right: "/a: {get: {tags: [books], responses: {400: {description: Bad}}}}")

    package static let openAPIFeatureLost = FindingKind(
        "openapi-feature-lost", .warning, finds: "A webhook, a callback or a link.",
        why: "A contract has the requests that an app makes, and each by itself.", .openAPI,
        wrong: """
            /a: {get: {callbacks: {done: {'{$request.query.url}': {}}}, responses: {400: {description: Bad}}}}
            """,
        right: "/a: {get: {responses: {400: {description: Bad}}}}")

    package static let openAPIFormatUnknown = FindingKind(
        "openapi-format-unknown", .note, finds: "A `format` that says nothing to a contract.",
        why: "The value is read and sent as what its `type` says. It is counted once for each format.", .openAPI,
        wrong: parameter("type: string, format: email"), right: parameter("type: string, format: uuid"))

    package static let openAPIKeywordUnknown = FindingKind(
        "openapi-keyword-unknown", .warning, finds: "A key that OpenAPI does not have at its place.",
        why: "It may be misspelt. What it means is not in the contract.", .openAPI,
        wrong: "/a: {get: {sumary: All of them, responses: {400: {description: Bad}}}}",
        right: "/a: {get: {summary: All of them, responses: {400: {description: Bad}}}}")

    package static let openAPIMediaLost = FindingKind(
        "openapi-media-lost", .warning, finds: "A media type that a contract does not send or read.",
        why: "A contract has one form of each body: JSON, a form, or bytes.", .openAPI,
        wrong: """
            /a: {get: {responses: {200: {description: Fine, content: {application/json: {}, application/xml: {}}}, 400: {description: Bad}}}}
            """,
        right:
            "/a: {get: {responses: {200: {description: Fine, content: {application/json: {}}}, 400: {description: Bad}}}}"
    )

    package static let openAPIParameterLost = FindingKind(
        "openapi-parameter-lost", .warning, finds: "A parameter or a field of a form that is not in the contract.",
        why: "The app cannot send it.", .openAPI,
        wrong: """
            /a: {get: {parameters: [{name: s, in: cookie, schema: {type: string}}], responses: {400: {description: Bad}}}}
            """,
        right: parameter("type: string"))

    package static let openAPIRemoteReference = FindingKind(
        "openapi-remote-reference", .warning, finds: "A `$ref` to a place in the network.",
        why: "An import reads files and fetches nothing, so that it is the same every time.", .openAPI,
        wrong: "/a: {get: {responses: {200: {$ref: 'https://example.com/a.yaml'}, 400: {description: Bad}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 400: {description: Bad}}}}",
        instead: "Save the file beside the document, and name it by a relative path.")

    package static let openAPIResponseLost = FindingKind(
        "openapi-response-lost", .warning, finds: "A response, or a header of one, that a contract does not read.",
        why: "The app does not get it.", .openAPI,
        wrong: "/a: {get: {responses: {200: {description: Fine, headers: {X-Left: {}}}, 400: {description: Bad}}}}",
        right: "/a: {get: {responses: {200: {description: Fine}, 400: {description: Bad}}}}")

    package static let openAPISchemaLost = FindingKind(
        "openapi-schema-lost", .warning, finds: "A keyword of JSON Schema that a contract has nothing for.",
        why: "The type in the contract takes more values than the schema, or fewer.", .openAPI,
        wrong: parameter("type: string, not: {minLength: 3}"), right: parameter("type: string, maxLength: 2"))

    package static let openAPISecurityLost = FindingKind(
        "openapi-security-lost", .warning, finds: "A way to prove who is asking that the contract does not use.",
        why: "A contract has one session. Requests that need another proof are sent without it.", .lines,
        instead: "Send such requests through an interceptor, or describe them in a contract of their own.")

    package static let openAPIServerLost = FindingKind(
        "openapi-server-lost", .warning, finds: "A server whose URL a contract cannot have.",
        why: "A relative URL says nothing to an app, which does not know where the document came from.", .lines,
        wrong: "servers: [{url: /api}]", right: "servers: [{url: 'https://books.example/api'}]",
        instead: "Add the server to the contract.")

    package static let openAPIStyleLost = FindingKind(
        "openapi-style-lost", .warning, finds: "A parameter whose `style` a contract does not have.",
        why: "It is sent in another way, or as one text that the app puts together.", .openAPI,
        wrong: """
            /a: {get: {parameters: [{name: s, in: query, explode: false, schema: {type: array, items: {type: string}}}], responses: {400: {description: Bad}}}}
            """,
        right: """
            /a: {get: {parameters: [{name: s, in: query, schema: {type: array, items: {type: string}}}], responses: {400: {description: Bad}}}}
            """)

    package static let openAPIUnionLost = FindingKind(
        "openapi-union-lost", .warning, finds: "A value of several kinds that nothing in it tells apart.",
        why: "It is read as any JSON, and the app looks at it itself.", .openAPI,
        wrong: response("oneOf: [{type: string}, {type: integer}]"), right: response("type: string"),
        instead:
            "A union has a key whose value tells the case, a `discriminator` or a `const` in each alternative, or in each alternative a required key that no other one has."
    )

    package static let openAPIUnreadable = FindingKind(
        "openapi-unreadable", finds: "A file that is no document of OpenAPI 3.0, 3.1 or Swagger 2.0.",
        why: "Nothing in it can be imported.", .lines, wrong: "title: Books", right: "openapi: 3.1.0")

    private static func parameter(_ schema: String) -> String {
        "/a: {get: {parameters: [{name: s, in: query, schema: {\(schema)}}], responses: {400: {description: Bad}}}}"
    }

    private static func response(_ schema: String) -> String {
        """
        /a: {get: {responses: {200: {description: Fine, content: {application/json: {schema: {\(schema)}}}}, 400: {description: Bad}}}}
        """
    }

    package static let openAPIExportLost = FindingKind(
        "openapi-export-lost", .warning, finds: "An endpoint that OpenAPI has no place for.",
        why: "It is not in the document that `errand export openapi` writes.", .lines,
        instead:
            "Describe it elsewhere for those who read the document. Of two endpoints with one method and one path, "
            + "OpenAPI has the first one.")

    package static let openAPIUpdateConflict = FindingKind(
        "openapi-update-conflict", .warning,
        finds: "`errand import --update` met something that both the document and people have changed.",
        why: "What people wrote stays, so the contract does not say what the newer document says there.", .lines,
        instead: "Compare both, and write what holds. The next update does not ask again.")

    package static let openAPIUpdateRemoved = FindingKind(
        "openapi-update-removed", .warning, finds: "An endpoint that the newer document no longer has.",
        why: "Code that calls it does not compile any more, and the service may refuse the call already.", .lines,
        instead: "Remove the calls. Write the endpoint into the contract again where the service still has it.")

    package static let openAPIUpdateWithoutBase = FindingKind(
        "openapi-update-without-base", finds: "`errand import --update` does not know what was imported last.",
        why: "Without it the tool cannot tell what people have edited from what the document has changed.", .lines,
        instead: "Commit the folder `.errand` beside the contract, which every import writes.")
}
