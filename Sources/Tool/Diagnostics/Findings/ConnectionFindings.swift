// What can be wrong with a connection, its frames and its events, and with commands without a reply.
extension FindingKind {
    static let kindsOfConnections: [FindingKind] = [
        .attachNotOneToken, .attachWithEffect, .closeCodeReserved, .confirmationWithoutReply, .connectionWithoutFrame,
        .frameKeyAtRequest, .frameMemberClash, .frameNameRepeated, .framePayloadNotObject, .frameWithoutConnection,
        .frameWithoutEffect, .httpKeyAtFrame, .httpWithoutDelivery, .keyedFrameWithoutField, .pingTimeoutTooShort,
        .positionMismatch, .positionWithoutResume, .reconnectBaseAboveCap, .replyWithoutDelivery,
        .serverOfOtherProtocol,
        .sessionWithoutReply, .streamWithOutcomes, .streamWithoutElements,
    ]

    // MARK: Connection and frames

    package static let connectionWithoutFrame = FindingKind(
        "connection-without-frame", finds: "A request of HTTP in a contract with a `connection`.",
        why: """
            All endpoints of such a contract travel as frames over its connection, and all of its servers are WebSocket
            servers. A request of HTTP would have no server.
            """,
        wrong: "connection: {}\nendpoints:\n  getBook: {get: /book, response: string}",
        right: "connection: {}\nendpoints:\n  getBook: {frame: book.get, response: {title: string}, effect: read}",
        instead: "Or move the endpoint into another contract. Contracts can share types, errors and a session.")

    package static let frameWithoutConnection = FindingKind(
        "frame-without-connection", finds: "A frame or an event in a contract without a `connection`.",
        why: "The section says how a frame looks: which members have its kind, the id of its request and its payload.",
        wrong: "getBook: {frame: book.get, response: {title: string}, effect: read}",
        right: "connection: {}\nendpoints:\n  getBook: {frame: book.get, response: {title: string}, effect: read}",
        instead: "`connection: {}` is enough for frames such as `{\"type\": \"book.get\", \"id\": \"7\", …}`.")

    package static let serverOfOtherProtocol = FindingKind(
        "server-of-other-protocol",
        finds:
            "A server with a URL of WebSocket in a contract without a `connection`, or of HTTP in a contract with one.",
        why: "The transport that carries the requests of the contract cannot open such a URL.",
        wrong: "servers: {production: \"wss://books.example\"}\nendpoints:\n  getBook: {get: /book, response: string}",
        right: "servers: {production: \"https://books.example\"}\nendpoints:\n  getBook: {get: /book, response: string}"
    )

    package static let frameWithoutEffect = FindingKind(
        "frame-without-effect", finds: "A frame without an `effect`.",
        why: """
            A frame has no method, so nothing says whether a command that lost its connection may be sent again. A wrong guess
            loses a command, or carries it out twice.
            """,
        wrong: "connection: {}\nendpoints:\n  rename: {frame: rename, body: {name: string}}",
        right: "connection: {}\nendpoints:\n  rename: {frame: rename, body: {name: string}, effect: idempotent}")

    package static let keyedFrameWithoutField = FindingKind(
        "keyed-frame-without-field", finds: "A frame of effect `keyed` whose idempotency key has no field.",
        why: "A frame has no headers, so the key can only travel in its payload.",
        wrong: "connection: {}\nendpoints:\n  pay: {frame: pay, body: {amount: decimal}, effect: keyed}",
        right: "connection: {}\nendpoints:\n  pay: {frame: pay, body: {amount: decimal}, effect: {keyed: {field: key}}}"
    )

    package static let frameNameRepeated = FindingKind(
        "frame-name-repeated", finds: "Two frames of one kind that have different meanings.",
        why: """
            A server tells requests apart by their kind, and a client tells events apart by it. The kind of an event must also
            differ from the kinds of replies and of elements.
            """,
        wrong: """
            connection: {}
            endpoints:
              getBook: {frame: get, response: {title: string}, effect: read}
              getPage: {frame: get, response: {text: string}, effect: read}
            """,
        right: """
            connection: {}
            endpoints:
              getBook: {frame: book.get, response: {title: string}, effect: read}
              getPage: {frame: page.get, response: {text: string}, effect: read}
            """)

    package static let frameMemberClash = FindingKind(
        "frame-member-clash", finds: "A member of a frame with two meanings.",
        why: """
            Kind, id and payload of a frame are different members. Without a `payload`, the fields of the payload are beside
            kind and id, and one of them would replace the other.
            """,
        wrong:
            "connection: {}\nendpoints:\n  rename: {frame: rename, body: {id: int, name: string}, effect: idempotent}",
        right: """
            connection: {payload: data}
            endpoints:
              rename: {frame: rename, body: {id: int, name: string}, effect: idempotent}
            """,
        instead: "Or give the field another `wire:`, or the connection another `kind` or `correlation`.")

