import Testing

/// What services in a framework send besides, where their documents show which framework it is.
@Suite struct FrameworkTests {
    private typealias Documents = FrameworkDocuments

    /// Why an error is to be reviewed.
    private static func review(of name: String, in document: ImportedDocument) -> String {
        document.result.reviews.first { $0.subject == "errors/\(name)" }?.reason ?? ""
    }

    // MARK: FastAPI

    @Test func fastAPISendsTextsBesides() {
        let document = Documents.imported(Documents.fastAPI())
        #expect(document.problems == [])
        #expect(!document.generated.isEmpty)
        #expect(document.contract.contains("# Framework: FastAPI, by what its tool writes into documents."))
        #expect(document.contract.contains("# It writes null for a number that is NaN."))
        #expect(
            document.block("badRequest:") == """
                badRequest:
                  doc: The body is not UTF-8, or a handler refused the request.
                  category: nonRetryable
                  when: {status: 400}
                  data: ErrorDetail
                """)
        #expect(
            document.block("unprocessableText:") == """
                unprocessableText:
                  doc: A handler refused the request, and says why in a text.
                  category: nonRetryable
                  when: {status: 422, body: {detail: "*"}}
                  data: ErrorDetail
                """)
        #expect(document.block("unprocessable:").contains("when: {status: 422}\n  data: HTTPValidationError"))
        #expect(document.block("unauthorized:").contains("category: requiresLogout\n  when: {status: 401}"))
        #expect(document.block("ErrorDetail:") == "ErrorDetail:\n  detail: string")
        #expect(
            document.block("defaults:").contains(
                "errors: [badRequest, unauthorized, unprocessable, unprocessableText]"), "\(document.contract)")
        #expect(
            Self.review(of: "badRequest", in: document)
                == "nonRetryable: 400 means that the same request fails again; "
                + "FastAPI 0.165.0 sends it undeclared (docs/frameworks.md)")
    }

    @Test func anOlderFastAPIRefusesAMissingTokenWith403() {
        let bearer = "{user: {type: http, scheme: bearer}}"
        let document = Documents.imported(Documents.fastAPI(schemes: bearer))
        #expect(document.problems == [])
        let review = Self.review(of: "unauthorized", in: document)
        #expect(review.hasSuffix("; before FastAPI 0.122.0, 403 may mean that there is no token"), "\(review)")
    }

    @Test func withoutCredentialsThereIsNo401() {
        let document = Documents.imported(Documents.fastAPI(schemes: "{}", security: "[]"))
        #expect(document.problems == [])
        #expect(
            document.block("defaults:").contains("errors: [badRequest, unprocessable, unprocessableText]"),
            "\(document.contract)")
    }

    @Test(arguments: [
        ("token", "/token", "https://api.sample.example"),
        ("/token", "/token", "https://api.sample.example/v1"),
        ("/v1/token", "/token", "https://api.sample.example/v1"),
        ("v1/token", "/v1/token", "/"),
        ("/v1/token", "/token", "/v1"),
        ("https://api.sample.example/v1/token", "/token", "https://api.sample.example/v1"),
    ])
    func theTokenURLIsTheLogin(_ url: String, _ path: String, _ server: String) {
        let schemes = Documents.passwordFlow.replacing("tokenUrl: token", with: "tokenUrl: '\(url)'")
        let document = Documents.imported(
            Documents.fastAPI(schemes: schemes, path: path, servers: "[{url: '\(server)'}]"))
        #expect(document.problems == [])
        #expect(
            document.block("session:") == """
                session:
                  header: Authorization
                  format: Bearer {token}
                  # errand:review `tokenUrl` of the document leads to this endpoint
                  login: logIn
                  token: access_token
                """, "\(document.contract)")
    }

    @Test(arguments: [
        ("elsewhere", "Token"), ("https://accounts.example/token", "Token"), ("token", "Item"),
    ])
    func anotherTokenURLIsNoLogin(_ url: String, _ response: String) {
        let schemes = Documents.passwordFlow.replacing("tokenUrl: token", with: "tokenUrl: '\(url)'")
        let document = Documents.imported(Documents.fastAPI(schemes: schemes, token: response))
        #expect(document.problems == [])
        #expect(!document.block("session:").contains("login:"), "\(document.contract)")
    }

    // MARK: Django

    @Test func djangoRESTSendsFieldsOrAText() {
        let document = Documents.imported(Documents.djangoREST())
        #expect(document.problems == [])
        #expect(!document.generated.isEmpty)
        #expect(document.contract.contains("# Framework: Django REST framework, by"))
        #expect(!document.contract.contains("NaN"), "no response has a number with a fraction")
        #expect(document.block("session:").hasSuffix("header: Authorization\n  format: Token {token}"))
        #expect(
            document.block("badRequest:") == """
                badRequest:
                  doc: What is wrong with the members of the request, by their names.
                  category: nonRetryable
                  when: {status: 400}
                  data: [string: json]
                """)
        #expect(
            document.block("badRequestText:") == """
                badRequestText:
                  doc: The body of the request cannot be read.
                  category: nonRetryable
                  when: {status: 400, body: {detail: "*"}}
                  data: ErrorDetail
                """)
        #expect(document.block("tooManyRequests:").contains("category: retryable\n  when: {status: 429}"))
        #expect(
            document.block("defaults:").contains(
                "errors: [badRequest, badRequestText, unauthorized, forbidden, notFound, conflict, tooManyRequests]"),
            "\(document.contract)")
        #expect(!Self.review(of: "forbidden", in: document).contains("no token"))
    }

    @Test func a403OfACookieThatComesFirstMayBeAMissingToken() {
        let document = Documents.imported(Documents.djangoREST("[{cookieAuth: []}, {tokenAuth: []}]"))
        #expect(document.problems == [])
        #expect(Self.review(of: "forbidden", in: document).contains("; 403 may mean that there is no token"))
        #expect(!Self.review(of: "unauthorized", in: document).contains("docs/frameworks.md"))
    }

    @Test(arguments: [
        "tokenAuth: {type: apiKey, in: header, name: X-Token}",
        "tokenAuth: {type: apiKey, in: header, name: X-Token, description: The required prefix is at the desk.}",
        "tokenAuth: {type: apiKey, in: header, name: X-Token, description: 'The required prefix \"two words\".'}",
    ])
    func anotherTokenHasNoPrefix(_ scheme: String) {
        let document = Documents.imported(Documents.djangoREST(schemes: scheme))
        #expect(document.problems == [])
        #expect(document.block("session:").hasSuffix("header: X-Token"), "\(document.contract)")
    }

    @Test func aCredentialHasItsPrefix() {
        let document = Documents.imported(
            Documents.djangoREST(
                "[{user: []}]", deletion: "[{tokenAuth: []}]",
                schemes: Documents.tokenAuth + ", user: {type: http, scheme: bearer}"))
        #expect(document.problems == [])
        #expect(
            document.block("credentials:")
                == """
                credentials:
                  # Token-based authentication with required prefix "Token"
                  tokenAuth: {header: Authorization, format: "Token {token}"}
                """,
            "\(document.contract)")
    }

    @Test func djangoNinjaSendsDetailsOrAText() {
        let document = Documents.imported(Documents.djangoNinja())
        #expect(document.problems == [])
        #expect(!document.generated.isEmpty)
        #expect(document.contract.contains("# It writes a number that is NaN as a word, which is not JSON."))
        #expect(document.block("unprocessable:").hasSuffix("when: {status: 422}\n  data: ErrorDetails"))
        #expect(
            document.block("unprocessableText:").hasSuffix(
                "when: {status: 422, body: {detail: \"*\"}}\n  data: ErrorDetail"))
        #expect(document.block("ErrorDetails:") == "ErrorDetails:\n  detail: [ValidationError]")
        #expect(document.block("ValidationError:") == "ValidationError:\n  type: string\n  loc: [json]\n  msg: string")
        let errors = [
            "badRequest", "unauthorized", "forbidden", "notFound", "conflict", "unprocessable", "unprocessableText",
            "tooManyRequests",
        ]
        #expect(
            document.block("defaults:").contains("errors: [\(errors.joined(separator: ", "))]"),
            "\(document.contract)")
    }

    // MARK: Litestar and Sanic

    @Test func litestarSendsWhatGuardsAndLimitsRefuse() {
        let document = Documents.imported(Documents.litestar())
        #expect(document.problems == [])
        #expect(!document.generated.isEmpty)
        #expect(document.block("ErrorDetail:").hasPrefix("ErrorDetail:\n  detail: string\n  statusCode:"))
        #expect(document.block("searchSearch:").contains("errors: [badRequest]"))
        #expect(
            document.block("defaults:").contains("errors: [unauthorized, forbidden, tooManyRequests]"),
            "\(document.contract)")
    }

    @Test func sanicSendsOneForm() {
        let document = Documents.imported(Documents.sanic())
        #expect(document.problems == [])
        #expect(
            document.block("ErrorDetail:") == "ErrorDetail:\n  message: string\n  description: string\n  status: int")
        #expect(document.block("badRequest:").hasSuffix("when: {status: 400}\n  data: ErrorDetail"))
        #expect(
            document.block("defaults:").contains("errors: [badRequest, forbidden, notFound, conflict]"),
            "\(document.contract)")
    }

    // MARK: Near misses

    @Test(arguments: [
        (#"type: array, items: {$ref: '#/components/schemas/ValidationError'}"#, "type: string"),
        ("required: [loc, msg, type]", "required: [loc, msg]"), ("detail:", "message:"),
    ])
    func aSchemaOfTheSameNameIsNotFastAPI(_ part: String, _ other: String) {
        let schemas = Documents.validation.replacing(part, with: other)
        #expect(schemas != Documents.validation)
        expectNothing(of: Documents.fastAPI(schemas: schemas))
    }

    @Test func whatLooksAlikeIsNotRecognized() {
        expectNothing(of: Documents.djangoREST(success: "The groups."))
        expectNothing(of: Documents.djangoNinja("deprecated: false"))
        expectNothing(of: Documents.litestar("What is wrong."))
        expectNothing(of: Documents.sanic("news"))
    }

    /// A service that wraps its responses wraps its failures, too.
    @Test func aServiceWithItsOwnFormSendsNothingElse() {
        let text = Documents.djangoREST(
            deleted: "200: {description: '', \(Documents.json("Item"))}",
            schema: "{type: object, required: [code, data], properties: {code: {type: integer}, data: {type: object}}}")
        #expect(Documents.imported(text).contract.contains("envelopes:"))
        expectNothing(of: text)
    }

    private func expectNothing(of text: String) {
        let document = Documents.imported(text)
        #expect(document.problems == [])
        #expect(!document.contract.contains("# Framework:"), "\(document.contract)")
        #expect(!document.contract.contains("docs/frameworks.md"), "\(document.contract)")
    }
}
