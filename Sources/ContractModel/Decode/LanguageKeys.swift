/// Every mapping of the contract language with its keys. This file is a table, hence its length.
package enum LanguageKeys {
    package static let contract = MappingDescription("a contract", [
        .required("errand", "version of the language: `1`"),
        .required("service", "name of the service, and of the Swift client"),
        .optional("version", "version of the contract, kept as its text"),
        .optional("stability", "what the contract may still break: `draft`, `beta` or `stable` (default)"),
        .optional("doc", "what the service is for"),
        .optional("imports", "relative paths of contracts whose types, errors and envelopes are used here"),
        .optional("servers", "name → base URL; the first is the default; `{port=8080}` is a variable with its default"),
        .optional("common", "what is sent with every request"),
        .optional("session", "how requests prove who is asking, and how that is obtained"),
        .optional("signing", "how requests are signed"),
        .optional("envelopes", "name → how responses wrap their payload"),
        .optional("errors", "name → an error, what recognises it and what to do about it"),
        .optional("types", "name → a type"),
        .optional("defaults", "what holds for every endpoint that does not say otherwise"),
        .required("endpoints", "name → what can be asked of the service"),
    ])

    package static let common = MappingDescription("`common`", [
        .optional("query", "fields that every request carries in its query"),
        .optional("headers", "fields that every request carries as headers"),
        .optional("parameters", "fields in the query of GET, HEAD and DELETE and in the body otherwise"),
    ])

    package static let session = MappingDescription("`session`", [
        .optional("header", "name of the header that carries the token"),
        .optional("format", "the header's value, with `{token}` for the token"),
        .optional("parameter", "name of the parameter that carries the token, instead of a header"),
        .optional("login", "endpoint that starts a session"),
        .optional("token", "path of the token in the login's response"),
        .optional("expiresIn", "path of the token's lifetime in seconds"),
        .optional("refreshToken", "path of the refresh token"),
        .optional("refresh", "endpoint that renews a session by its refresh token"),
        .optional("logout", "endpoint that ends a session"),
        .optional("from", "relative path of the contract whose session is shared"),
    ])

    package static let signing = MappingDescription("`signing`", [
        .required("algorithm", "`hmac-sha256`, `hmac-sha1` or `md5`"),
        .required("over", "what is signed: `sortedParameters`"),
        .required("key", "name of the key; the app supplies its value"),
        .optional("append", "text put behind the parameters, with `{key}` for the key"),
        .optional("skipEmpty", "leaves out parameters without a value"),
        .optional("trim", "removes blanks around the values"),
        .optional("encode", "`values`: values are percent-encoded before they are signed"),
        .optional("case", "case of the digest's hexadecimal digits: `lower` (default) or `upper`"),
        .required("into", "where the signature travels: `{header: NAME}` or `{query: NAME}`"),
        .optional("send", "`headers`: all parameters also travel as headers"),
    ])

    package static let signingPlacement = MappingDescription("`into`", [
        .optional("header", "name of the header that carries the signature"),
        .optional("query", "name of the query parameter that carries the signature"),
    ])

    package static let envelope = MappingDescription("an envelope", [
        .optional("data", "path of the payload; without it the whole body is the payload"),
        .optional("list", "path of the payload where the response is a list"),
        .optional("code", "path of the service's own code"),
        .optional("message", "path of the server's message"),
        .optional("error", "path that is present and not null in a failure"),
        .optional("success", "codes of a success, compared as text"),
        .optional("doc", "what the envelope is for"),
    ])

    package static let error = MappingDescription("an error", [
        .required("category", "what to do about it: `retryable`, `nonRetryable` or `requiresLogout`", missing: "error-without-category"),
        .optional("when", "what recognises it: one condition, or a list of which any may hold"),
        .optional("data", "payload that comes with it"),
        .optional("message", "what a person may be told"),
        .optional("retry", "how often and how fast it is retried: `{attempts, base, cap}` or `never`"),
        .optional("applied", "whether the failed request may have been carried out: `never` or `maybe`"),
        .optional("renew", "`false`: a `requiresLogout` that must not start a login"),
        .optional("doc", "what it means"),
        .optional("deprecated", "`true`, or what to use instead"),
        .optional("swift", "another Swift name"),
    ])

    package static let condition = MappingDescription("a condition", [
        .optional("transport", "how the transport failed: `offline`, `dns`, `refused`, `lost`, `timeout`, `tls`, `authentication`"),
        .optional("status", "HTTP status: `503`, `[502, 503]` or `500..599`"),
        .optional("code", "the envelope's code, or a list of codes"),
        .optional("body", "path → value that the body has there"),
    ])

    package static let retry = MappingDescription("`retry`", [
        .optional("attempts", "how often at most it is sent, the first time included"),
        .optional("base", "pause before the second attempt; it doubles from there"),
        .optional("cap", "longest pause"),
    ])

    package static let outcome = MappingDescription("an outcome", [
        .required("when", "what recognises it: one condition, or a list of which any may hold"),
        .optional("data", "payload that comes with it"),
        .optional("doc", "what it means"),
    ])

    package static let type = MappingDescription("a type in its long form", [
        .optional("fields", "name → field, where the type needs other keys beside its fields"),
        .optional("enum", "list of values, or Swift name → wire value"),
        .optional("closed", "`true`: an unknown value of the enum is refused"),
        .optional("union", "one of several types: `{by: KEY, cases: {VALUE: TYPE}}`"),
        .optional("alias", "another type, to which constraints may be added"),
        .optional("range", "least and greatest number: `1..500`, `0..`"),
        .optional("length", "least and greatest number of characters: `8..64`"),
        .optional("pattern", "regular expression that the whole text matches"),
        .optional("items", "least and greatest number of elements"),
        .optional("doc", "what the type is"),
        .optional("deprecated", "`true`, or what to use instead"),
        .optional("swift", "another Swift name"),
    ])

    package static let union = MappingDescription("`union`", [
        .required("by", "wire key whose value tells the case", missing: "union-without-discriminator"),
        .required("cases", "value of that key → type"),
    ])

    package static let field = MappingDescription("a field in its long form", [
        .required("type", "the field's type"),
        .optional("wire", "name on the wire"),
        .optional("default", "value where the field is absent"),
        .optional("doc", "what the field is"),
        .optional("deprecated", "`true`, or what to use instead"),
        .optional("sensitive", "`true`: blanked in every description, log, error and trace"),
        .optional("swift", "another Swift name"),
        .optional("range", "least and greatest number: `1..500`, `0..`"),
        .optional("length", "least and greatest number of characters: `8..64`"),
        .optional("pattern", "regular expression that the whole text matches"),
        .optional("items", "least and greatest number of elements"),
        .optional("coerce", "`true`: takes a number sent as string and the reverse, 0 and 1 as bool, `\"\"` as nil"),
        .optional("skipInvalid", "`true`: one bad element does not lose the list"),
        .optional("single", "`true`: one object where a list is meant is a list of one"),
        .optional("nullable", "`distinct`: absent, null and a value are three cases"),
        .optional("contentType", "media type of a multipart file"),
    ])

    package static let commonField = MappingDescription("a common parameter", [
        .optional("const", "text that is always sent"),
        .optional("each", "made anew for each request: `timestamp` (in the form that `type` says) or `uuid`"),
    ] + field.keys.filter { !readingKeys.contains($0.name) }.map { .optional($0.name, $0.meaning) })

    /// What says something only about a value that is read, or about one kind of body.
    private static let readingKeys: Set<String> = ["coerce", "skipInvalid", "single", "nullable", "contentType"]

    package static let defaults = MappingDescription("`defaults`", [
        .optional("envelope", "envelope of the responses"),
        .optional("timeout", "bound of one attempt: `20s`"),
        .optional("deadline", "bound of all attempts and the pauses between them"),
        .optional("patience", "bound of waiting for a person, a login or the network"),
        .optional("session", "`required`, `optional` or `none`"),
        .optional("errors", "errors that every endpoint can fail with"),
        .optional("retry", "`{attempts, base, cap}` or `never`"),
        .optional("priority", "`high`, `normal` or `low`"),
        .optional("naming", "wire names of fields: `snake_case`, `camelCase`, `kebab-case` or `PascalCase`"),
    ])

    package static let endpoint = MappingDescription("an endpoint", HTTPMethod.allCases.map {
        .optional($0.rawValue, "path of a \($0.rawValue.uppercased()) request; `{name}` and `{name:type}` are parameters")
    } + [
        .optional("frame", "name of a message transport's frame, instead of a method and path"),
        .optional("query", "fields of the query"),
        .optional("headers", "fields sent as headers"),
        .optional("body", "fields, one type, or `{encoding: json|form|multipart|bytes, fields: …}`"),
        .optional("response", "a type, fields, `none`, `bytes`, or `{type: …, skipInvalid: true, single: true}`"),
        .optional("envelope", "envelope of the response, or `none`"),
        .optional("session", "`required`, `optional` or `none`"),
        .optional("effect", "whether it may be sent twice: `read`, `idempotent`, `keyed` or `once`"),
        .optional("confirm", "the read that settles an `unconfirmed` command"),
        .optional("timeout", "bound of one attempt: `20s`"),
        .optional("deadline", "bound of all attempts and the pauses between them"),
        .optional("patience", "bound of waiting for a person, a login or the network"),
        .optional("retry", "`{attempts, base, cap}` or `never`"),
        .optional("errors", "errors that it can fail with, beside the defaults'"),
        .optional("outcomes", "name → a normal answer that is not the usual one"),
        .optional("delivery", "`reply` (default), `none` or `stream`"),
        .optional("durable", "`true`: survives the app's end"),
        .optional("priority", "`high`, `normal` or `low`"),
        .optional("network", "`any` or `unmetered`"),
        .optional("paginate", "how a list that comes in parts is walked"),
        .optional("examples", "name → examples of `request`, `response`, and each error and outcome"),
        .optional("doc", "what it does"),
        .optional("deprecated", "`true`, or what to use instead"),
        .optional("swift", "another Swift name"),
    ])

    package static let body = MappingDescription("a body in its long form", [
        .required("encoding", "`json`, `form`, `multipart` or `bytes`"),
        .optional("fields", "name → field"),
        .optional("type", "one type instead of fields"),
        .optional("contentType", "media type of raw bytes"),
    ])

    package static let response = MappingDescription("a response in its long form", [
        .optional("type", "the payload's type"),
        .optional("fields", "name → field, instead of a type"),
        .optional("skipInvalid", "`true`: one bad element does not lose the list"),
        .optional("single", "`true`: one object where a list is meant is a list of one"),
    ])

    package static let confirm = MappingDescription("`confirm`", [
        .required("endpoint", "the endpoint that reads whether the command took effect"),
        .optional("with", "its input → the command's input that fills it, or `idempotencyKey`"),
        .optional("found", "outcome that a found answer means; `completed` is the usual one"),
    ])

    package static let paginate = MappingDescription("`paginate`", [
        .optional("page", "query parameter that takes the page's number"),
        .optional("offset", "query parameter that takes the number of elements to skip"),
        .optional("cursor", "query parameter that takes the cursor"),
        .optional("link", "relation of the `Link` header that names the next part"),
        .optional("size", "query parameter that takes the number of elements of a part"),
        .optional("total", "path of the number of pages or elements"),
        .optional("next", "path of the next cursor"),
        .optional("items", "path of the elements, where they are not the payload itself"),
    ])

    /// Every mapping, in the order of the language reference.
    package static let all: [MappingDescription] = [
        contract, common, commonField, session, signing, signingPlacement, envelope, error, condition, retry, outcome,
        type, union, field, defaults, endpoint, body, response, confirm, paginate,
    ]
}
