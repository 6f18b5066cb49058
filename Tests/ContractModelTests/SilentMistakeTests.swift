import ContractModel
import Diagnostics
import Testing

/// Mistakes that could pass for something else: each would otherwise be dropped without a word, or be called by the
/// wrong name.
@Suite struct SilentMistakeTests {
    @Test(arguments: forms + values + requests + service)
    func isFoundAtItsPlace(_ fixture: ContractFixture) { expectIsFound(fixture, among: 2) }

    static let forms: [ContractFixture] = [
        ContractFixture(
            "unknown-key", saying: "`response` has no statuses",
            endpoint: "get: /a\nresponse: {«\"200\"»: string, \"404\": string}"),
        ContractFixture(
            "unknown-key", saying: "`5XX` would be a field", endpoint: "get: /a\nresponse: {a: string, «5XX»: string}"),
        ContractFixture(
            "unknown-key", saying: "write `response` with the type of a success",
            endpoint: "get: /a\n«returns»: string"),
        ContractFixture(
            "unknown-key", saying: "such as `get: /items`", endpoint: "get: /a\n«url»: /a"),
        ContractFixture(
            "unknown-key", saying: "write `servers: {production:", part: "«baseURL»: https://a.example\n"),
        ContractFixture(
            "unknown-key", saying: "did you mean `skipInvalid`?",
            endpoint: "get: /a\nresponse: {type: [int], «skipinvalid»: true}"),
        ContractFixture(
            "unknown-key", saying: "did you mean `fields`?",
            endpoint: "post: /a\nbody: {encoding: json, «feilds»: {n: int}}"),
        ContractFixture(
            "unknown-key", saying: "long form",
            endpoint: "post: /a\nbody: {encoding: form, fields: {a: int}, «name»: string}"),
        ContractFixture(
            "conflicting-keys", saying: "at the field",
            endpoint: "get: /a\nresponse: {fields: {a: int}, «skipInvalid»: true}"),
        ContractFixture("unknown-type", saying: "response: none", endpoint: "get: /a\nresponse: «null»"),
        ContractFixture(
            "unknown-key", saying: "`{fields: {alias: …}}`", part: "types:\n  Person: {«name»: string, alias: string}\n"
        ),
        ContractFixture(
            "unknown-key", saying: "`fieldNames: {type: string, wire: fields}`",
            part: "types:\n  Query: {«name»: string, fields: string}\n"),
        ContractFixture(
            "conflicting-keys", saying: "the status alone tells a failure",
            part: "envelopes:\n  plain: {code: code, «error»: error, success: status}\n"),
        ContractFixture(
            "invalid-type", saying: "under `fields`", part: "types:\n  Room: {doc: «A room.», number: int}\n"),
        ContractFixture("missing-key", saying: "`[string: int]`", part: "types:\n  Room: {seats: «{string: int}»}\n"),
        ContractFixture(
            "invalid-type", saying: "space after the colon", part: "types:\n  Room: {seats: [string«:»int]}\n"),
        ContractFixture("invalid-name", saying: "is a word of the language", part: "types:\n  «none»: {seats: int}\n"),
        ContractFixture("optional-alias", saying: "`Name?`", part: "types:\n  «Name»: {alias: string?}\n"),
    ]

    static let values: [ContractFixture] = [
        ContractFixture(
            "empty-condition", saying: "has no values",
            part: "errors:\n  gone: {category: retryable, when: {status: 500, code: «[]»}}\n"),
        ContractFixture(
            "empty-condition", saying: "has no values",
            part: "errors:\n  gone: {category: retryable, when: {body: «{}»}}\n"),
        ContractFixture("unnamed-enum-number", saying: "`{one: 1, …}`", part: "types:\n  Size: {enum: [«1», 2]}\n"),
        ContractFixture("unnamed-enum-number", saying: "`{one: 1.5, …}`", part: "types:\n  Size: {enum: [«1.5», b]}\n"),
        ContractFixture(
            "unnamed-enum-number", saying: "`{one: 12e4, …}`", part: "types:\n  Size: {enum: [«12e4», b]}\n"),
        ContractFixture(
            "invalid-default", saying: "nil without one",
            part: "types:\n  Room: {name: {type: string?, default: «null»}}\n"),
        ContractFixture("invalid-default", saying: "in quotes", part: "types:\n  Room: {name: string =« nil»}\n"),
        ContractFixture(
            "union-discriminator-clash", saying: "change its type to `string`",
            part:
                "defaults: {naming: snake_case}\ntypes:\n  Any: {union: {by: message_kind, cases: {a: A}}}\n  A: {«messageKind»: int}\n"
        ),
    ]

