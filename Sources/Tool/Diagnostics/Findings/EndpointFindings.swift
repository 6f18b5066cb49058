// What can be wrong with the request and the response of an endpoint.
extension FindingKind {
    static let kindsOfEndpoints: [FindingKind] = [
        .bodyOnGet, .bodyOnHead, .confirmInputMismatch, .confirmMismatch, .confirmWithEffect, .confirmWithoutDoubt,
        .cacheNotPossible, .clearsNothing, .durableNotPossible,
        .invalidHeader, .invalidParameterType, .invalidPath, .misplacedFile, .missingInput, .noXMLForm,
        .pageParameterMissing,
        .pageTypeMismatch, .pagesNotWalkable, .queryInPath, .responseOn204, .shareNotPossible, .unknownEndpoint,
        .unknownExample, .unknownInput,
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
        right: "find: {get: /books, query: {text: string}, response: string}",
        instead: "A server that knows the method QUERY (RFC 10008) reads the body: `find: {query: /books, body: …}`.")

    package static let bodyOnHead = FindingKind(
        "body-on-head", finds: "A HEAD request with a response.",
        why: "The response of a HEAD request has no body (RFC 9110, section 9.3.2), so every call would fail.",
        wrong: "hasBook: {head: /book, response: string}", right: "hasBook: {head: /book, response: none}")

    package static let responseOn204 = FindingKind(
        "response-on-204", finds: "An endpoint with the status 204 or 205 and a payload.",
        why: "Such a response ends after its headers (RFC 9110, sections 15.3.5 and 15.3.6). There is nothing to read.",
        wrong: "addBook: {post: /books, response: {id: int}, status: 204}",
        right: "addBook: {post: /books, response: {id: int}, status: 201}",
        instead: "Or write `response: none`.")

    package static let invalidHeader = FindingKind(
        "invalid-header", finds: "A header whose name or value contains a character that HTTP does not allow there.",
        why: "A line break would end the header and begin another one. Transports refuse such a request.",
        wrong: "getBook: {get: /book, headers: {book title: string}}",
        right: "getBook: {get: /book, headers: {Book-Title: string}}",
        instead: "A name has letters, digits and `-`. A value is visible ASCII without line breaks.")

    package static let invalidParameterType = FindingKind(
        "invalid-parameter-type",
        finds: "A structure, a map or a list as a parameter of the path, the query or the headers.",
        why: "Such a parameter is one text in the request. HTTP has no standard way to write these types as one text.",
        wrong: "types:\n  Filter: {year: int}\nendpoints:\n  find: {get: /books, query: {filter: Filter}}",
        right: "find: {get: /books, query: {year: int}}", instead: "Or send it in a JSON body.")

    package static let invalidPath = FindingKind(
        "invalid-path", finds: "A path that cannot be appended to a base URL.",
        why: "The request would go to a different URL from the one in the contract.",
        wrong: "getBook: {get: books/first}", right: "getBook: {get: /books/first}",
        instead:
            "Begin the path with `/`, write it without `..`, and percent-encode characters that a URL does not allow.")

    package static let misplacedFile = FindingKind(
        "misplaced-file", finds: "A `file` outside a multipart body.",
        why: "A file has a name and a media type. Only a part of a multipart body can carry both.",
        wrong: "addCover: {post: /covers, body: {cover: file}}",
        right: "addCover: {post: /covers, body: {encoding: multipart, fields: {cover: file}}}",
        instead: "Or use `bytes`.")

    package static let noXMLForm = FindingKind(
        "no-xml-form", finds: "A name or a type that a document in XML cannot express.",
        why: """
            Elements and attributes have names of letters and digits, an attribute and a text are one value, and XML does
            not tell a number from a text.
            """,
        wrong: "getFeed: {get: /feed, response: {encoding: xml, fields: {author: {type: string, wire: dc:author}}}}",
        right: "getFeed: {get: /feed, response: {encoding: xml, fields: {author: string}}}",
        instead:
            "A `wire` is an element, an attribute `@name`, the text `.`, or the elements of a list inside of one: `books/book`."
    )

