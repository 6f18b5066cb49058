import Testing

@testable import ContractModel

/// `additionalProperties` beside the fields of a type.
@Suite struct OtherMembersTests {
    @Test func theyAreTheLastField() throws {
        let text =
            ContractFixture.head
                + """
                types:
                  Labeled: {fields: {id: int}, additionalProperties: "[string?]"}
                endpoints:
                  ask: {post: /a, body: Labeled, response: Labeled}

                """
        let result = resolve(text)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        guard case .structure(let fields)? = contract.types.first?.form else { return #expect(Bool(false)) }
        #expect(fields.map(\.holdsOtherMembers) == [false, true])
        #expect(fields.last?.type.spelling == "[string: [string?]]" && fields.last?.isRequired == false)
    }

    @Test(arguments: [
        ContractFixture(
            "unknown-key", saying: "write the fields under `fields`: `{fields: {id: …}, additionalProperties: string}`",
            part: "types:\n  Labeled: {«id»: int, additionalProperties: string}\n"),
        ContractFixture(
            "conflicting-keys", saying: "only a structure has members beside its fields",
            part: "types:\n  Labeled: {enum: [a], «additionalProperties»: string}\n"),
        ContractFixture(
            "conflicting-keys", saying: "which only JSON can have",
            part:
                "  ask: {post: /a, body: {encoding: form, type: «Labeled»}}\ntypes:\n  Labeled: {fields: {id: int}, additionalProperties: string}\n"
        ),
        ContractFixture(
            "invalid-parameter-type", saying: "holds `additionalProperties`",
            part:
                "  ask: {post: /a, body: {encoding: form, fields: {inner: «Labeled»}}}\ntypes:\n  Labeled: {fields: {id: int}, additionalProperties: string}\n"
        ),
        ContractFixture(
            "union-discriminator-clash", saying: "add the field `kind: string` to `Labeled`",
            part:
                "types:\n  Labeled: {fields: {id: int}, additionalProperties: string}\n  Sorted: {union: {by: kind, cases: {«labeled»: Labeled}}}\n"
        ),
        ContractFixture(
            "union-key-ambiguous", saying: "which the `additionalProperties` of `Labeled` can contain",
            part:
                "types:\n  Labeled: {fields: {id: int}, additionalProperties: string}\n  Named: {fields: {name: string}}\n  Either: {union: {keys: {id: Labeled, «name»: Named}}}\n"
        ),
        ContractFixture(
            "unknown-type", saying: "`Label`",
            part: "types:\n  Labeled: {fields: {id: int}, additionalProperties: «Label»}\n"),
    ])
    func mistakesAreFound(_ fixture: ContractFixture) { expectIsFound(fixture, among: 2) }
}
