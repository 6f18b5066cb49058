import ContractModel
import Testing

/// Percent-encoding in paths, files and the references of documents (RFC 3986 section 2.1).
@Suite struct PercentTextTests {
    @Test func onlyEscapesAreDecoded() {
        #expect(PercentText.decoded("%41%+A%4") == "A%+A%4")
        #expect(PercentText.decoded("%C3%A9%") == "é%")
    }

    @Test func encodedPartsOfAPathAreKept() {
        #expect(PercentText.path("a b%2F%") == "a%20b%2F%25")
        #expect(PercentText.file("/a:b%41") == "/a%3Ab%2541")
    }
}
