import ContractModel
import Testing

/// `compression`: which bodies of requests it is about, and what is refused.
@Suite struct CompressionTests {
    @Test(
        arguments: [
            ("post: /a\nbody: {id: int}\ncompression: gzip", "", CompressionDefinition.gzip(minimumSize: nil)),
            ("post: /a\nbody: bytes\ncompression: {encoding: gzip}", "", .gzip(minimumSize: nil)),
            ("post: /a\nbody: bytes\ncompression: {encoding: gzip, minimumSize: 0}", "", .gzip(minimumSize: 0)),
            ("put: /a\nbody: {id: int}", "gzip", .gzip(minimumSize: nil)),
            ("put: /a\nbody: {id: int}", "{encoding: gzip, minimumSize: 9}", .gzip(minimumSize: 9)),
            ("put: /a\nbody: {id: int}\ncompression: {encoding: gzip, minimumSize: 7}", "gzip", .gzip(minimumSize: 7)),
            ("put: /a\nbody: {id: int}\ncompression: none", "gzip", nil),
            ("get: /a", "gzip", nil),
            ("post: /a", "gzip", nil),
            ("post: /a\nbody: {id: int}", "none", nil),
            ("post: /a\nbody: {id: int}", "", nil),
        ] as [(String, String, CompressionDefinition?)])
    func theEndpointOrTheDefaultsSayIt(
        _ endpoint: String, _ defaults: String, _ wanted: CompressionDefinition?
    ) throws {
        let more = defaults.isEmpty ? "" : "defaults: {compression: \(defaults)}\n"
        let result = resolve(ContractFixture("", saying: "", endpoint: endpoint, more: more).text)
        let found = try #require(result.contract?.endpoints.first, "\(listing(result.diagnostics))")
        #expect(found.compression == wanted)
    }

    @Test(arguments: [
        ContractFixture("conflicting-keys", saying: "declare a `body`", endpoint: "get: /a\n«compression»: gzip"),
        ContractFixture("conflicting-keys", saying: "declare a `body`", endpoint: "post: /a\n«compression»: none"),
        ContractFixture(
            "unknown-value", saying: "did you mean `gzip`?", endpoint: "post: /a\nbody: bytes\ncompression: «gzp»"),
        ContractFixture(
            "unknown-value", saying: "the values are `gzip`",
            endpoint: "post: /a\nbody: bytes\ncompression: {encoding: «br»}"),
        ContractFixture(
            "missing-key", saying: "encoding",
            endpoint: "post: /a\nbody: bytes\ncompression: {«minimumSize»: 9}"),
        ContractFixture(
            "invalid-value", saying: "integer",
            endpoint: "post: /a\nbody: bytes\ncompression: {encoding: gzip, minimumSize: «-1»}"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
