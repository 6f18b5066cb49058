import Diagnostics
import Testing

/// Each mistake gets one finding of its rule, at its place, with the way to fix it.
@Suite struct MistakeTests {
    @Test(arguments: keys + values + traps + types + fields + errors + endpoints + service)
    func isFoundAtItsPlace(_ fixture: ContractFixture) { expectIsFound(fixture, among: 2) }

    private static let signed =
        "signing: {algorithm: hmac-sha256, over: sortedParameters, key: k, into: {body: sign}}\n"

    static let keys: [ContractFixture] = [
        ContractFixture(
            "unknown-key", saying: "did you mean `service`?", "errand: 1\nservice: Sample\n«servce»: x\nendpoints: {}\n"
        ),
        ContractFixture("missing-key", saying: "needs `service`", "«errand»: 1\nendpoints: {}\n"),
        ContractFixture(
            "unknown-language-version", saying: "write `errand: 1`", "errand: «2»\nservice: Sample\nendpoints: {}\n"),
        ContractFixture("invalid-name", saying: "service: MyBank", "errand: 1\nservice: «my bank»\nendpoints: {}\n"),
        ContractFixture("invalid-name", saying: "service: Etc", "errand: 1\nservice: «../etc»\nendpoints: {}\n"),
        ContractFixture("wrong-kind", saying: "its keys are", "«[1, 2]»\n"),
        ContractFixture("missing-value", saying: "has no value", part: "«types»:\n"),
        ContractFixture("unknown-key", saying: "did you mean `response`?", endpoint: "get: /a\n«respons»: string"),
        ContractFixture("conflicting-keys", saying: "endpoint for each", endpoint: "get: /a\n«post»: /b"),
        ContractFixture(
            "missing-key", saying: "not have a method",
            ContractFixture.head + "endpoints:\n  ask:\n    «response»: none\n"),
        ContractFixture(
            "unknown-key", saying: "did you mean `wire`?", endpoint: "get: /a\nquery:\n  page: {type: int, «Wire»: p}"),
        ContractFixture(
            "missing-key", saying: "for a nested structure",
            endpoint: "post: /a\nbody:\n  user: «{name: string}»"),
    ]

