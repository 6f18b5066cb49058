import Testing

/// Headers of responses, and inputs in cookies.
@Suite struct ResponseHeaderTests {
    private static let failure = "404: {description: None}"

    /// A command that has succeeded does not fail because of a header, whatever the document says.
    @Test func headersOfASuccessAreOptional() {
        let document = ImportedDocument(
            paths: """
                /a:
                  get:
                    operationId: list
                    responses:
                      200:
                        description: Fine
                        headers:
                          X-Rate-Limit: {required: true, description: What is left., schema: {type: integer}}
                          X-Tags: {schema: {type: array, items: {type: string}}}
                          X-Any: {}
                          X-Deep: {schema: {type: object, properties: {a: {type: string}}}}
                          Link: {schema: {type: string}}
                          Content-Type: {schema: {type: string}}
                        content: {application/json: {schema: {type: array, items: {type: string}}}}
                      \(Self.failure)
                """)
        #expect(document.problems == [])
        let block = document.block("list:")
        #expect(block.contains("xRateLimit: {type: int?, wire: X-Rate-Limit, doc: What is left.}"), "\(block)")
        #expect(block.contains("xTags: {type: \"[string]?\", wire: X-Tags}"), "\(block)")
        #expect(block.contains("xAny: {type: string?, wire: X-Any}"), "\(block)")
        #expect(!block.contains("Link") && !block.contains("Content-Type"), "\(block)")
        #expect(document.findings.map { $0.contains("`X-Deep`") } == [true], "\(document.findings)")
    }

    /// Without a body, the headers would be the response.
    @Test func headersAreTheResponseWhereTheyAreTheResult() {
        let document = ImportedDocument(
            paths: """
                /a:
                  head:
                    operationId: probe
                    responses: {200: {description: Fine, headers: {ETag: {schema: {type: string}}}}, \(Self.failure)}
                  post:
                    operationId: create
                    responses:
                      201: {description: Fine, headers: {Location: {schema: {type: string}}, X-Trace: {schema: {type: string}}}}
                      \(Self.failure)
                  delete:
                    operationId: remove
                    responses: {204: {description: Fine, headers: {X-Trace: {schema: {type: string}}}}, \(Self.failure)}
                """)
        #expect(document.problems == [])
        #expect(document.block("probe:").contains("eTag: {type: string?, wire: ETag}"), "\(document.contract)")
        #expect(document.block("create:").contains("location: {type: string?, wire: Location}"))
        #expect(!document.block("create:").contains("X-Trace"))
        #expect(document.block("remove:").contains("response: none"))
        #expect(
            document.findings == [
                "openapi-response-lost: the client does not read the response header `X-Trace` (2 times)"
            ],
            "\(document.findings)")
    }

    @Test func bytesHaveHeaders() {
        let document = ImportedDocument(
            paths: """
                /a:
                  get:
                    operationId: load
                    responses:
                      200: {description: Fine, headers: {ETag: {schema: {type: string}}}, content: {application/pdf: {}}}
                      \(Self.failure)
                """)
        #expect(document.problems == [])
        #expect(document.block("load:").contains("encoding: bytes"), "\(document.contract)")
        #expect(document.block("load:").contains("eTag: {type: string?, wire: ETag}"))
    }

    @Test func cookiesAreInputs() {
        let document = ImportedDocument(
            paths: """
                /a:
                  get:
                    operationId: ask
                    parameters:
                      - {name: basket_id, in: cookie, required: true, schema: {type: string}}
                      - {name: theme, in: cookie, schema: {type: string, enum: [dark, light]}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(
            document.block("cookies:")
                == "cookies:\n  basketID: {type: string, wire: basket_id}\n  theme: AskTheme?", "\(document.contract)")
    }

    @Test func jsonInACookieIsAText() {
        let document = ImportedDocument(
            paths: """
                /a:
                  get:
                    operationId: ask
                    parameters:
                      - {name: filter, in: cookie, content: {application/json: {schema: {type: object, properties: {a: {type: integer}}}}}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                """)
        #expect(document.problems == [])
        #expect(document.block("cookies:") == "cookies:\n  filter: string?", "\(document.contract)")
        #expect(document.findings.contains { $0.hasPrefix("openapi-style-lost") }, "\(document.findings)")
    }

    @Test func aListOfAHeaderIsJoined() {
        let document = ImportedDocument(
            paths: """
                /a:
                  get:
                    operationId: ask
                    parameters:
                      - {name: X-Days, in: header, schema: {type: array, items: {type: string, format: date}}}
                      - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(document.block("ask:").contains("ids: {type: \"[int]?\", joined: commas}"), "\(document.contract)")
        #expect(document.block("ask:").contains("xDays: {type: \"[date]?\", wire: X-Days, joined: commas}"))
    }
}
