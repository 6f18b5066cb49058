import Testing

@testable import ContractModel

/// `trust`: the public keys that a server may have, and what is refused.
@Suite struct TrustTests {
    private static let servers = "servers: {main: \"https://sample.example\"}\n"
    private static let pin = "sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo="
    private static let other = "sha256/IZT3oV0va2uDLxZTxa+mWag0fsK58+olv02K+qCZCJI="

    @Test(
        arguments: [
            ("pins: \(pin)", [pin], nil), ("pins: [\(pin), \(other)], until: 2099-06-01", [pin, other], "2099-06-01"),
        ] as [(String, [String], String?)])
    func aServerHasItsKeys(_ keys: String, _ pins: [String], _ day: String?) throws {
        let result = resolve(ContractFixture("", saying: "", part: Self.servers + "trust:\n  main: {\(keys)}\n").text)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        let server = try #require(contract.servers.first)
        let trust = try #require(contract.trust(in: server))
        #expect(trust.pins.map(\.value) == pins && trust.until?.value.text == day)
    }

    @Test(arguments: [
        ContractFixture("unknown-server", saying: "main", part: servers + "trust:\n  «man»: {pins: \(pin)}\n"),
        ContractFixture("missing-value", saying: "write a value", part: servers + "trust:\n  main: {pins: «[]»}\n"),
        ContractFixture("missing-key", saying: "`pins`", part: servers + "trust:\n  main: {«until»: 2099-06-01}\n"),
        ContractFixture(
            "invalid-value", saying: "not the hash of a public key",
            part: servers + "trust:\n  main: {pins: «sha256/AAAA»}\n"),
        ContractFixture(
            "invalid-value", saying: "not the hash of a public key",
            part: servers + "trust:\n  main: {pins: «sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=»}\n"),
        // A spare bit of Base64 is set, so that it is another spelling of a key.
        ContractFixture(
            "invalid-value", saying: "not the hash of a public key",
            part: servers + "trust:\n  main: {pins: «sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEp=»}\n"),
        ContractFixture(
            "invalid-value", saying: "not a day of the calendar",
            part: servers + "trust:\n  main: {pins: \(pin), until: «2027-06-31»}\n"),
        ContractFixture(
            "invalid-server", saying: "there is no key",
            part: "servers: {main: \"http://sample.example\"}\ntrust:\n  «main»: {pins: \(pin)}\n"),
        ContractFixture(
            "duplicate-name", saying: "occurs twice", part: servers + "trust:\n  main: {pins: [\(pin), «\(pin)»]}\n"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