    static let values: [ContractFixture] = [
        ContractFixture("unknown-value", saying: "did you mean `keyed`?", endpoint: "post: /a\neffect: «keyd»"),
        ContractFixture(
            "unknown-value", saying: "`idempotent` if a second request changes nothing more",
            endpoint: "post: /a\neffect: «retryable»"),
        ContractFixture("unknown-value", saying: "write `read`", endpoint: "post: /a\neffect: «safe»"),
        ContractFixture(
            "unknown-value", saying: "write `nonRetryable`",
            part: "errors: {odd: {category: «fatal», when: {status: 409}}}\n"),
        ContractFixture("invalid-value", saying: "write `20s` for 20 seconds", endpoint: "get: /a\ntimeout: «20»"),
        ContractFixture("missing-key", saying: "needs `constrained`", endpoint: "get: /a\ntimeout: {«any»: 20s}"),
        ContractFixture(
            "unknown-key", saying: "did you mean `constrained`?",
            endpoint: "get: /a\ntimeout: {any: 20s, constrained: 60s, «constraint»: 60s}"),
        ContractFixture(
            "invalid-value", saying: "write `60s` for 60 seconds",
            endpoint: "get: /a\ntimeout: {any: 20s, constrained: «60»}"),
        ContractFixture("invalid-value", saying: "500ms", endpoint: "get: /a\ntimeout: «soon»"),
        ContractFixture("invalid-value", saying: "did you mean `forever`?", endpoint: "get: /a\npatience: «forver»"),
        ContractFixture("invalid-value", saying: "write `20s` for 20 seconds", endpoint: "get: /a\npatience: «20»"),
        ContractFixture("invalid-value", saying: "above 0", endpoint: "get: /a\ntimeout: «0s»"),
        ContractFixture(
            "unknown-key", saying: "did you mean `keyed`?", endpoint: "post: /a\neffect: {keyed: {}, «keyd»: {}}"),
        ContractFixture("missing-key", saying: "needs `keyed`", endpoint: "post: /a\neffect: «{}»"),
        ContractFixture(
            "unknown-key", saying: "did you mean `header`?", endpoint: "post: /a\neffect: {keyed: {«heder»: X-Key}}"),
        ContractFixture("invalid-value", saying: "above 0", endpoint: "post: /a\neffect: {keyed: {lifetime: «0s»}}"),
        ContractFixture("wrong-kind", saying: "must be a mapping", endpoint: "post: /a\neffect: {keyed: «24h»}"),
        ContractFixture(
            "invalid-value", saying: "500..599", endpoint: "get: /a\noutcomes:\n  odd: {when: {status: «5xx»}}"),
        ContractFixture(
            "invalid-value", saying: "1..500", endpoint: "get: /a\nquery:\n  n: {type: int, range: «many»}"),
        ContractFixture(
            "invalid-value", saying: "begins above its end",
            endpoint: "get: /a\nquery:\n  n: {type: int, range: «9..1»}"),
        ContractFixture(
            "invalid-pattern", saying: "write `)` at its end",
            endpoint: "get: /a\nquery:\n  n: {type: string, pattern: 'a«(»b'}"),
        ContractFixture(
            "invalid-pattern", saying: "more than 10000 states",
            endpoint: "get: /a\nquery:\n  n: {type: string, pattern: '((a{1000})«{1000}»)'}"),
        ContractFixture(
            "invalid-pattern", saying: "at most 1000 characters",
            endpoint: "get: /a\nquery:\n  n: {type: string, pattern: '«" + String(repeating: "[", count: 1_000) + "»"
                + String(repeating: "[", count: 2_000) + "'}"),
        // An escape of YAML may precede the place at any distance, so that all of the text is marked.
        ContractFixture(
            "invalid-pattern", saying: "`\\x4` is not a character",
            endpoint: "get: /a\nquery:\n  n: {type: string, pattern: «\"\\\\x4\"»}"),
        ContractFixture(
            "unsupported-pattern", saying: "looks ahead, which patterns do not support",
            endpoint: "get: /a\nquery:\n  n: {type: string, pattern: 'a«(?!»b)'}"),
        ContractFixture(
            "unsupported-pattern", saying: "leave this check to the server",
            endpoint: "get: /a\nquery:\n  n: {type: string, pattern: '(a|b)«\\1»'}"),
        ContractFixture(
            "unsupported-pattern", saying: "write `$`", part: "types:\n  Code: {alias: string, pattern: 'a«\\Z»'}\n"),
        ContractFixture(
            "unknown-value", saying: "write `nullable: distinct`",
            endpoint: "post: /a\nbody:\n  n: {type: string, nullable: «yes»}"),
        ContractFixture(
            "conflicting-keys", saying: "write `string?`, or remove `nullable: required`",
            endpoint: "post: /a\nbody:\n  n: {type: «string», nullable: required}"),
        ContractFixture(
            "conflicting-keys", saying: "remove the default, or `nullable: required`",
            endpoint: "post: /a\nbody:\n  n: {type: string?, nullable: required, default: «x»}"),
        ContractFixture(
            "conflicting-keys", saying: "only JSON has null",
            endpoint: "get: /a\nquery:\n  «n»: {type: string?, nullable: required}"),
        ContractFixture(
            "conflicting-keys", saying: "only JSON has null",
            endpoint: "post: /a\nheaders:\n  «n»: {type: string?, nullable: required}"),
        ContractFixture(
            "conflicting-keys", saying: "only JSON has null",
            endpoint: "post: /a\nbody: {encoding: multipart, fields: {«n»: {type: string?, nullable: required}}}"),
        ContractFixture(
            "union-key-ambiguous", saying: "remove the `?`, or name another field",
            part: "types:\n  One: {one: {type: string?, nullable: required}}\n  Any: {union: {keys: {«one»: One}}}\n"),
        ContractFixture(
            "invalid-value", saying: "not a path", endpoint: "get: /a\npaginate: {cursor: after, next: «a..b»}"),
        ContractFixture("unknown-value", saying: "`true` or `false`", endpoint: "get: /a\ndurable: «on»"),
    ]

