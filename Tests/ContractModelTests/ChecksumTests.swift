import Testing

@testable import ContractModel

/// `checksum`: where a response states the checksum of its bytes, and what is refused.
@Suite struct ChecksumTests {
    @Test(
        arguments: [
            ("checksum: sha256", ChecksumDefinition(algorithm: .sha256, header: nil)),
            ("checksum: sha512", ChecksumDefinition(algorithm: .sha512, header: nil)),
            (
                "checksum: {algorithm: md5, header: ETag}",
                ChecksumDefinition(algorithm: .md5, header: .init(name: "ETag", encoding: .hex))
            ),
            (
                "checksum: {algorithm: md5, header: Content-MD5, encoding: base64}",
                ChecksumDefinition(algorithm: .md5, header: .init(name: "Content-MD5", encoding: .base64))
            ),
            ("priority: low", nil),
        ] as [(String, ChecksumDefinition?)])
    func theEndpointNamesIt(_ line: String, _ wanted: ChecksumDefinition?) throws {
        let fixture = ContractFixture("", saying: "", endpoint: "get: /a\nresponse: bytes\n\(line)")
        let result = resolve(fixture.text)
        let found = try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))")
        #expect(found.checksum == wanted)
    }

    @Test(arguments: [
        ContractFixture("conflicting-keys", saying: "only the bytes", endpoint: "get: /a\n«checksum»: sha256"),
        ContractFixture(
            "conflicting-keys", saying: "only `response: bytes`",
            endpoint: "get: /a\nresponse: {id: int}\n«checksum»: sha256"),
        ContractFixture(
            "unknown-value", saying: "did you mean `sha256`?", endpoint: "get: /a\nresponse: bytes\nchecksum: «sha265»"),
        ContractFixture(
            "missing-key", saying: "header", endpoint: "get: /a\nresponse: bytes\nchecksum: {«algorithm»: md5}"),
        ContractFixture(
            "unknown-value", saying: "one of",
            endpoint: "get: /a\nresponse: bytes\nchecksum: {algorithm: md5, header: A, encoding: «octal»}"),
        ContractFixture(
            "invalid-header", saying: "cannot be the name of a header",
            endpoint: "get: /a\nresponse: bytes\nchecksum: {algorithm: md5, header: «a b»}"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
