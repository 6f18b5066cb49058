import Testing

@testable import OpenAPI
@testable import SwiftEmitter

/// What documents of large services and of frameworks contained that the import did not expect.
@Suite struct HeldOutTests {
    // MARK: Numbers

    /// The seed of a language model has the whole range of its type as its bounds.
    @Test func theLeastWholeNumberIsABound() {
        let document = ImportedDocument(
            schemas: """
                Request:
                  type: object
                  properties:
                    seed: {type: integer, format: int64, minimum: -9223372036854775808, maximum: 9223372036854775807}
                    far: {type: integer, minimum: -9.3e18, maximum: 18446744073709552000}
                    half: {type: number, minimum: -1e300}
                """)
        #expect(document.problems == [])
        #expect(document.contract.contains("range: -9223372036854775808..9223372036854775807"))
        #expect(document.findings.count { $0.hasPrefix("openapi-constraint-lost") } == 3, "\(document.findings)")
    }

    @Test func aDefaultBelowZeroIsANumberInEachLayout() {
        let long = String(repeating: "The size is not known before the first use. ", count: 4)
        let document = ImportedDocument(
            schemas: """
                Usage:
                  type: object
                  properties:
                    size: {type: integer, default: -1, description: '\(long)'}
                    part: {type: number, default: -0.5, minimum: -1}
                    plain: {type: integer, default: -1}
                    text: {type: string, default: '-1'}
                """)
        #expect(document.problems == [])
        #expect(document.block("Usage:").contains("default: -1\n"))
        #expect(document.block("Usage:").contains("part: {type: double, default: -0.5, range: -1..}"))
        #expect(document.block("Usage:").contains("plain: int = -1"))
        #expect(document.block("Usage:").contains("text: {type: string, default: \"-1\"}"))
    }

    // MARK: Paths with more than a path

