import ContractModel
import Diagnostics
import Testing

/// Aliases that form a cycle, or lead through many others.
@Suite struct AliasTests {
    private static func contract(_ types: String, _ response: String = "A") -> String {
        "errand: 1\nservice: Sample\ntypes:\n\(types)\nendpoints: {ask: {get: /a, response: \(response)}}\n"
    }

    @Test(arguments: [
        ("  A: {alias: A}", 1), ("  A: {alias: \"[A]\"}", 1), ("  A: {alias: \"[string: [A?]]\"}", 1),
        ("  A: {alias: \"[B]\"}\n  B: {alias: \"[A]\"}", 2), ("  A: {alias: B}\n  B: {alias: \"[A]\"}", 2),
        ("  A: {alias: B}\n  B: {alias: \"[B]\"}", 1),
    ])
    func anAliasWithoutAnEndIsFound(_ types: String, _ count: Int) {
        let result = resolve(Self.contract(types))
        #expect(result.contract == nil)
        #expect(
            result.diagnostics.map(\.rule) == Array(repeating: "alias-cycle", count: count),
            "\(listing(result.diagnostics))")
    }

    @Test func aFieldOfOneDoesNotCrashWhatLooksIntoIt() {
        let result = resolve(
            Self.contract("  A: {alias: \"[A]\"}\n  B: {list: {type: A, coerce: true, items: 1..}}", "B"))
        #expect(result.diagnostics.contains { $0.rule == "alias-cycle" })
    }

    @Test func aStructureInBetweenEndsIt() {
        let result = resolve(Self.contract("  A: {alias: \"[B]\"}\n  B: {children: A}"))
        #expect(result.contract != nil, "\(listing(result.diagnostics))")
    }

    @Test func aRingOfThousandsOfStructuresIsFound() {
        let types = (0..<2000).map { "  T\($0): {next: T\(($0 + 1) % 2000)}" }.joined(separator: "\n")
        let result = resolve(Self.contract(types, "T0"))
        #expect(result.diagnostics.count { $0.rule == "recursive-type-without-indirection" } == 2000)
    }

    /// Each list of a list is one more call of the reader.
    @Test func listsBehindAliasesAreNotNestedWithoutBound() {
        let types = (1..<20000).map { "  A\($0): {alias: \"[A\($0 - 1)]\"}" }.joined(separator: "\n")
        let result = resolve(Self.contract("  A0: {alias: int}\n" + types, "A19999"))
        #expect(result.diagnostics.map(\.rule) == ["alias-too-deep"], "\(listing(Array(result.diagnostics.prefix(3))))")
    }

    @Test func aLongChainKeepsTheConstraintsOfAll() throws {
        var types = "  A0: {alias: string, length: 1..}\n"
        for number in 1..<20000 {
            types += "  A\(number): {alias: A\(number - 1)\(number == 9999 ? ", length: ..5" : "")}\n"
        }
        let contract = try #require(resolve(Self.contract(types, "A19999")).contract)
        let type = TypeReference.named(contract.types[19999].name)
        #expect(contract.expanded(type).type == .primitive(.string))
        #expect(contract.expanded(type).constraints.compactMap(\.length).count == 2)
    }
}

/// Defaults and examples keep the constraints of their fields.
@Suite struct DefaultConstraintTests {
    @Test(arguments: [
        "{type: int, range: 1..500, default: 0}", "{type: decimal, range: ..0.30, default: 0.31}",
        "{type: decimal, range: 100000000000000000000.., default: 99999999999999999999}",
        "{type: string, length: 2.., default: a}", "{type: string, pattern: '[A-Z]+', default: a}",
        "{type: [int], items: 1.., default: []}", "{type: Percent, default: 101}", "{type: Code, default: ab}",
    ])
    func aDefaultOutsideIsFound(_ field: String) {
        let result = resolve(Self.contract(field))
        #expect(result.diagnostics.map(\.rule) == ["invalid-default"], "\(listing(result.diagnostics))")
        #expect(result.diagnostics.first?.message.contains("does not fulfill its constraint") == true)
    }

    @Test(arguments: [
        "{type: int, range: 1..500, default: 1}", "{type: decimal, range: ..0.3, default: 0.30}",
        "{type: double, range: -1.5.., default: -1.50}", "{type: string, length: 1, default: é}",
        "{type: Percent, default: 100}", "{type: Code, default: AB}",
        "{type: decimal, default: 123456789012345678901234567890.123456}",
    ])
    func aDefaultInsideIsNot(_ field: String) {
        let result = resolve(Self.contract(field))
        #expect(result.contract != nil, "\(listing(result.diagnostics))")
    }

    @Test func aDecimalHasSoManyDigits() {
        let result = resolve(Self.contract("{type: decimal, default: \(String(repeating: "1", count: 37))}"))
        #expect(result.diagnostics.compactMap(\.help) == ["a `decimal` can have at most 36 digits"])
    }

    private static func contract(_ field: String) -> String {
        """
        errand: 1
        service: Sample
        types:
          Percent: {alias: int, range: 0..100}
          Upper: {alias: string, pattern: '[A-Z]+'}
          Code: {alias: Upper, length: 2}
        endpoints:
          ask: {post: /a, body: {x: \(field)}}
        """
    }
}

/// `confirm` fills inputs with what has their type.
@Suite struct ConfirmInputTests {
    @Test(arguments: [
        ("key", "uuid", "idempotencyKey"), ("order", "uuid", "count"), ("order", "string", "count"),
        ("order", "string", "note"),
    ])
    func anotherTypeIsFound(_ name: String, _ type: String, _ source: String) {
        let result = resolve(Self.contract("{\(name):\(type)}", "{\(name): \(source)}"))
        #expect(
            result.diagnostics.map(\.rule) == ["confirm-input-mismatch"], "\(listing(result.diagnostics))")
    }

    @Test(arguments: [("key", "string", "idempotencyKey"), ("n", "int", "count"), ("n", "Number", "count")])
    func theSameTypeIsNot(_ name: String, _ type: String, _ source: String) {
        let result = resolve(Self.contract("{\(name):\(type)}", "{\(name): \(source)}"))
        #expect(result.contract != nil, "\(listing(result.diagnostics))")
    }

    @Test func aReadWithOutcomesConfirmsNothing() {
        let result = resolve(
            Self.contract("{n:int}", "{n: count}", more: ", outcomes: {gone: {when: {status: 208}}}"))
        #expect(result.diagnostics.map(\.rule) == ["confirm-mismatch"], "\(listing(result.diagnostics))")
    }

    private static func contract(_ path: String, _ arguments: String, more: String = "") -> String {
        """
        errand: 1
        service: Sample
        types: {Number: {alias: int}, Done: {number: int}}
        endpoints:
          pay:
            post: /payments
            effect: keyed
            body: {count: int, note: string?}
            response: Done
            confirm: {endpoint: find, with: \(arguments)}
          find: {get: "/payments/\(path)", response: Done\(more)}
        """
    }
}