    static let traps: [ContractFixture] = [
        ContractFixture(
            "yaml-braces-as-mapping", saying: "quote it: `\"{token}\"`",
            part: "session: {header: A, format: «{token}»}\n"),
        ContractFixture(
            "yaml-braces-as-mapping", saying: "quote it: `\"{imageURL:url}\"`",
            endpoint: "get: «{imageURL:url}»\nresponse: bytes"),
        ContractFixture("yaml-missing-space", saying: "write `n: int`", endpoint: "get: /a\nquery: {«n:int»}"),
        ContractFixture(
            "yaml-comma-in-flow-text", saying: "quote the whole text",
            endpoint: "get: /a\nquery: {a: string = «\"x», y\"}".replacing("string = «\"x»", with: "string =« \"x»")),
        ContractFixture(
            "yaml-comment-as-value", saying: "is a comment in YAML",
            endpoint: "get: /a\nquery:\n  color: string = «#fff»"),
        ContractFixture(
            "yaml-comment-as-value", saying: "quote it: `color: \"#fff\"`",
            endpoint: "get: /a\nquery:\n  color: «#fff»"),
        ContractFixture("yaml-anchor-without-value", saying: "quote it", part: "doc: «&important»\n"),
    ]

    static let types: [ContractFixture] = [
        ContractFixture(
            "unknown-type", saying: "did you mean `User`?", part: "types:\n  User: {id: int}\n  Team: {lead: «Usr»}\n"),
        ContractFixture("unknown-type", saying: "did you mean `string`?", part: "types:\n  User: {id: «String»}\n"),
        ContractFixture("unknown-type", saying: "write `bytes`", part: "types:\n  User: {id: «Data»}\n"),
        ContractFixture("unknown-type", saying: "write `int`", part: "types:\n  User: {id: \"[«integer»]?\"}\n"),
        ContractFixture("unknown-type", saying: "write `timestamp`", part: "types:\n  User: {at: «date-time»}\n"),
        ContractFixture("unknown-type", saying: "such as `[string]`", part: "types:\n  User: {all: «array»}\n"),
        ContractFixture("unknown-type", saying: "`decimal` for an amount", part: "types:\n  User: {sum: «number»}\n"),
        ContractFixture("invalid-type", saying: "write one `?`", part: "types:\n  User: {id: int?«?»}\n"),
        ContractFixture(
            "invalid-type", saying: "keys of a map are strings",
            part: "types:\n  User: {ids: «{int: string}»}\n".replacing("«{int: string}»", with: "\"[«int»: string]\"")),
        ContractFixture("invalid-type", saying: "not closed", part: "types:\n  User: {ids: \"«[»int\"}\n"),
        ContractFixture("invalid-type", saying: "union", part: "types:\n  User: {id: int «|» string}\n"),
        ContractFixture("invalid-type", saying: "timestamp(unix)", part: "types:\n  User: {id: «timestamp(nanos)»}\n"),
        ContractFixture("empty-enum", saying: "has no values", part: "types:\n  Color: {enum: «[]»}\n"),
        ContractFixture(
            "duplicate-enum-value", saying: "occurs twice", part: "types:\n  Color: {enum: [red, «red»]}\n"),
        ContractFixture(
            "mixed-enum-values", saying: "quote it", part: "types:\n  Size: {enum: {small: «1», large: big}}\n"),
        ContractFixture("invalid-name", saying: "is a type of the language", part: "types:\n  «string»: {id: int}\n"),
        ContractFixture("invalid-name", saying: "`BankAccount`", part: "types:\n  «bank account»: {id: int}\n"),
        ContractFixture("alias-cycle", saying: "leads back to itself", part: "types:\n  «A»: {alias: A}\n"),
        ContractFixture(
            "recursive-type-without-indirection", saying: "make the field optional: `next: Node?`",
            part: "types:\n  Node: {«next»: Node}\n"),
        ContractFixture(
            "recursive-type-without-indirection", saying: "make the field optional",
            part: "types:\n  A: {«b»: B}\n  B: {a: A}\n"),
        ContractFixture(
            "union-case-mismatch", saying: "a type with fields",
            part: "types:\n  Shape: {union: {by: kind, cases: {«text»: string}}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "only an enum is open or closed",
            part: "types:\n  A: {alias: string, «closed»: true}\n"),
    ]