    @Test func aQueryBehindAPathIsSent() {
        let document = ImportedDocument(
            paths: """
                /messages: {post: {operationId: messages_post, responses: {200: {description: Fine}, 404: {description: None}}}}
                /messages?beta=true: {post: {operationId: beta_messages_post, responses: {200: {description: Fine}}}}
                /messages?beta=true&page={page}:
                  get:
                    parameters: [{name: page, in: path, required: true, schema: {type: integer}}]
                    responses: {200: {description: Fine}}
                """)
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(
            document.block("betaMessagesPost:").contains(
                "post: /messages\n  query:\n    beta: {type: string, default: \"true\"}"))
        #expect(
            document.block("getMessagesBeta:").contains(
                "get: /messages\n  query:\n    page: int\n    beta: {type: string, default: \"true\"}"))
        #expect(!document.block("messagesPost:").contains("query"))
    }

    @Test func aFragmentOnlyDistinguishesPathsOfTheDocument() {
        func operation(_ name: String) -> String {
            "{get: {operationId: GET_\(name), parameters: [{name: Action, in: query, required: true, schema: {type: string, enum: [\(name)]}}], "
                + "responses: {200: {description: Fine}, 404: {description: None}}}}"
        }
        let document = ImportedDocument(
            paths:
                "/#Action=CreateQueue: \(operation("CreateQueue"))\n/#Action=DeleteQueue: \(operation("DeleteQueue"))\n"
                + "/#Again: \(operation("DeleteQueue").replacing("GET_", with: "Second_"))")
        #expect(document.problems == [])
        #expect(
            document.block("getCreateQueue:").contains(
                "get: /\n  query:\n    action: {type: string, wire: Action, default: CreateQueue}"))
        #expect(document.block("getDeleteQueue:").contains("default: DeleteQueue"))
        #expect(
            document.findings == [
                "openapi-endpoint-lost: `secondDeleteQueue` is left out, because it sends the same request as `getDeleteQueue`"
            ])
    }

    @Test func aParameterOfAPathMayHaveAPatternOfGRPC() {
        let document = ImportedDocument(
            paths: """
                /v1/{parent=shelves/*}/books:
                  get:
                    parameters: [{name: parent, in: path, required: true, schema: {type: string}}]
                    responses: {200: {description: Fine}, 404: {description: None}}
                """)
        #expect(document.contract.contains("get: /v1/{parent}/books"))
        #expect(document.findings.map { $0.prefix { $0 != ":" } } == ["openapi-style-lost"])
    }

    // MARK: Parameters

    @Test func aParameterIsSentOnce() {
        let document = ImportedDocument(
            paths: """
                /a:
                  parameters:
                    - {name: X-Request-Id, in: header, schema: {type: string}}
                  get:
                    parameters:
                      - {name: x-request-id, in: header, required: true, schema: {type: string}}
                      - {name: q, in: query, schema: {type: string}}
                      - {name: q, in: query, schema: {type: integer}}
                      - {name: pager, in: query, schema: {type: object, properties: {q: {type: integer}, page: {type: integer}}}}
                      - {name: levels, in: query, schema: {type: array, items: {type: [integer, 'null']}}}
                      - {name: Proxy-Authorization, in: header, schema: {type: string}}
                    responses: {200: {description: Fine}, 404: {description: None}}
                """)
        #expect(document.problems == [])
        #expect(document.block("headers:") == "headers:\n  xRequestID: {type: string, wire: x-request-id}")
        #expect(document.block("query:") == "query:\n  q: string?\n  page: int?\n  levels: \"[int]?\"")
        #expect(
            document.findings.map { String($0.prefix { $0 != ":" }) }.sorted() == [
                "openapi-constraint-lost", "openapi-parameter-lost", "openapi-parameter-lost", "openapi-parameter-lost",
            ], "\(document.findings)")
    }

    /// Airflow: a path parameter has a title and no type.
    @Test func aParameterWithoutATypeIsAText() {
        let document = ImportedDocument(
            paths: """
                /dags/{dag_id}:
                  get:
                    parameters:
                      - {name: dag_id, in: path, required: true, schema: {title: Dag Id}}
                      - {name: q, in: query, schema: {}}
                      - {name: X-Any, in: header, required: true, schema: {description: Anything.}}
                    responses: {200: {description: Fine}, 404: {description: None}}
                """)
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.block("getDag:").contains("get: /dags/{dagID}\n  query:\n    q: string?"))
        #expect(document.block("headers:") == "headers:\n  xAny: {type: string, wire: X-Any, doc: Anything.}")
    }

    @Test func byteOrderMarksInTextsAreInvisible() {
        let document = ImportedDocument(
            files: [
                "api.yaml":
                    "\u{FEFF}{\"openapi\": \"3.0.0\", \"info\": {\"title\": \"A\u{FEFF}B\", \"version\": \"1\"}, \"paths\": {\"/a\": {\"get\": {\"responses\": {\"404\": {\"description\": \"\u{FEFF}\u{FEFF}\"}}}}}}"
            ])
        #expect(document.result.findings.filter { $0.severity == .error }.map(\.message) == [])
        #expect(document.contract.contains("service: AB\n"))
    }

    // MARK: Bodies

    /// JSON:API servers refuse `application/json`, and those of Kubernetes tell patches apart by the media type.
    @Test func jsonIsSentWithItsMediaType() {
        let document = ImportedDocument(
            paths: """
                /articles:
                  post:
                    operationId: store
                    requestBody: {content: {application/vnd.api+json: {schema: {type: object, required: [data], properties: {data: {type: string}}}}}}
                    responses: {200: {description: Fine}, 404: {description: None}}
                  patch:
                    operationId: change
                    requestBody: {content: {application/json-patch+json: {schema: {$ref: '#/components/schemas/Patch'}}}}
                    responses: {200: {description: Fine}}
                  put:
                    operationId: replace
                    requestBody: {content: {application/vnd.api+json: {schema: {}}, application/json: {schema: {$ref: '#/components/schemas/Patch'}}}}
                    responses: {200: {description: Fine}}
                """, components: "schemas: {Patch: {type: object, properties: {a: {type: string}}}}")
        #expect(document.problems == [])
        #expect(
            document.block("store:").contains(
                "body:\n    encoding: json\n    contentType: application/vnd.api+json\n    fields:\n      data: string")
        )
        #expect(
            document.block("change:").contains(
                "body: {encoding: json, type: Patch, contentType: application/json-patch+json}"))
        #expect(document.block("replace:").contains("body: Patch\n"))
        #expect(document.findings.map { $0.prefix { $0 != ":" } } == ["openapi-media-lost"])
    }

    /// Django's documents offer each body as JSON and as two forms. Nothing is lost if one of them is left out.
    @Test func otherFormatsOfTheSameContentAreOneNote() throws {
        func content(_ types: [String], _ schema: String) -> String {
            "{" + types.map { "\($0): {schema: \(schema)}" }.joined(separator: ", ") + "}"
        }
        let types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]
        let same = content(types, "{$ref: '#/components/schemas/Name'}")
        let document = ImportedDocument(
            paths: """
                /a:
                  post: {operationId: first, requestBody: {content: \(same)}, responses: {200: {description: Fine, content: \(same)}}}
                  put: {operationId: second, requestBody: {content: \(same)}, responses: {200: {description: Fine}}}
                """, components: "schemas: {Name: {type: object, properties: {a: {type: string}}}}")
        let others = "`application/x-www-form-urlencoded`, `multipart/form-data`"
        let found = document.findings.filter { $0.hasPrefix("openapi-media-lost") }
        #expect(
            found == [
                "openapi-media-lost: the client uses `application/json`, and leaves out other formats of the same content: "
                    + "\(others) (3 times)"
            ])
        let other = ImportedDocument(
            paths: """
                /a: {post: {operationId: first, requestBody: {content: {application/json: {schema: {type: string}}, text/xml: {schema: {type: integer}}}}, responses: {200: {description: Fine}}}}
                """)
        #expect(
            other.findings.contains("openapi-media-lost: the client uses `application/json`, so `text/xml` is left out")
        )
    }

    /// A server that follows JSON:API may answer `Accept: application/json` with 406.
    @Test(arguments: [
        ("application/vnd.api+json", "application/vnd.api+json", true),
        ("application/vnd.api+json", "application/json", false),
        ("application/vnd.api+json", "application/octet-stream", false),
        ("application/json", "application/json", false),
    ])
    func theOnlyMediaTypeOfAllResponsesIsAskedFor(_ first: String, _ second: String, _ isAsked: Bool) {
        let document = ImportedDocument(
            paths: """
                /a: {get: {operationId: read, responses: {200: {description: Fine, content: {\(first): {schema: {type: object, properties: {a: {type: string}}}}}}}}}
                /b: {get: {operationId: list, responses: {200: {description: Fine, content: {\(second): {}}}}}}
                /c: {delete: {operationId: remove, responses: {204: {description: Gone}}}}
                """)
        #expect(document.problems == [])
        let asked = "common:\n  headers:\n    accept: {wire: Accept, const: application/vnd.api+json}\n"
        #expect(document.contract.contains(asked) == isAsked, "\(document.contract)")
        #expect(document.contract.contains("Accept") == isAsked)
    }

    // MARK: Responses

    /// A 204 and a HEAD request have no body, whatever the document says.
    @Test func whatHTTPForbidsIsNotRead() {
        let body = "content: {application/json: {schema: {type: object, properties: {why: {type: string}}}}}"
        let document = ImportedDocument(
            paths: """
                /a:
                  head: {operationId: look, responses: {200: {description: Fine}, 404: {description: None, \(body)}}}
                  get:
                    operationId: take
                    responses:
                      200: {description: Fine, content: {application/json: {schema: {type: string}}}}
                      204: {description: Nothing, \(body)}
                      304: {description: Old, \(body)}
                      404: {description: None, \(body)}
                """)
        #expect(document.problems == [])
        #expect(document.block("look:").contains("errors: [notFoundBare]"))
        #expect(document.block("take:").contains("errors: [notFound]"))
        #expect(!document.block("noContent:").contains("data"))
        #expect(
            document.findings.map { $0.prefix { $0 != ":" } } == ["openapi-response-lost", "openapi-response-lost"])
    }

    /// A response that the document declares once gives its data its own name, and not the one of its first endpoint.
    @Test func theDataOfASharedResponseHasItsName() {
        let document = ImportedDocument(
            paths: """
                /a: {get: {responses: {200: {description: Fine}, default: {$ref: '#/components/responses/Errors'}}}}
                /b: {get: {responses: {200: {description: Fine}, 409: {$ref: '#/components/responses/Taken'}}}}
                """,
            components: """
                responses:
                  Errors: {description: Wrong, content: {application/json: {schema: {type: object, properties: {all: {type: string}}}}}}
                  Taken: {description: Wrong, content: {application/json: {schema: {type: object, properties: {by: {type: string}}}}}}
                """)
        #expect(document.problems == [])
        #expect(document.contract.contains("data: Errors\n"))
        #expect(document.contract.contains("data: TakenDetails\n"))
    }

    // MARK: Names

    @Test(arguments: [
        ("1st", "first"), ("2ndChoice", "secondChoice"), ("3rd_party", "thirdParty"), ("12th", "twelfth"),
        ("1stAid", "firstAid"), ("1street", "oneStreet"), ("2st", "twoSt"), ("21st", "value21st"),
    ])
    func ofNumbersInARow(_ text: String, _ name: String) { #expect(NameText.valueName(text) == name) }

    @Test func genericTypesOfDotNetHaveNoNumber() {
        #expect(NameText.typeName("Models.PagedResult`1") == "ModelsPagedResult")
        #expect(NameText.typeName("Pair`2[Left,Right]") == "PairLeftRight")
    }

    /// springdoc numbers the methods of several classes. Its numbers are no names.
    @Test func numbersOfFrameworksAreNoNames() {
        let responses = "responses: {200: {description: Fine}, 404: {description: None}}"
        let document = ImportedDocument(
            paths: """
                /accounts: {get: {operationId: getAll, \(responses)}}
                /orders: {get: {operationId: getAll_1, \(responses)}}
                /orders/{id}: {get: {operationId: getUsingGET_2, \(responses)}}
                /oauth: {get: {operationId: oauth_2, \(responses)}}
                """)
        #expect(document.problems == [])
        for name in ["getAll", "getOrders", "getOrder", "oauth2"] {
            #expect(document.contract.contains("\n  \(name):\n"), "\(name)")
        }
    }

    @Test func endpointsWithOnePathNameTheParameterThatDistinguishesThem() {
        let responses = "{get: {responses: {200: {description: Fine}, 404: {description: None}}}}"
        let document = ImportedDocument(
            paths: """
                /snippets/{owner}: \(responses)
                /snippets/{owner}/{snippet_id}: \(responses)
                /snippets/{owner}/{snippet_id}/: \(responses)
                """)
        #expect(document.problems == [])
        #expect(document.contract.contains("\n  getSnippet:\n"))
        #expect(document.contract.contains("\n  getSnippetBySnippetID:\n"))
    }

    @Test func aPathOfPackagesEndsWithAType() {
        let document = ImportedDocument(
            schemas: """
                odata.error.main: {type: object, properties: {code: {type: string}}}
                io.k8s.api.core.v1.Pod: {type: object, properties: {name: {type: string}}}
                """)
        #expect(document.contract.contains("\n  ErrorMain:\n"))
        #expect(document.contract.contains("\n  Pod:\n"))
    }
}
