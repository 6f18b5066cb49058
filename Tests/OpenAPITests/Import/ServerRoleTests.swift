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

    /// One operation needs the key and the token, the others one of them each.
    private static func document(of both: String) -> ImportedDocument {
        ImportedDocument(files: [
            "api.yaml": """
            openapi: 3.0.3
            info: {title: Media, version: "1"}
            servers: [{url: https://api.example.com}]
            security: [{user: [], key: []}]
            paths:
              /a: {get: {operationId: getA, responses: {'204': {description: ok}}}}
              /b: {get: {operationId: getB, \(both), responses: {'204': {description: ok}}}}
            components:
              securitySchemes:
                user: {type: http, scheme: bearer}
                key: {type: apiKey, in: header, name: X-Api-Key}
            """
        ])
    }

    @Test(arguments: [
        ("[{user: []}]", "sends: [session]"), ("[{key: []}]", "sends: [common]"),
        ("[{user: [], key: []}]", "sends: [session, common]"), ("[{other: []}]", nil),
    ])
    func aRoleGetsTheCredentialsThatItsOperationsAskFor(_ security: String, _ wanted: String?) {
        let document = Self.document(of: "servers: [{url: https://media.example.com}], security: \(security)")
        #expect(document.problems == [])
        if let wanted {
            #expect(document.contract.contains("media: {\(wanted)}"), "\(document.contract)")
        } else {
            #expect(!document.contract.contains("sends:"), "\(document.contract)")
        }
    }

    /// What other requests carry anyway is an input where the origin does not get it.
    @Test func aHeaderStaysWhereItsOriginDoesNotGetTheKey() {
        let parameter = "parameters: [{name: X-Api-Key, in: header, required: true, schema: {type: string}}]"
        let home = Self.document(of: parameter)
        #expect(home.problems == [])
        #expect(!home.block("getB:").contains("X-Api-Key"), "\(home.contract)")
        let other = Self.document(of: "\(parameter), servers: [{url: https://media.example.com}], security: []")
        #expect(other.problems == [])
        #expect(other.block("getB:").contains("X-Api-Key"), "\(other.contract)")
    }

    @Test func everyOriginIsAskedForTheTypeOfItsResponses() {
        let content = "content: {application/vnd.api+json: {schema: {type: object, properties: {a: {type: string}}}}}"
        let document = ImportedDocument(files: [
            "api.yaml": """
            openapi: 3.0.3
            info: {title: Media, version: "1"}
            servers: [{url: https://api.example.com}]
            paths:
              /a: {get: {operationId: getA, responses: {'200': {description: ok, \(content)}}}}
              /b: {get: {operationId: getB, servers: [{url: https://media.example.com}], responses: {'200': {description: ok, \(content)}}}}
            """
        ])
        #expect(document.problems == [])
        #expect(document.block("getB:").contains("application/vnd.api+json"), "\(document.contract)")
        #expect(!document.block("getA:").contains("application/vnd.api+json"), "\(document.contract)")
    }

    /// A server that a contract cannot have moves no other one to its place.
    @Test(arguments: [
        (
            "https://api.example.com /v1 https://sandbox.example.com",
            "https://up.example.com https://mid.example.com /x"
        ),
        ("https://api.example.com https://sandbox.example.com", "https://up.example.com /x https://other.example.com"),
    ])
    func serversAreNotPairedBesideAnUnusableOne(_ home: String, _ own: String) {
        func list(_ urls: String) -> String {
            "[\(urls.split(separator: " ").map { "{url: \($0)}" }.joined(separator: ", "))]"
        }
        let document = Self.document(list(home), list(own))
        #expect(document.problems == [])
        #expect(document.contract.contains("https://up.example.com"), "\(document.contract)")
        #expect(!document.contract.contains("https://mid.example.com"), "\(document.contract)")
        #expect(
            document.findings.contains { $0.hasPrefix("openapi-server-lost: the document does not say which server") },
            "\(document.findings)")
    }

    /// InfluxDB: the app passes the host, and the document has only paths.
    @Test(arguments: [("[{url: ''}]", "/private/files"), ("[{url: /}]", "/private/files"), ("", "/private/files")])
    func aPathBesideServersWithoutAHostIsAPartOfThePath(_ home: String, _ path: String) {
        let document = Self.document(home, "[{url: /private}]")
        #expect(document.problems == [])
        #expect(document.block("upload:").contains("post: \(path)"), "\(document.contract)")
        #expect(!document.findings.contains { $0.hasPrefix("openapi-endpoint-lost") }, "\(document.findings)")
        let inside = Self.document("[{url: /api}]", "[{url: /api/v2/}]")
        #expect(inside.block("upload:").contains("post: /v2/files"), "\(inside.contract)")
        let beside = Self.document("[{url: /api}]", "[{url: /private}]")
        #expect(beside.findings.contains { $0.hasPrefix("openapi-endpoint-lost") }, "\(beside.contract)")
    }

    @Test func aServerBesideNoneIsReported() {
        let document = Self.document("", "[{url: https://upload.example.com}]")
        #expect(document.problems == [])
        #expect(document.block("upload:").contains("post: /files"))
        #expect(
            document.findings.contains {
                $0.hasPrefix("openapi-server-lost: `POST /files` is sent to the server that")
            },
            "\(document.findings)")
    }

    @Test func aRoleWithoutAnEndpointIsNone() {
        let cookie = "parameters: [{name: a b, in: cookie, required: true, schema: {type: string}}]"
        let document = Self.document(of: "servers: [{url: https://media.example.com}], \(cookie)")
        #expect(document.problems == [])
        #expect(document.result.endpointCount == 1)
        #expect(!document.contract.contains("media"), "\(document.contract)")
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
        let document = Self.document("[{url: https://api.example.com}]", "[{url: 'upload'}]")
        #expect(document.problems == [])
        #expect(document.findings.contains { $0.contains("`POST /files` is left out") }, "\(document.findings)")
    }
}
