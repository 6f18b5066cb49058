import ContractModel
import Diagnostics
import Testing

/// The facts that a resolved contract adds to the written text.
@Suite struct ResolutionTests {
    static let bank = """
        errand: 1
        service: Bank
        version: 1.10
        session: {header: Authorization, format: "Bearer {token}", login: logIn, token: token}
        envelopes:
          standard: {data: data, error: error, code: error.code}
        errors:
          expired: {category: requiresLogout, when: {status: 401}}
          busy: {category: retryable, when: [{status: 502..504}, {code: 9}]}
          short: {category: nonRetryable, when: {code: 5}, data: {amount: decimal}}
          odd: {category: nonRetryable, when: {status: 418, code: 7}}
          custom: {category: nonRetryable, when: {body: {kind: strange}}}
          cut: {category: requiresLogout, when: {transport: lost}}
          throttled: {category: nonRetryable}
        defaults: {envelope: standard, timeout: 20s, errors: [expired, busy], naming: snake_case}
        types:
          Account: {accountID: int, imageURLPath: string?, own: {type: string, wire: OWN}}
        endpoints:
          logIn: {post: /in, body: {user: string}, response: {token: string}}
          list: {get: /list, response: "[Account]", errors: [short, odd, custom, cut], timeout: 500ms}
          image: {get: "{imageURL:url}", response: bytes}
        """

