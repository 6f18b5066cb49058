import Testing

/// Operations that need another proof of identity than most.
@Suite struct CredentialTests {
    private static let ok = "responses: {'204': {description: ok}, '401': {description: no}}"

    /// - Parameter own: the `security` of the last operation; the others need `user`.
    private static func document(_ own: String, schemes: [String], more: String = "") -> ImportedDocument {
        ImportedDocument(files: [
            "api.yaml": """
            openapi: 3.0.3
            info: {title: Users, version: "1"}
            servers: [{url: https://api.example.com}]
            security: [{user: []}]
            paths:
              /a: {get: {operationId: getA, \(ok)}}
              /b: {get: {operationId: getB, \(ok)}}
              /c: {get: {operationId: getC, security: \(own), \(more)\(ok)}}
            components:
              securitySchemes:
                user: {type: http, scheme: bearer}
            \(schemes.map { "    " + $0 }.joined(separator: "\n"))
            """
        ])
    }

    private static let admin = "admin: {type: http, scheme: bearer}"
    private static let tenant = "tenant_id: {type: apiKey, in: header, name: X-Tenant}"

    @Test(arguments: [
        (admin, "admin: bearer"), ("admin: {type: http, scheme: basic}", "admin: basic"),
        ("admin: {type: oauth2, flows: {}}", "admin: bearer"),
        ("admin: {type: apiKey, in: header, name: X-Key}", "admin: {header: X-Key}"),
        ("admin: {type: apiKey, in: query, name: api key}", "admin: {query: api key}"),
        ("admin: {type: apiKey, in: cookie, name: sid}", "admin: {cookie: sid}"),
    ])
    func aSchemeOfSomeOperationsIsACredential(_ scheme: String, _ wanted: String) {
        let document = Self.document("[{admin: []}]", schemes: [scheme])
        #expect(document.problems == [])
        #expect(document.block("credentials:") == "credentials:\n  \(wanted)", "\(document.contract)")
        #expect(document.block("getC:").contains("session: none\n  credentials: [admin]"), "\(document.contract)")
        #expect(!document.block("getA:").contains("credentials"))
        #expect(!document.findings.contains { $0.hasPrefix("openapi-security-lost") }, "\(document.findings)")
    }

    @Test(arguments: [
        ("[{admin: []}, {tenant_id: []}]", "session: none\n  credentials: [admin, tenantID]"),
        ("[{admin: [], tenant_id: []}, {}]", "session: none\n  credentials: [admin + tenantID, none]"),
        // The session is a part of each.
        ("[{user: [], tenant_id: []}]", "credentials: [tenantID]"),
        ("[{user: [], tenant_id: []}, {}]", "session: optional\n  credentials: [tenantID, none]"),
        // An alternative that does without the session.
        ("[{user: [], tenant_id: []}, {admin: []}]", "session: none\n  credentials: [admin]"),
        // The same with other scopes.
        ("[{admin: [a]}, {admin: [b]}]", "session: none\n  credentials: [admin]"),
    ])
    func alternativesKeepTheirOrder(_ security: String, _ wanted: String) {
        let document = Self.document(security, schemes: [Self.admin, Self.tenant])
        #expect(document.problems == [])
        #expect(document.block("getC:").contains(wanted), "\(document.contract)")
    }

    /// Most operations have it, so it is the simplest.
    @Test func theSessionAloneIsKept() {
        let document = Self.document("[{admin: []}, {user: []}]", schemes: [Self.admin])
        #expect(document.problems == [])
        #expect(!document.contract.contains("credentials:"), "\(document.contract)")
        #expect(document.findings.contains { $0.hasPrefix("openapi-security-lost") && $0.contains("`admin`") })
    }

