// Sessions, signatures and envelopes: what the requests and the responses of a service have in common.
extension LanguageKeys {
    package static let session = MappingDescription(
        "`session`",
        [
            .optional("header", .form(.headerName), "name of the header that carries the token"),
            .optional("format", .form(.tokenFormat), "the header's value, with `{token}` for the token"),
            .optional("parameter", .text, "name of the parameter that carries the token, instead of a header"),
            .optional("login", .text, "endpoint that starts a session"),
            .optional("token", .form(.path), "path of the token in the login's response"),
            .optional("expiresIn", .form(.path), "path of the token's lifetime in seconds"),
            .optional("refreshToken", .form(.path), "path of the refresh token"),
            .optional("refresh", .text, "endpoint that renews a session by its refresh token"),
            .optional("logout", .text, "endpoint that ends a session"),
            .optional(
                "identity", .either(.form(.path), .a(.identityClaim)),
                "path of the user's name or number in the login's response, or `{claim: sub}` of a JSON Web Token"),
            .optional("from", .text, "relative path of the contract whose session is shared"),
        ],
        rules: [
            .atMostOne(["header", "parameter"]).explained(remove: "a token travels in one place"),
            .atLeastOne(["header", "parameter", "from"]).explained(
                missing: "`session` does not say where the token travels",
                add: "write `header: Authorization` with `format: \"Bearer {token}\"`, or `parameter: token`"),
            .excludes("parameter", ["format"]).explained(
                conflict: "`format` is only valid with `header`", remove: "a parameter carries the token as it is"),
            .needs("login", "token").explained(
                missing: "`session` names a login, and not where its response carries the token",
                add: "write `token: token`, the path of the token in the login's response"),
        ]
            + ["token", "expiresIn", "refreshToken", "refresh", "identity"].map {
                .onlyWith($0, "login").explained(
                    conflict: "`\($0)` is only valid with `login`, and there is no login",
                    remove: "add `login: NAME`, or remove it")
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
            .required("key", .text, "name of the key; the app supplies its value"),
            .optional("append", .form(.keyTemplate), "text put after the parameters, with `{key}` for the key"),
            .optional("skipEmpty", .flag, "leaves out parameters without a value"),
            .optional("trim", .flag, "removes blanks around the values"),
            .optional("encode", .words(["values"]), "`values`: values are percent-encoded before they are signed"),
            .optional(
                "case", .words(of: SigningDefinition.LetterCase.self),
                "case of the digest's hexadecimal digits: `lower` (default) or `upper`"),
            .optional(
                "headers", .oneOrMore(.form(.headerName)), "names of headers that are signed among the parameters"),
            .required(
                "into", .a(.signingPlacement),
                "where the signature travels: `{header: NAME}`, `{query: NAME}` or `{body: NAME}`"),
            .optional(
                "send", .words(["headers"]), "`headers`: all parameters also travel as headers, with their raw values"),
        ],
        rules: [
            .where("algorithm", ["md5"], [.required(["append"])]).explained(
                missing: "an `md5` over the parameters alone proves nothing: the key is not in it",
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
                missing: "`into` names no place",
                add: "write `into: {header: sign}`, `into: {query: sign}` or `into: {body: sign}`",
                remove: "a signature travels in one place")
        ])

    package static let envelope = MappingDescription(
        "an envelope",
        [
            .optional("data", .form(.path), "path of the payload; without it the whole body is the payload"),
            .optional("list", .form(.path), "path of the payload where the response is a list"),
            .optional("code", .form(.path), "path of the service's own code"),
            .optional("message", .form(.path), "path of the server's message"),
            .optional("error", .form(.path), "path that is present and not null in a failure"),
            .optional("success", .oneOrMore(.form(.code)), "codes of a success: `100`, `[100, ok]` or `100..199`"),
            .optional("doc", .text, "what the envelope is for"),
        ],
        rules: [
            .needs("success", "code").explained(
                missing: "`success` names codes, and nothing says where the code is",
                add: "add `code: code`, the path of the code")
        ])
}
