import Testing

/// Operations with the same method and path. A server may tell them apart by what they send.
@Suite struct EqualRequestTests {
    private static func login(_ mount: String, _ name: String, _ body: String) -> String {
        """
        /auth/{\(mount)}/login:
          post:
            operationId: \(name)Login
            parameters: [{name: \(mount), in: path, required: true, schema: {type: string, default: \(name)}}]
            requestBody: {required: true, content: {\(body)}}
            responses: {204: {description: Done}, 404: {description: None}}
        """
    }

    private static func json(_ schema: String) -> String { "application/json: {schema: \(schema)}" }

    /// Vault has 208 logins, one for each way to prove who the user is.
    @Test func bodiesTellThemApart() {
        let role = "{type: object, required: [role], properties: {role: {type: string}, note: {type: string}}}"
        let document = ImportedDocument(
            paths: [
                Self.login("a", "role", Self.json(role)),
                Self.login("b", "code", Self.json("{$ref: '#/components/schemas/Code'}")),
                Self.login("c", "form", "application/x-www-form-urlencoded: {schema: \(role)}"),
                Self.login("d", "patch", "application/merge-patch+json: {schema: \(role)}"),
                Self.login(
                    "e", "typed",
                    Self.json(
                        "{type: object, required: [role, kind], properties: {role: {type: string}, kind: {type: integer, const: 7}}}"
                    )),
                Self.login("f", "again", Self.json(role)),
            ].joined(separator: "\n"),
            components: "schemas: {Code: {type: object, required: [code], properties: {code: {type: string}}}}")
        #expect(document.problems == [])
        #expect(
            document.findings == [
                "openapi-endpoint-lost: `againLogin` is left out, because it sends the same request as `roleLogin`"
            ])
        #expect(document.result.endpointCount == 5)
        #expect(document.block("typedLogin:").contains("kind: int = 7"))
    }

    @Test func requiredInputsTellThemApart() {
        func search(_ name: String) -> String {
            "/books#\(name): {get: {operationId: by_\(name), parameters: [{name: \(name), in: query, required: true, schema: {type: string}}], responses: {204: {description: Done}, 404: {description: None}}}}"
        }
        let document = ImportedDocument(paths: search("title") + "\n" + search("isbn"))
        #expect(document.problems == [])
        #expect(document.findings == [])
        #expect(document.result.endpointCount == 2)
    }

    /// Mistral: the request for a stream has a constant that a document need not send. Without it, it is the other request.
    @Test func aConstantThatTellsThemApartIsSent() {
        func start(_ path: String, _ name: String, _ stream: String) -> String {
            """
            \(path):
              post:
                operationId: \(name)
                requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string}, stream: \(stream)}}}}}
                responses: {204: {description: Done}, 404: {description: None}}
            """
        }
        let plain = start("/talks", "start", "{type: boolean, default: false}")
        let streamed = start("/talks#stream", "startStream", "{type: boolean, default: true, enum: [true]}")
        let alone = ImportedDocument(paths: streamed)
        #expect(alone.block("startStream:").contains("stream: {type: bool?"))
        let document = ImportedDocument(paths: plain + "\n" + streamed)
        #expect(document.problems == [])
        #expect(document.findings == [])
        #expect(document.block("startStream:").contains("stream: {type: bool, default: true,"))
        #expect(document.block("start:").contains("stream: {type: bool?"))
    }

    private static func post(_ body: String) -> ImportedDocument {
        posts("post", "required: true, content: {application/json: {schema: \(body)}}")
    }

    private static func posts(_ method: String, _ body: String) -> ImportedDocument {
        ImportedDocument(
            paths: """
                /posts:
                  \(method):
                    operationId: createPost
                    requestBody: {\(body)}
                    responses: {204: {description: Done}, 404: {description: None}}
                """,
            components: """
                schemas:
                  Now: {type: object, required: [text], properties: {text: {type: string}, note: {type: string}}}
                  Later: {type: object, required: [text, sendAt], properties: {text: {type: string}, sendAt: {type: string, format: date-time}}}
                  Photo: {type: object, required: [photo], properties: {photo: {type: string}, kind: {type: string, const: photo}}}
                  Film: {type: object, required: [film], properties: {film: {type: string}, kind: {type: string, const: film}}}
                """)
    }

    private static func alternatives(_ names: String...) -> String {
        "{oneOf: [" + names.map { "{$ref: '#/components/schemas/\($0)'}" }.joined(separator: ", ") + "]}"
    }

    /// A union cannot tell a post for now from one for later: every member of the first one is in the second one, too.
    @Test func alternativesOfABodyThatOnlyAServerTellsApartAreEndpoints() {
        for order in [Self.alternatives("Now", "Later"), Self.alternatives("Later", "Now")] {
            let document = Self.post(order)
            #expect(document.problems == [], "\(document.contract)")
            #expect(document.findings == [])
            #expect(document.result.endpointCount == 2)
            #expect(document.block("createPost:").contains("body: Now"), "\(document.contract)")
            #expect(document.block("createPostWithSendAt:").contains("body: Later"), "\(document.contract)")
        }
    }

    /// The client sends `application/json`, wherever it is in the list.
    @Test func alternativesOfABodyInSeveralFormatsAreEndpoints() {
        let union = Self.alternatives("Later", "Now")
        for other in [union, "{$ref: '#/components/schemas/Photo'}"] {
            let document = Self.posts(
                "post",
                "required: true, content: {application/vnd.api+json: {schema: \(other)}, application/json: {schema: \(union)}}"
            )
            #expect(document.problems == [], "\(document.contract)")
            #expect(document.result.endpointCount == 2, "\(document.findings)")
            #expect(document.block("createPost:").contains("body: Now"), "\(document.contract)")
            #expect(document.block("createPostWithSendAt:").contains("body: Later"), "\(document.contract)")
        }
    }

    /// Endpoints for its alternatives would send the same request.
    @Test func alternativesOfABodyThatIsNotSentAreNoEndpoints() {
        let json = Self.json(Self.alternatives("Later", "Now"))
        let form = "{type: object, required: [image], properties: {image: {type: string, format: binary}}}"
        let file = Self.posts("post", "required: true, content: {\(json), multipart/form-data: {schema: \(form)}}")
        #expect(file.problems == [], "\(file.contract)")
        #expect(file.result.endpointCount == 1, "\(file.findings)")
        #expect(file.block("createPost:").contains("multipart"), "\(file.contract)")
        let get = Self.posts("get", "content: {\(json)}")
        #expect(get.problems == [], "\(get.contract)")
        #expect(get.result.endpointCount == 1, "\(get.findings)")
        #expect(get.findings.count { $0.hasPrefix("openapi-body-lost") } == 1, "\(get.findings)")
    }

    /// One endpoint says the same with less, where a value tells which alternative it is.
    @Test func alternativesOfABodyThatAUnionTellsApartAreAUnion() {
        let document = Self.post(Self.alternatives("Photo", "Film"))
        #expect(document.problems == [] && document.findings == [])
        #expect(document.result.endpointCount == 1)
        #expect(document.contract.contains("keys:"), "\(document.contract)")
    }

    /// A server cannot tell them apart, either.
    @Test func alternativesOfABodyThatNothingTellsApartAreOneStructure() {
        let one = "{type: object, properties: {a: {type: string}}}"
        let other = "{type: object, properties: {b: {type: string}}}"
        let document = Self.post("{oneOf: [\(one), \(other)]}")
        #expect(document.problems == [])
        #expect(document.result.endpointCount == 1)
        #expect(document.findings.contains { $0.hasPrefix("openapi-union-lost") }, "\(document.findings)")
    }
}
