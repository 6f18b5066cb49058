// Endpoints: what is sent, what comes back, and how it is repeated.
extension LanguageKeys {
    package static let endpoint = MappingDescription(
        "an endpoint",
        HTTPMethod.allCases.map {
            .optional(
                $0.rawValue, .form(.target),
                "path of a \($0.rawValue.uppercased()) request, with parameters as `{name}` or `{name:type}`")
        } + [
            .optional("frame", .text, "name of a frame of a message transport, in place of a method and path"),
            .optional("query", .a(.fields), "fields of the query"),
            .optional("headers", .a(.fields), "fields sent as headers"),
            .optional(
                "body", .a(.bodyValue), "fields, one type, or `{encoding: json|form|multipart|bytes, fields: …}`"),
            .optional(
                "response", .a(.responseValue),
                "a type, fields, `none`, `bytes`, or `{type: …, skipInvalid: true, single: true}`"),
            .optional("envelope", .text, "envelope of the response, or `none`"),
            .optional("session", .words(of: SessionNeed.self), "`required`, `optional` or `none`"),
            .optional(
                "effect", .a(.effectValue),
                "whether the client may send it twice: `read`, `idempotent`, `keyed`, `once`, or `{keyed: {header: NAME}}`"
            ),
            .optional("confirm", .a(.confirm), "the read that settles an `unconfirmed` command"),
            .optional(
                "timeout", .either(.form(.duration), .a(.timeout)),
                "maximum time of one attempt: `20s`, or `{any: 20s, constrained: 60s}`"),
            .optional("deadline", .form(.duration), "maximum time of all attempts and the pauses between them"),
            .optional(
                "patience", .form(.patience),
                "maximum time to wait for a person, a login or the network: `2m`, `0s` or `forever`"),
            .optional("retry", .a(.retryValue), "`{attempts, base, cap}` or `never`"),
            .optional("errors", .oneOrMore(.text), "errors of this endpoint, in addition to the errors of `defaults`"),
            .optional("outcomes", .named(.a(.outcome)), "name → a successful result other than the usual one"),
            .optional(
                "delivery", .a(.deliveryValue),
                "`reply` (default), `none`, `stream`, or `{stream: events|lines, …}`"),
            .optional("durable", .flag, "`true`: the command is kept when the app ends"),
            .optional("priority", .words(of: Priority.self), "`high`, `normal` or `low`"),
            .optional("network", .words(of: NetworkNeed.self), "`any` or `unmetered`"),
            .optional(
                "compression", .either(.words(of: CompressionDefinition.Word.self), .a(.compression)),
                "content coding of the body: `gzip`, `none` (default), or `{encoding: gzip, minimumSize: 4096}`"),
            .optional(
                "checksum", .either(.words(of: ChecksumDefinition.Algorithm.self), .a(.checksum)),
                "checksum that the bytes of the response must have: `sha256` in `Repr-Digest` (RFC 9530), or `{algorithm: sha256, header: NAME}`"
            ),
            .optional("paginate", .a(.paginate), "how a client loads the pages of a list"),
            .optional(
                "examples", .named(.named(.anything)),
                "name → examples of `request`, `response`, and each error and outcome"),
            .optional("doc", .text, "what it does"),
            .optional("deprecated", .text, "`true`, or what to use instead"),
            .optional("swift", .text, "another Swift name"),
        ],
        rules: [
            .exactlyOne(HTTPMethod.allCases.map(\.rawValue) + ["frame"]).explained(
                missing: "the endpoint does not have a method", add: "add a method, such as `get: /accounts`",
                remove: "an endpoint has one method; write an endpoint for each"),
            .onlyWith("checksum", "response").explained(
                remove: "declare `response: bytes`, or remove `checksum`"),
            .onlyWith("compression", "body").explained(
                remove: "declare a `body`, or remove `compression`"),
        ])

    package static let checksum = MappingDescription(
        "`checksum` in its long form",
        [
            .required(
                "algorithm", .words(of: ChecksumDefinition.Algorithm.self), "`sha256`, `sha512`, `sha1` or `md5`"),
            .required("header", .form(.headerName), "name of the response's header that has the checksum"),
            .optional(
                "encoding", .words(of: ChecksumDefinition.Encoding.self),
                "spelling of the checksum in the header: `hex` (default) or `base64`"),
        ])

    package static let effect = MappingDescription(
        "`effect` in its long form",
        [
            .required("keyed", .a(.idempotencyKey), "place of the idempotency key, and its lifetime")
        ])

    package static let idempotencyKey = MappingDescription(
        "`keyed`",
        [
            .optional(
                "header", .form(.headerName), "name of the header that carries the key: `Idempotency-Key` (default)"),
            .optional(
                "field", .form(.nonEmpty), "name of the field that carries the key in a JSON or form body, on the wire"),
            .optional("lifetime", .form(.duration), "how long the server remembers a key: `24h`"),
        ], rules: [.atMostOne(["header", "field"]).explained(remove: "a key travels in one place")])

