import ContractChecks
import ContractModel
import Diagnostics
import Foundation
import Testing

/// Unfinished contracts: the linter examines each, and neither traps nor points outside the file.
@Suite struct HostileLintTests {
    @Test(arguments: ["auth", "bank", "conversations", "friends", "live", "presence", "video"])
    func anyChangeOfAShippedContractIsLookedAt(_ name: String) throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var dice = Dice(state: seed)
        let folder = CheckoutSource.root.appendingPathComponent("contracts")
        let text = try String(contentsOf: folder.appendingPathComponent("\(name).contract.yaml"), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        let others = try [
            "auth.contract.yaml": String(
                contentsOf: folder.appendingPathComponent("auth.contract.yaml"), encoding: .utf8)
        ]
        var outcomes = (broken: 0, whole: 0)
        for round in 0..<60 {
            // Chance may break every one of them, or none; the first two are one of each.
            let changed = round == 0 ? text : round == 1 ? text + "\nservice: [" : Self.changed(lines, &dice)
            let files = others.merging(["changed.contract.yaml": changed]) { $1 }
            let examination = ContractResolver(provider: MemorySource(files: files)).examine(
                path: "changed.contract.yaml")
            let findings = LintRunner().run(examination)
            for finding in findings {
                guard let range = finding.range, range.file == "changed.contract.yaml" else { continue }
                #expect(
                    range.start.offset <= range.end.offset && range.end.offset <= changed.utf8.count,
                    "\(listing([finding])), seed \(seed)")
            }
            guard let contract = examination.resolved else {
                outcomes.broken += 1
                #expect(findings.contains { $0.severity == .error }, "seed \(seed)\n\(changed)")
                continue
            }
            outcomes.whole += 1
            for endpoint in contract.endpoints {
                #expect(EndpointExplanation(endpoint.name.value, in: contract) != nil)
            }
        }
        #expect(outcomes.broken > 0 && outcomes.whole > 0, "\(outcomes), seed \(seed)")
    }

    /// A contract with an example of a union.
    private static func contract(_ types: String, example: String) -> String {
        """
        errand: 1
        service: Sample
        servers: {main: "https://api.sample.example"}
        defaults: {timeout: 10s, deadline: 40s}
        types:
        \(types.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
        endpoints:
          ask: {get: /answers, response: U, examples: {one: {response: \(example)}}}

        """
    }

    /// The example is the same value in each union.
    @Test(arguments: [
        "U: {union: {by: k, cases: {b: U}}}", "U: {union: {keys: {k: A}}}\nA: {alias: U}",
        "U: {union: {kinds: {object: U}}}", "U: {union: {kinds: {object: \"U?\"}}}",
        "U: {union: {by: k, cases: {b: V}}}\nV: {union: {keys: {k: U}}}",
    ])
    func anExampleOfAUnionThatIsItsOwnCaseEnds(_ types: String) {
        let findings = LintRunner().run(examine(Self.contract(types, example: "{k: b}")))
        #expect(findings.contains { $0.severity == .error }, "\(listing(findings))")
    }

    /// 32 unions, each the case of the one before, are held against an example; more are refused.
    @Test(.timeLimit(.minutes(1)), arguments: [(31, true), (600, false)])
    func unionsInUnionsHaveABound(_ count: Int, _ isAccepted: Bool) {
        let chain = (0..<count).map { "\($0 == 0 ? "U" : "U\($0)"): {union: {keys: {k: U\($0 + 1)}}}\n" }.joined()
        for (example, isWrong) in [("{k: text}", false), ("{k: text, other: text}", true)] {
            let text = Self.contract(chain + "U\(count): {k: string}", example: example)
            let findings = LintRunner().run(examine(text))
            let refusals = findings.filter { $0.message.contains("nests unions deeper than 32 levels") }
            #expect(refusals.isEmpty == isAccepted, "\(listing(findings))")
            if isAccepted { #expect(findings.isEmpty == !isWrong, "\(listing(findings))") }
        }
    }

    /// An example fits a case as it would fit a field of the case's type.
    @Test(arguments: [
        ("integer: uint", "18446744073709551615"), ("integer: Level", "low"), ("integer: int", "-1"),
        ("number: double", "18446744073709551615"), ("string: string, integer: Level", "other"),
    ])
    func anExampleIsOfTheKindThatItsCaseReads(_ kinds: String, _ example: String) {
        let types = "U: {union: {kinds: {\(kinds), bool: bool}}}\nLevel: {enum: {low: 1, high: 2}}"
        let used = kinds.contains("Level") ? types : String(types.prefix { $0 != "\n" })
        let findings = LintRunner().run(examine(Self.contract(used, example: example)))
        #expect(findings.isEmpty, "\(listing(findings))")
    }

    /// What grows with the square of a contract takes minutes here.
    @Test(.timeLimit(.minutes(1))) func tablesOfThousandsOfRowsAreProved() throws {
        let numbers = 0..<2000
        let list = numbers.map { "e\($0)" }.joined(separator: ", ")
        func contract(_ condition: (Int) -> String) -> String {
            "errand: 1\nservice: Sample\nservers: {main: https://a.example}\ndefaults: {timeout: 10s, deadline: 40s}\nerrors:\n"
                + numbers.map { "  e\($0): {category: nonRetryable, message: M., when: \(condition($0))}\n" }.joined()
                + "endpoints: {ask: {get: /a, response: string, errors: [\(list)]}}\n"
        }
        #expect(lint(contract { "{body: {error.kind: k\($0)}}" }).isEmpty)
        #expect(lint(contract { "{body: {error.kind: k\($0), p\($0): x}}" }).isEmpty)
        #expect(lint(contract { "{status: [\(200 + $0 % 300), 599], body: {error.kind: k\($0)}}" }).isEmpty)
        let same = lint(contract { _ in "{status: 404}" })
        #expect(Set(same.map(\.rule)) == ["error-matchers-overlap"] && same.count == 101)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func endpointsThatListTheSameErrorsShareOneTable(isInherited: Bool) throws {
        let errors = 0..<400
        let list = "errors: [\(errors.map { "e\($0)" }.joined(separator: ", "))]"
        let text =
            "errand: 1\nservice: Sample\nservers: {main: https://a.example}\nenvelopes: {s: {data: data, code: code, error: error}}\n"
            + "defaults: {timeout: 10s, deadline: 40s, envelope: s\(isInherited ? ", \(list)" : "")}\nerrors:\n"
            + errors.map { "  e\($0): {category: nonRetryable, message: M., when: {code: \($0)}}\n" }.joined()
            + "endpoints:\n"
            + (0..<500).map { "  a\($0): {get: /a\($0), response: string\(isInherited ? "" : ", \(list)")}\n" }.joined()
        #expect(lint(text).isEmpty)
        let contract = try #require(examine(text).resolved)
        #expect(Set(contract.endpoints.map(\.sharedTable)) == [0])
        #expect(contract.endpoints.allSatisfy { $0.table.rows.count == 400 && $0.errors.count == 400 })
        #expect(contract.endpoints.allSatisfy { $0.declaresOwnErrors != isInherited })
    }

    @Test func anUnknownErrorIsReportedInEachOfTwoEqualLists() {
        let text = """
            errand: 1
            service: Sample
            servers: {main: https://a.example}
            defaults: {timeout: 10s, deadline: 40s}
            endpoints:
              a: {get: /a, response: string, errors: [missing]}
              b: {get: /b, response: string, errors: [missing]}
            """
        #expect(lint(text).map(\.rule) == ["unknown-error", "unknown-error"])
    }

    /// Lines are dropped, repeated and swapped, and words of one line land in another.
    private static func changed(_ lines: [String], _ dice: inout Dice) -> String {
        var lines = lines
        for _ in 0...dice.below(3) {
            let one = dice.below(lines.count)
            let other = dice.below(lines.count)
            switch dice.below(5) {
            case 0: lines.remove(at: one)
            case 1: lines.insert(lines[one], at: other)
            case 2: lines.swapAt(one, other)
            case 3:
                let words = lines[other].split(separator: " ")
                guard !words.isEmpty else { continue }
                lines[one] += " " + words[dice.below(words.count)]
            default:
                guard !lines[one].isEmpty else { continue }
                lines[one] = String(lines[one].prefix(dice.below(lines[one].count)))
            }
        }
        return lines.joined(separator: "\n")
    }
}