    package static let framePayloadNotObject = FindingKind(
        "frame-payload-not-object",
        finds: "A payload without named fields in a contract whose frames have no member for the payload.",
        why: "The members of the payload are beside kind and id, so only a structure or a union can be a payload.",
        wrong: "connection: {}\nendpoints:\n  listNames: {frame: names, response: [string], effect: read}",
        right: "connection: {payload: data}\nendpoints:\n  listNames: {frame: names, response: [string], effect: read}",
        instead: "Or write fields: `response: {names: [string]}`. An envelope with `data` also leads to the payload.")

    package static let httpKeyAtFrame = FindingKind(
        "http-key-at-frame",
        finds: "A key that only has a meaning for HTTP, in a contract with a `connection` or at a frame.",
        why: """
            A frame has no path, query, headers, redirects or content coding, and its payload is JSON. Signatures and rate limits are
            about the headers and parameters of HTTP. The key would have no effect.
            """,
        wrong: "connection: {}\nendpoints:\n  find: {frame: find, query: {text: string}, effect: read}",
        right: "connection: {}\nendpoints:\n  find: {frame: find, body: {text: string}, effect: read}")

    package static let frameKeyAtRequest = FindingKind(
        "frame-key-at-request",
        finds: "A key that only has a meaning for frames, in a contract without a `connection`.",
        why:
            "Only a persistent connection is closed with a code, presents a token once, or carries elements as frames.",
        wrong: "errors:\n  maintenance: {category: retryable, when: {close: 1012}}",
        right: "errors:\n  maintenance: {category: retryable, when: {status: 503}}")

    package static let pingTimeoutTooShort = FindingKind(
        "ping-timeout-too-short", finds: "A `ping` whose `timeout` is not longer than `every`.",
        why: "The client would give the connection up before its first ping could be answered.",
        wrong: "connection: {ping: {every: 30s, timeout: 20s}}\nendpoints: {}",
        right: "connection: {ping: {every: 20s, timeout: 45s}}\nendpoints: {}")

    package static let reconnectBaseAboveCap = FindingKind(
        "reconnect-base-above-cap", finds: "A `reconnect` whose `base` is longer than its `cap`.",
        why: """
            The pauses before a lost connection is opened again double from `base`, and none is longer than `cap`. The `base`
            would have no effect. Without one of the two, `base` is a second and `cap` half a minute.
            """,
        wrong: "connection: {reconnect: {base: 1m, cap: 10s}}\nendpoints: {}",
        right: "connection: {reconnect: {base: 1s, cap: 1m}}\nendpoints: {}")

    package static let closeCodeReserved = FindingKind(
        "close-code-reserved", finds: "A `close` with a code that no server sends.",
        why: """
            RFC 6455, section 7.4, reserves 1004, 1005, 1006 and 1015, and leaves 1016 to 2999 to later versions of the protocol.
            A client reports a connection that ends without a code as `lost`.
            """,
        wrong: """
            connection: {}
            errors:
              dropped: {category: retryable, when: {close: 1006}}
            endpoints:
              getBook: {frame: book.get, response: {title: string}, effect: read, errors: [dropped]}
            """,
        right: """
            connection: {}
            errors:
              dropped: {category: retryable, when: {transport: lost}}
            endpoints:
              getBook: {frame: book.get, response: {title: string}, effect: read, errors: [dropped]}
            """)

    // MARK: Sessions

    package static let attachNotOneToken = FindingKind(
        "attach-not-one-token", finds: "An `attach` endpoint whose inputs are not exactly one text, the token.",
        why: """
            The client presents the token by itself, on each new connection. It has no value for another input. The token
            is a secret, so the input has `sensitive: true`.
            """,
        wrong: """
            connection: {}
            session: {attach: attach, login: logIn, token: token}
            endpoints:
              logIn: {frame: login, body: {user: string}, response: {token: string}, session: none, effect: idempotent}
              attach: {frame: attach, body: {token: {type: string, sensitive: true}, device: string}, session: none, effect: idempotent}
            """,
        right: """
            connection: {}
            session: {attach: attach, login: logIn, token: token}
            endpoints:
              logIn: {frame: login, body: {user: string}, response: {token: string}, session: none, effect: idempotent}
              attach: {frame: attach, body: {token: {type: string, sensitive: true}}, session: none, effect: idempotent}
            """)

    package static let attachWithEffect = FindingKind(
        "attach-with-effect", finds: "An `attach` endpoint of effect `keyed` or `once`.",
        why: "The client sends it on every new connection, as often as connections are lost.",
        wrong: """
            connection: {}
            session: {attach: attach, login: logIn, token: token}
            endpoints:
              logIn: {frame: login, body: {user: string}, response: {token: string}, session: none, effect: idempotent}
              attach: {frame: attach, body: {token: {type: string, sensitive: true}}, session: none, effect: once}
            """,
        right: """
            connection: {}
            session: {attach: attach, login: logIn, token: token}
            endpoints:
              logIn: {frame: login, body: {user: string}, response: {token: string}, session: none, effect: idempotent}
              attach: {frame: attach, body: {token: {type: string, sensitive: true}}, session: none, effect: idempotent}
            """)

