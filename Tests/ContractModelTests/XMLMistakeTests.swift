import Diagnostics
import Testing

/// What a document in XML cannot express, each with its finding, its place and the way to fix it.
@Suite struct XMLMistakeTests {
    @Test(arguments: places + types)
    func isFoundAtItsPlace(_ fixture: ContractFixture) { expectIsFound(fixture) }

    static let places: [ContractFixture] = [
        ContractFixture(
            "no-xml-form", saying: "letters and digits",
            endpoint: "post: /a\nbody: {encoding: xml, element: «a b», fields: {a: int}}\nresponse: none"),
        ContractFixture(
            "no-xml-form", saying: "matches in any namespace",
            endpoint: "get: /a\nresponse: {encoding: xml, fields: {title: {type: string, wire: «\"dc:title\"»}}}"),
        ContractFixture(
            "no-xml-form", saying: "name an element `title`",
            endpoint: "get: /a\nresponse: {encoding: xml, fields: {title: {type: string, wire: «\"a b\"»}}}"),
        ContractFixture(
            "no-xml-form", saying: "an attribute is one value",
            endpoint: "get: /a\nresponse: {encoding: xml, fields: {tags: {type: «[string]», wire: \"@tags\"}}}"),
        ContractFixture(
            "no-xml-form", saying: "names the elements of a list",
            endpoint: "get: /a\nresponse: {encoding: xml, fields: {title: {type: string, wire: «a/b»}}}"),
        ContractFixture(
            "no-xml-form", saying: "for the idempotency key",
            endpoint:
                "post: /a\nbody: {encoding: xml, element: a, fields: {a: int}}\nresponse: none\neffect: {keyed: {field: «a b»}}"
        ),
        ContractFixture(
            "no-xml-form", saying: "for the session's token",
            endpoint: "post: /a\nbody: {encoding: xml, element: a, fields: {a: int}}\nresponse: none",
            more: "session: {parameter: «a b»}\n"),
        ContractFixture(
            "no-xml-form", saying: "for the signature",
            endpoint: "post: /a\nbody: {encoding: xml, element: a, fields: {a: int}}\nresponse: none",
            more:
                "signing: {algorithm: hmac-sha256, over: sortedParameters, key: k, into: {body: «a/b»}}\n"),
        ContractFixture(
            "conflicting-keys", saying: "a stream has many elements",
            endpoint: "get: /a\ndelivery: stream\nresponse: «{encoding: xml, fields: {a: int}}»"),
    ]

    static let types: [ContractFixture] = [
        ContractFixture(
            "no-xml-form", saying: "make a type of the inner list",
            endpoint: "get: /a\nresponse: {encoding: xml, fields: {rows: «[[int]]»}}"),
        ContractFixture(
            "no-xml-form", saying: "by the kinds of JSON values",
            endpoint: "get: /a\nresponse: {encoding: xml, fields: {value: «Value»}}",
            more: "types: {Value: {union: {kinds: {string: string, integer: int}}}}\n"),
        ContractFixture(
            "no-xml-form", saying: "its null is the same as its absence",
            endpoint:
                "patch: /a\nbody: {encoding: xml, element: a, fields: {note: {type: string, wire: «\"@note\"», nullable: distinct}}}\nresponse: none"
        ),
        ContractFixture(
            "no-xml-form", saying: "declare the elements as fields",
            endpoint: "get: /a\nresponse: {encoding: xml, type: Thing}",
            more: "types: {Thing: {fields: {a: int}, additionalProperties: «string»}}\n"),
    ]
}
