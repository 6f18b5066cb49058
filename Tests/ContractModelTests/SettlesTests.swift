import ContractModel
import Testing

/// `settles`: which errors say that a command was done already, and of which commands.
@Suite struct SettlesTests {
    private static func contract(
        _ endpoint: String, _ error: String = "when: {status: 410}, settles: success"
    ) -> String {
        """
        errand: 1
        service: Sample
        errors:
          gone: {category: nonRetryable, \(error)}
        endpoints:
          remove: {\(endpoint), errors: [gone]}
        """
    }

    @Test(arguments: [
        "delete: /a, response: none", "delete: /a", "put: /a, body: {b: int}, response: \"string?\"",
        "post: /a, response: none, effect: idempotent", "post: /a, response: \"string?\", effect: keyed",
        "delete: /a, response: {headers: {etag: \"string?\"}}",
    ])
    func whatCanSucceedWithoutAPayloadIsSettled(_ endpoint: String) {
        let result = resolve(Self.contract(endpoint))
        #expect(result.diagnostics.isEmpty, "\(listing(result.diagnostics))")
        #expect(result.contract?.error(named: "gone")?.settles?.value == .afterOpenAttempt)
    }

    @Test func theFirstAttemptCanBeIncluded() {
        let result = resolve(Self.contract("delete: /a", "when: {status: 410}, settles: {success: always}"))
        #expect(result.diagnostics.isEmpty, "\(listing(result.diagnostics))")
        #expect(result.contract?.error(named: "gone")?.settles?.value == .always)
    }

    @Test(arguments: [
        "response: {b: int}", "response: string", "response: \"string?\"", "response: {headers: {etag: string}}",
    ])
    func theErrorMayBringThePayload(_ response: String) {
        let result = resolve(
            Self.contract("put: /a, \(response)", "when: {status: 410}, settles: {success: payload}"))
        #expect(result.diagnostics.isEmpty, "\(listing(result.diagnostics))")
        #expect(result.contract?.error(named: "gone")?.settles?.value == .payload)
    }

    @Test(arguments: [
        ("delete: /a, response: none", "whose success has no payload"),
        ("delete: /a, response: bytes", "whose success is bytes"),
    ])
    func anErrorCannotBringEveryPayload(_ endpoint: String, _ words: String) {
        let result = resolve(Self.contract(endpoint, "when: {status: 410}, settles: {success: payload}"))
        let found = result.diagnostics.first { $0.rule == "settles-not-possible" }
        #expect(found?.message.contains(words) == true, "\(listing(result.diagnostics))")
    }

    @Test(arguments: [
        ("get: /a, response: none", "which only reads"),
        ("post: /a, response: none", "which is `once`"),
        ("delete: /a, response: {b: int}", "always has a payload"),
        ("delete: /a, response: bytes", "always has a payload"),
        ("delete: /a, response: string", "always has a payload"),
        ("delete: /a, response: {headers: {etag: string}}", "always has the header `etag`"),
        ("put: /a, response: {b: int}, delivery: stream", "which is a stream"),
    ])
    func whatCannotSucceedByAnErrorIsRefused(_ endpoint: String, _ words: String) {
        let result = resolve(Self.contract(endpoint))
        let found = result.diagnostics.first { $0.rule == "settles-not-possible" }
        #expect(found?.message.contains(words) == true, "\(listing(result.diagnostics))")
    }

    @Test func anErrorOfTheDefaultsSettlesNothing() {
        let text = Self.contract("delete: /a, response: none").replacing("errors: [gone]", with: "doc: Any.")
        let result = resolve(text + "\ndefaults: {errors: [gone]}")
        let found = result.diagnostics.first { $0.rule == "settles-not-possible" }
        #expect(found?.message.contains("every endpoint has `gone`") == true, "\(listing(result.diagnostics))")
    }

    @Test(arguments: [
        ("when: [{status: 410}, {transport: lost}], settles: success", "settles-not-possible"),
        ("when: {status: 410}, settles: failure", "unknown-value"),
        ("when: {status: 410}, settles: {success: sometimes}", "unknown-value"),
        ("when: {status: 410}, settles: {}", "missing-key"),
    ])
    func whatSettlesNothingIsRefused(_ error: String, _ id: String) {
        let result = resolve(Self.contract("delete: /a, response: none", error))
        #expect(result.diagnostics.contains { $0.rule == id }, "\(listing(result.diagnostics))")
    }

    @Test(arguments: ["retryable", "requiresLogout"]) func onlyAFinalErrorSettles(_ category: String) {
        let text = Self.contract("delete: /a, response: none").replacing("nonRetryable", with: category)
        let found = resolve(text).diagnostics
        let words = "`settles` is only valid with `category: nonRetryable`"
        #expect(found.contains { $0.message.contains(words) }, "\(listing(found))")
    }

    @Test func aBuiltInErrorSettlesNothing() {
        let result = resolve(
            """
            errand: 1
            service: Sample
            errors: {rejected: {category: nonRetryable, settles: success}}
            endpoints: {ask: {delete: /a}}
            """)
        #expect(
            result.diagnostics.contains { $0.message.contains("cannot have `settles`") },
            "\(listing(result.diagnostics))")
    }
}
