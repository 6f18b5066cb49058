// Made from the doc comments in Rules/ by RulePageTests. Do not edit.

/// The pages of the rules, for `errand explain`.
enum RulePages {
    static let texts: [String: String] = [
        "business-condition-as-error": #"""
            A `nonRetryable` error that is recognised by a successful status, such as 202 with a code.

            ## Why is this bad
            The server calls it a success, and most often it is one: accepted and waiting, done already, needs a second signature.
            As an error it reaches the app as a failure, is reported and counted as one, and the user reads that something went
            wrong. An outcome is a normal answer beside the usual one, with data of its own.

            ## Example
            ```yaml
            errors:
              needsApproval: {category: nonRetryable, message: Someone must sign., when: {status: 202, code: 120}}
            ```
            ## Use instead
            ```yaml
            outcomes:
              needsApproval: {when: {status: 202, code: 120}}
            ```
            """#,
        "category-contradicts-status": #"""
            A `retryable` error for a 4xx that will not change by asking again, or a `nonRetryable` one for a 503.

            ## Why is this bad
            A 4xx says that the request is at fault (RFC 9110, section 15.5): sent again as it is, it fails again, three times and
            with pauses before the user hears of it. 408, 425 and 429 are the exceptions. A 503 says the reverse: later it may work.
            Errors that name a code or a body value as well are left alone, since the server says more there than its status.

            ## Example
            ```yaml
            noSuchBook: {category: retryable, message: There is no such book., when: {status: 404}}
            ```
            ## Use instead
            ```yaml
            noSuchBook: {category: nonRetryable, message: There is no such book., when: {status: 404}}
            ```
            """#,
        "error-matchers-overlap": #"""
            Two conditions of one rank that one response fulfils, so that nobody can say which of two errors or outcomes it is.

            ## Why is this bad
            Rows of a decision table that name the same kinds of things are equals: none goes before the other. A response that
            two of them match would be classified by chance, and with it whether it is retried. The finding shows the response
            and both places. Nothing is generated while it stands.

            ## Example
            ```yaml
            tokenExpired: {category: requiresLogout, message: Log in., when: {code: 4010}}
            rateLimited: {category: retryable, message: Wait., when: {code: [4010, 4029]}}
            ```
            ## Use instead
            ```yaml
            tokenExpired: {category: requiresLogout, message: Log in., when: {code: 4010}}
            rateLimited: {category: retryable, message: Wait., when: {code: 4029}}
            ```
            Or let one of them name more: body goes before code, code before status, more keys before fewer.
            """#,
        "error-matches-success": #"""
            An error that is recognised by nothing but what the contract calls a success: a 2xx status alone, or one of the
            envelope's codes of success.

            ## Why is this bad
            Every call that went well would fail. Declared rows are looked at before the envelope is asked for a success.

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
            Or name a value in the `body` that tells the two apart.
            """#,
        "error-without-category": #"""
            An error that does not say what to do about it.

            ## Why is this bad
            The category is what the contract is for: whether the request is sent again, whether the app logs in anew, whether
            the user is told. Without one, each app and each screen would decide for itself. Nothing is generated while it is
            missing.

            ## Example
            ```yaml
            busy: {when: {status: 503}, message: Please wait.}
            ```
            ## Use instead
            ```yaml
            busy: {when: {status: 503}, message: Please wait., category: retryable}
            ```
            """#,
        "login-requires-session": #"""
            A login, a renewal, or a request to a URL from anywhere that asks for a session.

            ## Why is this bad
            Who is not logged in cannot log in then, and a token would travel to whatever host the URL names. Nothing is
            generated while it stands.

            ## Example
            ```yaml
            logIn:
              post: /sessions
              session: required
            ```
            ## Use instead
            ```yaml
            logIn:
              post: /sessions
              session: none
            ```
            """#,
        "logout-on-403": #"""
            An error of category `requiresLogout` that is recognised by the status 403 alone.

            ## Why is this bad
            A 403 says who is asking is known and may not (RFC 9110, section 15.5.4). A new login of the same person gets the same
            answer: the user logs in, the request is sent again, is refused again, and the user is asked to log in again.

            ## Example
            ```yaml
            forbidden: {category: requiresLogout, message: You may not., when: {status: 403}}
            ```
            ## Use instead
            ```yaml
            forbidden: {category: nonRetryable, message: You may not., when: {status: 403}}
            ```
            Where the account was closed and the session shall end without a new login, `renew: false` says so.
            """#,
        "logout-on-public-endpoint": #"""
            An endpoint with `session: none` that lists an error of category `requiresLogout`.

            ## Why is this bad
            Its request carries no token, so whatever the server refuses, it is not the session. Logging the user out, or asking
            for a login and sending the same again, changes nothing about the answer. (Errors from `defaults` of that category
            fall away by themselves where there is no session.)

            ## Example
            ```yaml
            listNews:
              get: /news
              session: none
            ```
            with an error of category `requiresLogout` in its list.

            ## Use instead
            ```yaml
            listNews:
              get: /news
              session: optional
            ```
            Or give the error another category, if it means that the password was wrong.
            """#,
        "logout-without-login-endpoint": #"""
            An error that asks for a new login in a contract that names no endpoint to log in with.

            ## Why is this bad
            The command can only fail: there is nothing that could start a session, so the user is thrown out and not asked in.

            ## Example
            ```yaml
            session: {header: Authorization}
            ```
            with an error of category `requiresLogout`.

            ## Use instead
            ```yaml
            session: {header: Authorization, login: logIn, token: token}
            ```
            Where another contract has the login, share its session with `from:`. Where there is none at all, add `renew: false`.
            """#,
        "non-standard-status": #"""
            A status that HTTP does not have: below 200, where no final answer is, or above 599.

            ## Why is this bad
            Statuses are 100 to 599, and those below 200 are interim answers that no app sees (RFC 9110, section 15). A proxy may
            replace others, and most often the number is a typing mistake or a code of the envelope.

            ## Example
            ```yaml
            soldOut: {category: nonRetryable, message: It is sold out., when: {status: 999}}
            ```
            ## Use instead
            ```yaml
            soldOut: {category: nonRetryable, message: It is sold out., when: {status: 409}}
            ```
            """#,
        "retryable-error-on-once-endpoint": #"""
            An endpoint of effect `once` that lists a `retryable` error after which the request may have been carried out.

            ## Why is this bad
            The two say opposite things. A `once` request is never sent again while it may have taken effect, so the error is not
            retried and the command ends as `unconfirmed`. Whoever declared it retryable expects that it is.

            ## Example
            ```yaml
            gatewayFailed: {category: retryable, message: Try again., when: {status: [502, 504]}}
            ```
            listed by an endpoint such as
            ```yaml
            pay:
              post: /payments
              effect: once
            ```
            ## Use instead
            ```yaml
            pay:
              post: /payments
              effect: keyed
            ```
            where the server knows an `Idempotency-Key`. Where it says itself that nothing was done, add `applied: never` to the
            error. Where neither holds, the error is `nonRetryable`.
            """#,
        "throttling-not-retryable": #"""
            A 429, or the built-in `throttled`, declared as an error that is not retried.

            ## Why is this bad
            A 429 says that the same request will be welcome later, and its `Retry-After` says when (RFC 6585, section 4). The
            pipeline waits for that by itself, within the deadline. Declared as final, it reaches the user instead.

            ## Example
            ```yaml
            tooMany: {category: nonRetryable, message: Not so fast., when: {status: 429}}
            ```
            ## Use instead
            ```yaml
            tooMany: {category: retryable, message: Not so fast., when: {status: 429}}
            ```
            An error that names a code as well, such as the day's quota, is left alone.
            """#,
        "unreachable-error": #"""
            An error or an outcome that no response can ever be, or a condition of one that is never the first to match.

            ## Why is this bad
            The app handles a failure that does not come, and what does come in its place is handled as something else. The usual
            reasons: the envelope of the endpoint has no code, or the response no body, so that what the error names cannot be
            there; or the rows before it take all its responses.

            ## Example
            ```yaml
            ask:
              get: /answers/{id}
              envelope: none
              response: string
              errors: [noSuchAnswer]
            ```
            where `noSuchAnswer` is recognised by a `code`, which nothing without an envelope has.

            ## Use instead
            ```yaml
            ask:
              get: /answers/{id}
              envelope: standard
              response: string
              errors: [noSuchAnswer]
            ```
            Or recognise the error by its `status`, or by a value in the `body`.
            """#,
    ]
}
