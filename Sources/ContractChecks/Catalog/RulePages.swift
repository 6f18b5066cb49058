// swift-format-ignore-file
// Made from the doc comments in Rules/ by RulePageTests. Do not edit.

/// The pages of the rules, for `errand explain`.
enum RulePages {
    static let texts: [String: String] = [
        "ambiguous-paths": #"""
            Two endpoints with the same method whose paths differ only in the names of parameters, and which send the same inputs.

            Endpoints are not reported if what they always send differs: the defaults in the query or in a header (`?beta=true`), the
            required inputs, the encoding or the media type of the body, or the values of constants in it. Neither are they reported if
            one asks for a stream, and the other for a whole response. A server can tell such requests apart: a login with a `password`
            from a login with a `code`, a post for now from one with a required `scheduledAt`, and `Accept: text/event-stream` from
            `Accept: application/json`. In Swift, each is a command of its own with its own response.

            ## Why is this bad
            A server cannot tell the two requests apart, so both endpoints do the same.

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
            An error or an outcome with `data` whose status has no body: 204, 205 or 304.

            ## Why is this bad
            Such a response ends after its headers (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). The data never arrives. An
            error has no data then, and an outcome ends as `malformed`.

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
            The content of a DELETE request has no defined meaning, and proxies and servers drop it or refuse the request (RFC 9110,
            section 9.3.5). The server may then delete the wrong thing.

            ## Example
            ```yaml
            removeBooks: {delete: /books, body: {numbers: [int]}}
            ```
            ## Use instead
            ```yaml
            removeBooks: {delete: /books, query: {numbers: [int]}}
            ```
            Or use `post` with a separate path.
            """#,
        "business-condition-as-error": #"""
            A `nonRetryable` error whose condition has a successful status, such as 202 with a code.

            ## Why is this bad
            The server reports a success, and most often it is one: the request is accepted and waiting, was already carried out,
            or needs a second signature. An error reaches the app as a failure. It is reported and counted as a failure, and the
            user reads that something went wrong. An outcome is a normal result beside the usual one, with its own data.

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
            An error whose category contradicts its status: `retryable` for a 4xx, `nonRetryable` for a 503 or for the 401 of a
            session, or `requiresLogout` for a 5xx.

            ## Why is this bad
            A 4xx means that the request itself is wrong (RFC 9110, section 15.5). The same request fails again, so the user waits for
            three attempts and their pauses before the app shows the error. 408, 425 and 429 are exceptions. A 503 means the reverse: a
            later attempt may succeed. If a 401 does not end the session, every further request of the app fails. If a 5xx ends the
            session, every failure of the server logs all users out. The rule allows a retryable 409 on a `keyed` endpoint, because the
            first attempt may still be in progress. It also allows errors that name a code or a body value, because these say more than
            the status. If no category fits a range such as `400..599`, declare an error for each category.

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
            A response that is an error of different categories at two endpoints.

            ## Why is this bad
            A code has one meaning for the server. If one endpoint ends the session for it and another endpoint retries, one of
            the two errors is most often a mistake. To users, the app then seems to behave randomly.

            ## Example
            ```yaml
            expired: {category: requiresLogout, message: Please log in., when: {code: 4010}}
            stale: {category: retryable, message: Try again., when: {code: 4010}}
            ```
            ## Use instead
            ```yaml
            expired: {category: requiresLogout, message: Please log in., when: {code: 4010}}
            ```
            listed by both endpoints. If the two responses really differ, make one condition more specific.

            A login is fine: its 401 means that the password is wrong, and the 401 of other endpoints means that the session has ended.
            The rule does not compare the errors of endpoints without a session (`session: none`) with errors that require a logout.
            """#,
        "change-without-session": #"""
            An endpoint that deletes or changes something without the session (`session: none`), in a contract that has a session.

            ## Why is this bad
            The request does not say who sends it. The server refuses it, or it lets anyone delete an account. The rule allows requests that people
            send before they log in, such as a new password, and requests with a token or a credential of their own.

            ## Example
            ```yaml
            deleteAccount: {delete: "/accounts/{id:int}", session: none}
            ```
            ## Use instead
            ```yaml
            deleteAccount: {delete: "/accounts/{id:int}", session: required}
            ```
            """#,
        "closed-enum-in-response": #"""
            A closed enum in a response.

            ## Why is this bad
            As soon as the server sends a new value, no installed app can read the response. An open enum, which is the default,
            keeps an unknown value as `.unrecognized`.

            ## Example
            ```yaml
            State: {enum: [active, frozen], closed: true}
            ```
            ## Use instead
            ```yaml
            State: {enum: [active, frozen]}
            ```
            An enum that occurs only in requests may be closed.
            """#,
        "comment-in-text": #"""
            An unquoted `message` or `doc` that a `#` cuts.

            ## Why is this bad
            In YAML, a `#` after a space begins a comment. The text ends before it, and the user reads half a sentence. The rule
            reports a `#` without a space after it. A comment has a space there.

            ## Example
            ```yaml
            message: The table for order #5 is taken.
            ```
            ## Use instead
            ```yaml
            message: "The table for order #5 is taken."
            ```
            """#,
        "compressed-twice": #"""
            `compression: gzip` for a body of a type that is already compressed, such as a JPEG, a video or an archive.

            ## Why is this bad
            Compressing it again takes time and battery, and the body does not get smaller.

            ## Example
            ```yaml
            savePhoto: {put: "/photos/{id}", body: {encoding: bytes, contentType: image/jpeg}, compression: gzip}
            ```
            ## Use instead
            ```yaml
            savePhoto: {put: "/photos/{id}", body: {encoding: bytes, contentType: image/jpeg}}
            ```
            If `defaults` has `compression: gzip`, write `compression: none` at the endpoint.
            """#,
        "contradictory-retry": #"""
            A `retry` that has no effect or contradicts itself.

            ## Why is this bad
            The contract states two things, and only one of them happens. After a `nonRetryable` error, the client does not send
            the request again, whatever `retry` says. After a `retryable` error with `retry: never`, the client does not retry
            either, but the app shows the error as a temporary one. Pauses begin at `base` and are never longer than `cap`, so a
            `base` above `cap` has no effect.

            ## Example
            ```yaml
            busy: {category: retryable, message: Try again., when: {status: 503}, retry: {attempts: 3, base: 5s, cap: 1s}}
            ```
            ## Use instead
            ```yaml
            busy: {category: retryable, message: Try again., when: {status: 503}, retry: {attempts: 3, base: 1s, cap: 5s}}
            ```
            """#,
        "creation-by-put": #"""
            A PUT on a collection whose response has an identifier that the request does not have.

            ## Why is this bad
            A PUT writes the resource at its URL, and the client may send it again (RFC 9110, section 9.3.4). If the server chooses the identifier,
            each repetition creates another resource.

            ## Example
            ```yaml
            createUser: {put: /users, body: {name: string}, response: {id: int}}
            ```
            ## Use instead
            ```yaml
            createUser: {post: /users, body: {name: string}, response: {id: int}, effect: keyed}
            ```
            Write `once` if the server does not support a key. If the app chooses the identifier, put it into the path: `put: "/users/{id}"`.
            """#,
        "credential-in-url": #"""
            A password or a secret in the path or the query of a request, or personal data in its path.

            ## Why is this bad
            Many systems record URLs: the logs of servers and proxies, caches, crash reports, and the `Referer` of the next
            request (RFC 9110, section 17.9). The rule does not apply to the session's token, which `session` places.

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
            A payload that is the whole body and requires the field by which the envelope recognizes a failure.

            ## Why is this bad
            A response with the field is a failure, and a response without it does not fit the payload. No call can succeed.

            ## Example
            ```yaml
            ask: {get: /answers, envelope: plain, response: {text: string, error: string}}
            ```
            ## Use instead
            ```yaml
            ask: {get: /answers, envelope: plain, response: {text: string}}
            ```
            """#,
        "default-in-update": #"""
            A field with a default in the body of a PATCH or a PUT.

            ## Why is this bad
            The client sends the default whenever the app leaves the field out. An edit of a title then also sends the default of every
            other field, and overwrites what the server has: it publishes a private book, or removes all tags. The default of a field
            in a new resource is not its value in an existing one.

            ## Example
            ```yaml
            replaceBook: {put: "/books/{number:int}", body: {title: string, visible: bool = true}}
            ```
            ## Use instead
            ```yaml
            replaceBook: {put: "/books/{number:int}", body: {title: string, visible: bool}}
            ```
            The app then has to pass the value. If the server keeps what is absent, as it does after a PATCH, make the field optional:
            `visible: bool?`. The rule allows the key of a union. Suppress it for a constant that the server requires.
            """#,
        "deprecated-type-used": #"""
            A deprecated type in a field that is not deprecated itself.

            ## Why is this bad
            A caller that uses the field also has to use the type, so the caller cannot avoid the compiler's warning.

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
            Something that is `deprecated: true`, without a text that says what to use instead.

            ## Why is this bad
            The compiler warns about each use, and its warning does not say what to use instead.

            ## Example
            ```yaml
            findBook: {get: /find, response: string, deprecated: true}
            ```
            ## Use instead
            ```yaml
            findBook: {get: /find, response: string, deprecated: Use getBook.}
            ```
            """#,
        "durable-outlives-key": #"""
            A durable `keyed` command that is sent for longer than the server remembers its idempotency key.

            ## Why is this bad
            An outbox sends the command again with the same key, days later if need be. A server that has forgotten the key would carry it out
            a second time, so the client ends such a command as `unconfirmed`, and a person has to find out what has happened.

            ## Example
            ```yaml
            sendMessage:
              post: /messages
              body: {text: string}
              response: {id: int}
              effect: {keyed: {lifetime: 24h}}
              durable: true
            ```
            ## Use instead
            ```yaml
            sendMessage:
              post: /messages
              body: {text: string}
              response: {id: int}
              effect: {keyed: {lifetime: 24h}}
              durable: {lifetime: 24h}
            ```
            with a lifetime that is at most that of the key. Without one, it is seven days. If the contract does not say how long the server
            remembers a key, give `durable` a lifetime for which it surely does.
            """#,
        "durable-read": #"""
            A durable command that only reads: its effect is `read`, or its response is `bytes`.

            ## Why is this bad
            An outbox sends a durable command when it can, which may be days later and in another process. The screen that has asked for the
            data is gone by then, and so is the place for the bytes.

            ## Example
            ```yaml
            getNews: {get: /news, response: {text: string}, durable: true}
            ```
            ## Use instead
            ```yaml
            getNews: {get: /news, response: {text: string}}
            ```
            For a large file, send the command in a background transfer.
            """#,
        "durable-secret": #"""
            A durable command with a `sensitive` input.

            ## Why is this bad
            An outbox writes the inputs of a durable command to the disk, where a backup or another program may read them. The client
            therefore refuses such a command unless the app gives its outbox a seal, which encrypts the inputs.

            ## Example
            ```yaml
            savePIN:
              post: /pins
              effect: idempotent
              body: {code: {type: string, sensitive: true}}
              response: {id: int}
              durable: true
            ```
            ## Use instead
            ```yaml
            savePIN:
              post: /pins
              effect: idempotent
              body: {code: {type: string, sensitive: true}}
              response: {id: int}
            ```
            If the app gives its outbox a seal, write `# errand:ignore durable-secret` and the reason before the key.
            """#,
        "effect-by-default": #"""
            A POST or a PATCH without an `effect`. The default is `once`, which is safe, but often stricter than necessary.

            ## Why is this bad
            After a lost connection or a timeout, the server may have carried out the request. The client therefore does not send a
            `once` request again, the command fails as `unconfirmed`, and the app has to ask the user. If the server supports an
            idempotency key, or the request only reads, the client could send it again.

            ## Example
            ```yaml
            placeOrder: {post: /orders, body: {book: int}, response: {number: int}}
            ```
            ## Use instead
            ```yaml
            placeOrder: {post: /orders, body: {book: int}, response: {number: int}, effect: keyed}
            ```
            Write `read` for a search that is sent as a POST, `idempotent` if a second request changes nothing more, and `once` if
            a second request would repeat the effect. A search that is sent as a QUERY is a `read` without the key.
            """#,
        "effect-contradicts-method": #"""
            An effect that contradicts the method: a GET, HEAD or QUERY that does more than read, or a PUT or DELETE that must not be
            repeated.

            ## Why is this bad
            Caches, proxies and the operating system repeat GET requests themselves and treat PUT and DELETE as idempotent (RFC
            9110, sections 9.2.1 and 9.2.2). With such a method, the client cannot guarantee `once`.

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
            An endpoint with a JSON response and `envelope: none`, in a contract whose `defaults` have an envelope.

            ## Why is this bad
            The endpoint's failures then have no code and no message, and the client does not notice a failure inside a 200.
            Most often the payload is only at another path of the envelope. The rule does not apply to bytes, which never have
            an envelope, and to documents in XML.

            ## Example
            ```yaml
            listNews: {get: /news, envelope: none, query: {page: int}, response: [string]}
            ```
            ## Use instead
            ```yaml
            listNews: {get: /news, envelope: flat, query: {page: int}, response: [string]}
            ```
            where `flat` is an envelope with the paths of this response.
            """#,
        "envelope-in-response": #"""
            A response that repeats the envelope: its only field is the last key of the envelope's `data`, or it also has the envelope's code,
            message or error.

            ## Why is this bad
            `response` is the type of the payload, and the client looks for the payload inside of the envelope. With the envelope in the type as
            well, it looks for `data.data`, and no call can succeed.

            ## Example
            ```yaml
            getBook: {get: /book, envelope: standard, response: {data: Book}}
            ```
            ## Use instead
            ```yaml
            getBook: {get: /book, envelope: standard, response: Book}
            ```
            """#,
        "envelope-path-unknown": #"""
            A path of an envelope that leads through the path of its `code`.

            ## Why is this bad
            A code is a number or a text, so it does not contain other values. The client never finds the part: the message is
            always missing, or a failure is never recognized.

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
            An envelope with a `code` and without `success` or `error`.

            ## Why is this bad
            The client then treats every 2xx as a success, whatever its code is. Services with codes often send failures with
            status 200. If the contract does not declare an error for the code, the failure reaches the app as a success or as a
            payload that does not fit.

            ## Example
            ```yaml
            envelopes: {standard: {data: data, code: code, message: msg}}
            ```
            ## Use instead
            ```yaml
            envelopes: {standard: {data: data, code: code, message: msg, success: [100]}}
            ```
            Or write `error:` with a path that only failures have, or `success: status` if the service sends each failure with a status of
            its own, and the code only informs.
            """#,
        "error-data-not-in-envelope": #"""
            An error or an outcome with `data` that no response can contain. Either its condition is a transport failure, or the
            endpoint's method is HEAD. (For a status without a body, see [body-on-204](#body-on-204).)

            ## Why is this bad
            The error's data is always nil, so the app's code that reads it never runs.

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
            An error whose condition matches successful responses: only a 2xx status, or one of the envelope's `success` codes.

            ## Why is this bad
            Every successful call would fail, because the client checks declared errors before it checks the envelope for a
            success.

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
            Or add a `body` value that only the error has.
            """#,
        "error-without-message": #"""
            Errors without a message for the user, reported once for a contract.

            ## Why is this bad
            The app shows the server's text, which may be meant for developers and exists in one language, or a sentence that
            fits every failure. A message in the contract is a default, which each app can replace or translate by its key.

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
            An example that does not fit the types of its endpoint: a missing or unknown field, a text in place of a number, or an
            invalid date.

            ## Why is this bad
            People copy examples, a simulated server sends them as responses, and backend developers often read no other part of
            a contract. An incorrect example spreads.

            ## Example
            ```yaml
            novel: {response: {title: Emma, pages: many}}
            ```
            ## Use instead
            ```yaml
            novel: {response: {title: Emma, pages: 474}}
            ```
            """#,
        "expired-pin": #"""
            Pins whose last day is over.

            ## Why is this bad
            The client does not compare the server's key anymore. A reader of the contract believes that it does.

            ## Example
            ```yaml
            servers: {main: "https://api.sample.example"}
            trust:
              main:
                pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI=]
                until: 2020-06-01
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example"}
            trust:
              main:
                pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI=]
                until: 2099-06-01
            ```
            """#,
        "id-types-differ": #"""
            An identifier with different types: an `int` in one place, a `string` or a `uuid` in another.

            ## Why is this bad
            The app has to convert the value wherever it passes it on, and users notice when a conversion fails. Most often one
            of the two types is a mistake.

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
            The rule also compares the field `id` of a type `Book`.
            """#,
        "idempotent-creation": #"""
            An `idempotent` POST whose name says that it creates something.

            ## Why is this bad
            The client sends an `idempotent` request again after a lost connection. A server that creates something for each POST
            then creates it twice. A `keyed` request is also sent again, but with a key that lets the server recognize the
            repetition.

            ## Example
            ```yaml
            createBook: {post: /books, body: {title: string}, response: {number: int}, effect: idempotent}
            ```
            ## Use instead
            ```yaml
            createBook: {post: /books, body: {title: string}, response: {number: int}, effect: keyed}
            ```
            Write `once` if the server does not support a key.
            """#,
        "insecure-server": #"""
            A server at `http://` that is not the local machine.

            ## Why is this bad
            An attacker on the network can read and change the session's token and every payload. iOS refuses such connections
            unless the app declares an exception.

            ## Example
            ```yaml
            servers: {main: "http://api.sample.example"}
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example", local: "http://127.0.0.1:{port=8080}"}
            ```
            """#,
        "key-in-url": #"""
            A credential that requests carry in the query.

            ## Why is this bad
            Many systems record URLs: the logs of servers and proxies, caches, crash reports, and the `Referer` of the next request (RFC 9110,
            section 17.9). A key there lets every reader of a log act as the app. Errand keeps it out of the app's own logs only.

            ## Example
            ```yaml
            credentials: {maps: {query: key}}
            ```
            ## Use instead
            ```yaml
            credentials: {maps: {header: X-Api-Key}, shelf: {cookie: shelf}}
            ```
            If the service takes the key only in the query, write the reason after `# errand:ignore key-in-url`.
            """#,
        "key-lifetime-below-deadline": #"""
            A `keyed` endpoint whose server forgets an idempotency key before the command's deadline.

            ## Why is this bad
            A command uses the same key in all attempts until its deadline. If an attempt arrives after the server has forgotten the
            key, the server treats it as a new request and makes the payment twice. The time that the command spends waiting is
            added to this.

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
        "lenient-type-sent": #"""
            A type with a lenient field that the client also sends.

            ## Why is this bad
            The client reads a value that it does not understand as nil or as an empty list. If the app edits the object and sends it back, the
            server gets nil or nothing in place of what it had, and deletes it. The person who edited the title never saw the other field.

            ## Example
            ```yaml
            Profile: {name: string, birthday: {type: date?, lenient: true}}
            ```
            ## Use instead
            ```yaml
            Profile: {name: string, birthday: date?}
            ```
            With `reading: lenient` in `defaults`, write `lenient: false` at the field. If responses need the leniency, send a type of its own
            that has only the fields that the app changes.
            """#,
        "limit-without-range": #"""
            A query parameter `limit`, `pageSize` or `perPage`, or the `size` of `paginate`, without a maximum.

            ## Why is this bad
            If a screen asks for a million elements, it gets them, or gets an error that only the server's log explains. With a
            `range`, the client refuses the request as `invalidRequest`, and the contract says what the server allows.

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
            A GET whose response is a list, or contains one as `items` or `results`, without a parameter that selects a part of
            it. The elements of a stream come one after the other, so the rule does not apply to streams.

            ## Why is this bad
            Lists grow. When the list has ten thousand elements, every phone loads all of them, and only a new version of the
            app can change that.

            ## Example
            ```yaml
            listBooks: {get: /books, response: [string]}
            ```
            ## Use instead
            ```yaml
            listBooks: {get: /books, query: {page: int = 1}, response: [string], paginate: {page: page}}
            ```
            `paginate` lets the app walk the list with `elements(of:)`. Name the parameter that the server has: a `page`, an `offset`, a
            `cursor`, or the `link` to the next page.
            """#,
        "local-production-server": #"""
            A server named `production` on the local machine.

            ## Why is this bad
            The first server is the one that an app uses. On a phone, `localhost` is the phone itself, so no request of the released app arrives.

            ## Example
            ```yaml
            servers: {production: "http://localhost:8080"}
            ```
            ## Use instead
            ```yaml
            servers: {production: "https://api.sample.example", local: "http://localhost:8080"}
            ```
            """#,
        "logout-on-403": #"""
            An error of category `requiresLogout` whose only condition is the status 403.

            ## Why is this bad
            A 403 means that the server knows the user and does not allow the request (RFC 9110, section 15.5.4). A new login does not
            change that: the user logs in, the server refuses the request again, and the app asks the user to log in again.

            ## Example
            ```yaml
            forbidden: {category: requiresLogout, message: You may not., when: {status: 403}}
            ```
            ## Use instead
            ```yaml
            forbidden: {category: nonRetryable, message: You may not., when: {status: 403}}
            ```
            If the account was closed and the session must end without a new login, add `renew: false`.
            """#,
        "logout-on-public-endpoint": #"""
            An endpoint with `session: none` that lists an error of category `requiresLogout`.

            ## Why is this bad
            The request has no token, so the session is not the reason for the failure. A logout, or a login and a second
            request, does not change the response. (Errors of this category in `defaults` do not apply to endpoints without a
            session.)

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
            Or give the error another category if it means that the password is wrong.
            """#,
        "logout-without-login-endpoint": #"""
            An error that requires a new login, in a contract without a login endpoint.

            ## Why is this bad
            The client cannot start a new session, so the command fails and the user is logged out.

            ## Example
            ```yaml
            session: {header: Authorization}
            ```
            with an error of category `requiresLogout`.

            ## Use instead
            ```yaml
            session: {header: Authorization, login: logIn, token: token, identity: user}
            ```
            If another contract has the login, share its session with `from:`. If the service does not have a login, add `renew:
            false`.
            """#,
        "missing-timeout": #"""
            An endpoint without a `timeout`, neither of its own nor in `defaults`.

            ## Why is this bad
            The runtime's default of 30 seconds is not adapted to the service. The author of a contract knows how long the service's
            slowest successful response takes. With a timeout slightly above that, the user does not wait longer than necessary for a
            failure.

            ## Example
            ```yaml
            defaults: {deadline: 2m}
            ```
            ## Use instead
            ```yaml
            defaults: {timeout: 10s, deadline: 40s}
            ```
            """#,
        "misspelled-built-in-error": #"""
            An error of the contract whose name is that of a built-in error, but for a letter or its spelling.

            ## Why is this bad
            A built-in error is changed by an error of the same name without `when`. One with another name is an error beside the built-in one.
            The built-in error keeps its category and message, and apps that handle it by its name miss the other.

            ## Example
            ```yaml
            throtled: {category: retryable, message: Not so fast., when: {status: 429}}
            ```
            ## Use instead
            ```yaml
            throttled: {category: retryable, message: Not so fast.}
            ```
            Give an error with a meaning of its own a name of its own.
            """#,
        "mixed-endpoint-cases": #"""
            A contract with endpoints in both `likeThis` and `like_this` style.

            ## Why is this bad
            The name of an endpoint becomes a method, and appears in logs, metrics and errors as the contract has it. A search for one style
            misses the other. For the names of parameters and fields, see `mixed-name-cases`.

            ## Example
            ```yaml
            getBook: {get: /book, response: string}
            getCover: {get: /cover, response: string}
            list_books: {get: /names, response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: /book, response: string}
            getCover: {get: /cover, response: string}
            listBooks: {get: /names, response: string}
            ```
            """#,
        "mixed-name-cases": #"""
            A contract with fields in both `likeThis` and `like_this` style.

            ## Why is this bad
            A person who writes a request by hand has to guess the spelling of each name. With one style, `naming` in `defaults`
            derives the names on the wire, and each exception is visible by its `wire`.

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
            Binary fractions cannot represent 0.10, so an amount changes when the app reads, adds and sends it. The client reads
            and writes a `decimal` as text, without conversion to binary.

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
            A type that begins with a lowercase letter, or an endpoint, error, outcome or field that begins with an uppercase
            letter.

            ## Why is this bad
            The names of a contract become Swift names, and in Swift the first letter shows whether a name is a type.

            ## Example
            ```yaml
            GetBook: {get: /book, response: {Title: string}}
            ```
            ## Use instead
            ```yaml
            getBook: {get: /book, response: {title: {type: string, wire: Title}}}
            ```
            `wire:` keeps the server's name.
            """#,
        "no-servers": #"""
            A contract that has endpoints but no `servers`.

            ## Why is this bad
            The contract does not have the service's URL, so each app has the URL in its own code. When the URL changes, every
            app has to change.

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
            A status that a final HTTP response cannot have: below 200 or above 599.

            ## Why is this bad
            HTTP has statuses from 100 to 599. Those below 200 are interim responses, which apps never see (RFC 9110, section
            15). A proxy may replace other numbers. Most often the number is a typing mistake or a code of the envelope.

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
            The default replaces an absent value, so nil can only mean that the server sent null. Still, every use of the field
            has to unwrap it.

            ## Example
            ```yaml
            Book: {title: string, copies: {type: int?, default: 1}}
            ```
            ## Use instead
            ```yaml
            Book: {title: string, copies: {type: int, default: 1}}
            ```
            """#,
        "pages-without-paginate": #"""
            A list with the parameters of pages, such as `page` and `limit`, or `cursor` with a `nextCursor` in the response, but without
            `paginate`.

            ## Why is this bad
            Each screen counts pages itself, or passes cursors on, and finds the end of the list in its own way. With `paginate`, the client
            does this once: `pages(of:)` and `elements(of:)` load the whole list, and notice a server that repeats a page.

            ## Example
            ```yaml
            listBooks: {get: /books, query: {page: int = 1, limit: {type: int, default: 20, range: 1..50}}, response: [string]}
            ```
            ## Use instead
            ```yaml
            listBooks:
              get: /books
              query: {page: int = 1, limit: {type: int, default: 20, range: 1..50}}
              response: [string]
              paginate: {page: page}
            ```
            Paths in `paginate` begin at the root of the response, with the envelope's keys.
            """#,
        "patch-without-null": #"""
            A PATCH whose optional fields cannot be set to null.

            ## Why is this bad
            A PATCH keeps a field that is absent and removes a field that is null (RFC 7396). The client leaves out an optional that
            is nil, so the app can change such a field but cannot clear it.

            ## Example
            ```yaml
            changeBook: {patch: "/books/{number:int}", body: {subtitle: string?}, effect: idempotent}
            ```
            ## Use instead
            ```yaml
            changeBook: {patch: "/books/{number:int}", body: {subtitle: {type: string?, nullable: distinct}}, effect: idempotent}
            ```
            The rule allows an endpoint that has at least one such field, because its other fields are then kept on purpose.
            """#,
        "pin-at-local-server": #"""
            Pins of a server on the machine that the client runs on.

            ## Why is this bad
            No network is between the two. The certificate of such a server is made anew on each machine, so its key has another pin there, and the client
            refuses it.

            ## Example
            ```yaml
            servers: {main: "https://api.sample.example", local: "https://localhost:8443"}
            trust:
              local: {pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI=]}
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example", local: "https://localhost:8443"}
            trust:
              main: {pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI=]}
            ```
            """#,
        "pin-without-backup": #"""
            A server with the pin of only one key.

            ## Why is this bad
            If the key is lost or stolen, the server needs another one, and every app that is in use refuses it. Such an app has to be updated before
            it can send anything again.

            ## Example
            ```yaml
            servers: {main: "https://api.sample.example"}
            trust:
              main: {pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=]}
            ```
            ## Use instead
            ```yaml
            servers: {main: "https://api.sample.example"}
            trust:
              main: {pins: [sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=, sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI=]}
            ```
            """#,
        "placeholder-message": #"""
            A message for the user that is a placeholder, such as `TODO`.

            ## Why is this bad
            The app shows the message to the user if it has none of its own.

            ## Example
            ```yaml
            noSuchAnswer: {category: nonRetryable, message: TODO, when: {status: 404}}
            ```
            ## Use instead
            ```yaml
            noSuchAnswer: {category: nonRetryable, message: There is no answer to that., when: {status: 404}}
            ```
            Without a `message`, the client shows the server's text.
            """#,
        "plain-password": #"""
            A field whose name says that it is a secret, without `sensitive: true`.

            ## Why is this bad
            Descriptions, logs, errors and traces contain its value. For the app, a `sensitive` field is an ordinary value.
            Printed text shows a placeholder instead of it. The mark does not keep the value out of the logs of servers: see
            `credential-in-url` and `token-in-url` for a parameter of the query.

            ## Example
            ```yaml
            body: {user: string, password: string}
            ```
            ## Use instead
            ```yaml
            body: {user: string, password: {type: string, sensitive: true}}
            ```
            """#,
        "read-that-changes": #"""
            An endpoint of effect `read` whose name says that it creates, changes or deletes something.

            ## Why is this bad
            The client sends a `read` again after every lost connection, and reads may be repeated or answered from a cache on the way.
            The server then does twice what it should do once. An `unconfirmed` failure, which asks the app to look before it tries again,
            never occurs for a read.

            ## Example
            ```yaml
            createOrder: {post: /orders, body: {number: int}, response: {id: int}, effect: read}
            ```
            ## Use instead
            ```yaml
            createOrder: {post: /orders, body: {number: int}, response: {id: int}, effect: once}
            ```
            Write `keyed` if the server recognizes a repetition by its key, and `idempotent` if a second request changes nothing more.
            """#,
        "required-cursor": #"""
            A `paginate` by `cursor` whose parameter is required.

            ## Why is this bad
            The first page has no cursor before it. The app has to invent one, such as an empty text, which many servers refuse.

            ## Example
            ```yaml
            listBooks: {get: /books, query: {after: string}, response: {books: [string], next: string?}, paginate: {cursor: after, next: next, items: books}}
            ```
            ## Use instead
            ```yaml
            listBooks: {get: /books, query: {after: string?}, response: {books: [string], next: string?}, paginate: {cursor: after, next: next, items: books}}
            ```
            If the server has a cursor for the first page, make it the default: `after: string = start`.
            """#,
        "required-response-header": #"""
            A required header in the response of a command that changes something.

            ## Why is this bad
            The server has carried out the command. A proxy that drops the header, or a wrong value, would make the command fail as
            `malformed`, and the app would tell the user that it did not work.

            ## Example
            ```yaml
            addSeat: {post: /seats, effect: once, body: {row: int}, response: {type: string, headers: {remaining: {wire: X-Remaining, type: int}}}}
            ```
            ## Use instead
            ```yaml
            addSeat: {post: /seats, effect: once, body: {row: int}, response: {type: string, headers: {remaining: {wire: X-Remaining, type: int?}}}}
            ```
            """#,
        "reserved-header": #"""
            A header that the transport or the runtime sets, such as `Content-Length`, `Host` or `Authorization`.

            ## Why is this bad
            Headers such as `Content-Length` and `Host` determine where a request ends and which server receives it. A second one
            makes the request invalid, or two servers read the request differently (RFC 9112, section 6.3). With a second
            `Idempotency-Key`, the server may carry out a command twice. The runtime never renews a token that the app itself puts
            into `Authorization`.

            ## Example
            ```yaml
            headers: {Authorization: string}
            ```
            ## Use instead
            ```yaml
            session: {header: Authorization, format: "Bearer {token}"}
            ```
            The runtime sets `Idempotency-Key`, or the header that `keyed` names, for an endpoint with `effect: keyed`. It sets
            `Content-Type` from the body.
            """#,
        "retried-stream-body": #"""
            An endpoint with a `retry`, whose body may be a stream that can be read only once.

            ## Why is this bad
            The runtime cannot read a stream twice, such as a recording or a download that is passed on. It makes the contract's
            attempts only for files and for bytes in memory.

            ## Example
            ```yaml
            storeMovie: {put: "/movies/{id}", body: {encoding: bytes}, retry: {attempts: 3}}
            ```
            ## Use instead
            ```yaml
            storeMovie: {put: "/movies/{id}", body: {encoding: bytes}, retry: never}
            ```
            Suppress the finding if apps send only files. Without `retry`, the runtime's default applies.
            """#,
        "retries-exceed-deadline": #"""
            A `retry` with more attempts than fit before the deadline, if each attempt takes as long as its timeout.

            ## Why is this bad
            The client makes fewer attempts than the contract says. When the server is slow and retries matter most, the deadline
            ends the command first.

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
            The rule does not apply to streams, whose deadline does not count the time for which they are open.
            `errand explain SERVICE ENDPOINT` shows when each attempt and each pause begins.
            """#,
        "retry-without-limit": #"""
            A `retry` without `attempts`.

            ## Why is this bad
            Retries multiply the load on a service that is already failing, and the number of attempts limits them. The
            runtime's default of three attempts is not visible to a reader of the contract.

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
            An endpoint of effect `once` with a `retryable` error after which the server may have carried out the request.

            For an error that only 408 or 503 recognizes, see `unavailable-on-once-endpoint`.

            ## Why is this bad
            The effect and the category contradict each other. The author of a retryable error expects a retry. The client never
            repeats a `once` request that may have taken effect, so the command ends as `unconfirmed` without a retry.

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
            if the server supports an `Idempotency-Key`. If the error guarantees that the server did nothing, add `applied:
            never` to the error. Otherwise make the error `nonRetryable`.
            """#,
        "same-condition-twice": #"""
            Two errors that are recognized by the same code or value in the body.

            ## Why is this bad
            A code has one meaning for the server. With two names for it, the app handles one of them and misses the other, and the two
            messages drift apart. The rule does not apply to conditions with nothing but a status, whose meaning depends on the endpoint.

            ## Example
            ```yaml
            soldOut: {category: nonRetryable, message: Sold out., when: {code: 3001}}
            outOfStock: {category: nonRetryable, message: There is none left., when: {code: 3001}}
            ```
            ## Use instead
            ```yaml
            soldOut: {category: nonRetryable, message: Sold out., when: {code: 3001}}
            ```
            listed by both endpoints.
            """#,
        "session-without-identity": #"""
            A session without `identity`: a warning in a contract with endpoints that write, and a note in other contracts.

            ## Why is this bad
            If a session expires while a money transfer waits, the runtime asks the app for a login and sends the transfer again. If
            another user logs in at the form, the runtime sends the transfer as that user. With `identity` the runtime recognizes the
            change, and the commands of the first user end with `sessionEnded`. Without it, any login that the runtime has not asked for
            ends them, even if the same user logs in again. An outbox keeps a durable command for the login in which it was submitted, and
            never sends it in another one.

            ## Example
            ```yaml
            session: {header: X-Session, login: logIn, token: token}
            ```
            ## Use instead
            ```yaml
            session: {header: X-Session, login: logIn, token: token, identity: user}
            ```
            with the path of the user's name or number in the login's response, or `identity: {claim: sub}` if the token is a
            JSON Web Token, or `identity: {from: getMe, at: id}` if another endpoint says it.
            """#,
        "short-upload-timeout": #"""
            An upload of a video, a recording or an archive with a timeout below 30 seconds.

            ## Why is this bad
            The timeout bounds one attempt, and the upload is a part of it. On a phone that sends one megabit per second, 10 seconds are enough for
            one megabyte. Every attempt with more ends as `timedOut`, and the next one begins from the start.

            ## Example
            ```yaml
            saveFilm: {put: "/films/{id}", body: {encoding: bytes, contentType: video/mp4}}
            ```
            with a timeout of 10 seconds.

            ## Use instead
            ```yaml
            saveFilm: {put: "/films/{id}", body: {encoding: bytes, contentType: video/mp4}, timeout: 5m, deadline: 20m}
            ```
            """#,
        "stable-imports-draft": #"""
            A stable contract that imports a draft.

            ## Why is this bad
            A draft may change incompatibly at any time. The clients of this contract then break, although it promises stability.

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
            Or wait until the imported contract is stable.
            """#,
        "stale-suppression": #"""
            A comment `# errand:ignore RULE` without a finding of that rule.

            ## Why is this bad
            The finding was fixed, or moved away from the line below the comment. If the pattern is written there again, the linter
            does not report it. Errors that prevent generation cannot be ignored. While a contract has such an error, this rule reports
            nothing, because the error can hide the finding that the comment is about.

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
        "status-of-a-frame": #"""
            An error or an outcome of a frame that only a status recognizes.

            ## Why is this bad
            A frame has no status. Only the response to the handshake of a connection has one, and it is about the connection and not
            about this command. The error never means what its name says, and an outcome never happens. An error in `defaults` is not
            reported, because a refused handshake ends any command.

            ## Example
            ```yaml
            errors:
              noSuchRoom: {category: nonRetryable, message: This room is gone., when: {status: 404}}
            ```
            listed by an endpoint such as
            ```yaml
            getRoom: {frame: room.get, response: Room, effect: read, errors: [noSuchRoom]}
            ```
            ## Use instead
            ```yaml
            errors:
              noSuchRoom: {category: nonRetryable, message: This room is gone., when: {code: no_such_room}}
            ```
            """#,
        "stream-without-position": #"""
            A subscription over a connection without `position` and `resume`.

            ## Why is this bad
            After a lost connection, the client subscribes again, and nothing tells the server where to continue. Elements may be
            missing, which the app must handle: each element of such a subscription is `EventOrGap`.

            ## Example
            ```yaml
            followRoom:
              frame: room.follow
              body: {room: int}
              response: {seq: int, text: string}
              effect: read
              delivery: {stream: frames}
            ```
            ## Use instead
            ```yaml
            followRoom:
              frame: room.follow
              body: {room: int, since: int?}
              response: {seq: int, text: string}
              effect: read
              delivery: {stream: frames, position: seq, resume: since}
            ```
            If the server keeps no history, because only the present state matters, suppress the note with this reason.
            """#,
        "string-that-is-a-timestamp": #"""
            A `string` field whose name says that it is a time.

            ## Why is this bad
            Each screen parses the text in its own way, and users find the screen that gets the time zone wrong. The client
            reads a `timestamp` or a `date` in one place, and reports a response with an unexpected format.

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
            A comment `# errand:ignore RULE` without a reason.

            ## Why is this bad
            The next reader cannot tell whether the comment is still necessary, and does not dare to remove it.

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
            A 429, or the built-in `throttled`, declared as an error that is not `retryable`.

            ## Why is this bad
            A 429 means that the same request can succeed later, and its `Retry-After` says when (RFC 6585, section 4). For a
            retryable error, the runtime waits for that time, within the deadline. Otherwise the user sees the error.

            ## Example
            ```yaml
            tooMany: {category: nonRetryable, message: Not so fast., when: {status: 429}}
            ```
            ## Use instead
            ```yaml
            tooMany: {category: retryable, message: Not so fast., when: {status: 429}}
            ```
            The rule allows an error that also names a code, such as a daily quota.
            """#,
        "timeout-out-of-range": #"""
            A timeout below half a second, above five minutes, or above the deadline.

            ## Why is this bad
            On a slow network, a phone needs more than half a second to open a TLS connection, so every attempt fails. Users do
            not wait five minutes. The deadline applies to all attempts together, so a longer timeout has no effect.

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
        "token-in-header": #"""
            A header with the session's token, such as `X-Auth-Token` or `Cookie`, as a field.

            ## Why is this bad
            The app passes the token to every call, and renews it in its own code after each 401. With a `session`, the runtime adds the token,
            starts one login for any number of failed commands, and sends them again. It also keeps the token out of logs and away from
            other origins after a redirect.

            ## Example
            ```yaml
            getSeat: {get: /seat, headers: {X-Auth-Token: {type: string, sensitive: true}}, response: string}
            ```
            ## Use instead
            ```yaml
            session: {header: X-Auth-Token}
            ```
            For a cookie, write `session: {header: Cookie, format: "sid={token}"}`. A key of the app, which no user has, belongs into
            `common`.
            """#,
        "token-in-url": #"""
            A token or a one-time password in the path or the query of a request.

            ## Why is this bad
            Many systems record URLs: the logs of servers and proxies, caches, crash reports, and the `Referer` of the next request (RFC 9110,
            section 17.9). A token there lets every reader of a log act as the user. `sensitive: true` keeps it out of the app's logs only. The
            rule does not apply to the session's token, which `session` places.

            ## Example
            ```yaml
            openDoor: {get: /door, query: {token: {type: string, sensitive: true}}, response: {state: string}}
            ```
            ## Use instead
            ```yaml
            openDoor: {post: /door, body: {token: {type: string, sensitive: true}}, response: {state: string}, effect: idempotent}
            ```
            If it is the token of a session, declare a `session` with a `header`.
            """#,
        "total-of-other-unit": #"""
            A `paginate` by `page` whose `total` counts elements, or one by `offset` whose `total` counts pages, judging by its name.

            ## Why is this bad
            By `page`, the client takes `total` for the number of pages: for 32 elements on 4 pages, it asks for 32 pages, and the list ends
            only because page 5 is empty. By `offset`, `total` is the number of elements: with a number of pages, the list ends after a few
            elements, and no error tells so.

            ## Example
            ```yaml
            listBooks: {get: /books, query: {page: int = 1}, response: {books: [string], totalCount: int}, paginate: {page: page, total: totalCount, items: books}}
            ```
            ## Use instead
            ```yaml
            listBooks: {get: /books, query: {page: int = 1}, response: {books: [string], pageCount: int}, paginate: {page: page, total: pageCount, items: books}}
            ```
            If the response does not have that number, leave `total` out. An empty page is then the end.
            """#,
        "trailing-slash": #"""
            A path that ends with `/`, or one that does not although most paths of the contract do.

            Some frameworks, such as Django, end each path with `/`. If more than half of a contract's paths do, and at least three, the
            others are reported. A path whose last part has a dot, such as `/schema.json`, is never reported as one without a `/`.

            ## Why is this bad
            In HTTP, `/books/` and `/books` are two resources. Servers that use only one of them redirect from the other. A
            redirect costs a round trip and may turn a POST into a GET.

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
            A field whose name says that it is a time, a Boolean, a URL or a UUID, but whose type is different. Reported once for each name.

            ## Why is this bad
            Each screen converts the value in its own way. A time as a number may be in seconds or milliseconds. A Boolean as text may be `true`,
            `yes` or `1`. Not every caller remembers to validate a URL or a UUID. With the correct type, the client converts the value in one
            place, and reports a response with an unexpected value.

            ## Example
            ```yaml
            Book: {title: string, createdAt: int, isNew: string, coverURL: string}
            ```
            ## Use instead
            ```yaml
            Book: {title: string, createdAt: timestamp(unix), isNew: bool, coverURL: url}
            ```
            If the server sends a Boolean as a text or a number, add `coerce: true`.
            """#,
        "unavailable-on-once-endpoint": #"""
            An endpoint of effect `keyed` or `once` with an error whose only condition is a 503 or 408, without `applied`.

            ## Why is this bad
            A proxy may return 503 or 408 after it has forwarded the request, so on such an endpoint the error counts as `applied:
            maybe`. The client does not send a `once` command again, and the command ends as `unconfirmed`. The client sends a
            `keyed` command again with its key. The command ends as `unconfirmed` if no attempt gets a definite result.

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
            if only the service itself returns 503, and no proxy does. Write `applied: maybe` to keep the behavior and remove
            the finding, or recognize the service's own response by a `code`.
            """#,
        "undeclared-path-parameter": #"""
            A path with a parameter in the syntax of another tool.

            ## Why is this bad
            In a contract, `:id`, `*rest` and `${id}` are not parameters. The client sends the text literally, and the server does
            not find the resource.

            ## Example
            ```yaml
            getBook: {get: "/books/:id", response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: "/books/{id}", response: string}
            ```
            A path parameter is a `string` unless it has a type, as in `{id:int}`.
            """#,
        "unmarked-personal-data": #"""
            A field whose name says that it is personal data, without `sensitive: true`: an email address, a phone number, an IBAN,
            or a card number.

            ## Why is this bad
            Descriptions, logs, errors and traces contain its value, and pass it on to crash reports and to servers of other
            companies. For a parameter of the path, see `credential-in-url`.

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
            An error or an outcome that no response can match, or a condition that is never the first to match.

            ## Why is this bad
            The app handles a failure that never occurs, and the responses that were meant get a different error. There are three
            usual reasons. The endpoint's envelope has no code. The response has no body. Or conditions that precede this one
            match all its responses.

            ## Example
            ```yaml
            ask:
              get: /answers/{id}
              envelope: none
              response: string
              errors: [noSuchAnswer]
            ```
            where `noSuchAnswer` is recognized by a `code`. A response without an envelope does not have one.

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
        "unused-credential": #"""
            A credential that no endpoint carries.

            ## Why is this bad
            The app gives the client a secret that no request needs. Most often `credentials` of an endpoint is missing, and the server refuses
            its requests. The rule allows credentials in a contract without endpoints.

            ## Example
            ```yaml
            credentials: {admin: bearer, tenant: {header: X-Tenant}}
            ```
            without an endpoint that carries `tenant`.

            ## Use instead
            ```yaml
            getBook: {get: /book, credentials: admin + tenant, response: string}
            ```
            """#,
        "unused-envelope": #"""
            An envelope that neither an endpoint nor `defaults` uses.

            ## Why is this bad
            Readers take it for a format that the service uses. Most often an endpoint that should use it names another envelope. The
            rule allows envelopes in a contract without endpoints, which exists to be imported.

            ## Example
            ```yaml
            envelopes: {standard: {data: data}, paged: {data: page.data}}
            ```
            without an endpoint that uses `paged`.

            ## Use instead
            ```yaml
            envelopes: {standard: {data: data}}
            ```
            """#,
        "unused-error": #"""
            An error that neither an endpoint nor `defaults` lists.

            ## Why is this bad
            The client never recognizes this error, although readers take it for an error of the service. Most often an endpoint
            that should list it does not. The rule allows errors in a contract without endpoints, which exists to be imported.

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
        "unused-group": #"""
            A group that no endpoint is in.

            ## Why is this bad
            The client has no property for the group. Most often `group` of an endpoint is missing, and an app looks for the endpoint in vain.
            The rule allows groups in a contract without endpoints.

            ## Example
            ```yaml
            groups: {books: The catalog., loans: Who has what.}
            ```
            without an endpoint in `loans`.

            ## Use instead
            ```yaml
            getLoan: {get: /loan, group: loans, response: string}
            ```
            """#,
        "unused-import": #"""
            An import that the contract does not use.

            ## Why is this bad
            An unused import makes this contract depend on another one: a mistake there prevents the generation of this client.

            ## Example
            ```yaml
            imports: [library.contract.yaml]
            ```
            without a use of its types, errors or envelopes.

            ## Use instead
            ```yaml
            getBook: {get: /book, response: Book}
            ```
            """#,
        "unused-session": #"""
            A session that no endpoint uses, except for the login, the renewal and the logout.

            ## Why is this bad
            The app logs users in, and no request carries the token. Most often `session: none` of one endpoint was put into `defaults`. The rule
            allows a contract that has nothing but these endpoints, because other contracts can share its session with `from:`.

            ## Example
            ```yaml
            getBook: {get: /book, response: string, session: none}
            ```
            as the only endpoint beside the login.

            ## Use instead
            ```yaml
            getBook: {get: /book, response: string, session: required}
            ```
            """#,
        "unused-type": #"""
            A type that no endpoint, error or other type uses.

            ## Why is this bad
            The tool generates it, the compiler compiles it, and people read it when they learn the API, all without a benefit. The
            rule allows types in a contract without endpoints, which exists to be imported.

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
            A path with a verb that repeats the method: `/getBooks`, `/books/delete`.

            ## Why is this bad
            A path names a resource, and the method says what to do with it. With verbs in paths, one resource has several URLs,
            which caches and logs cannot connect.

            ## Example
            ```yaml
            getBook: {get: "/getBook/{id}", response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: "/books/{id}", response: string}
            ```
            If another team owns the service and its paths, turn the rule off for its contract.
            """#,
        "weak-signature": #"""
            Requests that are signed with MD5 or SHA-1 and sent without TLS.

            ## Why is this bad
            An attacker on the network who reads and changes requests can also attack their signature. Collisions are known for MD5 (RFC 6151)
            and for SHA-1. With TLS, an attacker sees neither the text nor the signature, so the rule allows an old server that supports no
            better algorithm.

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
