// swift-format-ignore-file
// Made from the doc comments in Rules/ by RulePageTests. Do not edit.

/// The pages of the rules, for `errand explain`.
enum RulePages {
    static let texts: [String: String] = [
        "ambiguous-paths": #"""
            Two endpoints of one method whose paths differ in nothing but the names of parameters.

            ## Why is this bad
            A server cannot tell the two requests apart, so one of the endpoints does what the other one does.

            ## Example
            ```yaml
            getBook: {get: "/books/{bookID:int}", response: string}
            findBook: {get: "/books/{title}", response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: "/books/{bookID:int}", response: string}
            findBook: {get: "/books/by-title/{title}", response: string}
            ```
            """#,
        "body-on-204": #"""
            An error or an outcome with `data` that is recognized by a status which has no body: 204, 205 or 304.

            ## Why is this bad
            Such an answer ends after its headers (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). The data never comes: an
            error is left without it, and an outcome ends as `malformed`.

            ## Example
            ```yaml
            alreadyDone: {when: {status: 204}, data: {since: timestamp}}
            ```
            ## Use instead
            ```yaml
            alreadyDone: {when: {status: 204}}
            ```
            """#,
        "body-on-delete": #"""
            A DELETE request with a body.

            ## Why is this bad
            The content of a DELETE has no defined meaning, and proxies and servers drop it or refuse the request (RFC 9110, section
            9.3.5). What is to be deleted then depends on what is in between.

            ## Example
            ```yaml
            removeBooks: {delete: /books, body: {numbers: [int]}}
            ```
            ## Use instead
            ```yaml
            removeBooks: {delete: /books, query: {numbers: [int]}}
            ```
            Or use `post` with an address of its own.
            """#,
        "business-condition-as-error": #"""
            A `nonRetryable` error that is recognized by a successful status, such as 202 with a code.

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
            A `retryable` error for a 4xx that will not change by asking again, a `nonRetryable` one for a 503 or for the 401 of a
            session, or a `requiresLogout` for a 5xx.

            ## Why is this bad
            A 4xx says that the request is at fault (RFC 9110, section 15.5): sent again as it is, it fails again, three times and
            with pauses before the user hears of it. 408, 425 and 429 are the exceptions. A 503 says the reverse: later it may work.
            A 401 that does not end the session leaves the user with an app that fails at everything, and a 5xx that ends it logs
            all users out whenever the server has a bad minute. A retryable 409 of a `keyed` endpoint is left alone: the first attempt
            may still be under way. Errors that name a code or a body value as well are left alone, since the server says more there than its status.

            ## Example
            ```yaml
            noSuchBook: {category: retryable, message: There is no such book., when: {status: 404}}
            ```
            ## Use instead
            ```yaml
            noSuchBook: {category: nonRetryable, message: There is no such book., when: {status: 404}}
            ```
            """#,
        "category-differs-across-endpoints": #"""
            The same response is an error of one category at one endpoint and of another category at another.

            ## Why is this bad
            A code means one thing to the server. That it ends the session here and is retried there is most often a mistake of
            the author of the second error, and users meet it as an app that behaves by chance.

            ## Example
            ```yaml
            expired: {category: requiresLogout, message: Please log in., when: {code: 4010}}
            stale: {category: retryable, message: Try again., when: {code: 4010}}
            ```
            ## Use instead
            ```yaml
            expired: {category: requiresLogout, message: Please log in., when: {code: 4010}}
            ```
            listed by both endpoints. Where the two do differ, let one name more of its response.
            """#,
        "closed-enum-in-response": #"""
            A closed enum that responses hold.

            ## Why is this bad
            The day the server sends a new value, every app in the field fails to read the whole answer. An open enum, which is the
            default, keeps a value that it does not know as `.unrecognized`.

            ## Example
            ```yaml
            State: {enum: [active, frozen], closed: true}
            ```
            ## Use instead
            ```yaml
            State: {enum: [active, frozen]}
            ```
            An enum that is only sent may be closed.
            """#,
        "contradictory-retry": #"""
            A `retry` that never takes effect, or contradicts itself: on an error that is not retried, `never` on one that is, or a
            `cap` below its `base`.

            ## Why is this bad
            The contract says two things, and only one of them happens. A `nonRetryable` error is not sent again whatever its
            `retry` says. A `retryable` error with `retry: never` is final, but is presented as something that may pass. A pause
            begins at `base` and is never longer than `cap`, so with a lower `cap` the `base` has no effect.

            ## Example
            ```yaml
            busy: {category: retryable, message: Try again., when: {status: 503}, retry: {attempts: 3, base: 5s, cap: 1s}}
            ```
            ## Use instead
            ```yaml
            busy: {category: retryable, message: Try again., when: {status: 503}, retry: {attempts: 3, base: 1s, cap: 5s}}
            ```
            """#,
        "credential-in-url": #"""
            A password or a secret that travels in the path or the query of a request, or data about a person in its path.

            ## Why is this bad
            URLs are written down everywhere on the way: in the logs of servers and proxies, in caches, in crash reports, in the
            `Referer` of what is loaded next (RFC 9110, section 17.9). A session's token is placed by `session`, and is not meant
            here.

            ## Example
            ```yaml
            query: {password: {type: string, sensitive: true}}
            ```
            ## Use instead
            ```yaml
            body: {password: {type: string, sensitive: true}}
            ```
            """#,
        "data-required-beside-error": #"""
            A payload, read from the whole body, that requires the very field by which the envelope knows a failure.

            ## Why is this bad
            An answer with the field is a failure, and one without it does not fit the payload. No call can succeed.

            ## Example
            ```yaml
            ask: {get: /answers, envelope: plain, response: {text: string, error: string}}
            ```
            ## Use instead
            ```yaml
            ask: {get: /answers, envelope: plain, response: {text: string}}
            ```
            """#,
        "deprecated-type-used": #"""
            A deprecated type that something still uses that is not deprecated itself.

            ## Why is this bad
            A caller that uses the field cannot avoid the type, so its warning asks for something that the caller cannot do.

            ## Example
            ```yaml
            Book: {title: string, author: Person}
            ```
            where `Person` is deprecated.

            ## Use instead
            ```yaml
            Book: {title: string, author: {type: Person, deprecated: Use writer.}, writer: string}
            ```
            """#,
        "deprecated-without-replacement": #"""
            Something that is deprecated without a word about what to use instead.

            ## Why is this bad
            The compiler warns about each use, and cannot say what to do about the warning.

            ## Example
            ```yaml
            findBook: {get: /find, response: string, deprecated: true}
            ```
            ## Use instead
            ```yaml
            findBook: {get: /find, response: string, deprecated: Use getBook.}
            ```
            """#,
        "effect-by-default": #"""
            A POST or a PATCH that does not say what happens where it is sent twice. It is `once`, which is safe and seldom all that
            can be had.

            ## Why is this bad
            After a lost connection or a timeout the request may have been carried out, so a `once` request is never sent again, and
            the command fails as `unconfirmed`: the app has to ask the user. Where the server knows an idempotency key, or the request
            only reads, Errand could have sent it again.

            ## Example
            ```yaml
            placeOrder: {post: /orders, body: {book: int}, response: {number: int}}
            ```
            ## Use instead
            ```yaml
            placeOrder: {post: /orders, body: {book: int}, response: {number: int}, effect: keyed}
            ```
            Write `read` for a search that is sent as a POST, `idempotent` where a second request changes nothing more, and `once`
            where a second one would do it again.
            """#,
        "effect-contradicts-method": #"""
            An effect that the request's method contradicts: a GET or HEAD that does more than read, or a PUT or DELETE that may
            not be sent twice.

            ## Why is this bad
            Caches, proxies and the operating system repeat GET by themselves and treat PUT and DELETE as idempotent (RFC 9110,
            sections 9.2.1 and 9.2.2). A promise of `once` cannot be kept over such a method.

            ## Example
            ```yaml
            pay: {get: /pay, query: {amount: decimal}, response: {number: int}, effect: once}
            ```
            ## Use instead
            ```yaml
            pay: {post: /pay, body: {amount: decimal}, response: {number: int}, effect: once}
            ```
            """#,
        "envelope-bypassed": #"""
            An endpoint that turns the envelope of `defaults` off for a response that is JSON.

            ## Why is this bad
            Its failures have no code and no message then, and what the service says inside a 200 goes unnoticed. Most often the
            payload is merely elsewhere in the envelope. Bytes have no envelope anyway.

            ## Example
            ```yaml
            listNews: {get: /news, envelope: none, query: {page: int}, response: [string]}
            ```
            ## Use instead
            ```yaml
            listNews: {get: /news, envelope: flat, query: {page: int}, response: [string]}
            ```
            where `flat` is another envelope, which says where this answer has its parts.
            """#,
        "envelope-path-unknown": #"""
            A path of an envelope that leads through another part of it which is a plain value.

            ## Why is this bad
            A code is a number or a text, so there is nothing inside it. The part is never found: the message is always missing,
            or no answer ever counts as a failure.

            ## Example
            ```yaml
            envelopes: {standard: {data: data, error: error, code: error, message: error.text}}
            ```
            ## Use instead
            ```yaml
            envelopes: {standard: {data: data, error: error, code: error.code, message: error.text}}
            ```
            """#,
        "envelope-without-success-condition": #"""
            An envelope with a `code` that says neither which codes are a success nor where an `error` would be.

            ## Why is this bad
            Every 2xx is a success then, whatever its code says. Services with codes answer failures with 200, so all of those that
            no error of the contract names reach the app as successes, or as payloads that do not fit.

            ## Example
            ```yaml
            envelopes: {standard: {data: data, code: code, message: msg}}
            ```
            ## Use instead
            ```yaml
            envelopes: {standard: {data: data, code: code, message: msg, success: [100]}}
            ```
            Or `error:` with the path that only failures have.
            """#,
        "error-data-not-in-envelope": #"""
            An error or an outcome with `data` that no answer could carry: it is recognized by a failed transport only, or the
            endpoint's request is a HEAD. (A status without a body is [body-on-204](#body-on-204).)

            ## Why is this bad
            The app gets an error whose data is always nil, and code that reads it never runs.

            ## Example
            ```yaml
            errors:
              cutOff: {category: retryable, message: Try again., when: {transport: lost}, data: {since: timestamp}}
            ```
            ## Use instead
            ```yaml
            errors:
              cutOff: {category: retryable, message: Try again., when: {transport: lost}}
            ```
            """#,
        "error-matches-success": #"""
            An error that is recognized by nothing but what the contract calls a success: a 2xx status alone, or one of the
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
        "error-without-message": #"""
            An error without a message for the user.

            ## Why is this bad
            The app shows what the server wrote, which may be for developers and in one language, or a sentence that fits every
            failure. A message in the contract is a default that each app can replace or translate by its key.

            ## Example
            ```yaml
            noSuchAnswer: {category: nonRetryable, when: {status: 404}}
            ```
            ## Use instead
            ```yaml
            noSuchAnswer: {category: nonRetryable, when: {status: 404}, message: There is no answer to that.}
            ```
            """#,
        "example-does-not-fit": #"""
            An example that is not what its endpoint takes or answers: a missing or unknown field, a text where a number is meant,
            a date that is not one.

            ## Why is this bad
            Examples are what people copy, what a simulated server answers with, and often the only part of a contract that a
            backend developer reads. One that does not fit teaches something wrong.

            ## Example
            ```yaml
            novel: {response: {title: Emma, pages: many}}
            ```
            ## Use instead
            ```yaml
            novel: {response: {title: Emma, pages: 474}}
            ```
            """#,
        "id-types-differ": #"""
            One identifier with different types: an `int` here, a `string` or a `uuid` there.

            ## Why is this bad
            The app converts between them wherever it hands the value on, and a conversion that fails is noticed by users. Most
            often one of the two is a mistake.

            ## Example
            ```yaml
            getBook: {get: "/books/{bookID:int}", response: Book}
            removeBook: {delete: "/books/{bookID}"}
            ```
            ## Use instead
            ```yaml
            getBook: {get: "/books/{bookID:int}", response: Book}
            removeBook: {delete: "/books/{bookID:int}"}
            ```
            The field `id` of a type `Book` is meant as well.
            """#,
        "idempotent-creation": #"""
            A POST that creates something, by its name, and is said to be `idempotent`.

            ## Why is this bad
            An `idempotent` request is sent again after a lost connection. A server that creates something with each POST then has
            two of it. `keyed` says the same with a key by which the server knows the second one.

            ## Example
            ```yaml
            createBook: {post: /books, body: {title: string}, response: {number: int}, effect: idempotent}
            ```
            ## Use instead
            ```yaml
            createBook: {post: /books, body: {title: string}, response: {number: int}, effect: keyed}
            ```
            Write `once` where the server knows no key.
            """#,
        "insecure-server": #"""
            A server that is reached without TLS and is not this machine.

            ## Why is this bad
            An attacker on the way reads the session's token and every payload, and can change them. iOS refuses such connections
            unless the app asks for an exception.

            ## Example
            ```yaml
            servers: {main: "http://api.sample.example"}
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example", local: "http://127.0.0.1:{port=8080}"}
            ```
            """#,
        "key-lifetime-below-deadline": #"""
            A `keyed` endpoint whose server forgets an idempotency key before the command's deadline.

            ## Why is this bad
            A command keeps its key over all attempts until its deadline. An attempt that the server gets after it has forgotten the
            key is a new request to it, so the payment is made twice. Time that the command spends waiting comes on top.

            ## Example
            ```yaml
            pay:
              post: /payments
              deadline: 60s
              effect: {keyed: {lifetime: 30s}}
            ```
            ## Use instead
            ```yaml
            pay:
              post: /payments
              deadline: 60s
              effect: {keyed: {lifetime: 24h}}
            ```
            """#,
        "limit-without-range": #"""
            A `limit`, `pageSize` or `perPage` of a query, or what `paginate` calls its `size`, without a greatest value.

            ## Why is this bad
            A screen that asks for a million elements gets them, or an error that only the server's log explains. With a `range`, the
            request fails at once, as `invalidRequest`, and the contract says what the server allows.

            ## Example
            ```yaml
            listBooks: {get: /books, query: {limit: int = 20}, response: [string]}
            ```
            ## Use instead
            ```yaml
            listBooks: {get: /books, query: {limit: {type: int, default: 20, range: 1..100}}, response: [string]}
            ```
            """#,
        "list-without-pagination": #"""
            A GET whose response is a list, or holds one as its `items` or `results`, with no parameter to ask for a part of it.

            ## Why is this bad
            Lists grow. The day it has ten thousand elements, every phone loads all of them, and there is no way to change that
            without a new version of the app.

            ## Example
            ```yaml
            listBooks: {get: /books, response: [string]}
            ```
            ## Use instead
            ```yaml
            listBooks: {get: /books, query: {page: int = 1}, response: [string]}
            ```
            """#,
        "logout-on-403": #"""
            An error of category `requiresLogout` that is recognized by the status 403 alone.

            ## Why is this bad
            A 403 says that the server knows the user, and that the user may not (RFC 9110, section 15.5.4). A new login of the same person gets the same
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
        "missing-timeout": #"""
            An endpoint for which neither it nor `defaults` says how long one attempt may take.

            ## Why is this bad
            The runtime's 30 seconds fit no service in particular. The author of a contract knows how long the service's slowest good
            answer takes; whatever is longer is a failure that the user need not wait for.

            ## Example
            ```yaml
            defaults: {deadline: 2m}
            ```
            ## Use instead
            ```yaml
            defaults: {timeout: 10s, deadline: 40s}
            ```
            """#,
        "mixed-name-cases": #"""
            Fields of which some are written `likeThis` and others `like_this`.

            ## Why is this bad
            A person who writes a request by hand guesses the spelling of each name. With one style, `naming` of `defaults` makes the
            names on the wire, and a name that the server spells otherwise stands out by its `wire`.

            ## Example
            ```yaml
            Book: {title: string, pageCount: int, shelfNumber: int, first_edition: date}
            ```
            ## Use instead
            ```yaml
            Book: {title: string, pageCount: int, shelfNumber: int, firstEdition: {type: date, wire: first_edition}}
            ```
            """#,
        "money-as-double": #"""
            An amount of money as `double` or `float`.

            ## Why is this bad
            Binary fractions have no 0.10: what is read, added and sent back is another amount. `decimal` is read and written from
            its text and never passes through binary.

            ## Example
            ```yaml
            Invoice: {number: int, amount: double}
            ```
            ## Use instead
            ```yaml
            Invoice: {number: int, amount: decimal}
            ```
            """#,
        "naming-convention": #"""
            A type that begins with a small letter, or an endpoint, error, outcome or field that begins with a capital one.

            ## Why is this bad
            In Swift the first letter says whether a name is a type. The names of a contract become Swift names.

            ## Example
            ```yaml
            GetBook: {get: /book, response: {Title: string}}
            ```
            ## Use instead
            ```yaml
            getBook: {get: /book, response: {title: {type: string, wire: Title}}}
            ```
            `wire:` keeps the name that the server knows.
            """#,
        "no-servers": #"""
            A contract with endpoints and without `servers`.

            ## Why is this bad
            The contract does not say where the service is, so each app writes the address into its own code, and a change of
            the address has to be found in every app.

            ## Example
            ```yaml
            errand: 1
            service: Sample
            ```
            ## Use instead
            ```yaml
            errand: 1
            service: Sample
            servers: {main: https://sample.example}
            ```
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
        "optional-with-default": #"""
            A field that is optional and has a default.

            ## Why is this bad
            The default stands in where the value is absent, so nil can only mean that the server sent null. Every reader of the
            model unwraps it all the same.

            ## Example
            ```yaml
            Book: {title: string, copies: {type: int?, default: 1}}
            ```
            ## Use instead
            ```yaml
            Book: {title: string, copies: {type: int, default: 1}}
            ```
            """#,
        "patch-without-null": #"""
            A PATCH whose optional fields cannot be set to null.

            ## Why is this bad
            In a PATCH, a field that is absent stays as it is and a field that is null is taken away (RFC 7396). An optional that is
            nil is absent, so the app can change such a field and never clear it.

            ## Example
            ```yaml
            changeBook: {patch: "/books/{number:int}", body: {subtitle: string?}, effect: idempotent}
            ```
            ## Use instead
            ```yaml
            changeBook: {patch: "/books/{number:int}", body: {subtitle: {type: string?, nullable: distinct}}, effect: idempotent}
            ```
            An endpoint that has one such field is left alone: the others are meant to stay.
            """#,
        "plain-password": #"""
            A field whose name says that it is a secret and that is not marked `sensitive`.

            ## Why is this bad
            Descriptions, logs, errors and traces print it. A field that is `sensitive` is an ordinary value for the app and is
            blanked wherever something is printed.

            ## Example
            ```yaml
            body: {user: string, password: string}
            ```
            ## Use instead
            ```yaml
            body: {user: string, password: {type: string, sensitive: true}}
            ```
            """#,
        "reserved-header": #"""
            A header field that the transport or the runtime writes itself, such as `Content-Length`, `Host` or `Authorization`.

            ## Why is this bad
            `Content-Length`, `Host` and their like decide where a request ends and who gets it: a second one makes the request
            invalid or lets two servers read it differently (RFC 9112, section 6.3). A second `Idempotency-Key` takes away the
            promise that a command is carried out once. A token that the app puts into `Authorization` by itself is never renewed.

            ## Example
            ```yaml
            headers: {Authorization: string}
            ```
            ## Use instead
            ```yaml
            session: {header: Authorization, format: "Bearer {token}"}
            ```
            The runtime writes `Idempotency-Key`, or the header that `keyed` names, for an endpoint with `effect: keyed`, and
            `Content-Type` from the body.
            """#,
        "retried-stream-body": #"""
            An endpoint that says how often it is sent again, and takes a body that an app may be able to read only once.

            ## Why is this bad
            A recording or a download that is passed on is gone once it was read. The runtime never sends such a body a second time,
            so the attempts that the contract promises are made for files and for bytes in memory only.

            ## Example
            ```yaml
            storeMovie: {put: "/movies/{id}", body: {encoding: bytes}, retry: {attempts: 3}}
            ```
            ## Use instead
            ```yaml
            storeMovie: {put: "/movies/{id}", body: {encoding: bytes}, retry: never}
            ```
            Suppress it where apps only send files. Without `retry`, the runtime's rule holds.
            """#,
        "retries-exceed-deadline": #"""
            Attempts of which the last can never begin, because the deadline is over before it, where the ones before take as
            long as their timeout allows.

            ## Why is this bad
            The contract promises more attempts than are made. When the server is slow, which is when retries matter, the command
            ends earlier than it says.

            ## Example
            ```yaml
            timeout: 20s
            deadline: 50s
            retry: {attempts: 5}
            ```
            ## Use instead
            ```yaml
            timeout: 10s
            deadline: 50s
            retry: {attempts: 5}
            ```
            `errand explain SERVICE ENDPOINT` shows the attempts and pauses in their time.
            """#,
        "retry-without-limit": #"""
            A `retry` that does not say how many attempts there are at most.

            ## Why is this bad
            Retries multiply the load on a service that is failing already, and the number of attempts is what bounds them.
            A reader of the contract sees a pause and takes it for the whole rule. The runtime takes three.

            ## Example
            ```yaml
            retry: {base: 300ms}
            ```
            ## Use instead
            ```yaml
            retry: {attempts: 3, base: 300ms}
            ```
            """#,
        "retryable-error-on-once-endpoint": #"""
            An endpoint of effect `once` that lists or inherits a `retryable` error after which the request may have been carried out.

            What only 408 and 503 recognize is the subject of `unavailable-on-once-endpoint`.

            ## Why is this bad
            The two say opposite things. A `once` request is never sent again while it may have taken effect, so the error is not
            retried and the command ends as `unconfirmed`. The author who declared it retryable expects that it is retried.

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
        "session-without-identity": #"""
            A session that does not say who is logged in, of a contract with endpoints of effect `keyed` or `once`.

            ## Why is this bad
            When a session expires while a transfer waits, the runtime starts a login and sends the transfer again. If another user
            answers that login, the transfer is sent as that user. With `identity` the runtime sees it, and the commands of the
            first user end with `sessionEnded`.

            ## Example
            ```yaml
            session: {header: X-Session, login: logIn, token: token}
            ```
            ## Use instead
            ```yaml
            session: {header: X-Session, login: logIn, token: token, identity: user}
            ```
            with the path of the user's name or number in the login's response, or `identity: {claim: sub}` where the token is a
            JSON Web Token.
            """#,
        "stable-imports-draft": #"""
            A stable contract that imports a draft.

            ## Why is this bad
            A draft may break from one day to the next, and the clients of this contract break with it, which said that they do not.

            ## Example
            ```yaml
            imports: [sketch.contract.yaml]
            ```
            where the imported contract says `stability: draft`.

            ## Use instead
            ```yaml
            stability: draft
            imports: [sketch.contract.yaml]
            ```
            Or wait until what is imported is stable.
            """#,
        "stale-suppression": #"""
            A comment `# errand:ignore RULE` where there is nothing of that rule to ignore.

            ## Why is this bad
            The finding that it was about has been fixed, or has moved away from the line below it. When the pattern comes back there,
            the linter will not report it. What keeps a contract from being generated cannot be ignored at all.

            ## Example
            ```yaml
            # errand:ignore verb-in-path the server has it so
            getBook: {get: /books, response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: /books, response: string}
            ```
            """#,
        "string-that-is-a-timestamp": #"""
            A field that is named like a time and is a `string`.

            ## Why is this bad
            Each screen parses it in its own way, and the one that gets the time zone wrong is found by users. `timestamp` and
            `date` are read once, from bytes, and a server that changes its format is noticed at the boundary.

            ## Example
            ```yaml
            Book: {title: string, publishedAt: string}
            ```
            ## Use instead
            ```yaml
            Book: {title: string, publishedAt: timestamp}
            ```
            """#,
        "suppression-without-reason": #"""
            A comment `# errand:ignore RULE` that does not say why.

            ## Why is this bad
            The next reader cannot tell a decision from a shortcut, and will not dare to remove it.

            ## Example
            ```yaml
            # errand:ignore verb-in-path
            getBook: {get: /getBook, response: string}
            ```
            ## Use instead
            ```yaml
            # errand:ignore verb-in-path the server is not ours
            getBook: {get: /getBook, response: string}
            ```
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
        "timeout-out-of-range": #"""
            A timeout below half a second or above five minutes, or one that is longer than the deadline over all attempts.

            ## Why is this bad
            A phone on a bad network needs more than half a second to open a TLS connection, so that every attempt of such a user
            fails. No user waits five minutes. And what is beyond the deadline never applies.

            ## Example
            ```yaml
            timeout: 90s
            deadline: 60s
            ```
            ## Use instead
            ```yaml
            timeout: 15s
            deadline: 60s
            ```
            """#,
        "trailing-slash": #"""
            A path that ends with `/`.

            ## Why is this bad
            To HTTP, `/books/` and `/books` are two resources. Servers that mean one by the other answer with a redirect, which
            costs a round trip and turns a POST into a GET on the way.

            ## Example
            ```yaml
            listNames: {get: /names/, response: string}
            ```
            ## Use instead
            ```yaml
            listNames: {get: /names, response: string}
            ```
            """#,
        "type-contradicts-name": #"""
            A field whose name says that it is a time, a truth value, a URL or a UUID, and whose type is another.

            ## Why is this bad
            Each screen converts it in its own way. A number that is a time may be seconds or milliseconds, a text that is a truth
            value may be `true`, `yes` or `1`, and a text that is a URL or a UUID is checked only by the callers that remember to. The type reads
            it once, and a server that sends something else is noticed at the boundary.

            ## Example
            ```yaml
            Book: {title: string, createdAt: int, isNew: string, coverURL: string}
            ```
            ## Use instead
            ```yaml
            Book: {title: string, createdAt: timestamp(unix), isNew: bool, coverURL: url}
            ```
            Where the server sends a truth value as text or number, add `coerce: true`.
            """#,
        "unavailable-on-once-endpoint": #"""
            An endpoint of effect `keyed` or `once` with an error that a 503 or 408 alone recognizes and that has no `applied`.

            ## Why is this bad
            A proxy may answer 503 or 408 after it has passed the request on, so on such an endpoint the error counts as
            `applied: maybe`. A `once` command is not sent again after it and ends as `unconfirmed`. A `keyed` one is sent again with
            its key, and ends as `unconfirmed` where no attempt settles it.

            ## Example
            ```yaml
            underRepair: {category: retryable, message: Try again., when: {status: 503}}
            ```
            listed by an endpoint such as
            ```yaml
            pay:
              post: /payments
              effect: once
            ```
            ## Use instead
            ```yaml
            underRepair: {category: retryable, message: Try again., when: {status: 503}, applied: never}
            ```
            where nothing between the app and the service answers 503. Write `applied: maybe` where the outcome is meant to stay
            open, or recognize the service's own answer by a `code`.
            """#,
        "undeclared-path-parameter": #"""
            A path with a parameter in the spelling of another tool, which is sent as it is written.

            ## Why is this bad
            `:id`, `*rest` and `${id}` declare nothing here: every request goes to a path with that very text in it, and the server
            answers that there is no such thing.

            ## Example
            ```yaml
            getBook: {get: "/books/:id", response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: "/books/{id}", response: string}
            ```
            A path parameter is a `string` unless it says otherwise: `{id:int}`.
            """#,
        "unmarked-personal-data": #"""
            A field that holds data about a person, by its name, and is not marked `sensitive`: an email address, a phone number, an
            IBAN, the number of a card.

            ## Why is this bad
            Descriptions, logs, errors and traces print it, and with them it reaches crash reports and the servers of others. In the
            path of a request it is the subject of `credential-in-url`.

            ## Example
            ```yaml
            Reader: {name: {type: string, sensitive: true}, email: string}
            ```
            ## Use instead
            ```yaml
            Reader: {name: {type: string, sensitive: true}, email: {type: string, sensitive: true}}
            ```
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
            where `noSuchAnswer` is recognized by a `code`, which nothing without an envelope has.

            ## Use instead
            ```yaml
            ask:
              get: /answers/{id}
              envelope: standard
              response: string
              errors: [noSuchAnswer]
            ```
            Or recognize the error by its `status`, or by a value in the `body`.
            """#,
        "unused-envelope": #"""
            An envelope that no endpoint has, nor `defaults`.

            ## Why is this bad
            It reads like a promise of the service. Most often the endpoint that was meant to have it has another one. Envelopes of a
            contract without endpoints are there to be imported and are left alone.

            ## Example
            ```yaml
            envelopes: {standard: {data: data}, paged: {data: page.data}}
            ```
            with no endpoint that has `paged`.

            ## Use instead
            ```yaml
            envelopes: {standard: {data: data}}
            ```
            """#,
        "unused-error": #"""
            An error that no endpoint lists, nor `defaults`.

            ## Why is this bad
            Nothing is recognized as it. It reads like a promise of the service, and an endpoint that was meant to list it does
            not. Errors of a contract without endpoints are there to be imported and are left alone.

            ## Example
            ```yaml
            ask: {get: /answers, response: string}
            ```
            with an error that no endpoint lists.

            ## Use instead
            ```yaml
            ask: {get: /answers, response: string, errors: [noSuchAnswer]}
            ```
            """#,
        "unused-import": #"""
            An import of which nothing is used.

            ## Why is this bad
            It ties two contracts together that have nothing to do with each other: a mistake in the one keeps the other from being
            generated.

            ## Example
            ```yaml
            imports: [library.contract.yaml]
            ```
            with none of its types, errors or envelopes in use.

            ## Use instead
            ```yaml
            getBook: {get: /book, response: Book}
            ```
            """#,
        "unused-type": #"""
            A type that no endpoint, no error and no other type mentions.

            ## Why is this bad
            It is generated, compiled and read by people who learn the API, for nothing. A contract without endpoints, which is there
            to be imported, is left alone.

            ## Example
            ```yaml
            getBook: {get: /book, response: string}
            ```
            beside a type `Book`.

            ## Use instead
            ```yaml
            getBook: {get: /book, response: Book}
            ```
            """#,
        "verb-in-path": #"""
            A path with a verb that the method says already: `/getBooks`, `/books/delete`.

            ## Why is this bad
            A path names a thing and the method says what is done to it. With the verb in the path, one thing has many addresses,
            which no cache and no log can put together.

            ## Example
            ```yaml
            getBook: {get: "/getBook/{id}", response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: "/books/{id}", response: string}
            ```
            A path that the server has is the server's to say; turn the rule off for a contract of another team's service.
            """#,
        "weak-signature": #"""
            Requests that are signed with MD5 or SHA-1 and travel without TLS.

            ## Why is this bad
            An attacker who can read and change requests on their way can also work on their signature: MD5 has had collisions for twenty years
            (RFC 6151), SHA-1 has them too. Where TLS protects the way, no attacker sees text and signature together, and an old
            server that knows nothing else is no danger; the rule then keeps quiet.

            ## Example
            ```yaml
            signing: {algorithm: hmac-sha1, over: sortedParameters, key: secret, into: {query: sign}}
            ```
            with a server at `http://`.

            ## Use instead
            ```yaml
            signing: {algorithm: hmac-sha256, over: sortedParameters, key: secret, into: {query: sign}}
            ```
            Or reach the server by `https://`.
            """#,
    ]
}
