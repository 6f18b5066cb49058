import ContractModel
import Diagnostics
import TestSeeds
import Testing

/// Contracts that are broken, huge or meant to hurt: every one ends in a result or in findings.
@Suite struct HostileContractTests {
    @Test(arguments: [
        "", "\n\n", "# nothing\n", "null\n", "[]\n", "errand: 1", "\u{FEFF}errand: 1\n", "a: &a [*a]\n",
        "errand: 1\nservice: !!binary Zm9v\n",
    ])
    func isRefusedWithAFinding(_ text: String) {
        let result = resolve(text)
        #expect(result.contract == nil)
        #expect(result.diagnostics.contains { $0.severity == .error })
    }

    @Test func mutatedContractsNeverTrap() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let original = Array(ResolutionTests.bank.utf8)
        let pieces = [
            "{", "}", "[", "]", ":", "?", "&a ", "*a", "\n", "  ", "\"", "'", "#", "= ", "\0", "\t", "é", "- ", "|",
            "..", "null", "99999999999999999999",
        ].map { Array($0.utf8) }
        for round in 0..<1500 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)], at: place)
                default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
                }
            }
            let result = resolve(String(decoding: bytes, as: UTF8.self))
            #expect(
                (result.contract == nil) == result.diagnostics.contains { $0.severity == .error },
                "seed \(seed), round \(round)")
        }
    }

    @Test func everyBeginningOfAContractEndsInAResult() {
        let bytes = Array(ResolutionTests.bank.utf8)
        for length in stride(from: 0, to: bytes.count, by: 3) {
            _ = resolve(String(decoding: bytes[..<length], as: UTF8.self))
        }
    }

    @Test func aHundredThousandTypesResolve() throws {
        var text = "errand: 1\nservice: Sample\ntypes:\n"
        for number in 0..<100_000 { text += "  T\(number): {next: T\((number + 1) % 100_000)?, name: string}\n" }
        text += "endpoints: {ask: {get: /a, response: T0}}\n"
        let result = resolve(text)
        let contract = try #require(result.contract, "\(listing(Array(result.diagnostics.prefix(5))))")
        #expect(contract.types.count == 100_000)
    }

    @Test func aHundredThousandMistakesAreAllReported() {
        var text = "errand: 1\nservice: Sample\ntypes:\n"
        for number in 0..<20_000 { text += "  T\(number): {next: Missing\(number)}\n" }
        text += "endpoints: {}\n"
        #expect(resolve(text).diagnostics.count == 20_000)
    }

    @Test func aTenMegabyteContractResolves() throws {
        var text = "errand: 1\nservice: Sample\nendpoints:\n"
        var number = 0
        while text.utf8.count < 10_000_000 {
            text +=
                "  ask\(number):\n    doc: Asks for the thing of number \(number), at some length so that the file grows.\n    get: /things/{id}/\(number)\n    query: {page: int = 1, size: int?}\n    response: {name: string, count: int}\n"
            number += 1
        }
        let result = resolve(text)
        let contract = try #require(result.contract, "\(listing(Array(result.diagnostics.prefix(5))))")
        #expect(contract.endpoints.count == number)
    }

    @Test func deepTypesAndDeepTreesAreFindings() {
        let deep = String(repeating: "[", count: 10_000) + "int" + String(repeating: "]", count: 10_000)
        for type in ["\"\(deep)\"", deep] {
            let result = resolve("errand: 1\nservice: Sample\ntypes:\n  A: {b: \(type)}\nendpoints: {}\n")
            #expect(result.contract == nil)
            #expect(!result.diagnostics.isEmpty)
        }
    }

    /// Each ends an engine that recurses, or one that goes back.
    @Test(arguments: [
        String(repeating: "[", count: 3_000), String(repeating: "(", count: 3_000), String(repeating: "(", count: 999),
        "(((a{1000}){1000}){1000})",
        String(repeating: "(a*)*", count: 2_000_000), "(a)(?=b)\\1",
    ])
    func aPatternThatHurtsIsOneFinding(_ pattern: String) {
        let result = resolve(
            "errand: 1\nservice: Sample\nendpoints: {ask: {get: /a, query: {n: {type: string, pattern: '\(pattern)'}}}}\n"
        )
        #expect(result.contract == nil)
        #expect(
            result.diagnostics.count == 1 && result.diagnostics.first?.rule.hasSuffix("-pattern") == true,
            "\(listing(Array(result.diagnostics.prefix(3))))")
        #expect(result.diagnostics.allSatisfy { $0.message.utf8.count < 300 })
    }

    @Test func aLongChainOfImportsDoesNotOverflow() {
        var files: [String: String] = [:]
        for number in 0..<5_000 {
            files["c\(number).yaml"] = "errand: 1\nservice: C\nimports: [c\(number + 1).yaml]\nendpoints: {}\n"
        }
        files["c5000.yaml"] = "errand: 1\nservice: C\nendpoints: {}\n"
        let result = resolve("errand: 1\nservice: Sample\nimports: [c0.yaml]\nendpoints: {}\n", files)
        #expect(result.contract != nil, "\(listing(Array(result.diagnostics.prefix(3))))")
    }
}
