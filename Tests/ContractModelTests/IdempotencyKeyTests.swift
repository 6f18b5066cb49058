import ContractModel
import Diagnostics
import Testing

/// `effect: {keyed: {header: NAME}}` and `{keyed: {field: NAME}}`: where a key may travel, and beside what.
@Suite struct IdempotencyKeyTests {
    private static let types = "types:\n  Order: {id: int}\n  Many: {alias: \"[Order]\"}\n"

    @Test(arguments: [
        ("post: /a\neffect: {keyed: {header: PayPal-Request-Id, lifetime: 6h}}", "header PayPal-Request-Id"),
        ("post: /a\nbody: {id: int}\neffect: {keyed: {field: idempotency_key}}", "field idempotency_key"),
        ("post: /a\nbody: {encoding: form, fields: {id: int}}\neffect: {keyed: {field: key}}", "field key"),
        ("put: /a\nbody: Order\neffect: {keyed: {field: key}}", "field key"),
        ("post: /a\neffect: {keyed: {field: key}}", "field key"),
        ("post: /a\neffect: keyed", "standard"),
    ])
    func aKeyTravelsWhereTheContractSays(_ endpoint: String, _ wanted: String) throws {
        let result = resolve(ContractFixture("", saying: "", endpoint: endpoint, more: Self.types).text)
        let place = try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))").keyPlace
        switch place {
        case .header(let name)?: #expect("header \(name.value)" == wanted)
        case .field(let name)?: #expect("field \(name.value)" == wanted)
        case nil: #expect(wanted == "standard")
        }
    }

    private static let session = "session: {header: X-Session}\n"
    private static let common = "common: {parameters: {key: string}}\ndefaults: {naming: snake_case}\n"

    @Test(arguments: [
        ContractFixture(
            "conflicting-keys", saying: "a key travels in one place",
            endpoint: "post: /a\nbody: {id: int}\neffect: {keyed: {header: X-Key, «field»: key}}"),
        ContractFixture(
            "invalid-header", saying: "cannot be the name of a header",
            endpoint: "post: /a\neffect: {keyed: {header: «X Key»}}"),
        ContractFixture(
            "invalid-value", saying: "`field` is empty", endpoint: "post: /a\neffect: {keyed: {field: «''»}}"),
        ContractFixture(
            "name-collision", saying: "the runtime creates the key",
            endpoint: "post: /a\nbody: {id: {type: string, wire: key}}\neffect: {keyed: {field: «key»}}"),
        ContractFixture(
            "name-collision", saying: "`ask` has a field with the same name",
            endpoint: "post: /a\nbody: Order\neffect: {keyed: {field: «id»}}",
            more: types),
        ContractFixture(
            "name-collision", saying: "a common parameter", endpoint: "post: /a\neffect: {keyed: {field: «key»}}",
            more: common),
        ContractFixture(
            "name-collision", saying: "the session has the same name",
            endpoint: "post: /a\neffect: {keyed: {header: «x-session»}}", more: session),
        ContractFixture(
            "name-collision", saying: "the session has the same name",
            endpoint: "post: /a\neffect: {keyed: {field: «token»}}", more: "session: {parameter: token}\n"),
        ContractFixture(
            "name-collision", saying: "the signature has the same name",
            endpoint: "post: /a\neffect: {keyed: {header: «X-Sign»}}",
            more: "signing: {algorithm: hmac-sha256, over: sortedParameters, key: k, into: {header: X-Sign}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "has no body", endpoint: "delete: /a\neffect: {keyed: {field: «key»}}"),
        ContractFixture(
            "conflicting-keys", saying: "neither JSON, XML nor a form",
            endpoint: "post: /a\nbody: bytes\neffect: {keyed: {field: «key»}}"),
        ContractFixture(
            "conflicting-keys", saying: "neither JSON, XML nor a form",
            endpoint: "post: /a\nbody: {encoding: multipart, fields: {id: int}}\neffect: {keyed: {field: «key»}}"),
        ContractFixture(
            "conflicting-keys", saying: "is not a structure",
            endpoint: "post: /a\nbody: Many\neffect: {keyed: {field: «key»}}", more: types),
        ContractFixture(
            "conflicting-keys", saying: "write `{keyed: {header: NAME}}`",
            endpoint: "post: /a\nbody: Order?\neffect: {keyed: {field: «key»}}", more: types),
    ])
    func whatCannotCarryAKeyIsFound(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }

    /// A parameter of the query has another place than the body's field.
    @Test func whatTravelsElsewhereIsNoCollision() {
        let whole = ContractFixture(
            "", saying: "", endpoint: "post: /a\nbody: Order\neffect: {keyed: {field: key}}",
            more: Self.types + Self.common)
        #expect(resolve(whole.text).contract != nil)
        let open = ContractFixture(
            "", saying: "", endpoint: "post: /a\nsession: none\neffect: {keyed: {header: X-Session}}",
            more: Self.session)
        #expect(resolve(open.text).contract != nil)
    }
}
