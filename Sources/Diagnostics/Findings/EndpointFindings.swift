// What can be wrong with the request and the response of an endpoint.
extension FindingKind {
    static let kindsOfEndpoints: [FindingKind] = [
        .bodyOnGet, .bodyOnHead, .confirmInputMismatch, .confirmMismatch, .confirmWithEffect, .confirmWithoutDoubt,
        .invalidHeader, .invalidParameterType, .invalidPath, .misplacedFile, .missingInput, .pageParameterMissing,
        .pageTypeMismatch, .pagesNotWalkable, .queryInPath, .unknownEndpoint, .unknownExample, .unknownInput,
        .unknownOutcome,
    ]

    // MARK: Requests

    package static let bodyOnGet = FindingKind(
        "body-on-get", finds: "A GET or HEAD request with a body.",
        why: """
            Content in a GET has no meaning (RFC 9110, section 9.3.1). Servers, proxies and caches drop it or refuse the
            request, and URLSession does not send it.
            """,
        wrong: "find: {get: /books, body: {text: string}, response: string}",
        right: "find: {get: /books, query: {text: string}, response: string}")

    package static let bodyOnHead = FindingKind(
        "body-on-head", finds: "A HEAD request with a response.",
        why: "The response of a HEAD request has no body (RFC 9110, section 9.3.2), so every call would fail.",
        wrong: "hasBook: {head: /book, response: string}", right: "hasBook: {head: /book, response: none}")

    package static let invalidHeader = FindingKind(
        "invalid-header", finds: "The name or the value of a header with a character that headers cannot have.",
        why: "A line break would end the header and begin another one. Transports refuse such a request.",
        wrong: "getBook: {get: /book, headers: {book title: string}}",
        right: "getBook: {get: /book, headers: {Book-Title: string}}",
        instead: "A name has letters, digits and `-`. A value is visible ASCII without line breaks.")

    package static let invalidParameterType = FindingKind(
        "invalid-parameter-type", finds: "A structure, a map or a list as a parameter that is one text in the request.",
        why: "Paths, queries and headers have no standard way to write it.",
        wrong: "types:\n  Filter: {year: int}\nendpoints:\n  find: {get: /books, query: {filter: Filter}}",
        right: "find: {get: /books, query: {year: int}}", instead: "Or send it in a JSON body.")

    package static let invalidPath = FindingKind(
        "invalid-path", finds: "A path that cannot be appended to the address of a server.",
        why: "The request would go to another address than the contract shows.",
        wrong: "getBook: {get: books/first}", right: "getBook: {get: /books/first}",
        instead: "A path begins with `/`, has no `..`, and other characters than letters are percent-encoded.")

    package static let misplacedFile = FindingKind(
        "misplaced-file", finds: "A `file` outside a multipart body.",
        why: "A file has a name and a media type, and only a part of a multipart body has a place for both.",
        wrong: "addCover: {post: /covers, body: {cover: file}}",
        right: "addCover: {post: /covers, body: {encoding: multipart, fields: {cover: file}}}",
        instead: "Or use `bytes`.")

    package static let pageParameterMissing = FindingKind(
        "page-parameter-missing", finds: "A `paginate` that names a query parameter which the endpoint does not have.",
        why: "Pages cannot be turned: the number of the page goes nowhere.",
        wrong: "listBooks: {get: /books, response: [string], paginate: {page: page}}",
        right: "listBooks: {get: /books, query: {page: int = 1}, response: [string], paginate: {page: page}}")

    package static let pageTypeMismatch = FindingKind(
        "page-type-mismatch",
        finds:
            "A `paginate` whose parameter, total, cursor or elements are of a type that pages cannot be turned with.",
        why:
            "Pages are counted by whole numbers, a cursor goes into its parameter as it came, and elements come in a list.",
        wrong: """
            listBooks:
              get: /books
              query: {after: string?}
              response: {books: [string], next: int?}
              paginate: {cursor: after, next: next, items: books}
            """,
        right: """
            listBooks:
              get: /books
              query: {after: int?}
              response: {books: [string], next: int?}
              paginate: {cursor: after, next: next, items: books}
            """)

    package static let pagesNotWalkable = FindingKind(
        "pages-not-walkable", finds: "A `paginate` of an endpoint whose answers cannot be the pages of a list.",
        why: """
            Turning pages sends the request many times, so it must not do anything each time. An outcome is no page. A link is
            followed with a GET, and with no signature.
            """,
        wrong: "listBooks: {post: /books, query: {page: int = 1}, response: [string], paginate: {page: page}}",
        right: "listBooks: {get: /books, query: {page: int = 1}, response: [string], paginate: {page: page}}",
        instead: "A POST that only reads says `effect: read`.")

