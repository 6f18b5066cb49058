import Testing

/// Operations that a document sends to another server than the others.
@Suite struct ServerRoleTests {
    private static func document(_ servers: String, _ own: String, more: String = "") -> ImportedDocument {
        ImportedDocument(files: [
            "api.yaml": """
            openapi: 3.0.3
            info: {title: Files, version: "1"}
            servers: \(servers)
            security: [{user: []}]
            paths:
              /a: {get: {operationId: getA, responses: {'204': {description: ok}}}}
              /files:
                post:
                  operationId: upload
                  servers: \(own)
                  \(more)
                  requestBody: {required: true, content: {application/octet-stream: {schema: {type: string, format: binary}}}}
                  responses: {'204': {description: ok}}
            components:
              securitySchemes:
                user: {type: http, scheme: bearer}
            """
        ])
    }

    @Test func anOtherServerIsARole() {
        let document = Self.document("[{url: https://api.example.com}]", "[{url: https://upload.example.com}]")
        #expect(document.problems == [])
        #expect(!document.findings.contains { $0.hasPrefix("openapi-endpoint-lost") }, "\(document.findings)")
        #expect(
            document.block("servers:")
                == "servers:\n  production: {url: \"https://api.example.com\", upload: \"https://upload.example.com\"}",
            "\(document.contract)")
        #expect(document.block("upload:").contains("server: upload"), "\(document.contract)")
        #expect(document.contract.contains("upload: {sends: [session]}"), "\(document.contract)")
        #expect(document.contract.contains("# errand:review the document asks for credentials"))
        #expect(!document.block("getA:").contains("server:"))
    }

    /// A document that asks for no credentials there keeps them away.
    @Test func aRoleGetsNothingThatTheDocumentDoesNotAskFor() {
        let document = Self.document(
            "[{url: https://api.example.com}]", "[{url: https://upload.example.com}]", more: "security: []")
        #expect(document.problems == [])
        #expect(!document.contract.contains("sends:"), "\(document.contract)")
        #expect(document.block("upload:").contains("session: none"), "\(document.contract)")
    }

    @Test func serversArePairedInTheirOrder() {
        let document = Self.document(
            "[{url: https://api.example.com}, {url: https://api.test.example.com, description: Sandbox}]",
            "[{url: https://files.example.com}, {url: https://files.test.example.com}]")
        #expect(document.problems == [])
        #expect(
            document.block("servers:").contains(
                "sandbox: {url: \"https://api.test.example.com\", files: \"https://files.test.example.com\"}"),
            "\(document.contract)")
        #expect(!document.findings.contains { $0.hasPrefix("openapi-server-lost") })
        let unpaired = Self.document(
            "[{url: https://api.example.com}, {url: https://b.example.com}, {url: https://c.example.com}]",
            "[{url: https://files.example.com}, {url: https://files.test.example.com}]")
        #expect(unpaired.problems == [])
        #expect(
            unpaired.findings.contains { $0.hasPrefix("openapi-server-lost: the document does not say which server") },
            "\(unpaired.findings)")
    }

    /// Without servers of the document, those of most operations are the usual ones.
    @Test func theServersOfMostOperationsAreTheUsualOnes() {
        func get(_ name: String, _ url: String) -> String {
            "  /\(name): {get: {operationId: get\(name), servers: [{url: '\(url)'}], responses: {'204': {description: ok}}}}\n"
        }
        let document = ImportedDocument(files: [
            "api.yaml": "openapi: 3.0.3\ninfo: {title: Maps, version: '1'}\npaths:\n"
                + get("A", "https://roads.example.com") + get("B", "https://maps.example.com")
                + get("C", "https://maps.example.com")
        ])
        #expect(document.problems == [])
        #expect(
            document.block("servers:")
                == "servers:\n  production: {url: \"https://maps.example.com\", roads: \"https://roads.example.com\"}",
            "\(document.contract)")
        #expect(document.block("getA:").contains("server: roads"))
        #expect(document.result.endpointCount == 3)
    }

    @Test func aServerWithoutABaseURLIsLost() {
        let document = Self.document("[{url: https://api.example.com}]", "[{url: /upload}]")
        #expect(document.problems == [])
        #expect(document.findings.contains { $0.contains("`POST /files` is left out") }, "\(document.findings)")
    }
}