    package static let sessionWithoutReply = FindingKind(
        "session-without-reply",
        finds:
            "A login, a renewal, an `attach` or a logout that is a stream, or one of the first three without a reply.",
        why: """
            The one reply of a login or a renewal has the token, and that of an `attach` says whether the token is valid. A stream has
            no such reply, and never ends a session. A logout may be sent without a reply.
            """,
        wrong: """
            session: {header: Authorization, login: logIn, token: token}
            endpoints:
              logIn: {post: /login, response: {token: string}, effect: idempotent, session: none, delivery: stream}
            """,
        right: """
            session: {header: Authorization, login: logIn, token: token}
            endpoints:
              logIn: {post: /login, response: {token: string}, effect: idempotent, session: none}
            """)

    // MARK: Replies

    package static let httpWithoutDelivery = FindingKind(
        "http-without-delivery", finds: "A request of HTTP with `delivery: none`.",
        why: """
            HTTP always responds, and the response says whether the request was carried out. A client that ignored it would
            lose requests that a server refuses.
            """,
        wrong: "report: {post: /reports, body: {text: string}, effect: once, delivery: none}",
        right: "report: {post: /reports, body: {text: string}, effect: once, response: none}")

    package static let replyWithoutDelivery = FindingKind(
        "reply-without-delivery",
        finds: "A frame with `delivery: none` that only reads, or that declares a response, outcomes or `confirm`.",
        why: "The command ends when its frame is written, so no reply is ever read.",
        wrong:
            "connection: {}\nendpoints:\n  rename: {frame: rename, delivery: none, response: {name: string}, effect: idempotent}",
        right: "connection: {}\nendpoints:\n  rename: {frame: rename, delivery: none, effect: idempotent}")

    package static let streamWithoutElements = FindingKind(
        "stream-without-elements", finds: "A stream of `bytes`, or without a `response`.",
        why:
            "The `response` of a stream is the type of its elements. Raw bytes have no elements: a download reads them as they come.",
        wrong: "getNews: {get: /news, response: bytes, delivery: stream}",
        right: "getNews: {get: /news, response: {text: string}, delivery: stream}",
        instead:
            "Or write `response: {content: bytes}`, which is Base64 in each element, or `response: bytes` without `delivery: stream`."
    )

    package static let streamWithOutcomes = FindingKind(
        "stream-with-outcomes", finds: "A stream with `outcomes`.",
        why: "An outcome is the end of a command with one response, and a stream has many elements.",
        wrong: """
            getNews:
              get: /news
              response: {text: string}
              delivery: stream
              outcomes: {closed: {when: {status: 410}}}
            """,
        right: """
            errors:
              closed: {category: nonRetryable, when: {status: 410}}
            endpoints:
              getNews: {get: /news, response: {text: string}, delivery: stream, errors: [closed]}
            """,
        instead: "Or make it one of the elements, as a case of a union.")

    package static let confirmationWithoutReply = FindingKind(
        "confirmation-without-reply", finds: "A confirmation by an endpoint that is a stream, or that has no reply.",
        why: "The one response of the read says whether the command took effect.",
        wrong: """
            pay: {post: /payments, response: {state: string}, confirm: {endpoint: find}}
            find: {get: /payment, response: {state: string}, delivery: stream}
            """,
        right: """
            types:
              Payment: {state: string}
            endpoints:
              pay: {post: /payments, response: Payment, confirm: {endpoint: find}}
              find: {get: /payment, response: Payment}
            """)

    // MARK: Subscriptions

    package static let positionWithoutResume = FindingKind(
        "position-without-resume", finds: "A subscription with a `position` and no `resume`, or the reverse.",
        why: """
            After a lost connection, the client subscribes again and sends the position of the last element, so that no element
            is missing and none comes twice. This needs both: where an element has its position, and which input takes it.
            """,
        wrong: """
            connection: {}
            endpoints:
              follow:
                frame: follow
                response: {seq: int, text: string}
                effect: read
                delivery: {stream: frames, position: seq}
            """,
        right: """
            connection: {}
            endpoints:
              follow:
                frame: follow
                body: {since: int?}
                response: {seq: int, text: string}
                effect: read
                delivery: {stream: frames, position: seq, resume: since}
            """)

    package static let positionMismatch = FindingKind(
        "position-mismatch",
        finds:
            "A `position` that is not an integer or a text, or a `resume` that is not an optional input of the same type.",
        why: """
            The first subscription has no position, so the input is optional. Later ones send the position of the last
            element as it came.
            """,
        wrong: """
            connection: {}
            endpoints:
              follow:
                frame: follow
                body: {since: int}
                response: {seq: int, text: string}
                effect: read
                delivery: {stream: frames, position: seq, resume: since}
            """,
        right: """
            connection: {}
            endpoints:
              follow:
                frame: follow
                body: {since: int?}
                response: {seq: int, text: string}
                effect: read
                delivery: {stream: frames, position: seq, resume: since}
            """)
}
