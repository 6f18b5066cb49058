import ContractModel
import Diagnostics
import Testing

/// `union: {keys: {KEY: TYPE}}`: a key identifies its case if every value of the case has it, and no value of another case has
/// it.
@Suite struct UnionKeyTests {
    private static let types = """
        types:
          Card: {number: string, expires: string?}
          Account: {iban: {type: string, wire: IBAN}, limit: int = 3}
          Both: {number: string, iban: {type: string, wire: IBAN}}

        """

    @Test func theKeysAreNamesOnTheWire() throws {
        let result = resolve(
            "errand: 1\nservice: Sample\n" + Self.types
                + "  Method: {union: {keys: {number: Card, IBAN: Account}}}\nendpoints:\n  ask: {get: /a, response: Method}\n"
        )
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        guard case .union(let union)? = contract.type(named: "Method")?.form else { return #expect(Bool(false)) }
        #expect(union.discriminator == nil)
        #expect(union.cases.map(\.name.value) == ["number", "IBAN"])
    }

    @Test(arguments: [
        ContractFixture(
            "union-key-ambiguous", saying: "has no field `iban`",
            part: types + "  Method: {union: {keys: {number: Card, «iban»: Account}}}\n"),
        ContractFixture(
            "union-key-ambiguous", saying: "the field may be absent",
            part: types + "  Method: {union: {keys: {«expires»: Card, IBAN: Account}}}\n"),
        ContractFixture(
            "union-key-ambiguous", saying: "the field may be absent",
            part: types + "  Method: {union: {keys: {number: Card, «limit»: Account}}}\n"),
        ContractFixture(
            "union-key-ambiguous", saying: "`Both` also has this field",
            part: types + "  Method: {union: {keys: {«number»: Card, IBAN: Both}}}\n"),
        ContractFixture(
            "union-case-mismatch", saying: "name a type with the field `text`",
            part: types + "  Method: {union: {keys: {number: Card, «text»: string}}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "`keys` and `kinds` list the cases themselves",
            part: types + "  Method: {union: {keys: {number: Card}, «cases»: {a: Account}}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "`keys` if each case has its own key, or `kinds`",
            part: types + "  Method: {union: {by: kind, «keys»: {number: Card}}}\n"),
        ContractFixture(
            "union-without-discriminator", saying: "or write `keys: {KEY: TYPE}` or `kinds: {KIND: TYPE}`",
            part: types + "  Method: {union: {«cases»: {number: Card}}}\n"),
        ContractFixture("empty-union", saying: "write `keys:", part: types + "  Method: {union: {keys: «{}»}}\n"),
    ])
    func whatTellsNothingIsFound(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
