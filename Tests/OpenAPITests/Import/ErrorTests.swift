import Testing

/// What failures become.
@Suite struct ErrorTests {
    private static let problem = "content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}"
    private static let components = """
        schemas: {Problem: {type: object, required: [code], properties: {code: {type: string}}}}
        securitySchemes: {token: {type: http, scheme: bearer}}
        """

    private func endpoint(_ path: String, _ responses: String, method: String = "get", more: String = "") -> String {
        "\(path): {\(method): {\(more)responses: {200: {description: Fine}, \(responses)}}}"
    }

    @Test func oneErrorForAllEndpoints() {
        let document = ImportedDocument(
            paths: [
                endpoint("/a", "404: {description: Gone., \(Self.problem)}, 409: {description: Clash.}"),
                endpoint("/b", "404: {description: Gone., \(Self.problem)}"),
                endpoint("/c", "404: {description: Away.}"),
            ].joined(separator: "\n"), components: Self.components)
        #expect(document.problems == [])
        #expect(
            document.block("notFound:")
                == "notFound:\n  category: nonRetryable\n  when: {status: 404}\n  data: Problem")
        #expect(document.block("getA:").contains("errors: [conflict]"))
        #expect(document.block("defaults:").contains("errors: [notFound]"))
        #expect(document.result.reviews.map(\.subject) == ["errors/notFound", "errors/conflict"])
    }

    @Test func defaultTakesWhatIsLeft() {
        let document = ImportedDocument(
            paths: [
                endpoint(
                    "/a", "404: {description: Gone.}, default: {description: Any., \(Self.problem)}",
                    more: "security: [{token: []}], "),
                endpoint(
                    "/b", "default: {description: Any., \(Self.problem)}", method: "post",
                    more: "security: [{token: []}], "),
            ].joined(separator: "\n"), components: Self.components)
        #expect(document.problems == [])
        #expect(
            document.block("requestFailed:").contains(
                "when: {status: [400, 402..403, 405..407, 409..424, 426..428, 430..501, 505..599]}"))
        #expect(document.block("unauthorized:").contains("category: requiresLogout"))
        #expect(document.block("defaults:").contains("errors: [requestFailed, unauthorized, notFound]"))
    }

    /// With a row, the client would not follow it to the usual response.
    @Test func aRedirectThatTheClientFollowsIsNoError() {
        let document = ImportedDocument(
            paths: [
                endpoint("/a", "302: {description: Elsewhere.}, 304: {description: Same.}, 404: {description: Gone.}"),
                endpoint("/b", "303: {description: See there.}, 307: {description: Elsewhere.}", method: "post"),
                "/c: {get: {responses: {302: {description: Elsewhere.}}}}",
            ].joined(separator: "\n"), components: Self.components)
        #expect(document.problems == [])
        #expect(document.block("getA:").contains("errors: [notFound]"), "\(document.contract)")
        #expect(document.block("postB:").contains("errors: [seeOther]"), "\(document.contract)")
        #expect(document.block("getC:").contains("errors: [found]"), "\(document.contract)")
        #expect(document.findings.count { $0.contains("the client follows a redirect with status") } == 2)
        #expect(document.findings.count { $0.contains("a 304 is no error") } == 1)
    }

    /// A repeated DELETE succeeds if there is nothing to delete any more, where a success needs no payload.
    @Test func aDeletionIsDoneAlready() {
        let document = ImportedDocument(
            paths: [
                endpoint("/a", "404: {description: Gone.}, 409: {description: Clash.}", method: "delete"),
                endpoint("/b", "404: {description: Gone.}"),
                endpoint("/c", "410: {description: Gone.}", method: "delete"),
                "/d: {delete: {responses: {200: {description: Fine, \(Self.problem)}, 404: {description: Gone.}}}}",
                endpoint("/e", "409: {description: Clash.}", method: "put"),
            ].joined(separator: "\n"), components: Self.components)
        #expect(document.problems == [])
        let settled = document.contract.split(separator: "\n").filter { $0.contains("settles: success") }
        #expect(settled.count == 2, "\(document.contract)")
        #expect(
            document.block("alreadyGone:")
                == "alreadyGone:\n  doc: Gone.\n  category: nonRetryable\n  when: {status: 404}\n  settles: success",
            "\(document.contract)")
        #expect(document.block("deleteA:").contains("errors: [alreadyGone, conflict]"), "\(document.contract)")
        #expect(document.block("getB:").contains("errors: [notFound]"), "\(document.contract)")
        #expect(document.block("deleteC:").contains("errors: [deletedBefore]"), "\(document.contract)")
        #expect(document.block("deleteD:").contains("errors: [notFound]"), "\(document.contract)")
    }

    @Test func categoriesAreProposed() {
        let document = ImportedDocument(
            paths: [
                endpoint("/a", "429: {description: Slow.}, 503: {description: Down.}, 502: {description: Gate.}"),
                endpoint(
                    "/b", "502: {description: Gate.}, 423: {description: Held., headers: {Retry-After: {}}}",
                    method: "post"),
                endpoint("/c", "401: {description: Who.}", more: "security: [], "),
            ].joined(separator: "\n"), components: Self.components)
        #expect(document.problems == [])
        for (name, category) in [
            ("tooManyRequests", "retryable"), ("serviceUnavailable", "retryable"), ("badGateway", "nonRetryable"),
            ("locked", "retryable"), ("unauthorized", "nonRetryable"),
        ] {
            #expect(document.block("\(name):").contains("category: \(category)"), "\(name)")
        }
    }

    /// The 401 of a login means a wrong password, and that of other endpoints the end of the session.
    @Test(arguments: [problem, "description: \"\""])
    func theLoginsRefusalIsAnErrorOfItsOwn(_ content: String) {
        let said =
            content.hasPrefix("content") ? "description: Wrong password., \(content)" : "description: Wrong password."
        let document = ImportedDocument(
            paths: [
                endpoint("/login", "401: {\(said)}", method: "post", more: "security: [], "),
                endpoint("/a", "401: {description: Over., \(Self.problem)}", more: "security: [{token: []}], "),
                endpoint("/b", "401: {description: Over.}", more: "security: [{token: []}], "),
            ].joined(separator: "\n"), components: Self.components)
        #expect(document.problems == [])
        #expect(document.block("unauthorized:").contains("category: requiresLogout"), "\(document.contract)")
        let refusal = document.block("wrongCredentials:")
        #expect(refusal.contains("doc: Wrong password.") && refusal.contains("category: nonRetryable"), "\(refusal)")
        #expect(refusal.contains("data: Problem") == content.hasPrefix("content"), "\(refusal)")
        #expect(document.block("postLogin:").contains("errors: [wrongCredentials]"), "\(document.contract)")
        #expect(!document.findings.contains { $0.hasPrefix("openapi-response-lost") })
    }

    /// A login may declare its 401 as a part of what is left, as other endpoints do. One that only reads has no credentials.
    @Test(arguments: ["default", "4XX"])
    func theLoginsRefusalMayBeInARange(_ range: String) {
        let rest = "\(range): {description: Any., \(Self.problem)}"
        let document = ImportedDocument(
            paths: [
                endpoint("/login", rest, method: "post", more: "security: [], "),
                endpoint("/status", rest, more: "security: [], "),
                endpoint("/a", "401: {description: Over.}, \(rest)", more: "security: [{token: []}], "),
            ].joined(separator: "\n"), components: Self.components)
        #expect(document.problems == [])
        let refusal = document.block("wrongCredentials:")
        #expect(refusal.contains("category: nonRetryable") && refusal.contains("when: {status: 401}"), "\(refusal)")
        #expect(refusal.contains("data: Problem"), "\(refusal)")
        #expect(document.block("postLogin:").contains("errors: [wrongCredentials]"), "\(document.contract)")
        #expect(!document.block("getStatus:").contains("wrongCredentials"), "\(document.contract)")
    }

    /// A class of statuses has the 304 in it, which is no error either.
    @Test func aClassOfRedirectsIsWithoutTheUnchanged() {
        let document = ImportedDocument(
            paths: endpoint("/a", "3XX: {description: Elsewhere.}, 404: {description: Gone.}", method: "post"))
        #expect(document.problems == [])
        #expect(document.contract.contains("300..303, 305..399"), "\(document.contract)")
    }

    @Test func aDocumentWithoutErrorsGetsTheUsualOnes() {
        let document = ImportedDocument(
            paths:
                "/a: {get: {responses: {200: {description: Fine}}}}\n/b: {get: {responses: {200: {description: Fine}}}}"
        )
        #expect(document.problems == [])
        #expect(document.result.findings.map(\.rule) == ["openapi-errors-undeclared"])
        #expect(document.block("defaults:").contains("errors: [badRequest, forbidden, notFound, conflict]"))
    }

    @Test func sessions() {
        let schemes = [
            ("{type: http, scheme: bearer}", "format: Bearer {token}"),
            ("{type: http, scheme: basic}", "format: Basic {token}"),
            ("{type: apiKey, in: header, name: X-Key}", "header: X-Key"),
            (
                "{type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://a.example/t', scopes: {read: Reads.}}}}",
                "format: Bearer {token}"
            ),
        ]
        for (scheme, line) in schemes {
            let document = ImportedDocument(
                paths: endpoint("/a", Self.failure, more: "security: [{one: []}], ") + "\n"
                    + endpoint("/b", Self.failure),
                components: "securitySchemes: {one: \(scheme)}")
            #expect(document.problems == [])
            #expect(document.block("session:").contains(line), "\(scheme)")
            #expect(document.block("getB:").contains("session: none"))
            #expect(!document.block("getA:").contains("session:"))
        }
        let keys = ImportedDocument(
            paths: endpoint("/a", Self.failure, more: "security: [{one: [], two: []}], "),
            components:
                "securitySchemes: {one: {type: apiKey, in: header, name: X-One}, two: {type: apiKey, in: query, name: two}}"
        )
        #expect(keys.problems == [])
        #expect(keys.block("common:").contains("one: {type: string, wire: X-One, sensitive: true}"))
        #expect(keys.block("common:").contains("two: {type: string, sensitive: true}"))
    }

    private static let failure = "404: {description: None.}"
}
