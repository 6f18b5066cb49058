import Testing

/// Responses that are texts. A contract has no texts outside of JSON, so the app gets bytes, and the import says so.
@Suite struct TextResponseTests {
    private static func document(_ content: String) -> ImportedDocument {
        ImportedDocument(
            paths: """
                /a: {get: {operationId: getA, responses: {200: {description: Fine, content: {\(content)}}, 404: {description: No such thing.}}}}
                """)
    }

    @Test(arguments: [
        "text/plain: {schema: {type: string}}", "text/html: {}", "text/csv: {schema: {}}",
        "application/x-yaml: {schema: {type: string}}", "text/plain: {schema: {type: string, format: date-time}}",
    ])
    func aTextIsANote(_ content: String) {
        let document = Self.document(content)
        #expect(document.block("getA:").contains("response: bytes"))
        let type = content.prefix { $0 != ":" }
        #expect(
            document.findings == ["openapi-media-lost: `\(type)` is a text, which the app gets as its bytes (once)"])
        #expect(document.result.findings.allSatisfy { $0.severity == .note })
    }

    @Test(arguments: [
        "text/plain: {schema: {type: string, enum: [up, down]}}", "text/plain: {schema: {type: integer}}",
        "text/csv: {schema: {type: array, items: {type: object, properties: {a: {type: string}}}}}",
        "text/plain: {schema: {const: ok}}", "text/plain: {schema: {type: string, maxLength: 9}}",
    ])
    func aTextWithAMeaningIsALoss(_ content: String) {
        let document = Self.document(content)
        #expect(document.block("getA:").contains("response: bytes"))
        #expect(
            document.findings == [
                "openapi-media-lost: `\(content.prefix { $0 != ":" })` is read as bytes, which the app has to parse"
            ])
    }

    @Test(arguments: [
        "application/pdf: {}", "application/octet-stream: {schema: {type: string, format: binary}}",
        "image/png: {schema: {}}", "text/csv: {schema: {type: string, format: binary}}",
        "application/octet-stream: {schema: {type: string, format: byte}}",
    ])
    func aFileIsBytes(_ content: String) {
        let document = Self.document(content)
        #expect(document.block("getA:").contains("response: bytes"))
        #expect(document.findings == [])
    }
}
