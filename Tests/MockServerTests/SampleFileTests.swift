import ContractModel
import ErrandDigests
import ErrandRuntime
import Testing

@testable import MockServer

/// Files with a checksum. A client takes them only if the response states it.
@Suite struct SampleFileTests {
    private static let rules: [(contract: String, rule: ChecksumRule)] = [
        ("sha256", ChecksumRule(.sha256)),
        ("sha512", ChecksumRule(.sha512)),
        ("sha1", ChecksumRule(.sha1)),
        ("md5", ChecksumRule(.md5)),
        (
            "{algorithm: md5, header: Content-MD5, encoding: base64}",
            ChecksumRule(.md5, header: "Content-MD5", encoding: .base64)
        ),
        ("{algorithm: sha256, header: ETag}", ChecksumRule(.sha256, header: "ETag")),
    ]

    @Test(arguments: rules.indices) func theResponseStatesTheChecksumOfItsBytes(_ index: Int) throws {
        let (written, rule) = Self.rules[index]
        let contract = try MockFixture.contract(
            text: """
                errand: 1
                service: Files
                servers: {local: "http://127.0.0.1:8080"}
                endpoints:
                  getFile: {get: /file, response: bytes, checksum: \(written)}
                """)
        var client = MockClient(MockEngine(contract))
        let response = try client.send("GET", "/file").reply.response
        let field = rule.field(for: response.body.bytes)
        #expect(response.status == 200)
        #expect(response.body.size > 0)
        #expect(response.header(field.name) == field.value)
    }
}
