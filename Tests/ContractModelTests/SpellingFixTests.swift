import ContractModel
import Diagnostics
import Testing

/// A name that is not declared has a fix that writes the intended one, and the contract is correct afterwards.
@Suite struct SpellingFixTests {
    private static let contract = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        defaults: {timeout: 20s}
        envelopes:
          standard: {data: data}
        errors:
          notFound: {category: nonRetryable, when: {status: 404}, message: It is not there.}
        types:
          Item: {id: int, tags: "[string]?"}
        endpoints:
          listItems:
            get: /items
            query: {limit: {type: int, range: 1..100}}
            envelope: standard
            errors: [notFound]
            response: {items: [Item]}
        """

    @Test(arguments: [
        ("id: int,", "id: integer,"), (#""[string]?""#, #""[varchar]?""#), (#""[string]?""#, "'[Strng]'"),
        ("{items: [Item]}", "{items: [Itm]}"), ("{items: [Item]}", "{items: \"[Itm] \"}"),
        ("envelope: standard", "envelope: standrad"), ("[notFound]", "[notfound]"),
        ("[notFound]", "\n      - notFuond # said by the server"),
    ])
    func itIsMendedByItsFix(right: String, wrong: String) throws {
        let text = Self.contract.replacing(right, with: wrong)
        #expect(text != Self.contract)
        let found = resolve(text).diagnostics.filter { $0.severity == .error }
        let fix = try #require(found.first?.fix, "\(listing(found))")
        #expect(found.count == 1 && fix.applicability == .needsALook)
        let mended = FixApplication([fix], to: Array(text.utf8), of: "sample.contract.yaml")
        let result = resolve(String(decoding: mended.bytes, as: UTF8.self))
        #expect(result.contract != nil, "\(listing(result.diagnostics))")
    }
}
