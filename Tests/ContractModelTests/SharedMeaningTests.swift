import ContractModel
import Testing

/// Generated code has literals where the tool has texts of a contract. Both are the same values.
@Suite struct SharedMeaningTests {
    /// What is read from a contract matches the same codes as the literal that is printed of it.
    @Test func literalsAndTextsMatchTheSameCodes() throws {
        let read = try #require(CodeSet([.text("7"), .text("é"), .range(4010...4019), .range(-3...0)]))
        let printed: CodeSet = ["7", "é", .range(4010...4019), .range(-3...0)]
        let matching = ["7", "é", "4010", "4015", "4019", "04010", "+4010", "-3", "0", "-0"]
        // The accent alone: the same character in other bytes.
        for code in matching + ["07", "4009", "4020", "4010.0", "-4", "", "x", "e\u{301}"] {
            #expect(read.contains(code) == matching.contains { $0.utf8.elementsEqual(code.utf8) }, "\(code)")
            #expect(printed.contains(code) == read.contains(code), "\(code)")
        }
        #expect(printed.codes == read.codes && printed.example == read.example)
        #expect(CodeSet([CodeMatch]()) == nil && StatusSet([ClosedRange<Int>]()) == nil)
    }

    @Test func literalsAndTextsAreTheSameNames() {
        let (literal, text): (DeclaredName, DeclaredName) = ("busy", DeclaredName("bus" + String("y")))
        #expect(literal == text && text == literal && literal.hashValue == text.hashValue)
        #expect(text == DeclaredName("busy") && text.description == literal.description)
        #expect(literal != DeclaredName("busi") && DeclaredName("busi") != text && "bus" != literal)
        #expect(Set([Verdict.error(literal), .error(text), .outcome(text)]).count == 2)
    }

    @Test func literalsAndTextsTakeTheSameStatuses() throws {
        let read = try #require(StatusSet([401...401, 500...599]))
        let printed: StatusSet = [401, .range(500...599)]
        #expect(read.ranges == printed.ranges)
        for status in 100...999 { #expect(read.contains(status) == (status == 401 || (500...599).contains(status))) }
    }

    /// A row says of a response what each part of its condition says.
    @Test func aTableIsAFunctionOfTheResponse() throws {
        let contract = try #require(
            resolve(
                """
                errand: 1
                service: Sample
                envelopes: {standard: {data: data, code: code}}
                defaults: {envelope: standard}
                errors:
                  cut: {category: retryable, when: {transport: [lost, timeout]}}
                  kind: {category: nonRetryable, when: {body: {a.b: x}}}
                  busy: {category: retryable, when: {code: 9, status: 503}}
                  moved: {category: nonRetryable, when: {status: 300..303}}
                endpoints:
                  ask:
                    get: /a
                    response: string
                    errors: [cut, kind, busy, moved]
                    outcomes: {late: {when: {code: 10..19}}}
                """
            ).contract)
        let table = try #require(contract.endpoints.first).table.table
        func name(_ status: Int, _ code: String = "", _ values: [String: String] = [:]) -> String? {
            table.row(status: status, code: code) { match in
                match.keys.map { values[$0.joined(separator: ".")] == match.pattern.literal } ?? false
            }?.verdict.name
        }
        #expect(name(200) == nil && name(503) == nil && name(502, "9") == nil)
        #expect(name(503, "9") == "busy" && name(302, "12") == "late" && name(302) == "moved")
        #expect(name(503, "9", ["a.b": "x"]) == "kind" && name(503, "9", ["a.b": "y"]) == "busy")
        #expect(table.row(transport: .lost)?.verdict == .error("cut") && table.row(transport: .dns) == nil)
        #expect(table.finalRedirects == [301, 302, 303])
    }
}
