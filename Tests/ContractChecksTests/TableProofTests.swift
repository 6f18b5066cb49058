import ContractModel
import Diagnostics
import Testing

@testable import ContractChecks

/// The proof of a decision table, held against looking at every response there is.
@Suite struct TableProofTests {
    static let statuses = [200, 202, 204, 301, 400, 401, 404, 409, 500, 502, 503, 504, 599]
    /// Each of them and its neighbors: no row can tell others apart.
    static let edges = Set(statuses.flatMap { [$0 - 1, $0, $0 + 1] }).intersection(200...599).sorted()
    static let codes: [String?] = [nil, "1", "2", "3", "4", "5", "9", "12"]
    static let firsts: [String?] = [nil, "a", "b", "ab", "zabz"]
    static let seconds: [String?] = [nil, "a", "b"]
    static let limits: [String?] = [nil, "0", "12"]
    static let texts: [String?] = ["ab", "b", "zabz"]

    /// Tables of random rows over a small world in which every response can be tried.
    @Test func whatIsProvedHoldsForEveryResponse() {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var dice = Dice(state: seed)
        var proved = (reached: 0, covered: 0)
        for _ in 0..<150 {
            let text = Self.contract(&dice)
            let examination = examine(text)
            guard let subject = LintSubject(examination), let endpoint = subject.endpoints.first else {
                Issue.record("nothing to look at (seed \(seed)):\n\(text)")
                return
            }
            for (position, proof) in endpoint.proof.rows.enumerated() {
                // What overlaps in one rank is an error of its own.
                let earlier = endpoint.proof.rows[..<position].map(\.row).filter {
                    $0.precedes(proof.row) || $0.verdict == proof.row.verdict
                }
                let reaching = Self.everyResponse.filter { response in
                    Self.isPossible(response) && proof.row.row.matches(response, in: endpoint.envelope)
                        && !earlier.contains { $0.row.matches(response, in: endpoint.envelope) }
                }
                switch proof.finding {
                case .reached(let response):
                    proved.reached += 1
                    #expect(proof.row.row.matches(response, in: endpoint.envelope), "seed \(seed)\n\(text)")
                    #expect(Self.isPossible(response), "no server can send \(response); seed \(seed)\n\(text)")
                    #expect(
                        !earlier.contains { $0.row.matches(response, in: endpoint.envelope) },
                        "seed \(seed)\n\(text)")
                case .unreachable:
                    proved.covered += 1
                    #expect(
                        reaching.isEmpty,
                        "\(reaching.first.map { "\($0)" } ?? "") reaches a row that was called dead; seed \(seed)\n\(text)"
                    )
                case .reachedWithoutResponse: Issue.record("no row names the transport")
                }
            }
        }
        #expect(proved.reached > 150 && proved.covered > 0, "the tables were too tame: \(proved), seed \(seed)")
    }

    /// Whether a server can send it: a 204 and a 304 have no body, and so neither a code nor a value.
    static func isPossible(_ response: SampleResponse) -> Bool {
        let hasBody = response.code != nil || !response.body.isEmpty
        if hasBody, response.plainText != nil { return false }
        return !hasBody && response.plainText == nil || ![204, 304].contains(response.status)
    }

    /// Two rows of one rank are reported as overlapping where, and only where, a possible response matches both, and neither has narrower
    /// patterns and takes nothing that the other does not take.
    @Test func overlapsAreThoseOfEveryResponse() {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var dice = Dice(state: seed)
        var (overlapping, disjoint) = (0, 0)
        for _ in 0..<120 {
            let text = Self.contract(&dice)
            let examination = examine(text)
            guard let endpoint = LintSubject(examination)?.endpoints.first else { continue }
            let rows = endpoint.resolved.table.rows
            var wanted = false
            for (position, row) in rows.enumerated() {
                for other in rows[(position + 1)...] where other.rank == row.rank && other.verdict != row.verdict {
                    let taken = Self.everyResponse.filter { response in
                        Self.isPossible(response) && row.row.matches(response, in: endpoint.envelope)
                    }
                    let both = taken.filter { other.row.matches($0, in: endpoint.envelope) }
                    if both.isEmpty || row.weight > other.weight && both.count == taken.count { continue }
                    wanted = true
                }
            }
            let isReported = examination.findings.contains { $0.rule == "error-matchers-overlap" }
            #expect(isReported == wanted, "seed \(seed)\n\(text)\n\(listing(examination.findings))")
            if wanted { overlapping += 1 } else { disjoint += 1 }
        }
        #expect(overlapping > 8 && disjoint > 8, "\(overlapping) and \(disjoint), seed \(seed)")
    }

    /// Every response of the small world.
    static let everyResponse: [SampleResponse] = edges.flatMap { status in
        limits.flatMap { limit in
            var head = SampleResponse(status: status)
            head.headers["x-left"] = limit
            let ofText = texts.map { text in
                var response = head
                response.plainText = text
                return response
            }
            let ofJSON = codes.flatMap { code in
                firsts.flatMap { first in
                    seconds.map { second in
                        var response = head
                        response.code = code
                        response.body[FieldPath(["x"])] = first
                        response.body[FieldPath(["y"])] = second
                        return response
                    }
                }
            }
            return ofText + ofJSON
        }
    }

    /// An endpoint with up to seven rows. Rows that overlap in one rank are an error, beside which the table is proved all the same.
    static func contract(_ dice: inout Dice) -> String {
        let count = 2 + dice.below(6)
        var text = "errand: 1\nservice: Sample\nenvelopes: {standard: {data: data, code: code}}\nerrors:\n"
        for number in 0..<count {
            var keys: [String] = []
            if dice.below(3) > 0 {
                let ranges = (0...dice.below(2)).map { _ in
                    let low = statuses[dice.below(statuses.count)]
                    return dice.below(3) == 0 ? "\(low)" : "\(low)..\(max(low, statuses[dice.below(statuses.count)]))"
                }
                keys.append("status: [\(ranges.joined(separator: ", "))]")
            }
            if dice.below(3) == 0 {
                let codes = (0...dice.below(2)).map { _ in
                    let low = 1 + dice.below(4)
                    return dice.below(2) == 0 ? "\(low)" : "\(low)..\(low + dice.below(3))"
                }
                keys.append("code: [\(codes.joined(separator: ", "))]")
            }
            var body: [String] = []
            if dice.below(3) == 0 {
                body.append("x: \(["a", "b", "'a*'", "'*b'", "'*ab*'", "'*'"][dice.below(6)])")
            }
            if dice.below(4) == 0 { body.append("y: \(dice.below(2) == 0 ? "a" : "b")") }
            if dice.below(12) == 0 { body.append("code: '\(["1", "1*", "*2", "*"][dice.below(4)])'") }
            if !body.isEmpty {
                keys.append("body: {\(body.joined(separator: ", "))}")
            } else if dice.below(4) == 0, !keys.contains(where: { $0.hasPrefix("code") }) {
                keys.append("text: \(["ab", "'*b'", "'*ab*'", "'*'"][dice.below(4)])")
            }
            if dice.below(5) == 0 { keys.append("header: {X-Left: '\(["0", "1*", "*2", "*"][dice.below(4)])'}") }
            if keys.isEmpty { keys.append("status: 404") }
            text += "  e\(number): {category: nonRetryable, when: {\(keys.joined(separator: ", "))}}\n"
        }
        let names = (0..<count).map { "e\($0)" }.joined(separator: ", ")
        return text + "endpoints:\n  ask: {get: /a, envelope: standard, response: string, errors: [\(names)]}\n"
    }

    @Test func aResponseIsPrintedAsItWouldCome() {
        let examination = examine(
            """
            errand: 1
            service: Sample
            envelopes: {standard: {data: data, error: error, code: error.code}}
            errors: {frozen: {category: nonRetryable, when: {status: 409, code: 900006, body: {error.kind: frozen}}}}
            endpoints: {ask: {get: /a, envelope: standard, response: string, errors: [frozen]}}
            """)
        let endpoint = LintSubject(examination)?.endpoints.first
        guard case .reached(let response)? = endpoint?.proof.rows.first?.finding else {
            Issue.record("not reached")
            return
        }
        #expect(response.text(in: endpoint?.envelope) == #"HTTP 409 {"error":{"code":900006,"kind":"frozen"}}"#)
    }
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
struct Dice {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(bound))
    }
}
