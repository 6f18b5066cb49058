import Testing

/// A stream has many elements, so it is nothing of which the client reads one response: each such use is refused, over HTTP and over a
/// connection.
@Suite struct StreamRoleTests {
    /// The part that a stream plays in a contract, with the words of its finding.
    private static let roles = [
        ("login: begin", "starts the session"),
        ("login: open, refresh: begin, refreshToken: renewal", "renews the session"),
        ("login: open, logout: begin", "ends the session"),
    ]

    @Test(arguments: roles) func noStreamHasAPartInASession(_ keys: String, _ words: String) {
        expectIsFound(
            ContractFixture(
                "session-without-reply", saying: "`begin` \(words), so it needs one reply, and not a stream",
                """
                errand: 1
                service: Sample
                session: {header: Authorization, token: token, \(keys)}
                endpoints:
                  open: {post: /open, response: {token: string, renewal: string}, session: none, effect: idempotent}
                  begin: {post: /begin, body: {renewal: {type: string, sensitive: true}}, response: {token: string, renewal: string}, session: none, effect: idempotent, delivery: «stream»}
                """))
    }

    @Test(arguments: roles + [("login: open, attach: begin", "presents the token")])
    func noSubscriptionHasAPartInASession(_ keys: String, _ words: String) {
        let name = words == "presents the token" ? "token" : "renewal"
        let place = keys.contains("attach") ? "" : "header: Authorization, "
        expectIsFound(
            ContractFixture(
                "session-without-reply", saying: "`begin` \(words), so it needs one reply, and not a stream",
                """
                errand: 1
                service: Sample
                connection: {payload: data}
                session: {\(place)token: token, \(keys)}
                endpoints:
                  open: {frame: open, response: {token: string, renewal: string}, session: none, effect: idempotent}
                  begin: {frame: begin, body: {\(name): {type: string, sensitive: true}}, response: {token: string, renewal: string}, session: none, effect: idempotent, delivery: «{stream: frames}»}
                """))
    }

    @Test(arguments: [
        ("", "post: /pay", "get: /find", "stream", "is a stream, so no single response"),
        ("connection: {}", "frame: pay", "frame: find", "{stream: frames}", "is a stream, so no single response"),
        ("connection: {}", "frame: pay", "frame: find", "none", "has no reply that could confirm a command"),
    ])
    func nothingWithoutOneReplyConfirms(
        _ connection: String, _ pay: String, _ find: String, _ delivery: String, _ words: String
    ) {
        let response = delivery == "none" ? "" : "response: {state: string}, "
        // Without a reply, it has nothing to read either.
        let most = delivery == "none" ? 2 : 1
        expectIsFound(
            ContractFixture(
                "confirmation-without-reply", saying: words,
                """
                errand: 1
                service: Sample
                \(connection)
                endpoints:
                  pay: {\(pay), response: {state: string}, effect: once, confirm: {endpoint: «find»}}
                  find: {\(find), \(response)effect: read, delivery: \(delivery)}
                """), among: most)
    }

    @Test(arguments: [("", "get: /a", "stream"), ("connection: {}", "frame: a", "{stream: frames}")])
    func aStreamHasTypedElementsAndNoOutcomes(_ connection: String, _ target: String, _ delivery: String) {
        func fixture(_ rule: String, _ words: String, _ keys: String) -> ContractFixture {
            ContractFixture(
                rule, saying: words,
                """
                errand: 1
                service: Sample
                \(connection)
                endpoints:
                  ask: {\(target), effect: read, delivery: \(delivery), \(keys)}
                """)
        }
        expectIsFound(fixture("stream-without-elements", "the elements of a stream are JSON", "response: «bytes»"))
        expectIsFound(fixture("stream-without-elements", "the elements of a stream need a type", "response: «none»"))
        expectIsFound(
            fixture(
                "stream-with-outcomes", "an outcome cannot be its result",
                "response: {text: string}, outcomes: {«gone»: {when: {body: {state: gone}}}}"))
    }

    @Test func aStreamHasNoPages() {
        expectIsFound(
            ContractFixture(
                "pages-not-walkable", saying: "does not have a single response",
                endpoint: """
                    get: /a
                    query: {page: int}
                    response: "[string]"
                    delivery: stream
                    paginate: «{page: page}»
                    """))
        expectIsFound(
            ContractFixture(
                "http-key-at-frame", saying: "`paginate` is not valid with `frame`",
                """
                errand: 1
                service: Sample
                connection: {payload: data}
                endpoints:
                  ask: {frame: ask, body: {page: int}, response: "[string]", effect: read, delivery: {stream: frames}, «paginate»: {page: page}}
                """), among: 2)
    }
}
