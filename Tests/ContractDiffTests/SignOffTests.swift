import ContractModel
import Testing

@testable import ContractDiff

/// Accepted breaks: their identity, and until when they count.
@Suite struct SignOffTests {
    private static let change = Change(
        place: ["endpoints", "ask", "timeout"], edit: .changed, old: "10s", new: "5s",
        verdict: ChangeVerdict(behavior: .breaks("Apps give up earlier.")))

    private static func date(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    @Test func aFingerprintNamesTheChangeAndNotItsLine() {
        var moved = Self.change
        moved.range = nil
        moved.isInOld = true
        let fingerprint = ChangeFingerprint(Self.change, ofService: "Shop")
        #expect(fingerprint.text == "Shop endpoints.ask.timeout changed: 10s → 5s")
        #expect(ChangeFingerprint(moved, ofService: "Shop") == fingerprint)
        var other = Self.change
        other.new = "4s"
        #expect(ChangeFingerprint(other, ofService: "Shop") != fingerprint, "another break needs another decision")
        #expect(ChangeFingerprint(Self.change, ofService: "Bank") != fingerprint)
    }

    /// Two keys with the same consequences are one change. Another value of either is another break.
    @Test func joinedKeysAreToldApartByAllOfTheirValues() throws {
        func contract(_ keys: String) -> String {
            """
            errand: 1
            service: Shop
            servers: {main: https://shop.example}
            signing: {algorithm: hmac-sha256, over: sortedParameters, key: privateKey, into: {header: X-S}\(keys)}
            endpoints: {getItem: {get: /item, response: none}}
            """
        }
        let values = [
            #", append: "A{key}", trim: true"#, #", append: "A{key}", case: upper"#,
            #", append: "B{key}", trim: true"#,
        ]
        let fingerprints = try values.map { keys in
            let pair = try ContractPair(contract(""), contract(keys))
            #expect(pair.changes.count == 1 && pair.changes[0].siblings.count == 1, "\(pair.listing)")
            return ChangeFingerprint(try #require(pair.changes.first), ofService: "Shop")
        }
        let reordered = try ContractPair(contract(""), contract(#", trim: true, append: "A{key}""#))
        #expect(Set(fingerprints).count == 3, "\(fingerprints.map(\.text))")
        #expect(reordered.changes.map { ChangeFingerprint($0, ofService: "Shop") } == [fingerprints[0]])
    }

    @Test func longValuesAreToldApartByAllOfTheirText() {
        var (one, other) = (Self.change, Self.change)
        one.new = String(repeating: "a", count: 200) + "b"
        other.new = String(repeating: "a", count: 200) + "c"
        let fingerprints = [one, other].map { ChangeFingerprint($0, ofService: "Shop") }
        #expect(fingerprints[0] != fingerprints[1])
        #expect(fingerprints.allSatisfy { $0.text.count < 200 })
        #expect(fingerprints[0] == ChangeFingerprint(text: fingerprints[0].text))
    }

    @Test func anEntryCountsUntilItsDayIsOver() throws {
        let fingerprint = ChangeFingerprint(Self.change, ofService: "Shop")
        let signOffs = try SignOffs([
            SignOff(fingerprint: fingerprint, reason: "agreed", expires: Self.date("2026-12-31"))
        ])
        func result(_ today: String, _ breaks: [ChangeFingerprint]) throws -> SignOffs.Result {
            signOffs.applied(to: breaks, ofServices: ["Shop"], today: try Self.date(today))
        }
        func accepted(_ today: String, _ breaks: [ChangeFingerprint]) throws -> [ChangeFingerprint] {
            try Array(result(today, breaks).accepted.keys)
        }
        let other = ChangeFingerprint(text: "Shop endpoints.tell removed")
        #expect(try accepted("2026-12-31", [other, fingerprint]) == [fingerprint])
        #expect(try result("2026-12-31", [fingerprint]).expired.isEmpty)
        #expect(try accepted("2027-01-01", [other, fingerprint]).isEmpty)
        #expect(try result("2027-01-01", [fingerprint]).expired.count == 1)
        #expect(try result("2026-01-01", []).unused.count == 1)
        #expect(
            signOffs.applied(to: [], ofServices: ["Bank"], today: try Self.date("2026-01-01")).unused.isEmpty,
            "nobody has looked at the shop")
    }

    @Test func aDecisionThatCountsIsKept() throws {
        let (one, other) = (ChangeFingerprint(text: "Shop a removed"), ChangeFingerprint(text: "Shop b removed"))
        func added(_ entries: SignOffs, _ breaks: [ChangeFingerprint], _ reason: String, on day: String) throws
            -> SignOffs
        {
            try entries.with(
                entries.addition(
                    for: breaks, reason: reason, expires: Self.date("2026-12-31"), today: Self.date(day)))
        }
        let first = try added(
            SignOffs([SignOff(fingerprint: one, reason: "agreed", expires: Self.date("2026-01-31"))]), [one, other],
            "agreed, too", on: "2026-01-31")
        #expect(first.entries.map(\.reason) == ["agreed", "agreed, too"])
        #expect(first.entries.map(\.expires.text) == ["2026-01-31", "2026-12-31"])
        let second = try added(first, [one, other], "agreed again", on: "2026-02-01")
        #expect(second.entries.map(\.reason) == ["agreed again", "agreed, too"], "the first one was over")
    }

    /// Each pair breaks apps at one place in two ways, and needs two decisions.
    @Test(
        arguments: [
            ("response: none", "response: {n: int}", "response: {m: string}"),
            ("response: {n: A}", "response: {n: B}", "response: {n: C}"),
            (
                "response: none", "response: none, outcomes: {x: {when: {status: 202}}}",
                "response: none, outcomes: {x: {when: {status: 409}}}"
            ),
            ("response: {n: U}", "response: {n: V}", "response: {n: W}"),
            ("response: {n: int}", "response: bytes", "response: {n: string}"),
        ]) func anotherBreakNeedsAnotherDecision(_ old: String, _ one: String, _ other: String) throws
    {
        func fingerprints(_ new: String) throws -> [ChangeFingerprint] {
            func contract(_ endpoint: String, _ types: String = "") -> String {
                """
                errand: 1
                service: Shop
                servers: {main: https://shop.example}
                types:
                  A: {a: int}
                  B: {b: int}
                  C: {b: int, c: C?}
                  U: {enum: [a]}
                  V: {union: {by: kind, cases: {a: A, b: B}}}
                  W: {union: {keys: {a: A, b: B}}}
                endpoints: {get: {get: /a, \(endpoint)}}

                """
            }
            return try ContractPair(contract(old), contract(new)).changes.filter { $0.verdict.level == .breaks }.map {
                ChangeFingerprint($0, ofService: "Shop")
            }
        }
        let found = try (fingerprints(one), fingerprints(other))
        #expect(!found.0.isEmpty && !found.1.isEmpty)
        #expect(!Set(found.1).isSubset(of: found.0) && !Set(found.0).isSubset(of: found.1), "\(found)")
        #expect(try fingerprints(one) == found.0)
    }

    /// The name of a type says little of what is inside of it.
    @Test func aTypeThatBecomesAnotherOneIsKnownByWhatItHas() throws {
        func fingerprint(_ inside: String) throws -> ChangeFingerprint {
            func contract(_ type: String) -> String {
                """
                errand: 1
                service: Shop
                servers: {main: https://shop.example}
                types: {A: {a: int}, B: {inner: C}, C: {\(inside)}}
                endpoints: {get: {get: /a, response: {n: \(type), c: B?}}}

                """
            }
            let pair = try ContractPair(contract("A"), contract("B"))
            return ChangeFingerprint(try #require(pair.changes.first), ofService: "Shop")
        }
        #expect(try fingerprint("x: int") == fingerprint("x: int"))
        #expect(try fingerprint("x: int") != fingerprint("x: string"))
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-01", "26-01-01", "2026-01-00", "2026/01/01", "", "+026-01-01",
    ])
    func aDayThatTheCalendarDoesNotHaveIsNoDate(_ text: String) {
        #expect(CalendarDay(text) == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01"), (86_399, "1970-01-01"), (86_400, "1970-01-02"), (-1, "1969-12-31"),
        (951_782_400, "2000-02-29"),
        (1_709_164_800, "2024-02-29"), (1_798_675_200, "2026-12-31"), (4_107_542_400, "2100-03-01"),
    ]) func aTimeIsOnADay(_ seconds: Int, _ day: String) {
        #expect(CalendarDay(secondsSince1970: seconds).text == day)
        #expect(CalendarDay(day) == CalendarDay(secondsSince1970: seconds))
    }
}