    static let fields: [ContractFixture] = [
        ContractFixture(
            "invalid-default", saying: "write a plain number", endpoint: "get: /a\nquery:\n  page: int =« one»"),
        ContractFixture(
            "invalid-default", saying: "did you mean `active`?", endpoint: "get: /a\nquery:\n  page: Status =« actve»",
            more: "types:\n  Status: {enum: [active]}\n"),
        ContractFixture(
            "conflicting-keys", saying: "remove it; only numbers have a range",
            endpoint: "get: /a\nquery:\n  n: {type: string, range: «1..2»}"),
        ContractFixture(
            "conflicting-keys", saying: "only a list or a map",
            endpoint: "post: /a\nbody:\n  «n»: {type: string, skipInvalid: true}"),
        ContractFixture(
            "conflicting-keys", saying: "only an optional without",
            endpoint: "get: /a\nresponse:\n  «n»: {type: string, lenient: true}"),
        ContractFixture(
            "conflicting-keys", saying: "only an optional without",
            endpoint: "get: /a\nresponse:\n  «n»: {type: string?, lenient: true, nullable: distinct}"),
        ContractFixture(
            "conflicting-keys", saying: "only an optional without",
            endpoint: "get: /a\nresponse:\n  «n»: {type: json?, lenient: true}"),
        ContractFixture(
            "duplicate-wire-name", saying: "wire name `a_b`",
            endpoint: "post: /a\nbody:\n  a_b: string\n  «aB»: string",
            more: "defaults: {naming: snake_case}\n"),
        ContractFixture(
            "invalid-parameter-type", saying: "send it in the body", endpoint: "get: /a\nquery:\n  user: «User»",
            more: "types:\n  User: {id: int}\n"),
        ContractFixture("misplaced-file", saying: "multipart", endpoint: "post: /a\nbody:\n  photo: «file»"),
        ContractFixture(
            "invalid-header", saying: "cannot be the name of a header", endpoint: "get: /a\nheaders:\n  «a b»: string"),
        ContractFixture("invalid-parameter-type", saying: "be optional", endpoint: "get: /a/{«id:int?»}"),
        ContractFixture("duplicate-name", saying: "occurs twice", endpoint: "get: /a/{id}/b/{«id»}"),
    ]

    static let errors: [ContractFixture] = [
        ContractFixture(
            "error-without-category", saying: "category", part: "errors:\n  broken: {«when»: {status: 409}}\n"),
        ContractFixture(
            "missing-key", saying: "has no condition", part: "errors:\n  «broken»: {category: retryable}\n"),
        ContractFixture(
            "missing-key", saying: "did you mean the built-in `throttled`?",
            part: "errors:\n  «throtled»: {category: retryable}\n"),
        ContractFixture(
            "conflicting-keys", saying: "cannot change its condition",
            part: "errors:\n  throttled: {category: retryable, «when»: {status: 429}}\n"),
        ContractFixture(
            "unknown-error", saying: "did you mean `broken`?", endpoint: "get: /a\nerrors: [«brokn»]",
            more: "errors:\n  broken: {category: retryable, when: {status: 409}}\n"),
        ContractFixture("built-in-error-listed", saying: "remove it", endpoint: "get: /a\nerrors: [«throttled»]"),
        ContractFixture(
            "error-matches-success", saying: "HTTP 200 is a success",
            part: "errors:\n  broken: {category: retryable, when: {status: «200»}}\n"),
        ContractFixture(
            "invalid-placeholder", saying: "did you mean `{limit}`?",
            part:
                "errors:\n  full: {category: retryable, when: {code: 1}, data: {limit: int}, message: «\"At most {limt}.\"»}\n"
        ),
        ContractFixture(
            "invalid-placeholder", saying: "the error `full` has no data",
            part: "errors:\n  full: {category: retryable, when: {status: 409}, message: «\"At most {limit}.\"»}\n"),
        ContractFixture(
            "invalid-placeholder", saying: "`pin` is sensitive",
            part:
                "errors:\n  full: {category: retryable, when: {code: 1}, data: {pin: {type: string, sensitive: true}}, message: «\"Not {pin}.\"»}\n"
        ),
        ContractFixture(
            "invalid-placeholder", saying: "`names` has no text form",
            part:
                "errors:\n  full: {category: retryable, when: {code: 1}, data: {names: [string]}, message: «\"Not {names}.\"»}\n"
        ),
        ContractFixture(
            "error-matchers-overlap", saying: "HTTP 200 with code 4010 matches both `tokenExpired` and `rateLimited`",
            endpoint: "get: /a\nerrors: [tokenExpired, rateLimited]",
            more:
                "errors:\n  tokenExpired: {category: requiresLogout, when: {code: 4010}}\n  rateLimited: {category: retryable, when: «{code: [4011, 4010]}»}\n"
        ),
        ContractFixture(
            "error-matchers-overlap", saying: "HTTP 503 matches both", endpoint: "get: /a\nerrors: [a, b]",
            more:
                "errors:\n  a: {category: retryable, when: {status: 500..599}}\n  b: {category: retryable, when: «{status: 503}»}\n"
        ),
        ContractFixture(
            "error-matchers-overlap", saying: "`x` = `1` in the body and `y` = `2` in the body",
            endpoint: "get: /a\nerrors: [a, b]",
            more:
                "errors:\n  a: {category: retryable, when: {body: {x: 1}}}\n  b: {category: retryable, when: «{body: {y: 2}}»}\n"
        ),
        ContractFixture(
            "outcome-matches-success", saying: "which is a success",
            endpoint: "get: /a\nenvelope: std\noutcomes:\n  done: {when: {code: «100»}}",
            more: "envelopes:\n  std: {code: code, success: [100]}\n"),
        ContractFixture(
            "empty-condition", saying: "would match every response",
            part: "errors:\n  broken: {category: retryable, when: «{}»}\n"),
        ContractFixture(
            "conflicting-keys", saying: "there is no response",
            part: "errors:\n  broken: {category: retryable, when: {transport: lost, «status»: 500}}\n"),
        ContractFixture(
            "unknown-value", saying: "did you mean `refused`?",
            part: "errors:\n  broken: {category: retryable, when: {transport: «refuse»}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "other errors do not start a login",
            part: "errors:\n  broken: {category: retryable, when: {status: 409}, «renew»: false}\n"),
    ]

