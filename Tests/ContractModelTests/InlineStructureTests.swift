import ContractModel
import Diagnostics
import Testing

/// `address: {fields: {street: string}}`: a structure that is in its field.
@Suite struct InlineStructureTests {
    @Test func aStructureBelongsToWhereItStands() throws {
        let result = resolve(
            """
            errand: 1
            service: Sample
            defaults: {naming: snake_case}
            errors: {gone: {category: nonRetryable, when: {status: 410}, data: {last: {fields: {at: timestamp}}}}}
            types:
              Order:
                address: {fields: {streetName: string, place: {fields: {x: double}}}, wire: addr}
                lines: {type: "[fields]?", fields: {count: int}}
            endpoints:
              ask:
                post: /a
                body: {order: Order, gift: {type: fields?, fields: {text: string}}}
                response: {first: {fields: {id: int}}}
                errors: [gone]
                outcomes: {later: {when: {status: 202}, data: {since: {fields: {day: date}}}}}
            """)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        let owners: [String: InlinePlace.Owner] = [
            "address": .type("Order"), "place": .type("Order.address"), "lines": .type("Order"),
            "gift": .endpoint("ask"),
            "first": .response(of: "ask"), "since": .outcome("later", of: "ask"), "last": .error("gone"),
        ]
        for (field, owner) in owners {
            let type = contract.types.first { $0.inline?.field == field }
            #expect(type?.inline?.owner == owner, "\(field)")
        }
        guard case .structure(let fields)? = contract.type(named: "Order.address")?.form else {
            return #expect(Bool(false))
        }
        #expect(fields.map(\.wireName) == ["street_name", "place"])
        guard case .structure(let own)? = contract.type(named: "Order")?.form else { return #expect(Bool(false)) }
        #expect(own.map(\.type.spelling) == ["Order.address", "[Order.lines]?"])
        #expect(own.map(\.wireName) == ["addr", "lines"])
    }

    /// The data of an error that no endpoint lists is not generated, and neither are its inline structures.
    @Test func theDataOfAnUnusedErrorIsLeftOut() throws {
        let result = resolve(
            """
            errand: 1
            service: Sample
            errors:
              gone: {category: nonRetryable, when: {status: 410}, data: {a: {fields: {b: {fields: {c: int}}}}}}
              used: {category: nonRetryable, when: {status: 411}, data: {a: {fields: {b: {fields: {c: int}}}}}}
            endpoints: {ask: {get: /a, errors: [used]}}
            """)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        #expect(contract.types.map(\.name.value).sorted() == ["errors/used.a", "errors/used.a.b"])
    }

    @Test(arguments: [
        ContractFixture(
            "conflicting-keys", saying: "does not mention its `fields`",
            part: "types:\n  Order:\n    address: {type: «string», fields: {street: string}}\n"),
        ContractFixture(
            "unknown-type", saying: "there is no type `fields`",
            part: "types:\n  Order:\n    address: {type: «fields»}\n"),
        ContractFixture(
            "missing-key", saying: "needs `type`", part: "types:\n  Order:\n    address: {«doc»: Where it is.}\n"),
        ContractFixture(
            "unknown-type", saying: "did you mean `string`?",
            part: "types:\n  Order:\n    address: {fields: {street: «strin»}}\n"),
        ContractFixture(
            "invalid-parameter-type", saying: "a query parameter must be a single value",
            endpoint: "get: /a\nquery:\n  «by»: {fields: {name: string}}"),
        ContractFixture(
            "unknown-key", saying: "has no key `fields`",
            part: "common:\n  query:\n    by: {type: string, «fields»: {name: string}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "remove it; only texts and bytes have a length",
            part: "types:\n  Order:\n    address: {fields: {street: string}, length: «1..2»}\n"),
    ])
    func aMistakeIsFoundAtItsPlace(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
