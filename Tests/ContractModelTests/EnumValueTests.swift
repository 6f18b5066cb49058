import Testing

@testable import ContractModel

/// Enums whose cases have several values on the wire.
@Suite struct EnumValueTests {
    @Test func aCaseMayHaveSeveralValues() throws {
        let text =
            ContractFixture.head
                + """
                types:
                  Phase: {enum: {open: [open, OPEN, "7"], closed: closed}}
                  Step: {enum: {first: [1, 10], last: 2}}
                endpoints:
                  ask: {get: /a, response: {phase: Phase = open, step: Step}}

                """
        let result = resolve(text)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        let enums = contract.types.compactMap { type in
            if case .enumeration(let definition) = type.form { definition } else { nil }
        }
        #expect(enums.map(\.wireKind) == [.string, .int])
        #expect(
            enums.map { $0.cases.map { $0.wireValues.map(\.value) } } == [
                [["open", "OPEN", "7"], ["closed"]], [["1", "10"], ["2"]],
            ])
    }

    @Test(arguments: [
        ContractFixture(
            "duplicate-enum-value", saying: "the value `OPEN` occurs twice",
            part: "types:\n  Phase: {enum: {open: [open, OPEN], closed: [closed, «OPEN»]}}\n"),
        ContractFixture(
            "duplicate-enum-value", saying: "the value `open` occurs twice",
            part: "types:\n  Phase: {enum: {open: [open, «open»], closed: closed}}\n"),
        ContractFixture(
            "mixed-enum-values", saying: "`2` is a number",
            part: "types:\n  Phase: {enum: {open: [open, «2»], closed: closed}}\n"),
        ContractFixture(
            "missing-value", saying: "`open` has no value on the wire",
            part: "types:\n  Phase: {enum: {open: «[]», closed: closed}}\n"),
    ])
    func mistakesAreFound(_ fixture: ContractFixture) { expectIsFound(fixture) }
}