    static let requests: [ContractFixture] = [
        ContractFixture(
            "invalid-path", saying: "only the variables of a server have a default",
            endpoint: "get: \"/v{«version=1»}/a\""),
        ContractFixture("invalid-path", saying: "write `{name}`", endpoint: "get: \"/a/{«the name»}\""),
        ContractFixture("body-on-head", saying: "response: none", endpoint: "head: /a\nresponse: «bytes»"),
        ContractFixture("body-on-head", saying: "response: none", endpoint: "head: /a\nresponse: «{n: int}»"),
        ContractFixture(
            "conflicting-keys", saying: "only valid in a response",
            endpoint: "get: /a\nquery: {«n»: {type: int, coerce: true}}"),
        ContractFixture(
            "conflicting-keys", saying: "only valid in a response",
            endpoint: "get: /a\nquery: {«n»: {type: int?, lenient: true}}"),
        ContractFixture(
            "misplaced-file", saying: "`[file?]` is neither",
            endpoint: "post: /a\nbody: {encoding: multipart, fields: {photos: «\"[file?]\"»}}"),
        ContractFixture(
            "misplaced-file", saying: "`[string: file]` is neither",
            endpoint: "post: /a\nbody: {encoding: multipart, fields: {photos: «\"[string: file]\"»}}"),
        ContractFixture(
            "misplaced-file", saying: "only valid in a multipart body",
            endpoint: "post: /a\nbody: {encoding: json, fields: {photos: «\"[file]\"»}}"),
        ContractFixture(
            "conflicting-keys", saying: "only valid in a multipart body",
            endpoint: "post: /a\nbody: {note: {type: string, contentType: «text/markdown»}}"),
        ContractFixture(
            "conflicting-keys", saying: "is sent as JSON, and `text/xml` is not a media type of JSON",
            endpoint:
                "post: /a\nbody: {encoding: multipart, fields: {tags: {type: \"[string: string]\", contentType: «text/xml»}}}"
        ),
        ContractFixture(
            "conflicting-keys", saying: "sent as base64 text",
            endpoint:
                "post: /a\nbody: {encoding: multipart, fields: {scan: {type: bytes, contentType: «application/pdf»}}}"),
        ContractFixture(
            "invalid-parameter-type", saying: "one JSON part",
            endpoint: "post: /a\nbody: {encoding: multipart, nesting: brackets, fields: {extra: «json»}}"),
        ContractFixture(
            "conflicting-keys", saying: "a form always has brackets",
            endpoint: "post: /a\nbody: {encoding: form, fields: {n: int}, «nesting»: brackets}"),
        ContractFixture(
            "invalid-header", saying: "image/jpeg",
            endpoint:
                "post: /a\nbody: {encoding: multipart, fields: {photo: {type: file, contentType: «\"a\\r\\nb\"»}}}"),
        ContractFixture(
            "invalid-header", saying: "is not a media type of JSON",
            endpoint: "post: /a\nbody: {encoding: json, fields: {n: int}, contentType: «text/plain»}"),
        ContractFixture(
            "conflicting-keys", saying: "not valid with `encoding: form` and `encoding: multipart`",
            endpoint: "post: /a\nbody: {encoding: form, fields: {n: int}, «contentType»: text/plain}"),
        ContractFixture(
            "confirm-without-doubt", saying: "does not need a confirmation",
            endpoint: "put: /a\nconfirm: {endpoint: «look»}", more: ""
        )
        .adding("  look: {get: /b}\n"),
        ContractFixture(
            "unknown-input", saying: "effect `keyed` has a key",
            endpoint: "post: /a\nconfirm: {endpoint: look, with: {key: «idempotencyKey»}}"
        )
        .adding("  look: {get: \"/b/{key}\"}\n"),
        ContractFixture(
            "name-collision", saying: "contain it twice", endpoint: "get: /a\nquery: {«page»: int}",
            more: "common: {parameters: {page: int}}\n"),
        ContractFixture(
            "name-collision", saying: "contain it twice", endpoint: "get: /a\nheaders: {«x-a»: int}",
            more: "common: {headers: {X-A: int}}\n"),
        ContractFixture(
            "name-collision", saying: "carries the session", endpoint: "post: /a\nbody: {«token»: string}",
            more: "session: {parameter: token}\n"),
    ]

