import ContractModel
import Diagnostics
import Testing

/// `union: {kinds: {KIND: TYPE}}`, unions by integers, and unions that are cases of unions.
@Suite struct UnionKindTests {
    private static let types = """
        types:
          Person: {name: string}
          ID: {alias: uuid}
          Color: {enum: [red, green]}
          Size: {enum: {small: 1, large: 2}}
          Low: {level: int, text: string}
          High: {more: bool}

        """

    private func contract(_ part: String) throws -> ResolvedContract {
        let result = resolve(
            "errand: 1\nservice: Sample\n" + Self.types + part + "endpoints:\n  ask: {get: /a, response: Any}\n")
        return try #require(result.contract, "\(listing(result.diagnostics))")
    }

    @Test(arguments: [
        "{string: ID, integer: Size, number: timestamp(unix), bool: bool, array: \"[Any?]\", object: Person}",
        "{string: Color, number: decimal, object: \"[string: Any]\"}", "{string: bytes, integer: uint}",
    ])
    func eachKindHasATypeOfItsKind(_ kinds: String) throws {
        let contract = try contract("  Any: {union: {kinds: \(kinds)}}\n")
        guard case .union(let union)? = contract.type(named: "Any")?.form else { return #expect(Bool(false)) }
        #expect(union.isByKind && union.discriminator == nil)
        #expect(union.cases.first?.name.value == "string")
    }

    @Test func aCaseCanBeThatOfAllOtherObjects() throws {
        let contract = try contract("  Any: {union: {by: level, type: int, cases: {1: Low, \"*\": High}}}\n")
        guard case .union(let union)? = contract.type(named: "Any")?.form else { return #expect(Bool(false)) }
        #expect(union.namedCases.map(\.name.value) == ["1"] && union.otherCase?.type.spelling == "High")
        #expect(union.objectCase("1")?.type.spelling == "Low" && union.objectCase(nil)?.type.spelling == "High")
    }

    @Test func aDiscriminatorCanBeANumberAndACaseAUnion() throws {
        let contract = try contract(
            """
              Any: {union: {by: level, type: int, cases: {1: Low, -2: High, 3: Inner}}}
              Inner: {union: {keys: {a: A, b: B}}}
              A: {level: int, a: int}
              B: {level: int32 = 3, b: int}

            """)
        guard case .union(let union)? = contract.type(named: "Any")?.form else { return #expect(Bool(false)) }
        #expect(union.hasNumbers && union.cases.map(\.name.value) == ["1", "-2", "3"])
    }

    @Test(arguments: [
        ContractFixture(
            "union-case-mismatch", saying: "write it as `integer: int`",
            part: types + "  Any: {union: {kinds: {object: «int»}}}\n"),
        ContractFixture(
            "union-case-mismatch", saying: "write it as `number: double`",
            part: types + "  Any: {union: {kinds: {integer: «double»}}}\n"),
        ContractFixture(
            "union-case-mismatch", saying: "write it as `integer: Size`",
            part: types + "  Any: {union: {kinds: {string: «Size»}}}\n"),
        ContractFixture(
            "union-case-mismatch", saying: "whose values have several kinds",
            part: types + "  Any: {union: {kinds: {object: «json»}}}\n"),
        ContractFixture(
            "union-case-mismatch", saying: "add the cases of `Other` to this union",
            part: types + "  Any: {union: {kinds: {object: «Other»}}}\n  Other: {union: {kinds: {object: Person}}}\n"),
        ContractFixture(
            "union-case-mismatch", saying: "`?` in each field where the union may be null",
            part: types + "  Any: {union: {kinds: {string: «string?»}}}\n"),
        ContractFixture(
            "union-case-mismatch", saying: "or write `kinds: {KIND: TYPE}`",
            part: types + "  Any: {union: {by: a, cases: {«b»: Other}}}\n  Other: {union: {kinds: {object: Person}}}\n"
        ),
        ContractFixture("empty-union", saying: "write `kinds:", part: types + "  Any: {union: {kinds: «{}»}}\n"),
        ContractFixture(
            "unknown-key", saying: "boolean", part: types + "  Any: {union: {kinds: {«boolean»: bool}}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "or `kinds` if each case is another kind",
            part: types + "  Any: {union: {keys: {level: Low}, «kinds»: {string: string}}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "only the value of a key is a text or a number",
            part: types + "  Any: {union: {keys: {level: Low}, «type»: int}}\n"),
        ContractFixture(
            "invalid-value", saying: "must be an integer",
            part: types + "  Any: {union: {by: a, type: int, cases: {«high»: High}}}\n"),
        ContractFixture(
            "union-discriminator-clash", saying: "write `type: int` beside `by`",
            part: "types:\n  Low: {«level»: int}\n  Any: {union: {by: level, cases: {a: Low}}}\n"),
        ContractFixture(
            "union-discriminator-clash", saying: "is not an integer",
            part: "types:\n  Low: {«text»: string}\n  Any: {union: {by: text, type: int, cases: {1: Low}}}\n"),
        ContractFixture(
            "union-discriminator-clash", saying: "add the field `a: string` to `High`",
            part: types
                + "  Any: {union: {by: a, cases: {«x»: Inner}}}\n  Inner: {union: {by: b, cases: {y: High}}}\n"),
        ContractFixture(
            "recursive-type-without-indirection", saying: "`Inner` is one of its own cases",
            part: types + "  «Inner»: {union: {by: a, cases: {b: Inner}}}\n"),
    ])
    func whatTellsNothingIsFound(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
