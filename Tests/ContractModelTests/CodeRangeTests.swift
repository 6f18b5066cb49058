import ContractModel
import Diagnostics
import TestSeeds
import Testing

/// `code: 4010..4019`: what is a range, what looks like one, and what a range shares with other codes.
@Suite struct CodeRangeTests {
    private static func contract(_ code: String) -> String {
        """
        errand: 1
        service: Sample
        envelopes: {standard: {data: data, code: code, error: error}}
        defaults: {envelope: standard}
        errors: {odd: {category: nonRetryable, when: {code: \(code)}}}
        endpoints: {ask: {get: /a, response: string, errors: [odd]}}
        """
    }

    @Test(arguments: [
        ("4010..4019", [CodeMatch.range(4010...4019)]), ("-3..0", [.range(-3...0)]), ("7..7", [.range(7...7)]),
        ("[7, 4010..4019, A-1.5]", [.text("7"), .range(4010...4019), .text("A-1.5")]),
        ("[404-1, 40-400, 7-7, A-1-2]", [.text("404-1"), .text("40-400"), .text("7-7"), .text("A-1-2")]),
    ])
    func aRangeHasTwoWholeNumbers(_ text: String, _ wanted: [CodeMatch]) throws {
        let contract = try #require(resolve(Self.contract(text)).contract)
        #expect(contract.error(named: "odd")?.conditions.first?.codes.map(\.value) == wanted)
    }

    @Test(arguments: [
        "4010...4019", "a..b", "4019..4010", "4010..", "..4019", "1..2..3", "0x10..0x20", "1.5..2.5", "04010..4019",
        "'4010 .. 4019'", "4010-4019", "'4010-4019'", "[1, 4010-4019]", "$.error.code",
        "99999999999999999999..99999999999999999999",
    ])
    func whatLooksLikeARangeAndIsNoneIsFound(_ text: String) {
        let result = resolve(Self.contract(text))
        #expect(result.contract == nil)
        #expect(result.diagnostics.map(\.rule) == ["invalid-value"], "\(listing(result.diagnostics))")
    }

    private static func success(_ codes: String, _ outcome: String = "7") -> String {
        """
        errand: 1
        service: Sample
        envelopes: {standard: {data: data, code: code, success: \(codes)}}
        endpoints:
          ask: {get: /a, envelope: standard, response: string, outcomes: {odd: {when: {code: \(outcome)}}}}
        """
    }

    @Test func aSuccessHasRangesToo() throws {
        let contract = try #require(resolve(Self.success("[100..199, ok]")).contract)
        let wanted = [CodeMatch.range(100...199), .text("ok")]
        #expect(contract.envelope(named: "standard")?.success.map(\.value) == wanted)
    }

    @Test(arguments: ["100...199", "199..100", "a..b"])
    func aSuccessThatLooksLikeARangeAndIsNoneIsFound(_ codes: String) {
        #expect(resolve(Self.success(codes)).diagnostics.map(\.rule) == ["invalid-value"])
    }

    @Test(arguments: [("100..199", "150"), ("100", "90..110"), ("100..199", "190..290"), ("[ok, 100..199]", "ok")])
    func anOutcomeThatTakesACodeOfSuccessIsFound(_ codes: String, _ outcome: String) {
        #expect(resolve(Self.success(codes, outcome)).diagnostics.map(\.rule) == ["outcome-matches-success"])
    }

    /// Held against trying every code.
    @Test func sharedCodesAreThoseOfEveryCode() {
        var random = SeededGenerator(seed: 7)
        let texts = (0...12).map { String($0) } + ["007", "x"]
        func codes() -> [CodeMatch] {
            (0...Int.random(in: 0...3, using: &random)).map { _ in
                let low = Int.random(in: 0...9, using: &random)
                return Bool.random(using: &random)
                    ? .range(low...(low + Int.random(in: 0...3, using: &random)))
                    : .text(texts[Int.random(in: 0..<texts.count, using: &random)])
            }
        }
        for _ in 0..<2000 {
            let (one, other) = (codes(), codes())
            let wanted = texts.contains { text in
                one.contains { $0.matches(text) } && other.contains { $0.matches(text) }
            }
            let shared = CodeMatch.shared(one, other)
            #expect((shared != nil) == wanted, "\(one), \(other): \(shared ?? "none")")
            if let shared {
                #expect(one.contains { $0.matches(shared) } && other.contains { $0.matches(shared) })
            }
        }
    }

    @Test func anOutcomeIsNoFailureOfTheTransport() {
        let result = resolve(
            """
            errand: 1
            service: Sample
            endpoints: {ask: {get: /a, response: string, outcomes: {gone: {when: {transport: lost}}}}}
            """)
        #expect(result.diagnostics.contains { $0.rule == "unknown-key" && $0.message.contains("an outcome") })
    }
}