    /// Neither can be sent together: both are in `Authorization`.
    @Test func whatRequestsCannotCarryIsReported() {
        let document = Self.document(
            "[{user: [], admin: []}, {cert: []}]", schemes: [Self.admin, "cert: {type: mutualTLS}"])
        #expect(document.problems == [])
        #expect(!document.contract.contains("credentials:"), "\(document.contract)")
        let lost = document.findings.filter { $0.hasPrefix("openapi-security-lost") }
        #expect(
            lost.count == 3 && lost.contains { $0.contains("does not send the credentials of `user`, `admin`, `cert`") }
        )
    }

    /// The app gives it once, and not to each request.
    @Test func aParameterOfTheSameNameIsLeftOut() {
        let document = Self.document(
            "[{tenant_id: []}]", schemes: [Self.tenant],
            more: "parameters: [{name: x-tenant, in: header, required: true, schema: {type: string}}], ")
        #expect(document.problems == [])
        #expect(!document.block("getC:").contains("headers"), "\(document.contract)")
    }

    @Test func namesOfTheLanguageAndOfTheClientAreFree() {
        let document = Self.document(
            "[{session: []}, {none: []}, {dispatcher: []}]",
            schemes: [
                "session: {type: http, scheme: basic}", "none: {type: apiKey, in: header, name: X-A}",
                "dispatcher: {type: apiKey, in: header, name: X-B}",
            ])
        #expect(document.problems == [])
        #expect(!document.generated.isEmpty)
        #expect(document.block("getC:").contains("credentials: ["), "\(document.contract)")
    }

    /// Two keys that most operations need together, which every request may only carry if every operation needs them.
    @Test func keysGoToNoOperationThatNeedsNone() {
        func document(_ own: String) -> ImportedDocument {
            ImportedDocument(files: [
                "api.yaml": """
                openapi: 3.0.3
                info: {title: Boards, version: "1"}
                servers: [{url: https://api.example.com}]
                security: [{app: [], key: []}]
                paths:
                  /a: {get: {operationId: getA, \(Self.ok)}}
                  /b: {get: {operationId: getB, \(Self.ok)}}
                  /c: {get: {operationId: getC, \(own)\(Self.ok)}}
                components:
                  securitySchemes:
                    app: {type: apiKey, in: header, name: X-App}
                    key: {type: apiKey, in: query, name: key}
                """
            ])
        }
        let all = document("")
        #expect(all.problems == [])
        #expect(all.contract.contains("common:") && !all.contract.contains("credentials:"), "\(all.contract)")
        let optional = document("security: [{app: [], key: []}, {}], ")
        #expect(optional.problems == [] && optional.contract.contains("common:"), "\(optional.contract)")
        let some = document("security: [], ")
        #expect(some.problems == [])
        #expect(!some.contract.contains("common:"), "\(some.contract)")
        #expect(some.block("getA:").contains("credentials: [app + key]"), "\(some.contract)")
        #expect(!some.block("getC:").contains("credentials"), "\(some.contract)")
        #expect(!some.findings.contains { $0.hasPrefix("openapi-security-lost") }, "\(some.findings)")
    }

    /// A key beside the session, which one operation does without.
    @Test func aKeyBesideTheSessionIsACredentialOfTheOperationsThatNeedIt() {
        let document = ImportedDocument(files: [
            "api.yaml": """
            openapi: 3.0.3
            info: {title: Users, version: "1"}
            servers: [{url: https://api.example.com}]
            security: [{user: [], tenant_id: []}]
            paths:
              /a: {get: {operationId: getA, \(Self.ok)}}
              /b: {get: {operationId: getB, \(Self.ok)}}
              /c: {get: {operationId: getC, security: [], \(Self.ok)}}
              /d: {get: {operationId: getD, security: [{user: []}], \(Self.ok)}}
            components:
              securitySchemes:
                user: {type: http, scheme: bearer}
                \(Self.tenant)
            """
        ])
        #expect(document.problems == [])
        #expect(document.block("getA:").contains("credentials: [tenantID]"), "\(document.contract)")
        #expect(document.block("getC:").contains("session: none"), "\(document.contract)")
        #expect(!document.block("getC:").contains("credentials") && !document.block("getD:").contains("credentials"))
        #expect(!document.contract.contains("common:"))
    }
}
