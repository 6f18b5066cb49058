import Testing

/// Wrappers of responses, and failures inside of responses with a successful status.
@Suite struct LiftedEnvelopeTests {
    private static func get(_ path: String, _ schema: String, more: String = "") -> String {
        "\(path): {get: {responses: {200: {description: Fine, content: {application/json: {schema: \(schema)}}}\(more)}}}"
    }

    private static let user = "{type: object, required: [id], properties: {id: {type: integer}}}"
    private static let components = """
        schemas: {User: \(user), Failure: {type: object, properties: {code: {type: string, enum: [gone, rate_limited]}, message: {type: string}}}}
        """

    private static func wrapped(_ data: String, _ more: String = "", code: String = "{type: integer}") -> String {
        "{type: object, required: [code, data], properties: {code: \(code), message: {type: string}, data: \(data)\(more)}}"
    }

    @Test func aCommonWrapperIsLifted() {
        let paths = [
            Self.get("/a", Self.wrapped("{$ref: '#/components/schemas/User'}", code: "{const: 0}")),
            Self.get(
                "/b", Self.wrapped("{type: array, items: {$ref: '#/components/schemas/User'}}", code: "{const: 0}")),
            Self.get("/c", Self.wrapped("{type: string}", code: "{const: 0}")),
            Self.get("/d", "{$ref: '#/components/schemas/User'}"),
            Self.get("/e", Self.wrapped("{type: 'null'}", code: "{const: 0}")),
        ]
        let document = ImportedDocument(paths: paths.joined(separator: "\n"), components: Self.components)
        #expect(document.problems == [])
        #expect(
            document.block("standard:")
                == "standard:\n  data: data\n  code: code\n  message: message\n  success: [0]")
        #expect(document.block("defaults:").contains("envelope: standard"))
        #expect(document.block("getA:").contains("response: User"))
        #expect(document.block("getB:").contains("response: [User]"))
        #expect(document.block("getC:").contains("response: string"))
        #expect(document.block("getD:").contains("envelope: none"))
        #expect(document.block("getE:").contains("response: none"))
    }

    /// Two responses are not enough, a further key is a value that an app may need, and data of failures must not be lost.
    @Test(arguments: [
        ("", 2, ""), (", total: {type: integer}", 4, ""),
        (
            "", 4,
            ", 404: {description: None, content: {application/json: {schema: {type: object, properties: {reason: {type: string}}}}}}"
        ),
    ])
    func whatIsNotCertainStays(more: String, count: Int, failure: String) {
        let paths = (0..<count).map {
            Self.get("/\("abcd".map(String.init)[$0])", Self.wrapped("{type: string}", more), more: failure)
        }
        let document = ImportedDocument(paths: paths.joined(separator: "\n"), components: Self.components)
        #expect(document.problems == [])
        #expect(!document.contract.contains("envelopes:"))
        #expect(document.block("getA:").contains("data: string"))
    }

    /// Failures that have the wrapper, too, have statuses of their own: the status decides, and the code informs.
    @Test func theStatusMayDecide() {
        let failure =
            ", 404: {description: None, content: {application/json: {schema: \(Self.wrapped("{type: 'null'}"))}}}"
        let paths = ["/a", "/b", "/c"].map { Self.get($0, Self.wrapped("{type: string}"), more: failure) }
        let document = ImportedDocument(paths: paths.joined(separator: "\n"), components: Self.components)
        #expect(document.problems == [])
        #expect(
            document.block("standard:")
                == "standard:\n  data: data\n  code: code\n  message: message\n  success: status")
        #expect(!document.contract.contains("errand:ignore envelope-without-success-condition"))
        #expect(
            document.result.reviews.contains {
                $0 == ("envelopes/standard", "a response with a successful status is a success whatever its `code`")
            })
        #expect(document.generated.contains { String(decoding: $0.bytes, as: UTF8.self).contains("success: .status") })
    }

    @Test func whatIsLeftOutOfAWrapperIsSaid() {
        let paths = ["/a", "/b", "/c"].map {
            Self.get($0, Self.wrapped("{type: string}", ", timestamp: {type: integer}"))
        }
        let document = ImportedDocument(paths: paths.joined(separator: "\n"))
        #expect(document.problems == [])
        #expect(
            document.findings.contains { $0.hasPrefix("openapi-envelope-lifted: the client does not read `timestamp`") }
        )
        #expect(document.contract.contains("# errand:review the document does not say which codes are a success"))
        #expect(document.contract.contains("# errand:review the client reads nothing but `data` of these responses"))
        #expect(document.result.reviews.count { $0.subject == "envelopes/standard" } == 2)
    }

    @Test func anErrorWithCodesIsAnEnvelope() {
        let slack =
            "{type: object, required: [ok], properties: {ok: {type: boolean}, error: {type: string, enum: [channel_not_found, ratelimited]}, channel: {$ref: '#/components/schemas/User'}}}"
        let document = ImportedDocument(
            paths: Self.get("/a", slack) + "\n" + Self.get("/b", "{$ref: '#/components/schemas/User'}"),
            components: Self.components)
        #expect(document.problems == [])
        #expect(document.block("standard:") == "standard:\n  error: error\n  code: error")
        #expect(document.block("channelNotFound:").contains("when: {code: channel_not_found}"))
        #expect(document.block("ratelimited:").contains("category: retryable"))
        #expect(document.contract.contains("# errand:review a response with `error` is a failure whatever its status"))
        #expect(document.block("getA:").contains("errors: [channelNotFound, ratelimited]"))
        #expect(document.block("getA:").contains("channel: User?"))
        #expect(!document.block("getB:").contains("errors:"))
    }

    @Test func aListOfErrorsIsAnEnvelope() {
        let graph = """
            {type: object, properties: {data: {$ref: '#/components/schemas/User'}, errors: {type: array, items: {$ref: '#/components/schemas/Failure'}}}}
            """
        let document = ImportedDocument(paths: Self.get("/a", graph), components: Self.components)
        #expect(document.problems == [])
        #expect(
            document.block("standard:")
                == "standard:\n  error: errors\n  code: errors.code\n  message: errors.message")
        #expect(document.block("gone:").contains("when: {code: gone}"))
    }

    @Test func anErrorWithoutCodesStaysAndIsSaid() {
        let open =
            "{type: object, properties: {name: {type: string}, error: {type: object, properties: {text: {type: string}}}}}"
        let document = ImportedDocument(paths: Self.get("/a", open), components: Self.components)
        #expect(document.problems == [])
        #expect(!document.contract.contains("envelopes:"))
        #expect(document.findings.contains { $0.hasPrefix("openapi-error-in-success") })
    }

    @Test func anAlternativeIsAnError() {
        let either = """
            {oneOf: [{$ref: '#/components/schemas/User'}, {$ref: '#/components/schemas/OrderError'}]}
            """
        let error =
            "OrderError: {type: object, required: [status], properties: {status: {type: string, enum: [expired, sold_out]}, message: {type: string}}}"
        let document = ImportedDocument(
            paths: Self.get("/a", either), components: "schemas:\n  User: \(Self.user)\n  \(error)")
        #expect(document.problems == [])
        #expect(document.block("getA:").contains("response: User"))
        #expect(document.block("expired:").contains("when: {status: 200..299, body: {status: expired}}"))
        #expect(document.block("soldOut:").contains("data: OrderError"))
        #expect(!document.findings.contains { $0.hasPrefix("openapi-union-lost") })
    }

    @Test func anAlternativeWithNothingButAnErrorIsAnEnvelope() {
        let either = """
            {oneOf: [{$ref: '#/components/schemas/User'}, {type: object, properties: {error: {$ref: '#/components/schemas/Failure'}}}]}
            """
        let document = ImportedDocument(paths: Self.get("/a", either), components: Self.components)
        #expect(document.problems == [])
        #expect(document.block("getA:").contains("response: User"))
        #expect(document.block("standard:").contains("code: error.code"))
        #expect(document.block("gone:").contains("when: {code: gone}"))
    }

    /// The members of an error beside code and message are its data, of one type for all endpoints.
    @Test func theRestOfAnErrorComesWithIt() {
        let error =
            "Oops: {type: object, properties: {code: {type: integer, enum: [1001, 1002]}, details: {type: array, items: {type: string}}}}"
        let response = "{type: object, properties: {ok: {type: boolean}, error: {$ref: '#/components/schemas/Oops'}}}"
        let document = ImportedDocument(
            paths: Self.get("/a", response) + "\n" + Self.get("/b", response), components: "schemas:\n  \(error)")
        #expect(document.problems == [])
        #expect(document.block("code1001:").contains("when: {code: 1001}\n  data: ErrorDetails"))
        #expect(document.block("ErrorDetails:") == "ErrorDetails:\n  error: Oops?")
        #expect(document.result.errorCount == 2)
        #expect(document.block("defaults:").contains("errors: [code1001, code1002]"))
    }

    /// A success that can look like the error keeps the alternatives.
    @Test func alternativesThatAreNotApartStay() {
        let either = "{oneOf: [{$ref: '#/components/schemas/User'}, {$ref: '#/components/schemas/OrderError'}]}"
        let document = ImportedDocument(
            paths: Self.get("/a", either),
            components: """
                schemas:
                  User: {type: object, properties: {status: {type: string}}}
                  OrderError: {type: object, required: [status], properties: {status: {type: string, enum: [expired]}}}
                """)
        #expect(document.problems == [])
        #expect(!document.contract.contains("expired:"))
        #expect(document.findings.contains { $0.hasPrefix("openapi-union-lost") })
    }
}
