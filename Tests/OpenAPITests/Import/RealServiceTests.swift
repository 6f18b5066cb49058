import Testing

@testable import Pipeline
@testable import ProjectTasks

/// What documents of well-known services have, each in the smallest form that shows it.
@Suite struct RealServiceTests {
    /// DigitalOcean: each operation, and the value of each `responses`, is a file.
    @Test func operationsStandInFilesOfTheirOwn() {
        let files = [
            "api.yaml": """
            openapi: 3.0.0
            info: {title: Sample, version: 1.0.0}
            paths:
              /droplets:
                get: {$ref: 'droplets/list.yml', summary: not this}
              /regions:
                $ref: 'regions/paths.yml'
            """,
            "droplets/list.yml": """
            operationId: droplets_list
            parameters: [{$ref: '../shared.yml#/tag'}]
            responses:
              '200': {$ref: 'all.yml'}
              '404': {$ref: '../shared.yml#/notFound'}
            """,
            "droplets/all.yml": """
            description: All
            content: {application/json: {schema: {type: object, properties: {droplets: {type: array, items: {$ref: '../regions/droplet.yml'}}}}}}
            """,
            "regions/paths.yml": "get: {$ref: 'list.yml'}",
            "regions/list.yml": "operationId: regions_list\nresponses: {$ref: '../shared.yml#/usual'}",
            "regions/droplet.yml": "type: object\nproperties: {id: {type: integer}}",
            "shared.yml": """
            tag: {name: tag_name, in: query, schema: {type: string}}
            notFound: {description: None}
            usual: {'204': {description: Done}, '404': {$ref: '#/notFound'}}
            """,
        ]
        let document = ImportedDocument(files: files)
        #expect(document.problems == [])
        #expect(
            document.findings == [
                "openapi-keyword-unknown: `summary` has no effect beside the `$ref` of an operation"
            ])
        #expect(document.block("dropletsList:").contains("droplets: \"[Droplet]?\""))
        #expect(document.block("dropletsList:").contains("tagName: {type: string?, wire: tag_name}"))
        #expect(document.block("regionsList:").contains("response: none"))
        #expect(document.contract.contains("errors: [notFound]"))
    }

    /// Slack: a success is a 200, and so is a failure, which `default` describes.
    @Test func aFlagTellsASuccessFromAFailure() {
        let failure = { (codes: String) in
            "default: {description: No, content: {application/json: {schema: {type: object, required: [ok, error], "
                + "properties: {ok: {type: boolean, enum: [false]}, error: {type: string\(codes)}, needed: {type: string}}}}}}"
        }
        let success =
            "200: {description: Yes, content: {application/json: {schema: {type: object, required: [ok], "
            + "properties: {ok: {type: boolean, enum: [true]}, channel: {type: string}}}}}}"
        let document = ImportedDocument(
            paths: """
                /a: {post: {operationId: open, responses: {\(success), \(failure(", enum: [no_channel, rate_limited]"))}}}
                /b: {post: {operationId: close, responses: {\(success), \(failure(", enum: [no_channel]"))}}}
                /c: {post: {operationId: test, responses: {\(success), \(failure(""))}}}
                """)
        #expect(document.problems == [])
        #expect(document.block("standard:") == "standard:\n  error: error\n  code: error")
        #expect(document.block("noChannel:").contains("when: {code: no_channel}"))
        // A POST that is refused in a success may have been carried out.
        #expect(document.block("rateLimited:").contains("category: nonRetryable"))
        #expect(document.block("rateLimited:").contains("applied: maybe"))
        #expect(document.block("open:").contains("errors: [noChannel, rateLimited]"))
        #expect(!document.contract.contains("requestFailed"))
        #expect(
            document.findings == [
                "openapi-response-lost: the client does not read the member `needed` of failures (3 times)"
            ])
    }

    /// Without a constant in both, nothing says that a 200 can be a failure.
    @Test func aFlagOfOneSideTellsNothing() {
        let document = ImportedDocument(
            paths: """
                /a: {get: {operationId: get, responses: {200: {description: Yes, content: {application/json: {schema: {type: object, properties: {ok: {type: boolean}}}}}}, default: {description: No, content: {application/json: {schema: {type: object, properties: {ok: {type: boolean, enum: [false]}, error: {type: string}}}}}}}}}
                """)
        #expect(!document.contract.contains("envelopes"))
        #expect(document.contract.contains("requestFailed"))
    }

    /// GitHub: reactions are counted under `+1` and `-1`.
    @Test func signedNumbersHaveTheirSignAsAWord() {
        let document = ImportedDocument(
            schemas: """
                Rollup: {type: object, properties: {'+1': {type: integer}, '-1': {type: integer}}}
                Content: {type: object, properties: {content: {type: string, enum: ['+1', '-1', heart]}}}
                """)
        #expect(document.problems == [])
        #expect(document.block("Rollup:").contains("plus1: {type: int?, wire: +1}"))
        #expect(document.block("Rollup:").contains("minus1: {type: int?, wire: -1}"))
        #expect(document.contract.contains("enum: {plus1: \"+1\", minus1: \"-1\", heart: heart}"))
    }

    /// GitHub: the same status with a body at one operation and without at another.
    @Test func aFailureWithoutABodyIsTheOneThatHasOne() {
        let error = "content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}"
        let document = ImportedDocument(
            paths: """
                /a: {get: {operationId: a, responses: {204: {description: Yes}, 404: {description: None, \(error)}}}}
                /b: {get: {operationId: b, responses: {204: {description: Yes}, 404: {description: None}}}}
                /c: {get: {operationId: c, responses: {204: {description: Yes}, 404: {description: None, content: {application/json: {schema: {type: object, properties: {}, additionalProperties: false}}}}}}}
                """, components: "schemas: {Problem: {type: object, properties: {message: {type: string}}}}")
        #expect(document.problems == [])
        #expect(document.findings == [])
        #expect(document.contract.contains("errors: [notFound]"))
        #expect(document.block("notFound:").contains("data: Problem"))
        #expect(document.result.errorCount == 1)
    }

    /// Kubernetes: names begin with packages, and texts may be numbers.
    @Test func packagesInFrontOfNamesGo() {
        let document = ImportedDocument(
            schemas: """
                io.k8s.api.core.v1.Pod: {type: object, properties: {port: {type: string, format: int-or-string}, name: {type: string, uniqueItems: true}}}
                io.k8s.api.core.v1.Event: {type: object, properties: {a: {type: string}}}
                io.k8s.api.events.v1.Event: {type: object, properties: {b: {type: string}}}
                com.example.pkg.v1: {type: object, properties: {c: {type: string}}}
                """)
        #expect(document.problems == [])
        for name in ["Pod", "CoreV1Event", "EventsV1Event", "PkgV1"] { #expect(!document.block("\(name):").isEmpty) }
        #expect(document.block("Pod:").contains("port: json?"))
        #expect(
            document.findings == [
                "openapi-union-lost: a value of the format `int-or-string` is a number or a text, so the type is `json`"
            ])
    }

    /// DigitalOcean: one droplet by its `name`, or several by their `names`.
    @Test func alternativesThatNothingTellsApartAreOneStructure() {
        let document = ImportedDocument(
            schemas: """
                Base: {type: object, required: [size], properties: {size: {type: string}}}
                Body:
                  oneOf:
                    - {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, required: [name], properties: {name: {type: string}}}]}
                    - {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, required: [names], properties: {names: {type: array, items: {type: string}}}}]}
                Either:
                  anyOf:
                    - {type: object, properties: {size: {type: string}, a: {type: string}}}
                    - {type: object, required: [b], properties: {size: {type: string}, b: {type: string}}}
                Beside:
                  type: object
                  properties: {a: {type: string}}
                  anyOf: [{required: [a], properties: {a: {type: string}}}, {required: [b]}]
                Apart:
                  oneOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {a: {type: integer}}}]
                """)
        #expect(document.problems == [])
        #expect(document.block("Body:") == "Body:\n  union:\n    keys:\n      name: BodyName\n      names: BodyNames")
        #expect(document.block("BodyNames:") == "BodyNames:\n  size: string\n  names: [string]")
        #expect(document.block("Either:") == "Either:\n  size: string?\n  a: string?\n  b: string?")
        #expect(document.block("Beside:") == "Beside:\n  a: string?")
        #expect(document.block("getApart:").contains("response: json"))
        #expect(document.findings.filter { $0.hasPrefix("openapi-union-lost") }.count == 2)
        #expect(document.findings.filter { $0.hasPrefix("openapi-constraint-lost") }.count == 1)
    }

    /// Documents may have YAML's merge keys, whose own keys win.
    @Test func mergeKeysAreMerged() {
        let document = ImportedDocument(
            files: [
                "api.yaml": """
                openapi: 3.0.0
                info: {title: Sample, version: 1.0.0}
                x-base: &base {description: Fine, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}
                x-more: &more {<<: *base, description: More}
                paths:
                  /a: {get: {operationId: a, responses: {200: {<<: [*more, *base]}, 404: {<<: *base, description: None}}}}
                """
            ])
        #expect(document.problems == [])
        #expect(document.findings.allSatisfy { $0.hasPrefix("openapi-extension-lost") })
        #expect(document.block("a:").contains("a: string?"))
        #expect(document.block("notFound:").contains("doc: None"))
    }

    /// Google: a name of several segments, whose slashes stay.
    @Test func slashesOfAPathParameterAreSaid() {
        let document = ImportedDocument(
            paths:
                "/v1/{+name}: {get: {operationId: get, parameters: [{name: +name, in: path, required: true, schema: {type: string}}], responses: {204: {description: Yes}, 404: {description: None}}}}"
        )
        #expect(document.problems == [])
        #expect(
            document.findings == [
                "openapi-style-lost: the client percent-encodes the slashes in `+name`, but the document's path contains plain slashes"
            ])
    }

    /// OpenAI: the data of each event is one element, and `[DONE]` is the end.
    @Test func eventsAndLinesAreStreams() {
        let schema = "schema: {$ref: '#/components/schemas/Chunk'}"
        let document = ImportedDocument(
            paths: """
                /a: {get: {operationId: watch, responses: {200: {description: 'Ends with data: [DONE]', content: {text/event-stream: {\(schema)}}}}}}
                /b: {get: {operationId: follow, responses: {200: {description: Yes, content: {application/x-ndjson: {\(schema)}}}}}}
                /c: {get: {operationId: list, responses: {200: {description: Yes, content: {application/jsonl: {itemS\(schema.dropFirst())}}}}}}
                /d: {get: {operationId: raw, responses: {200: {description: Yes, content: {text/event-stream: {schema: {type: string}}}}}}}
                """, components: "schemas: {Chunk: {type: object, properties: {text: {type: string}}}}",
            version: "3.2.0")
        #expect(document.problems == [])
        #expect(document.block("watch:").contains("response: Chunk\n  delivery: {stream: events, end: \"[DONE]\"}"))
        #expect(document.block("follow:").contains("delivery: {stream: lines}"))
        #expect(document.block("list:").contains("delivery: {stream: lines}"))
        #expect(document.block("raw:").contains("response: bytes"))
        #expect(document.result.reviews.contains { $0.subject == "endpoints/watch" })
        #expect(!document.result.reviews.contains { $0.subject == "endpoints/list" })
    }

    /// Azure: every operation takes the version; Notion: every one requires a header.
    @Test func whatAllOperationsSendIsCommon() {
        let parameters = """
            {name: api-version, in: query, required: true, schema: {type: string, enum: ['2023-03-01']}}, \
            {name: X-Account, in: header, required: true, schema: {type: string}}, \
            {name: q, in: query, required: true, schema: {type: string}}, \
            {name: X-Trace, in: header, schema: {type: string}}
            """
        let paths = ["a", "b", "c"].map {
            "/\($0): {get: {operationId: \($0)\($0), parameters: [\(parameters)], responses: {204: {description: Yes}, 404: {description: None}}}}"
        }
        let document = ImportedDocument(paths: paths.joined(separator: "\n"))
        #expect(document.problems == [])
        #expect(document.findings == [])
        #expect(
            document.block("common:")
                == "common:\n  query:\n    apiVersion: {wire: api-version, const: 2023-03-01}\n  headers:\n    xAccount: {type: string, wire: X-Account}"
        )
        #expect(document.block("aa:").contains("q: string"))
        #expect(document.block("aa:").contains("X-Trace"))
        #expect(!document.block("aa:").contains("apiVersion"))
        let two = ImportedDocument(paths: paths.dropLast().joined(separator: "\n"))
        #expect(two.block("aa:").contains("xAccount"))
    }

    /// A user by name or by number, in a path.
    @Test func textsAndNumbersTravelAsTexts() {
        let both = "schema: {oneOf: [{type: string}, {type: integer}]}"
        let document = ImportedDocument(
            paths:
                "/a/{id}: {get: {operationId: get, parameters: [{name: id, in: path, required: true, \(both)}, {name: q, in: query, schema: {type: [string, integer, 'null']}}], responses: {204: {description: Yes}, 404: {description: None}}}}"
        )
        #expect(document.problems == [])
        #expect(document.block("get:").contains("get: /a/{id}"))
        #expect(document.block("get:").contains("q: string?"))
        #expect(
            Set(document.findings) == [
                "openapi-constraint-lost: the value has several types (integer, string) and is sent as text, so it is a `string`"
            ])
    }

    /// Kubernetes: a patch has a media type of its own.
    @Test func jsonOfAnotherMediaTypeIsSent() {
        let document = ImportedDocument(
            paths:
                "/a: {patch: {operationId: change, requestBody: {content: {application/merge-patch+json: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: {204: {description: Yes}, 404: {description: None}}}}"
        )
        #expect(document.problems == [])
        #expect(document.findings == [])
        #expect(document.contract.contains("contentType: application/merge-patch+json"))
    }

    /// Adyen: several values of a constant mean one alternative.
    @Test func severalConstantsTellAnAlternative() {
        let document = ImportedDocument(
            schemas: """
                Method: {oneOf: [{$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Bank'}]}
                Card: {type: object, required: [type], properties: {type: {type: string, enum: [scheme, gift]}, number: {type: string}}}
                Bank: {type: object, required: [type], properties: {type: {type: string, enum: [ach]}, account: {type: string}}}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("Method:")
                == "Method:\n  union:\n    by: type\n    cases:\n      scheme: Card\n      gift: Card\n      ach: Bank")
        #expect(!document.findings.contains { $0.hasPrefix("openapi-union-lost") })
    }

    /// Vercel, Okta: alternatives without a discriminator, each with a key of its own.
    @Test func aKeyOfItsOwnTellsAnAlternative() {
        let document = ImportedDocument(
            schemas: """
                Method: {anyOf: [{$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Bank'}, {type: object, required: [id, wallet], properties: {id: {type: string}, wallet: {type: object, properties: {name: {type: string}}}}}]}
                Card: {type: object, required: [id, number], properties: {id: {type: string}, number: {type: string}}}
                Bank: {type: object, required: [id, kind, iban], properties: {id: {type: string}, kind: {type: string, enum: [bank]}, iban: {type: string}}}
                Unclear: {oneOf: [{$ref: '#/components/schemas/Card'}, {type: object, required: [id], properties: {id: {type: integer}}}]}
                Nullable: {oneOf: [{type: object, required: [a], properties: {a: {type: [string, 'null']}, c: {type: string}}}, {type: object, required: [b], properties: {b: {type: string}, c: {type: integer}}}]}
                Ring: {oneOf: [{type: object, required: [a], properties: {a: {$ref: '#/components/schemas/Ring'}}}, {type: object, required: [b], properties: {b: {type: string}}}]}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("Method:")
                == "Method:\n  union:\n    keys:\n      number: Card\n      iban: Bank\n      wallet: MethodWallet")
        #expect(document.block("Ring:") == "Ring:\n  union:\n    keys:\n      a: RingA\n      b: RingB")
        #expect(document.block("getUnclear:").contains("response: json"))
        #expect(document.block("getNullable:").contains("response: json"))
        #expect(document.findings.count { $0.hasPrefix("openapi-union-lost") } == 2, "\(document.findings)")
        let swift = document.generated.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        #expect(swift.contains("case unrecognized(JSONValue)"))
    }

    /// Plaid: the fields that the linter would report are marked.
    @Test func secretsAreMarkedByTheirNames() throws {
        let document = ImportedDocument(
            paths: """
                /a/{token}:
                  post:
                    operationId: exchange
                    parameters: [{name: token, in: path, required: true, schema: {type: string}}, {name: X-API-Key, in: header, schema: {type: string}}]
                    requestBody: {content: {application/json: {schema: {type: object, required: [client_secret, secret], properties: {client_secret: {$ref: '#/components/schemas/Secret'}, secret: {type: boolean}, customMirror: {type: string}}}}}}
                    responses: {200: {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/Grant'}}}}, 404: {description: None}}
                """,
            components: """
                schemas:
                  Secret: {type: string, minLength: 3}
                  Grant: {type: object, required: [access_token], properties: {access_token: {type: string}, custom_mirror: {type: string}, IBAN: {type: [string, 'null']}, card-number: {type: integer}, phone: {type: array, items: {type: string}}, user_id: {type: string}}}
                """)
        #expect(document.problems == [])
        #expect(document.result.sensitiveCount == 5)
        let grant = document.block("Grant:")
        for field in [
            "accessToken: {type: string, wire: access_token, sensitive: true", "cardNumber: {type: int?,", "IBAN",
        ] {
            #expect(grant.contains(field), "\(grant)")
        }
        #expect(grant.split(separator: "\n").count { $0.contains("sensitive: true") } == 3, "\(grant)")
        #expect(document.block("exchange:").split(separator: "\n").count { $0.contains("sensitive: true") } == 2)
        let analysis = ContractAnalyzer(provider: Texts(texts: ["a.contract.yaml": document.contract])).analyze(
            "a.contract.yaml")
        let secrets = analysis.findings.filter { ["plain-password", "unmarked-personal-data"].contains($0.rule) }
        #expect(secrets.map(\.message) == [])
    }
}