    static let service: [ContractFixture] = [
        ContractFixture(
            "unknown-key", saying: "a common parameter has no key",
            part: "common: {query: {n: {type: int, «coerce»: true}}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "the app does not pass",
            part: "common: {query: {n: {const: a, «default»: b}}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "only valid with `login`", part: "session: {header: A, «refresh»: ping}\n"),
        ContractFixture(
            "conflicting-keys", saying: "only valid with `login`", part: "session: {header: A, «expiresIn»: lifetime}\n"
        ),
        ContractFixture(
            "duplicate-name", saying: "listed twice",
            part: "errors: {gone: {category: retryable, when: {status: 409}}}\ndefaults: {errors: [gone, «gone»]}\n"),
        ContractFixture(
            "unknown-envelope", saying: "did you mean `standard`?", endpoint: "get: /a\nenvelope: none",
            more: "envelopes: {standard: {data: data}}\ndefaults: {envelope: «standrd»}\n"),
    ]

    // MARK: Right contracts that were refused, or lost something

    @Test func anImportedErrorBringsTheTypesOfItsData() throws {
        let other =
            "errand: 1\nservice: Other\nerrors:\n  taken: {category: nonRetryable, when: {status: 409}, data: {by: Owner}}\ntypes:\n  Owner: {address: Address}\n  Address: {city: string}\nendpoints: {}\n"
        let result = resolve(
            "errand: 1\nservice: Sample\nimports: [other.yaml]\nendpoints:\n  ask: {get: /a, errors: [taken]}\n",
            ["other.yaml": other])
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        #expect(contract.types.map(\.name.value) == ["Owner", "Address"])
    }

    @Test func aContractImportedTwiceIsReportedThereAndNowhereElse() {
        let other = "errand: 1\nservice: Other\ntypes:\n  User: {id: int}\nendpoints: {}\n"
        let result = resolve(
            "errand: 1\nservice: Sample\nimports: [other.yaml, ./other.yaml]\nendpoints:\n  ask: {get: /a, response: User}\n",
            ["other.yaml": other])
        #expect(result.diagnostics.map(\.rule) == ["duplicate-name"], "\(listing(result.diagnostics))")
    }

    @Test func fieldsMayBeCalledAsTheKeysOfALongForm() throws {
        let text =
            "errand: 1\nservice: Sample\nendpoints:\n  ask:\n    post: /a\n    body: {encoding: string, name: string}\n    response: {type: string, fields: int, size: int}\n"
        let result = resolve(text)
        let endpoint = try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))")
        guard case .fields(let body)? = endpoint.body?.content, case .fields(let response) = endpoint.response.value
        else {
            Issue.record("no fields")
            return
        }
        #expect(body.map(\.name.value) == ["encoding", "name"])
        #expect(response.map(\.name.value) == ["type", "fields", "size"])
    }

    @Test func aValueAtAPathLeavesNothingBelowIt() {
        let errors =
            "errors:\n  a: {category: retryable, when: {body: {error: busy}}}\n  b: {category: retryable, when: {body: {error.kind: busy}}}\n"
        let result = resolve(ContractFixture("", saying: "", endpoint: "get: /a\nerrors: [a, b]", more: errors).text)
        #expect(result.diagnostics.isEmpty, "\(listing(result.diagnostics))")
    }
}

extension ContractFixture {
    /// The same with more text after it.
    func adding(_ more: String) -> ContractFixture {
        var result = self
        result.text += more
        return result
    }
}