    package static let pageParameterMissing = FindingKind(
        "page-parameter-missing",
        finds: "A `paginate` that names a query parameter that the endpoint does not declare.",
        why: "The client cannot ask for the next page, because the request has no parameter for it.",
        wrong: "listBooks: {get: /books, response: [string], paginate: {page: page}}",
        right: "listBooks: {get: /books, query: {page: int = 1}, response: [string], paginate: {page: page}}")

    package static let pageTypeMismatch = FindingKind(
        "page-type-mismatch",
        finds:
            "A `paginate` whose parameter, total, cursor or elements have the wrong type.",
        why:
            "Page numbers and totals are integers. A cursor has the type of its parameter. The elements are a list.",
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
        "pages-not-walkable", finds: "A `paginate` of an endpoint whose responses cannot be the pages of a list.",
        why: """
            Loading pages sends the request many times, so the request must only read. An outcome is not a page. A link is
            followed with a GET and without a signature.
            """,
        wrong: "listBooks: {post: /books, query: {page: int = 1}, response: [string], paginate: {page: page}}",
        right: "listBooks: {get: /books, query: {page: int = 1}, response: [string], paginate: {page: page}}",
        instead: "Write `effect: read` for a POST that only reads.")

    package static let queryInPath = FindingKind(
        "query-in-path", finds: "A path with a `?` or a `#` in it.",
        why: "Values after the `?` would not be percent-encoded, and a signature would not cover them.",
        wrong: "ask: {get: \"/answers?sort=new\", response: string}",
        right: "ask: {get: /answers, query: {sort: string = new}, response: string}")

    package static let unknownEndpoint = FindingKind(
        "unknown-endpoint", finds: "The name of an endpoint that the contract does not declare.",
        why: "The `session`, the `confirm` or the setting that names the endpoint would have no effect.",
        wrong: "session: {header: Authorization, logout: logOut}\nendpoints:\n  leave: {post: /leave, effect: once}",
        right: "session: {header: Authorization, logout: leave}\nendpoints:\n  leave: {post: /leave, effect: once}")

    package static let unknownExample = FindingKind(
        "unknown-example", finds: "An example for a part that the endpoint does not have.",
        why: "The example would never be checked or shown.",
        wrong: "getBook: {get: /book, response: string, examples: {dune: {answer: Dune}}}",
        right: "getBook: {get: /book, response: string, examples: {dune: {response: Dune}}}",
        instead:
            "The keys of an example are `request`, `response`, and the names of the endpoint's errors and outcomes.")

    // MARK: Confirmations

    package static let confirmInputMismatch = FindingKind(
        "confirm-input-mismatch", finds: "A confirmation that passes a value of the wrong type to its read.",
        why: "The client could not send the read that confirms the command.",
        wrong: """
            pay: {post: /payments, body: {order: int}, confirm: {endpoint: find, with: {order: order}}}
            find: {get: /payments, query: {order: string}}
            """,
        right: """
            pay: {post: /payments, body: {order: int}, confirm: {endpoint: find, with: {order: order}}}
            find: {get: /payments, query: {order: int}}
            """)

    package static let confirmMismatch = FindingKind(
        "confirm-mismatch", finds: "A confirmation whose read has a different response type from the endpoint.",
        why: "The response of the read becomes the response of the command, so both need the same type.",
        wrong:
            "pay: {post: /payments, response: int, confirm: {endpoint: find}}\nfind: {get: /payment, response: string}",
        right: "pay: {post: /payments, response: int, confirm: {endpoint: find}}\nfind: {get: /payment, response: int}",
        instead: "The read must not declare outcomes either.")

    package static let confirmWithEffect = FindingKind(
        "confirm-with-effect", finds: "A confirmation by an endpoint whose effect is not `read`.",
        why: "A request that asks whether a payment was made must not make another payment.",
        wrong: "pay: {post: /payments, confirm: {endpoint: find}}\nfind: {post: /find}",
        right: "pay: {post: /payments, confirm: {endpoint: find}}\nfind: {get: /find}",
        instead: "Write `effect: read` for a POST that only reads.")

