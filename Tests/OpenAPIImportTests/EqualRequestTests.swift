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
}
