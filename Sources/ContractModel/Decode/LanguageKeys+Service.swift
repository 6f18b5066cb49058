// Sessions and signatures.
extension LanguageKeys {
    package static let session = MappingDescription(
        "session", "`session`",
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
                "identity", .either(.form(.path), .mapping { identityClaim }),
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
        "identityClaim", "`identity`",
        [
            .required("claim", .form(.nonEmpty), "claim of the access token that names the user: `sub`")
        ])

    package static let signing = MappingDescription(
        "signing", "`signing`",
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
                "into", .mapping { signingPlacement },
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
        "signingPlacement", "`into`",
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
}
