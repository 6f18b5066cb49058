import Testing

/// What a contract cannot have costs its own part of a document. It does not keep the whole contract from being generated.
@Suite struct OddDocumentTests {
    private static let fine = "responses: {204: {description: Fine}, 404: {description: No such thing.}}"
    private static let other = "/other: {get: {operationId: other, \(fine)}}"

    private static func post(_ content: String) -> ImportedDocument {
        ImportedDocument(
            paths:
                "/a: {post: {operationId: submit, requestBody: {required: true, content: \(content)}, \(fine)}}\n\(other)"
        )
    }

    /// Swift has a type for each endpoint, and some names are taken.
    @Test(arguments: [
        "type", "response", "protocol", "any", "server", "failure", "redaction", "hashable", "foundation",
    ])
    func anEndpointHasANameThatSwiftCanHave(_ name: String) {
        let document = ImportedDocument(
            paths: "/books: {get: {operationId: \(name), \(Self.fine)}}\n\(Self.other)")
        #expect(document.problems == [])
        #expect(document.result.endpointCount == 2)
        #expect(!document.generated.isEmpty, "\(document.contract)")
    }

    @Test(arguments: ["minLength: -1", "maxLength: 1.5", "minLength: 18446744073709551616", "maxLength: ten"])
    func aLengthIsACount(_ bound: String) {
        let document = ImportedDocument(schemas: "A: {type: object, properties: {a: {type: string, \(bound)}}}")
        #expect(document.problems == [])
        #expect(document.block("A:") == "A:\n  a: string?")
        #expect(document.findings.count == 1 && document.findings[0].hasSuffix("is no count"), "\(document.findings)")
    }

    @Test func aLengthMayBeAWholeFraction() {
        let document = ImportedDocument(
            schemas:
                "A: {type: object, properties: {a: {type: array, maxItems: 1e3, minItems: 2.0, items: {type: string}}}}"
        )
        #expect(document.problems == [])
        #expect(document.contract.contains("items: 2..1000"), "\(document.contract)")
    }

    @Test(arguments: ["image/中文", "image/a b", "application/a b+json", "image", "a/b/c"])
    func aBodyOfNoMediaTypeIsReported(_ type: String) {
        let document = Self.post("{'\(type)': {schema: {type: string}}}")
        #expect(document.problems == [])
        #expect(document.findings == ["openapi-keyword-unknown: OpenAPI has no key `\(type)` in `content`"])
    }

    @Test func theFirstOfSeveralMediaTypesIsUsed() {
        let document = Self.post("{'application/json, text/json; charset=utf-8': {schema: {type: integer}}}")
        #expect(document.problems == [])
        #expect(document.findings == [])
        #expect(document.block("submit:").contains("body: int"))
    }

    @Test(arguments: ["é", "image/a b", "image"]) func aPartOfNoMediaTypeHasNone(_ type: String) {
        let document = Self.post(
            "{multipart/form-data: {schema: {type: object, properties: {f: {type: string, format: binary}, g: {type: string}}}, encoding: {f: {contentType: '\(type)'}, g: {contentType: '\(type)'}}}}"
        )
        #expect(document.problems == [])
        #expect(!document.block("submit:").contains("contentType"))
        #expect(document.findings.count == 2 && document.findings.allSatisfy { $0.hasSuffix("it is no media type") })
    }

    /// A value without a case is unknown to the client, as a value of a newer server is.
    @Test(arguments: ["''", "init", "Self", "B"]) func aUnionHasTheCasesThatSwiftCanHave(_ value: String) {
        let document = ImportedDocument(
            schemas: """
                Both: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: {propertyName: kind, mapping: {b: '#/components/schemas/B', \(value): '#/components/schemas/A'}}}
                A: {type: object, required: [kind], properties: {kind: {type: string}, x: {type: string}}}
                B: {type: object, required: [kind], properties: {kind: {type: string}}}
                """)
        #expect(document.problems == [])
        #expect(!document.generated.isEmpty, "\(document.contract)")
    }

    @Test(arguments: ["a b", "''", "é", "a:b"]) func aHeaderOfNoNameIsNoSession(_ name: String) {
        let document = ImportedDocument(
            paths: "/a: {get: {operationId: a, security: [{key: []}], \(Self.fine)}}",
            components: "securitySchemes: {key: {type: apiKey, in: header, name: \(name == "''" ? name : "'\(name)'")}}"
        )
        #expect(document.problems == [])
        #expect(document.findings.contains { $0.hasPrefix("openapi-security-lost") }, "\(document.findings)")
    }

    @Test(arguments: [
        ("https://a.example/{b", ""), ("https://a.example/b}", ""),
        ("https://{}.a.example", "variables: {'': {default: x}}"),
        ("https://{init}.a.example", "variables: {init: {default: x}}"),
    ])
    func aServerOfNoURLIsReported(_ url: String, _ variables: String) {
        let document = ImportedDocument(files: [
            "api.yaml":
                "openapi: 3.1.0\ninfo: {title: A, version: '1'}\nservers: [{url: '\(url)', \(variables)}]\npaths:\n  \(Self.other)\n"
        ])
        #expect(document.problems == [])
        #expect(
            document.contract.contains("{initValue=x}")
                || document.findings.contains { $0.hasPrefix("openapi-server-lost") })
    }
}
