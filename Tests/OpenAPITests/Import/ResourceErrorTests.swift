import Testing

/// Errors in successful responses: which of them are failures, and what a guess about them may cause.
@Suite struct ResourceErrorTests {
    private static let user = "{type: object, required: [id], properties: {id: {type: integer}}}"
    private static let components =
        "schemas: {Failure: {type: object, properties: {code: {type: string, enum: [gone, rate_limited]}, message: {type: string}}}}"

    private static func get(_ path: String, _ schema: String) -> String {
        "\(path): {get: {responses: {200: {description: Fine, content: {application/json: {schema: \(schema)}}}}}}"
    }

    /// A resource with an error has an identity, or a part that is there beside an error. The request that started a job has
    /// succeeded when the job fails.
    @Test(arguments: [
        "{type: object, properties: {id: {type: string}, status: {type: string}, error: ERROR, output: {type: string}}}",
        "{type: object, required: [status], properties: {status: {type: string}, ok: {type: boolean}, error: ERROR}}",
        "{type: object, required: [data], properties: {data: {type: string}, error: ERROR}}",
        "{type: object, properties: {id: {type: string}, ok: {type: boolean}, error: ERROR}}",
        "{type: object, properties: {error: ERROR}}",
        "{type: object, properties: {items: {type: array, items: {type: string}}, error: ERROR}}",
    ])
    func aResourceWithAnErrorIsReturnedWhole(_ schema: String) {
        let whole = schema.replacing("ERROR", with: "{$ref: '#/components/schemas/Failure'}")
        let document = ImportedDocument(paths: Self.get("/a", whole), components: Self.components)
        #expect(document.problems == [])
        #expect(!document.contract.contains("envelope"))
        #expect(!document.contract.contains("when: {code"))
        #expect(document.block("getA:").contains("error: Failure"))
        #expect(document.findings.contains { $0.hasPrefix("openapi-error-in-success") })
    }

    /// Two states of one resource are no success and failure, whatever their names are.
    @Test func aFailedResourceIsNoError() {
        let document = ImportedDocument(
            paths: Self.get(
                "/a", "{oneOf: [{$ref: '#/components/schemas/Job'}, {$ref: '#/components/schemas/JobFailure'}]}"),
            components: """
                schemas:
                  Job: {type: object, required: [id, state], properties: {id: {type: string}, state: {enum: [done]}}}
                  JobFailure: {type: object, required: [id, state], properties: {id: {type: string}, state: {enum: [failed]}}}
                """)
        #expect(document.problems == [])
        #expect(!document.contract.contains("when: {status: 200..299"))
        #expect(document.contract.contains("by: state"))
    }

    /// A successful status says that the server has processed the request: nothing that is guessed from its body lets a write be
    /// sent again.
    @Test func anErrorInASuccessOfAWriteMayHaveBeenApplied() {
        let body = "{type: object, properties: {ok: {type: boolean}, error: {type: string, enum: [ratelimited, gone]}}}"
        let response = "responses: {200: {description: Fine, content: {application/json: {schema: \(body)}}}}"
        let key = "parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]"
        func document(_ operations: String) -> ImportedDocument {
            let document = ImportedDocument(paths: "/a: {\(operations)}")
            #expect(document.problems == [])
            return document
        }
        let open = "\n  when: {code: ratelimited}\n  applied: maybe"
        let read = document("get: {\(response)}")
        #expect(read.block("ratelimited:") == "ratelimited:\n  category: retryable\n  when: {code: ratelimited}")
        let write = document("post: {\(response)}")
        #expect(write.block("ratelimited:").contains("category: nonRetryable" + open))
        #expect(write.block("gone:").contains("applied: maybe"))
        let both = document("get: {\(response)}, post: {\(response)}")
        #expect(both.block("ratelimited:").contains("category: nonRetryable" + open))
        let keyed = document("post: {\(key), \(response)}")
        #expect(keyed.block("ratelimited:").contains("category: retryable" + open))
    }

    /// What is guessed and could send a request again, or cut a wait short, has a mark.
    @Test func guessesAreMarked() {
        let body =
            "requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {idempotency_key: {type: string}, x: {type: string}}}}}}"
        let header =
            "parameters: [{name: X-Request-Id, in: header, description: An idempotency key., schema: {type: string}}]"
        let stream =
            "get: {responses: {200: {description: 'Ends with [DONE].', content: {text/event-stream: {schema: \(Self.user)}}}}}"
        let done = "responses: {204: {description: Fine}}"
        let document = ImportedDocument(
            paths: "/a: {post: {\(body), \(done)}}\n/b: {post: {\(header), \(done)}}\n/c: {\(stream)}")
        #expect(document.problems == [])
        let reviews = document.result.reviews
        for (subject, words) in [
            ("endpoints/postA", "`idempotency_key`"), ("endpoints/postB", "`X-Request-Id`"),
            ("endpoints/getC", "`[DONE]`"), ("defaults", "time limits"),
        ] {
            #expect(
                reviews.contains { $0.subject == subject && $0.reason.contains(words) }, "\(subject): \(reviews)")
        }
        #expect(document.contract.count(of: "# errand:review") >= reviews.count)
        let read = ImportedDocument(paths: Self.get("/a", Self.user))
        #expect(!read.result.reviews.contains { $0.subject == "defaults" })
    }
}

extension String {
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
