import Testing

/// Operations whose response is a document or a stream, as the request asks.
@Suite struct StreamVariantTests {
    private static let components = """
        schemas:
          Request:
            type: object
            required: [prompt]
            properties:
              prompt: {type: string}
              stream: {type: [boolean, 'null'], default: false, description: 'Sends events, and `data: [DONE]` at the end.'}
          Answer: {type: object, required: [text], properties: {text: {type: string}}}
          Chunk: {type: object, required: [delta], properties: {delta: {type: string}}}
          Event: {type: object, required: [data], properties: {event: {type: string}, data: {$ref: '#/components/schemas/Chunk'}}}
        """

    private static func completion(_ path: String, element: String = "Chunk", id: String = "createCompletion") -> String
    {
        """
        \(path):
          post:
            operationId: \(id)
            requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Request'}}}}
            responses:
              200:
                description: Fine
                content:
                  application/json: {schema: {$ref: '#/components/schemas/Answer'}}
                  text/event-stream: {schema: {$ref: '#/components/schemas/\(element)'}}
        """
    }

    @Test func aMemberOfTheBodyAsksForTheStream() {
        let document = ImportedDocument(paths: Self.completion("/completions"), components: Self.components)
        #expect(document.problems == [])
        #expect(document.result.endpointCount == 2)
        let whole = document.block("createCompletion:")
        #expect(whole.contains("body: Request"))
        #expect(whole.contains("response: Answer"))
        #expect(!whole.contains("delivery"))
        let streamed = document.block("createCompletionStream:")
        #expect(streamed.contains("body: CreateCompletionStreamBody"))
        #expect(streamed.contains("response: Chunk"))
        #expect(streamed.contains("end: \"[DONE]\""))
        #expect(document.block("CreateCompletionStreamBody:").contains("stream: {type: bool, default: true"))
        #expect(!document.block("Request:").contains("stream"))
        #expect(!document.findings.contains { $0.hasPrefix("openapi-media-lost") })
    }

    /// Another operation has the same body, and one response: its type stays as it is.
    @Test func aTypeOfOtherOperationsKeepsItsMembers() {
        let other = """
            /drafts:
              post:
                operationId: saveDraft
                requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Request'}}}}
                responses: {204: {description: Fine}}
            """
        let document = ImportedDocument(
            paths: Self.completion("/completions") + "\n" + other, components: Self.components)
        #expect(document.problems == [])
        #expect(document.block("Request:").contains("stream"))
        #expect(document.block("saveDraft:").contains("body: Request"))
        #expect(document.block("createCompletion:").contains("body: CreateCompletionBody"))
        #expect(!document.block("CreateCompletionBody:").contains("stream"))
    }

    /// Two pairs with the same body: each asks for its own response.
    @Test func severalOperationsShareABody() {
        let document = ImportedDocument(
            paths: Self.completion("/completions") + "\n" + Self.completion("/edits", id: "createEdit"),
            components: Self.components)
        #expect(document.problems == [])
        #expect(document.result.endpointCount == 4)
        #expect(document.block("createEdit:").contains("body: Request"))
        #expect(!document.block("Request:").contains("stream"))
        for name in ["CreateCompletionStreamBody:", "CreateEditStreamBody:"] where !document.block(name).isEmpty {
            #expect(document.block(name).contains("stream: {type: bool, default: true"))
        }
    }

    /// An operation of the document keeps the name that a made-up endpoint would like to have.
    @Test func theNamesOfTheDocumentComeFirst() {
        let other = """
            /completions/stream:
              post:
                operationId: createCompletionStream
                responses: {204: {description: Fine}}
            """
        let document = ImportedDocument(
            paths: Self.completion("/completions") + "\n" + other, components: Self.components)
        #expect(document.problems == [])
        #expect(document.result.endpointCount == 3)
        #expect(document.block("createCompletionStream:").contains("post: /completions/stream"))
    }

    /// What other types and responses have keeps its member.
    @Test func aTypeInsideOfOthersKeepsItsMember() {
        let batch = """
            /batches:
              post:
                operationId: createBatch
                requestBody:
                  required: true
                  content:
                    application/json:
                      schema: {type: object, properties: {requests: {type: array, items: {$ref: '#/components/schemas/Request'}}}}
                responses:
                  200:
                    description: Fine
                    content:
                      application/json: {schema: {$ref: '#/components/schemas/Request'}}
                      text/event-stream: {schema: {$ref: '#/components/schemas/Chunk'}}
            """
        let document = ImportedDocument(
            paths: Self.completion("/completions") + "\n" + batch, components: Self.components)
        #expect(document.problems == [])
        #expect(document.block("Request:").contains("stream"))
        #expect(!document.block("CreateCompletionBody:").contains("stream"))
    }

    /// A server that streams unless it is told not to, or that requires the member, gets it in both requests.
    @Test(arguments: ["stream: {type: boolean, default: true}", "stream: {$ref: '#/components/schemas/Flag'}"])
    func theWholeRequestMayHaveToSayIt(_ member: String) {
        let needed = member.contains("Flag") ? "required: [prompt, stream]" : "required: [prompt]"
        let components = """
            schemas:
              Flag: {type: boolean, description: Whether events are sent.}
              Answer: {type: object, required: [text], properties: {text: {type: string}}}
              Request: {type: object, \(needed), properties: {prompt: {type: string}, \(member)}}
              Chunk: {type: object, required: [delta], properties: {delta: {type: string}}}
            """
        let document = ImportedDocument(paths: Self.completion("/completions"), components: components)
        #expect(document.problems == [])
        #expect(document.block("Request:").contains("stream: bool = false"))
        #expect(document.block("CreateCompletionStreamBody:").contains("stream: bool = true"))
    }

    /// Without a member, the header `Accept` asks.
    @Test func theAcceptHeaderAsksForTheStream() {
        let document = ImportedDocument(
            paths: """
                /prices:
                  get:
                    operationId: listPrices
                    responses:
                      200:
                        description: Fine
                        content:
                          application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Answer'}}}
                          application/x-ndjson: {schema: {$ref: '#/components/schemas/Answer'}}
                """, components: Self.components)
        #expect(document.problems == [])
        #expect(document.block("listPrices:").contains("response: [Answer]"))
        #expect(document.block("listPricesStream:").contains("delivery: {stream: lines}"))
        #expect(!document.findings.contains { $0.hasPrefix("openapi-endpoint-lost") })
    }

    /// A schema with the fields of an event describes the event. Its data is the element.
    @Test func theSchemaMayDescribeTheWholeEvent() {
        let document = ImportedDocument(
            paths: Self.completion("/completions", element: "Event"), components: Self.components)
        #expect(document.problems == [])
        #expect(document.block("createCompletionStream:").contains("response: Chunk"))
        #expect(document.contract.contains("taken for that of a whole event"))
        #expect(!document.contract.contains("each of its elements"))
    }

    /// A stream of something without a type is no endpoint, and the document's response stays.
    @Test func aStreamWithoutATypeIsLeftOut() {
        let document = ImportedDocument(
            paths: """
                /prices:
                  get:
                    operationId: listPrices
                    responses:
                      200:
                        description: Fine
                        content: {application/json: {schema: {type: string}}, text/event-stream: {schema: {type: string}}}
                """)
        #expect(document.problems == [])
        #expect(document.result.endpointCount == 1)
        #expect(document.block("listPrices:").contains("response: string"))
        #expect(document.findings.contains { $0.hasPrefix("openapi-media-lost") })
    }
}