    package static let stream = MappingDescription(
        "a stream in its long form",
        [
            .required(
                "stream", .words(of: StreamDefinition.Format.self),
                "`events` for server-sent events, `lines` for JSON lines"),
            .optional("end", .form(.nonEmpty), "the data, or the line, after which no element comes: `[DONE]`"),
            .optional("failures", .oneOrMore(.form(.nonEmpty)), "names of events whose data says what went wrong"),
            .optional("name", .form(.nonEmpty), "member of an element that is the event's name, on the wire"),
            .optional("idle", .form(.duration), "how long the server may be silent: `5m` (default)"),
            .optional(
                "reopen", .words(of: StreamDefinition.Reopening.self),
                "when the client opens it again: `never`, `resume` (default) or `always`"),
        ],
        rules: [
            .where("stream", ["lines"], [.forbidden(["failures", "name"])]).explained(
                conflict: "`failures` and `name` are only valid with events, because lines do not have names",
                remove: "remove the key, or write `stream: events`")
        ])

    package static let body = MappingDescription(
        "a body in its long form",
        [
            .required("encoding", .words(of: BodyDefinition.Encoding.self), "`json`, `form`, `multipart` or `bytes`"),
            .optional("fields", .a(.fields), "name → field"),
            .optional("type", .a(.typeText), "one type, in place of fields"),
            .optional("contentType", .text, "media type of raw bytes, or of the JSON"),
        ],
        rules: [
            .where("encoding", ["bytes"], [.forbidden(["fields", "type"])]).explained(
                conflict: "a body of raw bytes cannot have fields or a type"),
            .where(
                "encoding", ["json", "form", "multipart"],
                [
                    .exactlyOne(["fields", "type"]).explained(
                        add: "write `fields: {name: string}`", remove: "a body has either fields or one type")
                ]),
            .where(
                "encoding", ["form", "multipart"],
                [
                    .forbidden(["contentType"]).explained(
                        conflict: "`contentType` is only valid with `encoding: bytes` and `encoding: json`",
                        remove: "remove `contentType`; a file in a multipart body has its media type at its field")
                ]),
        ])

    package static let response = MappingDescription(
        "a response in its long form",
        [
            .optional("type", .a(.typeText), "the payload's type"),
            .optional("fields", .a(.fields), "name → field, in place of a type"),
            .optional("skipInvalid", .flag, "`true`: an invalid element is skipped, and the rest of the list is kept"),
            .optional("single", .flag, "`true`: a single object counts as a list of one element"),
        ],
        rules: [
            .exactlyOne(["type", "fields"]).explained(remove: "a response has either fields or one type"),
            .excludes("fields", ["skipInvalid", "single"]).explained(
                remove: "write it at the field with the list: `{type: [User], skipInvalid: true}`"),
        ])

    package static let confirm = MappingDescription(
        "`confirm`",
        [
            .required("endpoint", .text, "endpoint that reads whether the command took effect"),
            .optional("with", .named(.text), "its input → the command's input that fills it, or `idempotencyKey`"),
            .optional(
                "found", .text,
                "outcome of the command if the read succeeds: `completed` (default) or the name of an outcome"),
        ])

    package static let paginate = MappingDescription(
        "`paginate`",
        [
            .optional("page", .text, "query parameter for the number of the page"),
            .optional("offset", .text, "query parameter for the number of elements to skip"),
            .optional("cursor", .text, "query parameter for the cursor"),
            .optional("link", .text, "relation of the `Link` header to the next page"),
            .optional("size", .text, "query parameter for the number of elements in a page"),
            .optional("total", .form(.path), "path of the number of pages or elements"),
            .optional("next", .form(.path), "path of the next cursor"),
            .optional("items", .form(.path), "path of the elements, if the payload is not itself the list"),
            .optional(
                "foreign", .words(of: ForeignLinkRule.self),
                "how the client treats a link to another origin: `refused` (default) or `anonymous`"),
        ],
        rules: [
            .exactlyOne(["page", "offset", "cursor", "link"]).explained(
                add: "write one of them, such as `{page: page, total: data.totalPage}`",
                remove: "write only one of them"),
            .excludes("page", ["next", "size", "foreign"]),
            .excludes("offset", ["next", "foreign"]),
            .excludes("cursor", ["total", "size", "foreign"]),
            .needs("cursor", "next").explained(
                missing: "pages by `cursor` need `next`", add: "write `{cursor: after, next: data.nextCursor}`"),
            .excludes("link", ["total", "next", "size"]),
        ])
}