    /// An endpoint's timeout takes the place of all that the defaults say.
    @Test func aTimeoutMayDependOnTheNetwork() throws {
        let result = resolve(
            """
            errand: 1
            service: Sample
            defaults: {timeout: {any: 20s, constrained: 60s}}
            endpoints: {usual: {get: /a}, own: {get: /b, timeout: 5s}, both: {get: /c, timeout: {any: 1s, constrained: 2s}}}
            """)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        #expect(
            contract.endpoints.map(\.timeout) == [
                TimeoutDefinition(20_000, constrained: 60_000), TimeoutDefinition(5_000),
                TimeoutDefinition(1_000, constrained: 2_000),
            ])
    }

    @Test func mergesDefaultsAndKeepsTheTextOfTheVersion() throws {
        let result = resolve(Self.bank)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        #expect(contract.version == "1.10")
        let list = try #require(contract.endpoints.first { $0.name.value == "list" })
        #expect(list.timeout == TimeoutDefinition(500))
        #expect(list.session == .required)
        #expect(list.effect == .read)
        #expect(list.envelope == "standard")
        #expect(list.errors == ["short", "odd", "custom", "cut", "expired", "busy"])
        let logIn = try #require(contract.endpoints.first { $0.name.value == "logIn" })
        #expect(logIn.timeout == TimeoutDefinition(20_000))
        #expect(logIn.session == .none, "a login never asks for a session")
        #expect(logIn.effect == .once)
        #expect(logIn.errors == ["busy"], "without a session there is none that could have expired")
        let image = try #require(contract.endpoints.first { $0.name.value == "image" })
        #expect(image.session == .none)
        #expect(image.envelope == nil)
        #expect(contract.redeclared.map(\.name.value) == ["throttled"])
        #expect(contract.errors.map(\.name.value) == ["expired", "busy", "short", "odd", "custom", "cut"])
    }

    @Test func knowsWhoIsLoggedInHowLongAKeyLastsAndHowLongToWait() throws {
        let text = """
            errand: 1
            service: Bank
            session: {header: A, login: logIn, token: token, refreshToken: renewal, refresh: renew, identity: user.ID}
            defaults: {patience: 0s}
            types:
              User: {id: {type: int64?, wire: ID}}
              Grant: {token: string, renewal: string, user: User?}
            endpoints:
              logIn: {post: /in, response: Grant}
              renew: {post: /renewal, body: {renewal: string}, response: Grant}
              pay: {post: /payments, effect: {keyed: {lifetime: 24h}}, patience: forever}
              order: {post: /orders, effect: {keyed: {}}, patience: 90s}
              look: {get: /look}
            """
        let result = resolve(text)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        #expect(contract.session?.identity == .path(FieldPath(["user", "id"])), "by the names of fields")
        let endpoints = Dictionary(uniqueKeysWithValues: contract.endpoints.map { ($0.name.value, $0) })
        #expect(endpoints["pay"]?.effect == .keyed && endpoints["pay"]?.keyLifetime == 86_400_000)
        #expect(endpoints["order"]?.effect == .keyed && endpoints["order"]?.keyLifetime == nil)
        #expect(["pay", "order", "look"].map { endpoints[$0]?.patience } == [.forever, .upTo(90_000), .upTo(0)])

        let claim = resolve(text.replacing("identity: user.ID", with: "identity: {claim: sub}"))
        #expect(claim.contract?.session?.identity == .claim("sub"))
        let renewal = resolve(
            text.replacing(
                "body: {renewal: string}, response: Grant", with: "body: {renewal: string}, response: {token: string}"))
        #expect(
            renewal.diagnostics.map(\.rule) == ["unknown-path"],
            "a renewal says it at the same path: \(listing(renewal.diagnostics))")
    }

    @Test func aProxysAnswerLeavesTheOutcomeOpenUnlessTheContractSaysOtherwise() throws {
        let contract = try #require(
            resolve(
                """
                errand: 1
                service: Bank
                errors:
                  busy: {category: retryable, when: [{status: [408, 503]}, {code: 9}, {status: 502}]}
                endpoints: {pay: {post: /payments, errors: [busy]}}
                """
            ).contract)
        let busy = try #require(contract.error(named: "busy"))
        for effect in Effect.allCases {
            let request = RequestKind(effect, method: "POST")
            #expect(
                busy.conditions.flatMap { $0.parts(of: request).map(\.applied) } == [.maybe, .never, .maybe],
                "\(effect)")
            #expect(BuiltInError.requestTimeout.applied(status: nil, to: request) == .maybe)
            for status in [502, 503, 504] {
                #expect(BuiltInError.unavailable.applied(status: status, to: request) == .maybe)
            }
        }
    }

    /// A gateway may deliver a DELETE or a PUT twice.
    @Test func theStatusesOfAnEchoArePartsOfTheirOwn() throws {
        let contract = try #require(
            resolve(
                """
                errand: 1
                service: Bank
                errors:
                  closed: {category: nonRetryable, when: [{status: 403..412}, {code: 9}, {body: {kind: gone}}]}
                endpoints: {close: {delete: /accounts, errors: [closed]}}
                """
            ).contract)
        let close = try #require(contract.endpoints.first)
        let parts = try #require(contract.error(named: "closed")).conditions.map { condition in
            condition.parts(of: close.request).map { part in
                (part.condition.statuses.map(\.value.spelling).joined(separator: " "), part.applied)
            }
        }
        #expect(parts[0].map(\.0) == ["403 405..407 409 411", "404 408 410 412"])
        #expect(parts[0].map(\.1) == [.never, .maybe])
        #expect(parts[1].map(\.0) == ["404 410 412", ""] && parts[1].map(\.1) == [.maybe, .never])
        #expect(parts[2].map(\.1) == [.maybe])
    }

    @Test func ranksRowsByWhatTheyName() throws {
        let contract = try #require(resolve(Self.bank).contract)
        let list = try #require(contract.endpoints.first { $0.name.value == "list" })
        #expect(
            list.table.rows.map(\.verdict.name) == ["cut", "custom", "odd", "short", "busy", "expired", "busy"])
    }

    /// A proxy may say 503 and 408 after it has passed a request on.
    @Test func eachRowSaysWhetherItWasApplied() throws {
        let text = """
            errand: 1
            service: Shop
            errors:
              busy: {category: retryable, when: [{status: 503}, {code: 9}, {status: 503, body: {kind: closed}}]}
              slow: {category: retryable, when: [{status: 408}, {status: [408, 429]}, {status: 500}]}
              gate: {category: retryable, when: {status: [408, 503]}}
              closed: {category: retryable, when: {status: 503, code: 8}}
              shut: {category: retryable, when: {status: 503, code: 7}, applied: maybe}
              kind: {category: retryable, when: {status: 503}, applied: never}
            envelopes: {standard: {data: data, code: code}}
            defaults: {envelope: standard, errors: [closed, shut]}
            endpoints:
              read: {get: /a, response: string, errors: [busy, slow]}
              write: {put: /a, response: string, errors: [busy, slow]}
              order: {post: /a, response: string, errors: [busy, slow, shut]}
              book: {post: /b, response: string, effect: keyed, errors: [kind]}
              enter: {post: /c, response: string, effect: keyed, errors: [gate]}
            """
        let result = resolve(text)
        let endpoints = try #require(result.contract, "\(listing(result.diagnostics))").endpoints
        func applied(_ endpoint: String, _ error: String) -> [String] {
            guard let endpoint = endpoints.first(where: { $0.name.value == endpoint }) else { return [] }
            return endpoint.table.rows.filter { $0.verdict.name == error }.flatMap { row in
                let statuses = row.condition.statuses.map(\.value.lowerBound)
                return (statuses.isEmpty ? [200] : statuses).map {
                    "\($0) \(row.row.applied(status: $0, to: endpoint.request))"
                }
            }
        }
        for endpoint in ["read", "write", "order"] {
            #expect(applied(endpoint, "busy") == ["503 never", "200 never", "503 maybe"])
            #expect(applied(endpoint, "slow") == ["408 maybe", "408 maybe", "429 never", "500 maybe"])
        }
        #expect(applied("order", "closed") == ["503 never"])
        #expect(applied("order", "shut") == ["503 maybe"])
        #expect(applied("book", "kind") == ["503 never"])
        #expect(applied("enter", "gate") == ["408 maybe", "503 maybe"])
        let order = endpoints.first { $0.name.value == "order" }?.table.rows ?? []
        #expect(
            Set(order.filter(\.isEndpointSpecific).map(\.verdict.name)) == ["busy", "slow", "shut"],
            "listed by both is the endpoint's own")
    }

    @Test func wireNamesFollowTheNaming() throws {
        let contract = try #require(resolve(Self.bank).contract)
        guard case .structure(let fields)? = contract.type(named: "Account")?.form else {
            Issue.record("no structure")
            return
        }
        #expect(fields.map(\.wireName) == ["account_id", "image_url_path", "OWN"])
    }

    // MARK: Imports

    @Test func importsBringTypesErrorsAndEnvelopes() throws {
        let auth = """
            errand: 1
            service: Auth
            session: {header: A, format: "Bearer {token}", login: logIn, token: token}
            envelopes: {plain: {code: code}}
            errors: {barred: {category: nonRetryable, when: {status: 403}}}
            types:
              User: {id: int, address: Address, unused: string?}
              Address: {city: string}
              Unused: {id: int}
            defaults: {naming: snake_case}
            endpoints: {logIn: {post: /in, response: {token: string}}}
            """
        let text = """
            errand: 1
            service: Friends
            imports: [shared/auth.contract.yaml]
            session: {from: shared/auth.contract.yaml}
            defaults: {envelope: plain, errors: [barred]}
            types: {Friend: {user: User, sinceYear: int}}
            endpoints: {list: {get: /friends, response: "[Friend]"}}
            """
        let result = resolve(text, ["shared/auth.contract.yaml": auth])
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        #expect(contract.types.map(\.name.value) == ["Friend", "User", "Address"])
        #expect(contract.endpoints[0].errors == ["barred"])
        #expect(contract.envelopes.map(\.name.value) == ["plain"])
        #expect(contract.session?.placement == .header(name: "A", prefix: "Bearer ", suffix: ""))
        #expect(contract.sources == ["sample.contract.yaml", "shared/auth.contract.yaml"])
    }

    @Test func anImportedTypeAndAnOwnOneOfOneNameCollideWhereBothAreNeeded() {
        let other = "errand: 1\nservice: Other\ntypes:\n  User: {id: int}\n  Team: {lead: User}\nendpoints: {}\n"
        let text =
            "errand: 1\nservice: Sample\nimports: [other.yaml]\ntypes:\n  User: {name: string}\n  Club: {team: Team}\nendpoints: {}\n"
        let result = resolve(text, ["other.yaml": other])
        #expect(result.diagnostics.map(\.rule) == ["name-collision"], "\(listing(result.diagnostics))")
    }

    @Test func cyclesAndMissingFilesAreReportedAtTheImport() {
        let other = "errand: 1\nservice: Other\nimports: [sample.contract.yaml]\nendpoints: {}\n"
        let text = "errand: 1\nservice: Sample\nimports: [other.yaml, gone.yaml, /etc/passwd]\nendpoints: {}\n"
        let result = resolve(text, ["other.yaml": other])
        #expect(
            Set(result.diagnostics.map(\.rule)) == ["import-cycle", "missing-file", "invalid-import"],
            "\(listing(result.diagnostics))")
        #expect(
            result.diagnostics.contains {
                $0.message.contains("sample.contract.yaml → other.yaml → sample.contract.yaml")
            })
    }

    @Test func allProblemsOfARunAreReportedTogether() {
        let text = """
            errand: 1
            service: Sample
            types:
              A: {b: Missing, c: int?}
              D: {e: {type: string, range: 1..2}}
            endpoints:
              one: {get: x, timeout: 3}
              two: {post: /y, effekt: once}
            """
        let rules = resolve(text).diagnostics.map(\.rule)
        #expect(rules == ["unknown-type", "conflicting-keys", "invalid-path", "invalid-value", "unknown-key"])
    }

    /// One resolver decodes a shared file once, and again if its text has changed.
    @Test func aSharedFileIsReadAnewWhereItChanged() {
        final class Editor: SourceProvider {
            var files = [
                "a.contract.yaml":
                    "errand: 1\nservice: A\nimports: [shared.contract.yaml]\nendpoints: {get: {get: /a, response: Book}}\n",
                "shared.contract.yaml": "errand: 1\nservice: Shared\ntypes: {Book: {title: string}}\nendpoints: {}\n",
            ]
            func read(_ path: String) -> SourceReading {
                files[path].map { .bytes(Array($0.utf8)) } ?? .failure(rule: .missingFile, message: "", help: nil)
            }
        }
        let editor = Editor()
        let resolver = ContractResolver(provider: editor)
        #expect(resolver.resolve(path: "a.contract.yaml").contract != nil)
        #expect(resolver.resolve(path: "shared.contract.yaml").contract != nil)
        editor.files["shared.contract.yaml"]?.replace("Book", with: "Boat")
        #expect(resolver.resolve(path: "a.contract.yaml").diagnostics.map(\.rule) == ["unknown-type"])
        editor.files["shared.contract.yaml"]?.replace("Boat", with: "Book")
        #expect(resolver.resolve(path: "a.contract.yaml").contract != nil)
    }
}