    static let endpoints: [ContractFixture] = [
        ContractFixture("invalid-path", saying: "write `/a`", endpoint: "get: «a»"),
        ContractFixture("query-in-path", saying: "under `query`", endpoint: "get: «/a?b=1»"),
        ContractFixture("invalid-path", saying: "not closed", endpoint: "get: «/a/{b»"),
        ContractFixture("invalid-path", saying: "as a segment", endpoint: "get: «/a/../b»"),
        ContractFixture("invalid-path", saying: "percent-encode", endpoint: "get: «/a b»"),
        ContractFixture("body-on-get", saying: "have a body", endpoint: "get: /a\nbody: «{n: int}»"),
        ContractFixture(
            "unknown-envelope", saying: "did you mean `standard`?", endpoint: "get: /a\nenvelope: «standrd»",
            more: "envelopes:\n  standard: {data: data}\n"),
        ContractFixture("session-undefined", saying: "declare `session`", endpoint: "get: /a\nsession: «required»"),
        ContractFixture(
            "login-requires-session", saying: "it starts the session",
            endpoint: "post: /a\nsession: «required»\nresponse: {token: string}",
            more: "session: {header: A, login: ask, token: token}\n"),
        ContractFixture(
            "unknown-path", saying: "did you mean `token`?", endpoint: "post: /a\nresponse: {token: string}",
            more: "session: {header: A, login: ask, token: «tokn»}\n"),
        ContractFixture(
            "unknown-path", saying: "for the identity", endpoint: "post: /a\nresponse: {token: string}",
            more: "session: {header: A, login: ask, token: token, identity: «user»}\n"),
        ContractFixture(
            "wrong-kind", saying: "cannot be the identity",
            endpoint: "post: /a\nresponse: {token: string, user: double}",
            more: "session: {header: A, login: ask, token: token, identity: «user»}\n"),
        ContractFixture(
            "unknown-endpoint", saying: "did you mean `ask`?", endpoint: "post: /a\nresponse: {token: string}",
            more: "session: {header: A, login: «aks», token: token}\n"),
        ContractFixture(
            "unknown-endpoint", saying: "there is no endpoint", endpoint: "post: /a\nconfirm: {endpoint: «find»}"),
        ContractFixture(
            "confirm-mismatch", saying: "the same named type",
            endpoint: "post: /a\nresponse: int\nconfirm: {endpoint: «look»}"
        )
        .adding("  look: {get: /b, response: string}\n"),
        ContractFixture(
            "unknown-example", saying: "`request`, `response`", endpoint: "get: /a\nexamples:\n  one: {«answer»: 1}"
        ),
        ContractFixture(
            "conflicting-keys", saying: "either fields or one type",
            endpoint: "post: /a\nbody: {encoding: form, fields: {a: int}, «type»: string}"),
        ContractFixture("misplaced-file", saying: "use `bytes`", endpoint: "get: /a\nresponse: «[file]»"),
    ]

