import ContractModel
import Testing

@testable import ContractChecks

/// What `errand explain SERVICE ENDPOINT` says.
@Suite struct ExplanationTests {
    @Test func theRowsAreThoseOfTheGeneratedTable() throws {
        let contract = try #require(CheckoutSource.examine("contracts/bank.contract.yaml").resolved)
        for endpoint in contract.endpoints {
            let explanation = try #require(EndpointExplanation(endpoint.name.value, in: contract))
            let means = explanation.rows.map(\.means)
            #expect(Array(means.prefix(endpoint.table.rows.count)) == endpoint.table.rows.map(\.verdict.name))
            #expect(means[endpoint.table.rows.count] == "success")
        }
    }

    @Test func aOnceRequestIsNotSentAgainWhereItMayHaveTakenEffect() throws {
        let contract = try #require(CheckoutSource.examine("contracts/bank.contract.yaml").resolved)
        let explanation = try #require(EndpointExplanation("orderCard", in: contract))
        #expect(explanation.request == "POST /accounts/{accountID}/cards")
        let then = Dictionary(explanation.rows.map { ($0.answer, $0.then) }) { first, _ in first }
        #expect(then["transport lost"] == "ends as `unconfirmed`")
        #expect(then["transport dns, refused"] == "sent again, 3 attempts in total")
        #expect(then["transport authentication"] == "a login, then sent again")
        #expect(then["status 502, 504"] == "ends as `unconfirmed`")
        #expect(then["code 900006"] == "ends with it")
        #expect(then["status 401"] == "a login, then sent again")
        #expect(explanation.patience.hasPrefix("it waits for the network for at most 60 s, its deadline"))
        let keyed = try #require(EndpointExplanation("transferFunds", in: contract))
        #expect(keyed.effect.contains("by its key for 24 h"))
    }

