import Testing

@testable import SwiftEmitter

/// The names by which the runtime finds what it must not print.
@Suite struct SensitiveNameTests {
    /// A document in XML has other names than the contract's places, and its JSON by another response's shape has others again.
    @Test func placesOfXMLHaveAllTheirNames() throws {
        let text = EmittedContract.contract(
            """
            types:
              Password: {kind: {type: string, wire: "@kind"}, text: {type: string, wire: ".", sensitive: true}}
              Account:
                token: {type: string, wire: "@token", sensitive: true}
                pin: {type: string, wire: "{urn:x}pin", sensitive: true}
                codes: {type: [string], wire: codes/code, sensitive: true}
                password: Password
                payment: Payment
              Card: {number: {type: string, wire: ".", sensitive: true}}
              Cash: {amount: {type: int, wire: "@amount"}}
              Payment: {union: {by: "@type", cases: {card: Card, cash: Cash}}}
            endpoints: {find: {get: /x, response: {encoding: xml, type: Account}}}
            """)
        let emitted = try EmittedContract(text)
        #expect(emitted.findings.isEmpty)
        let description = try #require(emitted.text.firstMatch(of: /sensitive: \[([^\]]*)\]/)?.1)
        for name in ["@token", "token", "pin", "codes", "code", "password", "payment"] {
            #expect(description.contains("\"\(name)\""), "\(name) is not in \(description)")
        }
    }
}
