// What can be wrong with errors, outcomes, envelopes and the session of a contract.
extension FindingKind {
    static let kindsOfErrors: [FindingKind] = [
        .builtInErrorListed, .emptyCondition, .errorMatchersOverlap, .errorWithoutCategory, .invalidPlaceholder,
        .outcomeMatchesSuccess, .settlesNotPossible, .unknownEnvelope, .unknownError,
    ]

    static let kindsOfSessions: [FindingKind] = [
        .identityUnanswered, .loginRequiresSession, .refreshInputUnclear, .sessionUndefined, .unknownPath,
    ]

    // MARK: Errors

    package static let builtInErrorListed = FindingKind(
        "built-in-error-listed", finds: "A built-in error in the list of an endpoint.",
        why: "Every endpoint can fail with a built-in error. The list is for the errors that only some endpoints have.",
        wrong: "getBook: {get: /book, errors: [throttled]}", right: "getBook: {get: /book}")

    package static let emptyCondition = FindingKind(
        "empty-condition", finds: "A condition without a status, a code or a body value.",
        why: "The condition would match every response or no response.",
        wrong: "errors:\n  gone: {category: nonRetryable, when: {}}",
        right: "errors:\n  gone: {category: nonRetryable, when: {status: 410}}")

    package static let errorMatchersOverlap = FindingKind(
        "error-matchers-overlap",
        finds:
            "Two conditions of the same rank that match the same response.",
        why: """
            Two conditions have the same rank if they name the same kinds of things, and neither takes precedence. For a response
            that both match, chance would decide which error it is and whether it is retried. The finding shows the
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
        instead:
            "Or make one condition more specific: body precedes text, then header, code and status, and more keys precede fewer. Of two patterns, the narrower one precedes."
    )

    /// A lint rule finds it as well.
    package static let errorMatchesSuccess = FindingKind(
        "error-matches-success",
        page: """
            An error whose condition matches successful responses: only a 2xx status, or one of the envelope's `success` codes.

            ## Why is this bad
            Every successful call would fail, because the client checks declared errors before it checks the envelope for a
            success.

            ## Example
            ```yaml
            envelopes: {standard: {data: data, code: code, success: [100, 101]}}
            errors:
              roomClosed: {category: nonRetryable, message: The room is closed., when: {code: 101}}
            ```
            ## Use instead
            ```yaml
            envelopes: {standard: {data: data, code: code, success: [100]}}
            errors:
              roomClosed: {category: nonRetryable, message: The room is closed., when: {code: 101}}
            ```
            Or add a `body` value that only the error has.
            """)

    package static let errorWithoutCategory = FindingKind(
        "error-without-category", finds: "An error without a category.",
        why: """
            The category decides whether the client sends the request again, whether the user has to log in again, and
            whether the app shows the error. Without a category, each app and each screen would decide for itself.
            """,
        wrong: "errors:\n  busy: {when: {status: 503}, message: Please wait.}",
        right: "errors:\n  busy: {when: {status: 503}, message: Please wait., category: retryable}")

    package static let invalidPlaceholder = FindingKind(
        "invalid-placeholder",
        finds: "A placeholder that nothing fills, in the message of an error or in the kind of a frame.",
        why: """
            `{name}` in a message stands for a member of the error's data. The member has to exist, to be a single value, and not
            to be sensitive. `{{name}}` is the text `{name}`. In the `reply` of a `connection`, `{frame}` stands for the kind of
            the request. No other kind of a frame has a placeholder: it is sent, and expected, as it is.
            """,
        wrong: """
            errors:
              tooMany: {category: nonRetryable, when: {code: full}, data: {limit: int}, message: "At most {max} people."}
            """,
        right: """
            errors:
              tooMany: {category: nonRetryable, when: {code: full}, data: {limit: int}, message: "At most {limit} people."}
            """)

    package static let outcomeMatchesSuccess = FindingKind(
        "outcome-matches-success",
        finds: "An outcome whose condition matches every successful response, or the endpoint's own `status`.",
        why: "Every successful call, or every usual one, would end with this outcome.",
        wrong: "addBook: {post: /books, outcomes: {queued: {when: {status: 200..299}}}}",
        right: "addBook: {post: /books, outcomes: {queued: {when: {status: 202}}}}")

    package static let settlesNotPossible = FindingKind(
        "settles-not-possible", finds: "An error that settles a command which cannot succeed by it.",
        why: """
            `settles` is for the response to a repeated attempt: the first one may have been carried out, and its response was lost, or a
            gateway has delivered the request twice. A read does nothing, and a command that is `once` is not repeated then. The error brings no payload, so the success
            must not need one. In the defaults, the error could come from a gateway.
            """,
        wrong: """
            errors:
              alreadyGone: {category: nonRetryable, when: {code: gone}, settles: success}
            endpoints:
              deleteBook: {delete: /book, response: {title: string}, errors: [alreadyGone]}
            """,
        right: """
            errors:
              alreadyGone: {category: nonRetryable, when: {code: gone}, settles: success}
            endpoints:
              deleteBook: {delete: /book, response: none, errors: [alreadyGone]}
            """)

    package static let unknownEnvelope = FindingKind(
        "unknown-envelope", finds: "The name of an envelope that is not declared.",
        why: "The client would not know where a response has its payload and its code.",
        wrong: "envelopes: {standard: {data: data}}\nendpoints:\n  getBook: {get: /book, envelope: standrd}",
        right: "envelopes: {standard: {data: data}}\nendpoints:\n  getBook: {get: /book, envelope: standard}")

    package static let unknownError = FindingKind(
        "unknown-error", finds: "The name of an error that is not declared.",
        why: "An undeclared error has no category and no message.",
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
        finds: "A login, a renewal, or a request to a URL from outside the contract that requires a session.",
        why:
            "A user without a session could not log in. A request to such a URL would send the token to any host that it names.",
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

    package static let identityUnanswered = FindingKind(
        "identity-unanswered", finds: "An endpoint that cannot say who is logged in.",
        why:
            "The runtime asks it by itself after a login, with the new token. So it must be a read that needs the token and nothing else.",
        wrong: """
            session: {header: A, login: logIn, token: token, identity: {from: getUser, at: id}}
            endpoints:
              logIn: {post: /sessions, response: {token: string}, session: none}
              getUser: {get: "/users/{user:int}", response: {id: int}}
            """,
        right: """
            session: {header: A, login: logIn, token: token, identity: {from: getMe, at: id}}
            endpoints:
              logIn: {post: /sessions, response: {token: string}, session: none}
              getMe: {get: /me, response: {id: int}}
            """)

    package static let refreshInputUnclear = FindingKind(
        "refresh-input-unclear", finds: "A renewal that requires an input other than the refresh token.",
        why: "The runtime renews a session without the app. It only has the refresh token to send.",
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
        instead: "Make other inputs optional, or give them defaults.")

    package static let sessionUndefined = FindingKind(
        "session-undefined", finds: "An endpoint that requires a session in a contract without a `session`.",
        why: "The client would not know how to get a token, or which header carries it.",
        wrong: "ask: {get: /answers, session: required, response: string}",
        right: """
            session: {header: Authorization, login: logIn, token: token}
            endpoints:
              logIn: {post: /sessions, session: none, response: {token: string}}
              ask: {get: /answers, session: required, response: string}
            """)

    package static let unknownPath = FindingKind(
        "unknown-path", finds: "A path of `session` or `paginate` that the response does not have.",
        why: """
            The runtime would not find the value in the response. Every login would fail, or the client would load only the
            first page.
            """,
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
