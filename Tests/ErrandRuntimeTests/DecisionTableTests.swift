import BankClient
import Testing

@testable import ErrandRuntime

/// Tables are values: what a row names, it matches, and what it says about a request is told to the command.
@Suite struct DecisionTableTests {
    private static func verdict(_ table: DecisionTable, _ status: Int, _ code: String = "", _ body: String = "")
        -> Verdict?
    {
        table.row(for: TransportResponse(status: status, body: Array(body.utf8)), code: code)?.verdict
    }

    @Test func statusesAreNumbersRangesAndLists() {
        let table: DecisionTable = [
            .error("listed", applied: .maybe, status: [408, .range(502...504)]),
            .error("one", applied: .never, status: 401),
            .outcome("ranged", status: .range(200...299)),
        ]
        for status in [408, 502, 503, 504] { #expect(Self.verdict(table, status) == .error("listed")) }
        #expect(Self.verdict(table, 401) == .error("one"))
        #expect(Self.verdict(table, 204) == .outcome("ranged"))
        for status in [199, 300, 400, 402, 409, 501, 505] { #expect(Self.verdict(table, status) == nil) }
    }

    @Test func codesAreTextsRangesAndLists() {
        let table: DecisionTable = [
            .error("both", applied: .never, status: 401, code: "7"),
            .error("listed", applied: .never, code: ["7", .range(4010...4019)]),
            .error("one", applied: .never, code: "late"),
        ]
        #expect(Self.verdict(table, 401, "7") == .error("both"))
        #expect(Self.verdict(table, 200, "7") == .error("listed"))
        for code in ["4010", "4019"] { #expect(Self.verdict(table, 200, code) == .error("listed")) }
        #expect(Self.verdict(table, 200, "late") == .error("one"))
        for code in ["", "4009", "4020", "4010.5", "latE", "77", "lat"] {
            #expect(Self.verdict(table, 200, code) == nil, "\(code)")
        }
    }

    @Test func everythingThatARowNamesMustHold() {
        let table: DecisionTable = [
            .error(
                "all", applied: .never, status: 400, code: "7",
                values: [.text("a", at: "error.kind"), .text("2", at: "error.level")])
        ]
        let body = #"{"error":{"kind":"a","level":2}}"#
        #expect(Self.verdict(table, 400, "7", body) == .error("all"))
        #expect(Self.verdict(table, 401, "7", body) == nil)
        #expect(Self.verdict(table, 400, "8", body) == nil)
        #expect(Self.verdict(table, 400, "7", #"{"error":{"kind":"a","level":3}}"#) == nil)
        #expect(Self.verdict(table, 400, "7") == nil)
    }

    @Test func aRowOfTheTransportMatchesNoResponse() {
        let table: DecisionTable = [.error("cut", applied: .maybe, transport: [.lost, .timeout])]
        #expect(Self.verdict(table, 200) == nil)
        #expect(table.row(transport: .lost)?.verdict == .error("cut"))
        #expect(table.row(transport: .timeout)?.verdict == .error("cut"))
        #expect(table.row(transport: .dns) == nil)
    }

    @Test func namesAreComparedByTheirText() {
        let name: DeclaredName = "insufficientFunds"
        #expect(name == "insufficientFunds" && name != "insufficientFund" && name.description == "insufficientFunds")
        #expect([name: 1]["insufficientFunds"] == 1)
    }

    /// The first row whose condition matches decides, for any statuses and codes.
    @Test func theFirstRowThatMatchesDecides() {
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next()
        var random = SeededGenerator(seed: seed)
        let names: [DeclaredName] = ["a", "b", "c", "d", "e"]
        let statuses: [(StatusSet, Set<Int>)] = [
            (200, [200]), (401, [401]), ([401, 503], [401, 503]), (.range(400...402), [400, 401, 402]),
            ([.range(500...501), 503], [500, 501, 503]),
        ]
        let codes: [(CodeSet, Set<String>)] = [
            ("1", ["1"]), ("2", ["2"]), (["1", "3"], ["1", "3"]), (.range(2...3), ["2", "3"]),
        ]
        for _ in 0..<500 {
            let wanted = names.map { name in
                (
                    name, statuses.randomElement(using: &random), codes.randomElement(using: &random),
                    Int.random(in: 0..<4, using: &random)
                )
            }
            let rows = wanted.map { name, status, code, kind in
                DecisionRow.error(
                    name, applied: .never, status: kind == 1 ? nil : status?.0, code: kind == 2 ? nil : code?.0)
            }
            let table = DecisionTable(rows)
            for status in [200, 204, 400, 401, 402, 500, 501, 503] {
                for code in ["", "1", "2", "3", "4"] {
                    let first = wanted.first { _, statuses, codes, kind in
                        (kind == 1 || statuses?.1.contains(status) == true)
                            && (kind == 2 || codes?.1.contains(code) == true)
                    }
                    #expect(
                        Self.verdict(table, status, code) == first.map { .error($0.0) },
                        "seed \(seed): \(status) \(code)")
                }
            }
        }
    }

    /// One error, two rows: each says for itself whether the request may have been carried out.
    @Test func eachRowSaysWhetherItWasApplied() {
        let table: DecisionTable = [
            .error("serviceUnavailable", applied: .never, isEndpointSpecific: true, code: "900099"),
            .error("serviceUnavailable", applied: .maybe, status: 503),
        ]
        let endpoint = EndpointDescription(
            Bank.service, "test", .post, effect: .once, envelope: Bank.ListAccounts.endpoint.envelope, response: .none,
            table: table
        )
        func failure(_ status: Int, _ body: String) -> FailedAttempt {
            var account = AttemptSummary(service: "Bank", endpoint: "test", method: .post)
            do throws(ClassifiedError) {
                _ = try Classifier.classify(.json(status, body), endpoint, ResponseRedactor(nil), &account)
                return FailedAttempt(.builtIn(.malformed, nil), endpoint, account)
            } catch {
                return FailedAttempt(error, endpoint, account)
            }
        }
        let coded = failure(200, #"{"error":{"code":900099}}"#)
        #expect(coded.name == "serviceUnavailable" && coded.applied == .never && coded.isEndpointSpecific)
        let gateway = failure(503, "")
        #expect(gateway.name == "serviceUnavailable" && gateway.applied == .maybe && !gateway.isEndpointSpecific)
        #expect(gateway.recategorized(.nonRetryable).applied == .maybe)
        #expect(coded.recategorized(.nonRetryable).isEndpointSpecific)
    }
}
