// What can be wrong with errors, outcomes, envelopes and the session of a contract.
extension FindingKind {
    static let kindsOfErrors: [FindingKind] = [
        .builtInErrorListed, .emptyCondition, .errorMatchersOverlap, .errorWithoutCategory, .outcomeMatchesSuccess,
        .unknownEnvelope, .unknownError,
    ]

    static let kindsOfSessions: [FindingKind] = [
        .loginRequiresSession, .refreshInputUnclear, .sessionUndefined, .unknownPath,
    ]

    // MARK: Errors

    package static let builtInErrorListed = FindingKind(
        "built-in-error-listed", finds: "A built-in error in the list of an endpoint.",
        why: "Every endpoint can fail with it. The list says which errors are the endpoint's own.",
        wrong: "getBook: {get: /book, errors: [throttled]}", right: "getBook: {get: /book}")

    package static let emptyCondition = FindingKind(
        "empty-condition", finds: "A condition that names nothing.",
        why: "It would hold for every response, or for none.",
        wrong: "errors:\n  gone: {category: nonRetryable, when: {}}",
        right: "errors:\n  gone: {category: nonRetryable, when: {status: 410}}")

    package static let errorMatchersOverlap = FindingKind(
        "error-matchers-overlap",
        finds:
            "Two conditions of one rank that one response fulfils, so that it does not tell which of two errors it is.",
        why: """
            Rows of a decision table that name the same kinds of things are equals: none goes before the other. A response
            that two of them match would be classified by chance, and with it whether it is retried. The finding shows the
            response and both places.
            """,
        wrong: """
            errors:
              tokenExpired: {category: requiresLogout, when: {code: 4010}}
              rateLimited: {category: retryable, when: {code: [4010, 4029]}}
            endpoints:
              ask: {get: /answers, errors: [tokenExpired, rateLimited]}
            """,
        right: """
            errors:
              tokenExpired: {category: requiresLogout, when: {code: 4010}}
              rateLimited: {category: retryable, when: {code: 4029}}
            endpoints:
              ask: {get: /answers, errors: [tokenExpired, rateLimited]}
            """,
        instead: "Or let one of them name more: body goes before code, code before status, more keys before fewer.")

    package static let errorMatchesSuccess = FindingKind(ofRule: "error-matches-success")

    package static let errorWithoutCategory = FindingKind(
        "error-without-category", finds: "An error that does not say what to do about it.",
        why: """
            The category is what the contract is for: whether the request is sent again, whether the app logs in anew,
            whether the user is told. Without one, each app and each screen would decide for itself.
            """,
        wrong: "errors:\n  busy: {when: {status: 503}, message: Please wait.}",
        right: "errors:\n  busy: {when: {status: 503}, message: Please wait., category: retryable}")

    package static let outcomeMatchesSuccess = FindingKind(
        "outcome-matches-success", finds: "An outcome that is recognized by what every success is.",
        why: "Every call that went well would end with this outcome.",
        wrong: "addBook: {post: /books, outcomes: {queued: {when: {status: 200..299}}}}",
        right: "addBook: {post: /books, outcomes: {queued: {when: {status: 202}}}}")

    package static let unknownEnvelope = FindingKind(
        "unknown-envelope", finds: "The name of an envelope that is not declared.",
        why: "Nothing says where the payload and the code of a response are.",
        wrong: "envelopes: {standard: {data: data}}\nendpoints:\n  getBook: {get: /book, envelope: standrd}",
        right: "envelopes: {standard: {data: data}}\nendpoints:\n  getBook: {get: /book, envelope: standard}")

    package static let unknownError = FindingKind(
        "unknown-error", finds: "The name of an error that is not declared.",
        why: "The endpoint would fail with something that has no category and no message.",
        wrong: "getBook: {get: /book, errors: [gone]}",
        right: """
            errors:
              gone: {category: nonRetryable, when: {status: 410}}
            endpoints:
              getBook: {get: /book, errors: [gone]}
            """)

    // MARK: Session

    package static let loginRequiresSession = FindingKind(
        "login-requires-session",
        finds: "A login, a renewal, or a request to a URL from anywhere that asks for a session.",
        why: "A user without a session could not log in, and a token would travel to whatever host the URL names.",
        wrong: """
            session: {header: Authorization, login: logIn, token: token}
            endpoints:
              logIn: {post: /sessions, session: required, response: {token: string}}
            """,
        right: """
            session: {header: Authorization, login: logIn, token: token}
            endpoints:
              logIn: {post: /sessions, session: none, response: {token: string}}
            """)

    package static let refreshInputUnclear = FindingKind(
        "refresh-input-unclear", finds: "A renewal that needs other inputs than the refresh token.",
        why: "The runtime renews a session by itself, and has nothing but the refresh token to send.",
        wrong: """
            session: {header: A, login: logIn, token: token, refresh: renew, refreshToken: refreshToken}
            endpoints:
              logIn: {post: /sessions, response: {token: string, refreshToken: string}}
              renew: {post: /renewals, body: {refreshToken: string, device: string}, response: {token: string}}
            """,
        right: """
            session: {header: A, login: logIn, token: token, refresh: renew, refreshToken: refreshToken}
            endpoints:
              logIn: {post: /sessions, response: {token: string, refreshToken: string}}
              renew: {post: /renewals, body: {refreshToken: string}, response: {token: string}}
            """,
        instead: "Other inputs are optional, or have defaults.")

    package static let sessionUndefined = FindingKind(
        "session-undefined", finds: "An endpoint that asks for a session in a contract that declares none.",
        why: "Nothing says where the token travels, or how an app gets one.",
        wrong: "ask: {get: /answers, session: required, response: string}",
        right: """
            session: {header: Authorization, login: logIn, token: token}
            endpoints:
              logIn: {post: /sessions, session: none, response: {token: string}}
              ask: {get: /answers, session: required, response: string}
            """)

    package static let unknownPath = FindingKind(
        "unknown-path", finds: "A path that the response of the login does not have.",
        why: "The runtime would not find the token, and every login would fail.",
        wrong: """
            session: {header: Authorization, login: logIn, token: accessToken}
            endpoints:
              logIn: {post: /sessions, response: {token: string}}
            """,
        right: """
            session: {header: Authorization, login: logIn, token: token}
            endpoints:
              logIn: {post: /sessions, response: {token: string}}
            """)
}
