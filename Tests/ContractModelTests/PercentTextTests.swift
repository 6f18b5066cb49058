import ContractModel
import Testing

/// Percent-encoding in paths, files and the references of documents (RFC 3986 section 2.1).
@Suite struct PercentTextTests {
    @Test func onlyEscapesAreDecoded() {
        #expect(PercentText.decoded("%41%+A%4") == "A%+A%4")
        #expect(PercentText.decoded("%C3%A9%") == "é%")
    }

    @Test func aTextWithAnythingElseIsNotValidated() {
        #expect(PercentText.validated("a%20b+%C3%A9") == "a b+é")
        #expect(PercentText.validated("a+b%2B", isForm: true) == "a b+")
        for text in ["%", "%4", "%4g", "%FF", "a%C3"] { #expect(PercentText.validated(text) == nil, "\(text)") }
    }

    @Test func encodedPartsOfAPathAreKept() {
        #expect(PercentText.path("a b%2F%") == "a%20b%2F%25")
        #expect(PercentText.file("/a:b%41") == "/a%3Ab%2541")
    }
}