    @Test func aQueryIsSentAgainLikeEachRead() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                endpoints: {findOrders: {query: "/shelves/{shelf:int}/orders", body: {text: string}, response: [int]}}
                """
            ).resolved)
        let explanation = try #require(EndpointExplanation("findOrders", in: contract))
        #expect(explanation.request == "QUERY /shelves/{shelf}/orders")
        #expect(explanation.effect.contains("read"))
        let then = Dictionary(explanation.rows.map { ($0.answer, $0.then) }) { first, _ in first }
        #expect(then["transport lost"]?.hasPrefix("sent again") == true, "\(then)")
    }

    @Test func itNamesTheCredentials() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                session: {header: X-Session}
                credentials: {admin: bearer, tenant: {header: X-Tenant}}
                endpoints:
                  ask: {get: /a, response: string, session: none, credentials: [admin + tenant, tenant, none]}
                  tell: {get: /b, response: string, credentials: admin}
                  show: {get: /c, response: string}
                """
            ).resolved)
        #expect(
            ["ask", "tell", "show"].map { EndpointExplanation($0, in: contract)?.credentials } == [
                "a request carries `admin` with `tenant`, or `tenant`, or no credential, the first of these that the app has given",
                "a request carries `admin`; the session's token goes with each", nil,
            ])
    }

    @Test func theTimeOfAnOpenStreamDoesNotCount() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                endpoints:
                  ask: {get: /a, response: string, timeout: 10s, deadline: 40s}
                  watch: {get: /b, response: string, timeout: 10s, deadline: 40s, delivery: stream}
                """
            ).resolved)
        let stream = try #require(EndpointExplanation("watch", in: contract)).timeline
        #expect(
            stream.suffix(2) == [
                "an attempt lasts until the stream is open; the time for which it is open does not count",
                "once an element has arrived, it is opened again for up to ten minutes, unless the app's dispatcher has another patience, whatever attempts and deadline say, until the server refuses it; each element begins that time anew",
            ])
        let reply = try #require(EndpointExplanation("ask", in: contract)).timeline
        #expect(stream.dropLast(2) == reply.dropLast())
    }

    /// What the runtime sends at most: with proof that the server did not process a request alone, another one is sent.
    @Test func theServerGetsNoMoreThanTheAttempts() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                errors: {busy: {category: retryable, when: {status: 503}, retry: {attempts: 5}}}
                endpoints:
                  ask: {get: /a, response: string, timeout: 10s, deadline: 40s}
                  once: {get: /b, response: string, timeout: 10s, deadline: 40s, retry: never}
                  load: {get: /c, response: bytes, timeout: 10s, deadline: 15s}
                  queue: {get: /d, response: string, errors: [busy]}
                """
            ).resolved)
        // Each failure may come at once, also where the deadline has no room for three timeouts.
        let counts = [("ask", "3 requests"), ("once", "one request"), ("load", "3 requests"), ("queue", "5 requests")]
        for (name, count) in counts {
            let last = try #require(EndpointExplanation(name, in: contract)?.timeline.last)
            #expect(last.hasPrefix("the server gets \(count) at most, apart from replays after a login"))
            #expect(last.contains("the rest of a download") == (name == "load"))
        }
    }

    @Test(arguments: [
        ("patience: 2m", "for up to 120 s, its patience"), ("patience: forever", "opened again without a limit"),
        ("patience: 0s", "a loss ends it"), ("effect: once", nil),
    ])
    func patienceBoundsTheReopeningsOfAStream(_ key: String, _ wanted: String?) throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                endpoints:
                  watch: {post: /b, response: string, delivery: stream, effect: read, \(key)}
                """.replacing("effect: read, effect: once", with: "effect: once")
            ).resolved)
        let last = try #require(EndpointExplanation("watch", in: contract)?.timeline.last)
        #expect(last.contains("once an element has arrived") == (wanted != nil))
        #expect(wanted.map { last.contains($0) } ?? true, "\(last)")
    }

    /// What a declared row takes reaches no row below it, so no such row is listed.
    @Test func rowsThatADeclaredOneHidesAreLeftOut() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                envelopes: {standard: {data: data, code: code}}
                errors:
                  answered: {category: nonRetryable, when: {status: [401, 504]}}
                  unanswered: {category: nonRetryable, when: {transport: [lost, dns]}}
                  refused: {category: nonRetryable, when: {status: 400..499}}
                  coded: {category: nonRetryable, when: {status: 429, code: 7}}
                endpoints:
                  plain: {get: /a, response: string}
                  own: {get: /b, response: string, errors: [answered, unanswered]}
                  all: {get: /c, response: string, errors: [refused]}
                  coded: {get: /d, envelope: standard, response: string, errors: [coded]}
                """
            ).resolved)
        func builtIn(_ name: String) throws -> [String] {
            try #require(EndpointExplanation(name, in: contract)).rows.drop { $0.means != "success" }.map(\.answer)
        }
        let plain = try builtIn("plain")
        #expect(
            Set(plain).isSuperset(of: [
                "status 401", "status 502, 504", "transport dns, refused", "transport lost", "status 400..499",
            ]), "\(plain)")
        let own = try builtIn("own")
        #expect(!own.contains { $0 == "status 401" || $0.contains("lost") || $0.contains("dns") }, "\(own)")
        #expect(own.contains("status 502") && own.contains("transport refused") && own.contains("status 400..499"))
        let all = try builtIn("all")
        #expect(!all.contains { $0.hasPrefix("status 4") } && all.contains("status 503"), "\(all)")
        // It takes only some of the responses with this status.
        #expect(try builtIn("coded").contains("status 429"))
    }

    /// A row that no response reaches is named as one, with the reason.
    @Test func unreachableRowsAreNamed() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                envelopes: {standard: {data: data, error: error, code: error.code}}
                errors:
                  byCode: {category: nonRetryable, when: {code: 7}}
                  byPath: {category: nonRetryable, when: {code: error.code}}
                  gone: {category: nonRetryable, when: {status: 410}}
                endpoints:
                  ask: {get: /a, response: string, errors: [byCode, gone]}
                  take: {get: /b, envelope: standard, response: string, errors: [byCode, byPath]}
                """
            ).resolved)
        func rows(_ name: String) throws -> [String] {
            try #require(EndpointExplanation(name, in: contract)).rows.prefix(2).map { "\($0.means): \($0.then)" }
        }
        #expect(
            try rows("ask") == [
                "byCode: never happens: a response without an envelope has no code", "gone: ends with it",
            ])
        #expect(
            try rows("take") == [
                "byCode: ends with it", "byPath: never happens: `error.code` is the path of the code, and not a code",
            ])
    }

    /// The fields of the response that are nil or empty in place of a wrong value, at any depth.
    @Test func lenientFieldsAreNamed() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                defaults: {reading: lenient}
                types:
                  Book: {title: string, year: int?, parts: [Part], next: Book?}
                  Part: {pages: int?, notes: [string], title: string}
                endpoints:
                  getBook: {get: /a, response: Book}
                  count: {get: /b, response: {books: int?, total: int}}
                  getTitle: {get: /c, response: {title: string}}
                """
            ).resolved)
        func reading(_ name: String) throws -> String? { try #require(EndpointExplanation(name, in: contract)).reading }
        let rest = "is no failure: it is nil or empty, and `Reply.skipped` reports it"
        #expect(
            try reading("getBook")
                == "a wrong value of `Book.year`, `Book.parts`, `Book.next`, `Part.pages`, `Part.notes` \(rest)")
        #expect(try reading("count") == "a wrong value of `books` \(rest)")
        #expect(try reading("getTitle") == nil)
    }

    @Test func aSharedReadSaysWhatItNeverJoins() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                endpoints:
                  ask: {get: /a, response: string, share: true}
                  tell: {get: /b, response: string, share: false}
                """
            ).resolved)
        let share = try #require(EndpointExplanation("ask", in: contract)?.share)
        #expect(share.contains("none joins a request that was sent before a write has ended"))
        #expect(EndpointExplanation("tell", in: contract)?.share == nil)
    }

    /// The same response is a failure or a success, as the attempts before it were.
    @Test func bothEndsOfASettlingErrorAreTold() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                errors:
                  gone: {category: nonRetryable, when: {status: 410}, settles: success}
                  other: {category: nonRetryable, when: {status: 409}}
                  missing: {category: nonRetryable, when: {status: 404}, settles: {success: always}}
                endpoints:
                  remove: {delete: /a, response: none, errors: [gone, other, missing]}
                """
            ).resolved)
        let rows = try #require(EndpointExplanation("remove", in: contract)?.rows)
        #expect(
            rows.first { $0.means == "gone" }?.then
                == "ends with it, or succeeds if an earlier attempt may have been carried out")
        #expect(rows.first { $0.means == "other" }?.then == "ends with it")
        #expect(rows.first { $0.means == "missing" }?.then == "succeeds, because it was done already")
        // A gateway may deliver a DELETE twice.
        #expect(rows.first { $0.means == "gone" }?.applied == "maybe")
        #expect(rows.first { $0.means == "other" }?.applied == "never")
        #expect(
            rows.filter { $0.means == "rejected" }.map(\.answer) == ["status 401", "status 412", "status 400..499"])
        #expect(rows.filter { $0.means == "rejected" }.map(\.applied) == ["never", "maybe", "never"])
    }

    /// The client does not follow a redirect that the contract has a row for.
    @Test func redirectsWithARowAreNamed() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                errors:
                  elsewhere: {category: nonRetryable, when: {status: [302, 304]}}
                endpoints:
                  ask: {get: /a, response: bytes, errors: [elsewhere]}
                  take: {get: /b, response: bytes, outcomes: {moved: {when: {status: 303..308}}}}
                  seek: {get: /c, response: bytes}
                """
            ).resolved)
        let ask = try #require(EndpointExplanation("ask", in: contract)).redirects
        #expect(
            ask == "the client does not follow a redirect with status 302, which has a row here; it follows others")
        let take = try #require(EndpointExplanation("take", in: contract)).redirects
        #expect(take?.contains("status 303, 307, 308") == true)
        #expect(try #require(EndpointExplanation("seek", in: contract)).redirects == nil)
    }

    /// A proxy may send 503 and 408 after it has passed the request on, and a command remembers the attempts that it left open.
    @Test(arguments: [(Effect.read, "never"), (.idempotent, "maybe"), (.keyed, "maybe"), (.once, "maybe")])
    func whatAProxyAnswersIsOpenWhereItMatters(_ effect: Effect, _ applied: String) throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                session: {header: X-Session}
                errors:
                  busy: {category: retryable, when: [{status: 503}, {code: 9}]}
                  asleep: {category: retryable, when: {status: 504}, applied: never}
                envelopes: {coded: {code: code, error: error}}
                defaults: {envelope: coded, errors: [busy]}
                endpoints:
                  ask: {put: /a, effect: \(effect.rawValue), errors: [asleep], patience: forever}
                  seek: {get: /b, session: none, patience: 0s}
                """
            ).resolved)
        let explanation = try #require(EndpointExplanation("ask", in: contract))
        func rows(_ answer: String) -> [EndpointExplanation.Row] { explanation.rows.filter { $0.answer == answer } }
        #expect(rows("status 503").map(\.means) == ["busy"])
        #expect(rows("status 503").map(\.applied) == [applied])
        #expect(rows("status 408").map(\.means) == ["requestTimeout"])
        #expect(rows("status 408").map(\.category) == ["retryable"])
        #expect(rows("status 408").map(\.applied) == [applied])
        #expect(rows("code 9").map(\.applied).last?.hasSuffix("never") == true)
        #expect(
            rows("code 9").contains { $0.applied == "maybe for 405, 409, 412; otherwise never" }
                == (effect == .idempotent))
        #expect(rows("code 9, status 405, 409, 412").map(\.applied) == (effect == .once ? ["maybe"] : []))
        #expect(rows("status 504").map(\.applied) == ["never"])
        // A read changes nothing.
        #expect(rows("status 502").map(\.applied) == [effect == .read ? "never" : "maybe"])
        let unreadable = rows("a success, unreadable payload")
        #expect(unreadable.map(\.means) == ["malformed"] && unreadable.map(\.applied) == ["yes"])
        #expect(unreadable.map(\.then) == ["ends with it"])
        #expect(rows("anything else").map(\.then) == [effect.isUnsafe ? "ends as `unconfirmed`" : "ends with it"])
        #expect(explanation.rateLimit.hasPrefix("it pauses for as long as `Retry-After`"))
        #expect(rows("the session is over").map(\.means) == ["sessionEnded"])
        #expect(rows("the session is over").map(\.category) == ["nonRetryable"])
        #expect(explanation.patience == "it waits for the network, a login or a person without a limit")
        let other = try #require(EndpointExplanation("seek", in: contract))
        #expect(!other.rows.contains { $0.means == "sessionEnded" })
        #expect(other.patience == "it never waits for the network, a login or a person")
        #expect(other.rows.first { $0.means == "offline" }?.then == "ends with it")
    }

    @Test func aSuccessStatusWithoutSuccessIsNamedByItsEnvelope() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                envelopes:
                  coded: {code: code, success: [100, 101], error: fault}
                  faulty: {error: error}
                endpoints:
                  ask: {get: /a, envelope: coded}
                  seek: {get: /b, envelope: faulty}
                  find: {get: /c}
                """
            ).resolved)
        let refused = ["ask", "seek", "find"].map { name in
            EndpointExplanation(name, in: contract)?.rows.filter { $0.means == "rejected" && $0.answer.contains("200") }
                .map(\.answer) ?? []
        }
        #expect(refused == [["status 200..299, `fault`, or another code"], ["status 200..299, `error`"], []])
    }

    /// A proxy's 503 isn't the server's response, unless the contract declares it.
    @Test func appliedIsThatOfTheRow() throws {
        let text = """
            errand: 1
            service: Sample
            errors:
              busy: {category: retryable, when: [{status: 503}, {code: 9}]}
              shut: {category: retryable, when: {status: 408}, applied: never}
            envelopes: {standard: {data: data, code: code}}
            defaults: {envelope: standard}
            endpoints:
              ask: {get: /a, response: string, errors: [busy, shut]}
              order: {post: /a, response: string, errors: [busy, shut]}
              pay: {post: /b, response: string, effect: keyed}
            """
        let contract = try #require(examine(text).resolved)
        func applied(_ endpoint: String, _ answer: String) throws -> String? {
            let explanation = try #require(EndpointExplanation(endpoint, in: contract))
            return explanation.rows.first { $0.answer == answer }?.applied
        }
        #expect(try applied("ask", "status 503") == "never")
        #expect(try applied("order", "status 503") == "maybe")
        #expect(try applied("order", "code 9") == "never")
        #expect(try applied("order", "status 408") == "never")
        #expect(try applied("pay", "status 503") == "maybe")
    }

    /// What a contract says of a built-in error holds for the responses with it. A failure of the transport says more itself.
    @Test func whatAContractSaysOfABuiltInErrorCounts() throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                errors:
                  serverFault: {category: nonRetryable, applied: never}
                  unavailable: {category: retryable, applied: never}
                  timedOut: {category: retryable, applied: never}
                  rejected: {category: nonRetryable, applied: maybe}
                endpoints:
                  order: {post: /a, response: bytes}
                """
            ).resolved)
        let rows = try #require(EndpointExplanation("order", in: contract)).rows
        func row(_ answer: String) -> [String?] {
            let row = rows.first { $0.answer == answer }
            return [row?.applied, row?.then]
        }
        #expect(row("status 500..") == ["never", "ends with it"])
        #expect(row("status 502, 504") == ["never", "sent again, 3 attempts in total"])
        #expect(row("status 400..499") == ["maybe", "ends as `unconfirmed`"])
        #expect(row("transport timeout") == ["maybe", "ends as `unconfirmed`"])
    }
}