    package static let confirmWithoutDoubt = FindingKind(
        "confirm-without-doubt", finds: "A `confirm` on an endpoint whose request can be sent again.",
        why:
            "The client repeats a `read` or `idempotent` command after a lost response, so there is nothing to confirm.",
        wrong: "setTitle: {put: /title, confirm: {endpoint: getTitle}}\ngetTitle: {get: /title}",
        right: "setTitle: {put: /title}\ngetTitle: {get: /title}")

    package static let durableNotPossible = FindingKind(
        "durable-not-possible", finds: "A durable command that no outbox can keep.",
        why: """
            A later process sends a durable command. It cannot continue a stream, and it must not log a user in or out who
            has asked for it days ago. An outbox keeps a command as its request of HTTP, with path and body, and sends this
            request again. A frame has no such request.
            """,
        wrong: "watchPrices: {get: /prices, response: {price: decimal}, delivery: stream, durable: true}",
        right: "watchPrices: {get: /prices, response: {price: decimal}, delivery: stream}")

    package static let shareNotPossible = FindingKind(
        "share-not-possible", finds: "A command that cannot share its request with equal ones.",
        why: """
            Only the response to a read is the same for all who ask at the same time. A write has to reach the server each
            time, a login belongs to one user, and a stream or the pages of a list belong to the reader who asks for them.
            """,
        wrong: "buy: {post: /orders, body: {book: int}, share: true}",
        right: "buy: {post: /orders, body: {book: int}}")

    package static let cacheNotPossible = FindingKind(
        "cache-not-possible", finds: "A command whose responses no cache can use again.",
        why: """
            Only the response to a read can stand for a later one, and HTTP lets a cache use only those of GET and QUERY again. A write
            has to reach the server each time, a login belongs to one user, a stream or the pages of a list belong to the reader who
            asks for them, and the bytes of a file would take the place of all other responses.
            """,
        wrong: "buy: {post: /orders, body: {book: int}, cache: http}",
        right: "buy: {post: /orders, body: {book: int}}")

    package static let clearsNothing = FindingKind(
        "clears-nothing", finds: "A `clears` that makes no stored response out of date.",
        why: """
            A command that only reads changes nothing, and an endpoint without a `cache` has no stored responses. The line promises
            something that does not happen.
            """,
        wrong:
            "addBook: {post: /books, effect: once, clears: [listBooks]}\nlistBooks: {get: /books, response: [string]}",
        right:
            "addBook: {post: /books, effect: once, clears: [listBooks]}\nlistBooks: {get: /books, response: [string], cache: http}"
    )

    package static let missingInput = FindingKind(
        "missing-input", finds: "A confirmation that does not pass a required input to its read.",
        why: "The client could not send the read.",
        wrong: "pay: {post: /payments, confirm: {endpoint: find}}\nfind: {get: /payments, query: {order: int}}",
        right: """
            pay: {post: /payments, body: {order: int}, confirm: {endpoint: find, with: {order: order}}}
            find: {get: /payments, query: {order: int}}
            """)

    package static let unknownInput = FindingKind(
        "unknown-input", finds: "A confirmation that names an input that the endpoint or its read does not have.",
        why: "The client could not read the value, or could not send it.",
        wrong: """
            pay: {post: /payments, body: {order: int}, confirm: {endpoint: find, with: {order: oder}}}
            find: {get: /payments, query: {order: int}}
            """,
        right: """
            pay: {post: /payments, body: {order: int}, confirm: {endpoint: find, with: {order: order}}}
            find: {get: /payments, query: {order: int}}
            """)

    package static let unknownOutcome = FindingKind(
        "unknown-outcome", finds: "A confirmation that names an outcome that the endpoint does not have.",
        why: "The client could not return the result of the read to the app.",
        wrong: "pay: {post: /payments, confirm: {endpoint: find, found: payed}}\nfind: {get: /payment}",
        right: "pay: {post: /payments, confirm: {endpoint: find, found: completed}}\nfind: {get: /payment}")
}
