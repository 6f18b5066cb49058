import ContractModel
import Diagnostics
import Testing

@testable import ContractChecks

/// Conditions on headers and on text that is no JSON, from the contract to `explain`.
@Suite struct ResponseTextTests {
    private func contract(_ errors: String, _ endpoint: String = "get: /a, response: string") -> ContractExamination {
        examine(
            """
            errand: 1
            service: Sample
            envelopes: {standard: {data: data, code: code}}
            errors:
            \(errors.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
            endpoints:
              ask: {\(endpoint), envelope: standard, errors: [\(names(errors))]}
            """)
    }

    private func names(_ errors: String) -> String {
        errors.split(separator: "\n").map { String($0.prefix { $0 != ":" }) }.joined(separator: ", ")
    }

    private func overlaps(_ errors: String) -> [String] {
        contract(errors).findings.filter { $0.rule == "error-matchers-overlap" }.map(\.message)
    }

    @Test func aNarrowerPatternPrecedes() throws {
        let examination = contract(
            """
            any: {category: retryable, when: {status: 403, header: {X-Why: "*"}}}
            quota: {category: retryable, when: {status: 403, header: {X-Why: "quota*"}}}
            day: {category: retryable, when: {status: 403, header: {X-Why: "quota_day"}}}
            text: {category: retryable, when: {text: "*busy*"}}
            body: {category: retryable, when: {body: {kind: busy}}}
            """)
        let rows = try #require(examination.resolved?.endpoints.first).table.rows
        #expect(rows.map(\.verdict.name) == ["body", "text", "day", "quota", "any"])
        #expect(examination.findings.allSatisfy { $0.rule != "error-matchers-overlap" })
        let explanation = try #require(examination.resolved.flatMap { EndpointExplanation("ask", in: $0) })
        #expect(
            explanation.rows.prefix(4).map(\.answer) == [
                "`kind` = busy", "text `*busy*`", "header `X-Why: quota_day`, status 403",
                "header `X-Why: quota*`, status 403",
            ])
    }

    @Test func whatOneResponseMatchesIsShown() {
        #expect(
            overlaps(
                """
                first: {category: retryable, when: {status: 403, header: {X-Why: "quota*"}}}
                second: {category: retryable, when: {status: 403, header: {x-why: "*day"}}}
                """
            ) == ["HTTP 403 with the header `x-why: quota……day` matches both `first` and `second`"])
        #expect(
            overlaps(
                """
                first: {category: retryable, when: {text: "*busy"}}
                second: {category: retryable, when: {text: "too*"}}
                """
            ) == ["HTTP 200 with the text `too……busy` matches both `first` and `second`"])
        // Equal conditions, and codes of which one is in the other's list, are mistakes as before.
        #expect(
            overlaps(
                """
                first: {category: retryable, when: {header: {X-Why: a}}}
                second: {category: retryable, when: {header: {X-WHY: a}}}
                """
            ).count == 1)
        #expect(
            overlaps(
                """
                first: {category: retryable, when: {header: {X-Why: a}}}
                second: {category: retryable, when: {header: {X-Why: b}}}
                """
            ).isEmpty)
    }

    /// A pattern for the code takes a part of a range only, and a number of each pattern is found in a range.
    @Test func aPatternTakesAPartOfARange() throws {
        let examination = contract(
            """
            ones: {category: retryable, when: {body: {code: "1*"}}}
            rest: {category: retryable, when: {code: 10000..29999}}
            twos: {category: retryable, when: {code: 15000..20999, body: {code: "2*"}}}
            none: {category: retryable, when: {code: 3000..3999, body: {code: "4*"}}}
            padded: {category: retryable, when: {code: 4010..4019, body: {code: "0*"}}}
            """)
        let rows = try #require(LintSubject(examination)?.endpoints.first).proof.rows
        let found = Dictionary(
            uniqueKeysWithValues: rows.map { row in
                if case .reached(let response) = row.finding {
                    (row.row.verdict.name, response.code)
                } else {
                    (row.row.verdict.name, nil)
                }
            })
        #expect(found["ones"] == "1…" && found["rest"] == "21000" && found["twos"] == "20000")
        #expect(found["none"] == .some(nil) && found["padded"] == "04010")
    }

    /// It has more numbers than an `Int` counts.
    @Test func aRangeMayBeAsWideAsThereIs() throws {
        let examination = contract(
            """
            some: {category: retryable, when: {body: {code: "*1*"}}}
            all: {category: retryable, when: {code: "-9223372036854775808..9223372036854775807"}}
            both: {category: retryable, when: {code: "-9223372036854775808..9223372036854775807", body: {code: "*7"}}}
            """)
        let rows = try #require(LintSubject(examination)?.endpoints.first).proof.rows
        #expect(rows.map(\.row.verdict.name) == ["both", "some", "all"] && rows.allSatisfy { !$0.isUnreachable })
    }

    @Test func whatNoResponseHasIsUnreachable() throws {
        let texts = try ["get: /a, response: string", "head: /a"].map { endpoint in
            let examination = contract(
                """
                page: {category: retryable, when: {text: "<html>*"}}
                empty: {category: retryable, when: {status: 204, text: "<html>*"}}
                fine: {category: retryable, when: {status: 503, header: {X-Why: a}}}
                """, endpoint)
            return try #require(LintSubject(examination)?.endpoints.first).proof.rows.map { row in
                if case .unreachable(let reason) = row.finding { reason.text(in: nil) } else { "reached" }
            }
        }
        let noBody = "a response with status 204 has no body, so it has no code, no text and no body value"
        #expect(texts[0] == [noBody, "reached", "reached"])
        let head = "the response of a HEAD request has no body, so it has no code, no text and no body value"
        #expect(texts[1] == [head, head, "reached"])
    }

    @Test func aFrameHasNeither() throws {
        let examination = examine(
            """
            errand: 1
            service: Sample
            servers: {main: "wss://a.example"}
            connection: {payload: data, failure: error}
            envelopes: {standard: {code: code, message: message}}
            defaults: {envelope: standard}
            errors: {limited: {category: retryable, when: {header: {X-Left: "0"}}}}
            endpoints:
              ask: {frame: ask, response: string, effect: read, errors: [limited]}
            """)
        let row = try #require(LintSubject(examination)?.endpoints.first?.proof.rows.first)
        guard case .unreachable(let reason) = row.finding else {
            Issue.record("a frame reaches it")
            return
        }
        #expect(reason.text(in: nil) == "a frame has neither headers nor a text beside its JSON")
    }

    /// A header or a text may be that of a gateway, so that it proves no more than the status.
    @Test func aTextProvesNothingByItself() throws {
        let examination = contract(
            """
            away: {category: retryable, when: {status: 503, text: "*away"}}
            known: {category: retryable, when: {status: 503, text: "*refused"}, applied: never}
            usedUp: {category: retryable, when: {status: 403, header: {X-Left: "0"}}}
            """, "post: /a, effect: once, response: string")
        let explanation = try #require(
            examination.resolved.flatMap { EndpointExplanation("ask", in: $0) })
        let applied = Dictionary(explanation.rows.map { ($0.means, $0.applied) }) { first, _ in first }
        #expect(applied["away"] == "maybe" && applied["known"] == "never" && applied["usedUp"] == "never")
        #expect(examination.findings.allSatisfy { $0.rule != "category-contradicts-status" })
    }

    @Test(arguments: [
        (#"{text: "*busy*", code: 7}"#, "conflicting-keys"), (#"{text: ""}"#, "invalid-value"),
        (#"{header: {"X Why": a}}"#, "invalid-header"), (#"{header: {X-Why: a, x-why: b}}"#, "invalid-header"),
        (#"{text: "404"}"#, "invalid-value"), (#"{text: " busy"}"#, "invalid-value"),
        (#"{text: "null"}"#, "invalid-value"),
        (#"{header: {X-Why: "busy "}}"#, "invalid-value"),
        (#"{header: {}}"#, "empty-condition"),
        (#"{transport: lost, header: {X-Why: a}}"#, "conflicting-keys"),
        ("{header: {X-Why: \"a\u{e9}\"}}", "invalid-header"),
    ])
    func whatIsNoConditionIsReported(_ condition: String, _ rule: String) {
        let findings = contract("first: {category: retryable, when: \(condition)}").findings
        #expect(findings.contains { $0.rule == rule }, "\(listing(findings))")
    }
}
