// Sessions, signatures, rate limits and envelopes: what the requests and the responses of a service have in common.
extension LanguageKeys {
    package static let session = MappingDescription(
        "`session`",
        [
            .optional("header", .form(.headerName), "name of the header that carries the token"),
            .optional("format", .form(.tokenFormat), "the header's value, with `{token}` for the token"),
            .optional("parameter", .text, "name of the parameter that carries the token, in place of a header"),
            .optional("login", .text, "endpoint that starts a session"),
            .optional("token", .form(.path), "path of the token in the login's response"),
            .optional("expiresIn", .form(.path), "path of the token's lifetime in seconds"),
            .optional("refreshToken", .form(.path), "path of the refresh token"),
            .optional("refresh", .text, "endpoint that renews a session by its refresh token"),
            .optional("logout", .text, "endpoint that ends a session"),
            .optional(
                "identity", .either(.form(.path), .a(.identityClaim)),
                "path of the user's name or number in the login's response, or `{claim: sub}` of a JSON Web Token"),
            .optional("from", .text, "relative path of the contract whose session this contract shares"),
        ],
        rules: [
            .atMostOne(["header", "parameter"]).explained(remove: "a token travels in one place"),
            .atLeastOne(["header", "parameter", "from"]).explained(
                missing: "`session` does not name a place for the token",
                add: "write `header: Authorization` with `format: \"Bearer {token}\"`, or `parameter: token`"),
            .excludes("parameter", ["format"]).explained(
                conflict: "`format` is only valid with `header`",
                remove: "remove `format`; a parameter carries only the token"),
            .needs("login", "token").explained(
                missing: "`session` has a login, but not the path of the token in its response",
                add: "write `token: token`, the path of the token in the login's response"),
        ]
            + ["token", "expiresIn", "refreshToken", "refresh", "identity"].map {
                .onlyWith($0, "login").explained(
                    conflict: "`\($0)` is only valid with `login`",
                    remove: "add `login: NAME`, or remove the key")
            })

    package static let identityClaim = MappingDescription(
        "`identity`",
        [
            .required("claim", .form(.nonEmpty), "claim of the access token that names the user: `sub`")
        ])

    package static let signing = MappingDescription(
        "`signing`",
        [
            .required("algorithm", .words(of: SigningDefinition.Algorithm.self), "`hmac-sha256`, `hmac-sha1` or `md5`"),
            .required("over", .words(["sortedParameters"]), "what is signed: `sortedParameters`"),
            .required("key", .text, "name of the key, whose value the app supplies"),
            .optional("append", .form(.keyTemplate), "text put after the parameters, with `{key}` for the key"),
            .optional("skipEmpty", .flag, "`true`: leaves out parameters without a value"),
            .optional("trim", .flag, "`true`: removes blanks around the values"),
            .optional("encode", .words(["values"]), "`values`: percent-encodes the values before signing"),
            .optional(
                "case", .words(of: SigningDefinition.LetterCase.self),
                "case of the digest's hexadecimal digits: `lower` (default) or `upper`"),
            .optional(
                "headers", .oneOrMore(.form(.headerName)), "names of headers that are signed among the parameters"),
            .required(
                "into", .a(.signingPlacement),
                "place of the signature: `{header: NAME}`, `{query: NAME}` or `{body: NAME}`"),
            .optional(
                "send", .words(["headers"]), "`headers`: also sends all parameters as headers, with their raw values"),
        ],
        rules: [
            .where("algorithm", ["md5"], [.required(["append"])]).explained(
                missing: "an `md5` over the parameters alone does not contain the key, so anyone can compute it",
                add: "add `append: \"&key={key}\"`, or use `hmac-sha256`")
        ])

    package static let signingPlacement = MappingDescription(
        "`into`",
        [
            .optional("header", .form(.headerName), "name of the header that carries the signature"),
            .optional("query", .text, "name of the query parameter that carries the signature"),
            .optional("body", .text, "name of the field that carries the signature in a JSON or form body"),
        ],
        rules: [
            .exactlyOne(["header", "query", "body"]).explained(
                missing: "`into` does not name a place",
                add: "write `into: {header: sign}`, `into: {query: sign}` or `into: {body: sign}`",
                remove: "name only one place for the signature")
        ])

    package static let rateLimit = MappingDescription(
        "`rateLimit`",
        [
            .required(
                "reset", .form(.headerName), "name of the header that says when the limit ends: `X-Quota-Reset`"),
            .required(
                "unit", .words(of: RateLimitDefinition.Unit.self),
                "unit of its number: `seconds` or `milliseconds` from now, or `timestamp` for seconds since 1970"),
            .optional(
                "remaining", .form(.headerName),
                "name of the header that says how many requests are left, if it isn't one of the usual names"),
        ])

    package static let envelope = MappingDescription(
        "an envelope",
        [
            .optional("data", .form(.path), "path of the payload; without it the whole body is the payload"),
            .optional("list", .form(.path), "path of the payload if the response is a list"),
            .optional("code", .form(.path), "path of the service's own code"),
            .optional("message", .form(.path), "path of the server's message"),
            .optional("error", .form(.path), "path that is present, and neither null nor an empty list, in a failure"),
            .optional("success", .oneOrMore(.form(.code)), "codes of a success: `100`, `[100, ok]` or `100..199`"),
            .optional("doc", .text, "description of the envelope"),
        ],
        rules: [
            .needs("success", "code").explained(
                missing: "`success` lists codes, but the envelope has no path for the code",
                add: "add `code: code`, the path of the code")
        ])
}