    package static let queryInPath = FindingKind(
        "query-in-path", finds: "A path with a `?` or a `#` in it.",
        why: "Values in it are not encoded, and a signature does not cover them.",
        wrong: "ask: {get: \"/answers?sort=new\", response: string}",
        right: "ask: {get: /answers, query: {sort: string = new}, response: string}")

    package static let unknownEndpoint = FindingKind(
        "unknown-endpoint", finds: "The name of an endpoint that the contract does not have.",
        why: "The session, the confirmation or the selection that names it would have no effect.",
        wrong: "session: {header: Authorization, logout: logOut}\nendpoints:\n  leave: {post: /leave, effect: once}",
        right: "session: {header: Authorization, logout: leave}\nendpoints:\n  leave: {post: /leave, effect: once}")

    package static let unknownExample = FindingKind(
        "unknown-example", finds: "An example of something that the endpoint does not have.",
        why: "The example would never be checked or shown.",
        wrong: "getBook: {get: /book, response: string, examples: {dune: {answer: Dune}}}",
        right: "getBook: {get: /book, response: string, examples: {dune: {response: Dune}}}",
        instead: "An example has `request`, `response` and the names of the endpoint's errors and outcomes.")

    // MARK: Confirmations

    package static let confirmInputMismatch = FindingKind(
        "confirm-input-mismatch", finds: "A confirmation that fills an input with a value of another type.",
        why: "The read that confirms could not be sent.",
        wrong: """
            pay: {post: /payments, body: {order: int}, confirm: {endpoint: find, with: {order: order}}}
            find: {get: /payments, query: {order: string}}
            """,
        right: """
            pay: {post: /payments, body: {order: int}, confirm: {endpoint: find, with: {order: order}}}
            find: {get: /payments, query: {order: int}}
            """)

    package static let confirmMismatch = FindingKind(
        "confirm-mismatch", finds: "A confirmation whose answer is not the answer of the endpoint.",
        why: "What the read finds becomes the response of the command, so both need the same type.",
        wrong:
            "pay: {post: /payments, response: int, confirm: {endpoint: find}}\nfind: {get: /payment, response: string}",
        right: "pay: {post: /payments, response: int, confirm: {endpoint: find}}\nfind: {get: /payment, response: int}",
        instead: "The read has no outcomes either.")

    package static let confirmWithEffect = FindingKind(
        "confirm-with-effect", finds: "A confirmation by an endpoint that does more than read.",
        why: "Asking whether a payment was made must not make another one.",
        wrong: "pay: {post: /payments, confirm: {endpoint: find}}\nfind: {post: /find}",
        right: "pay: {post: /payments, confirm: {endpoint: find}}\nfind: {get: /find}",
        instead: "A POST that only reads says `effect: read`.")

    package static let confirmWithoutDoubt = FindingKind(
        "confirm-without-doubt", finds: "A `confirm` of an endpoint that may be sent again.",
        why: "A `read` or `idempotent` command is repeated instead. It never ends as `unconfirmed`.",
        wrong: "setTitle: {put: /title, confirm: {endpoint: getTitle}}\ngetTitle: {get: /title}",
        right: "setTitle: {put: /title}\ngetTitle: {get: /title}")

    package static let missingInput = FindingKind(
        "missing-input", finds: "A confirmation that does not fill a required input of its read.",
        why: "The read could not be sent.",
        wrong: "pay: {post: /payments, confirm: {endpoint: find}}\nfind: {get: /payments, query: {order: int}}",
        right: """
            pay: {post: /payments, body: {order: int}, confirm: {endpoint: find, with: {order: order}}}
            find: {get: /payments, query: {order: int}}
            """)

    package static let unknownInput = FindingKind(
        "unknown-input", finds: "A confirmation that names an input which the endpoint or its read does not have.",
        why: "The value would come from nowhere or go nowhere.",
        wrong: """
            pay: {post: /payments, body: {order: int}, confirm: {endpoint: find, with: {order: oder}}}
            find: {get: /payments, query: {order: int}}
            """,
        right: """
            pay: {post: /payments, body: {order: int}, confirm: {endpoint: find, with: {order: order}}}
            find: {get: /payments, query: {order: int}}
            """)

    package static let unknownOutcome = FindingKind(
        "unknown-outcome", finds: "A confirmation that finds an outcome which the endpoint does not have.",
        why: "What the read finds could not be given to the app.",
        wrong: "pay: {post: /payments, confirm: {endpoint: find, found: payed}}\nfind: {get: /payment}",
        right: "pay: {post: /payments, confirm: {endpoint: find, found: completed}}\nfind: {get: /payment}")
}
