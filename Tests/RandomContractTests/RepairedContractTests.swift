import Foundation
import Testing

/// Contracts that were accepted once, and whose clients did not compile. Each is one module with the others, in every mode.
@Suite(.serialized) struct RepairedContractTests {
    private static let item = "endpoints:\n  getItem: {get: '/items/{id}', response: string}\n"

    static let contracts: [String: String] =
        [
            "WordsAsLabels": """
            types: {A: {let: int, var: string, inout: 'string?'}}
            endpoints:
              sendA: {post: /a, body: A, response: A}
              sendFields: {post: /b, body: {let: int, var: int, inout: int}, response: {let: int, var: int}}

            """,
            "DeprecatedAccessors": """
            types: {A: {read: {type: bool, deprecated: true}, modify: {type: 'string?', deprecated: true}}}
            endpoints:
              getA: {get: /a, response: A}
              sendA: {post: /a, body: {read: {type: bool, deprecated: true}, _modify: {type: int, deprecated: true}}}

            """,
            "StreamOfFoundation": """
            endpoints:
              ping: {get: /ping}
              watchIDs: {get: /ids, response: uuid, delivery: stream}

            """,
            "StructuresInside": """
            endpoints:
              close: {post: /c, response: {completed: {fields: {by: string}}}}
              watch: {get: /w, response: {element: {fields: {by: string}}}, delivery: stream}
              pay: {post: /p, response: {receipt: {fields: {by: string}}}, outcomes: {receipt: {when: {status: 207}}}}

            """,
            "DeprecatedToken": """
            session: {header: X-S, login: logIn, token: token, identity: owner}
            endpoints:
              logIn: {post: /l, body: {a: string}, response: {token: {type: string, deprecated: true}, owner: int}}

            """,
            "DeprecatedConfirmation": """
            endpoints:
              pay:
                post: /p
                body: {order: {type: uuid, deprecated: true}}
                response: {n: {type: int, deprecated: true}}
                confirm: {endpoint: find, with: {o: order}}
              find: {get: '/p/{o:uuid}', response: {n: {type: int, deprecated: true}}, deprecated: true}

            """,
            "InputCalledAsTheKey": """
            endpoints:
              pay: {post: /p, body: {idempotencyKey: uuid}, confirm: {endpoint: find, with: {o: idempotencyKey}}}
              find: {get: '/p/{o:uuid}'}

            """,
            "DeprecatedRenewal": """
            session: {header: X-S, login: logIn, token: token, refreshToken: r, refresh: renew}
            endpoints:
              logIn: {post: /l, body: {a: string}, response: {token: string, r: string}, deprecated: true}
              renew: {post: /r, body: {x: string, y: 'string?'}, response: {token: string, r: string}, deprecated: true}

            """,
            "InexactFloat": """
            types: {A: {a: float = 16777217, b: {type: float, range: 0..16777217}}}
            endpoints: {sendA: {post: /a, body: A, response: A}}

            """,
            "DeprecatedRing": """
            types: {A: {next: {type: 'A?', deprecated: true}, b: {type: int, range: 0..5}}}
            endpoints: {sendA: {post: /a, body: A, response: A}}

            """,
            "DescriptionBesideSecret": """
            types: {A: {pin: {type: string, sensitive: true}, description: string, debugDescription: string}}
            endpoints: {getA: {get: /a, response: A}}

            """,
            "AliasAsOutcome": """
            types: {Money: {alias: decimal}}
            endpoints:
              pay: {post: /a, response: string, outcomes: {other: {when: {status: 208}, data: Money}}}

            """,
            "NestedIdentity": """
            session: {header: X-S, login: logIn, token: grant.token, identity: grant.owner}
            types: {Grant: {token: string, owner: uuid}}
            endpoints: {logIn: {post: /l, body: {a: string}, response: {grant: Grant}}}

            """,
            "JSONOrOutcome": """
            endpoints:
              ask: {post: /a, response: 'json?', outcomes: {other: {when: {status: 208}}}}

            """,
            "TypesOfTheLibrary": """
            types: {Int: {a: int, String: string}, CustomReflectable: {next: 'CustomReflectable?'}}
            errors: {double: {category: nonRetryable, when: {status: 404}, data: {a: double}}}
            endpoints:
              float: {post: /a, body: Int, response: Int, errors: [double]}
              other: {get: /b, response: CustomReflectable, outcomes: {bool: {when: {status: 202}, data: {b: bool}}}}

            """,
        ].merging(
            ["server", "dispatcher", "binding", "class"].map { key in
                (
                    "Key\(key.capitalized)",
                    "common: {query: {q: string}}\n"
                        + "signing: {algorithm: hmac-sha256, over: sortedParameters, key: \(key), into: {header: X-S}}\n"
                        + item
                )
            }
        ) { $1 }

    @Test func compileInEveryMode() throws {
        let workplace = try Workplace()
        let compiler = try Compiler()
        for (service, text) in Self.contracts {
            let whole = "errand: 1\nservice: \(service)\nservers: {main: https://shop.example}\n" + text
            let verdict = try workplace.judge(["main.contract.yaml": whole], of: service, into: "clients")
            #expect(verdict.isAccepted && verdict.contradictions.isEmpty, "\(service): \(verdict.generate)")
        }
        for mode in Compiler.Mode.allCases {
            let problems = try compiler.problems(
                in: workplace.sources("clients", mode.style), mode, below: workplace.url)
            #expect(problems.isEmpty, "\(mode): \(problems)")
        }
    }

    /// The labels of the client's initializer are taken.
    @Test(arguments: ["session", "common", "on"]) func aKeyCalledAsAnotherLabelIsRefused(_ key: String) throws {
        let text =
            "errand: 1\nservice: Shop\nsigning: {algorithm: hmac-sha256, over: sortedParameters, key: \(key), into: {header: X-S}}\n"
            + Self.item
        let verdict = try Workplace().judge(["main.contract.yaml": text], of: "Shop", into: "clients")
        #expect(verdict.generate.map(\.rule) == ["swift-reserved-word"] && verdict.contradictions.isEmpty)
    }
}