    static let service: [ContractFixture] = [
        ContractFixture("invalid-server", saying: "https://", part: "servers: {main: «ftp://a.example»}\n"),
        ContractFixture(
            "invalid-server", saying: "credentials do not belong in a contract",
            part: "servers: {main: «\"https://a:b@c.example\"»}\n"),
        ContractFixture(
            "invalid-server", saying: "under `common`", part: "servers: {main: «\"https://c.example/?a=1\"»}\n"),
        ContractFixture(
            "missing-key", saying: "a place for the token", part: "session: {«logout»: ping}\n"),
        ContractFixture(
            "conflicting-keys", saying: "with `login`", part: "session: {header: A, «identity»: user}\n"),
        ContractFixture(
            "unknown-key", saying: "did you mean `claim`?", endpoint: "post: /a\nresponse: {token: string}",
            more: "session: {header: A, login: ask, token: token, identity: {claim: sub, «clam»: sub}}\n"),
        ContractFixture(
            "invalid-value", saying: "claim: sub", endpoint: "post: /a\nresponse: {token: string}",
            more: "session: {header: A, login: ask, token: token, identity: {claim: «\"\"»}}\n"),
        ContractFixture(
            "invalid-value", saying: "contain `{token}`", part: "session: {header: A, format: «Bearer»}\n"),
        ContractFixture(
            "missing-key", saying: "does not contain the key",
            part: "signing: {algorithm: «md5», over: sortedParameters, key: k, into: {query: sign}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "name only one place for the signature",
            part:
                "signing: {algorithm: hmac-sha256, over: sortedParameters, key: k, into: {query: sign, «body»: sign}}\n"
        ),
        ContractFixture(
            "missing-key", saying: "or `into: {body: sign}`",
            part: "signing: {algorithm: hmac-sha256, over: sortedParameters, key: k, into: «{}»}\n"),
        ContractFixture(
            "unknown-value", saying: "no request sends the header `X-Time`",
            part:
                "signing: {algorithm: hmac-sha256, over: sortedParameters, key: k, headers: «X-Time», into: {body: sign}}\n"
        ),
        ContractFixture(
            "duplicate-name", saying: "is listed twice",
            part:
                "common: {headers: {X-Time: string}}\nsigning: {algorithm: hmac-sha256, over: sortedParameters, key: k, headers: [X-Time, «x-time»], into: {body: sign}}\n"
        ),
        ContractFixture(
            "invalid-header", saying: "cannot be the name of a header",
            part:
                "signing: {algorithm: hmac-sha256, over: sortedParameters, key: k, headers: «X Time», into: {body: sign}}\n"
        ),
        ContractFixture(
            "name-collision", saying: "a field with the same name", endpoint: "post: /a\nbody:\n  «sign»: string",
            more: signed),
        ContractFixture(
            "name-collision", saying: "carries the signature", endpoint: "get: /a\nquery:\n  «sign»: string",
            more: signed),
        ContractFixture(
            "name-collision", saying: "every request has a parameter with the same name", endpoint: "post: /a",
            more: "common: {parameters: {«sign»: string}}\n" + signed),
        ContractFixture(
            "name-collision", saying: "both the signature and the session", endpoint: "post: /a",
            more: "session: {parameter: sign}\n" + signed.replacing("{body: sign}", with: "{body: «sign»}")),
        ContractFixture(
            "invalid-value", saying: "does not contain `{key}`",
            part: "signing: {algorithm: md5, over: sortedParameters, key: k, append: «abc», into: {query: sign}}\n"),
        ContractFixture(
            "missing-key", saying: "path for the code", part: "envelopes: {std: {data: data, «success»: [100]}}\n"),
        ContractFixture(
            "missing-key", saying: "`type`, `const` or `each`", part: "common: {query: {a: {«wire»: b}}}\n"),
        ContractFixture("unknown-value", saying: "`timestamp`, `uuid`", part: "common: {query: {a: {each: «day»}}}\n"),
    ]
}
