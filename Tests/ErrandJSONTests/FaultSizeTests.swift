import Testing

@testable import ErrandJSON

/// The part of a document that a fault shows is bounded, and contains no key that the contract does not know.
@Suite struct FaultSizeTests {
    private static let declared = Set(["data", "list", "prices"])

    private func fault(_ text: String, _ declared: Set<String>? = nil) -> JSONError? {
        do {
            _ = try JSON.scanReportingSkipped(Array(text.utf8), declared: declared) { (reader: inout JSONReader) in
                reader.readMap { $0.readMap { $0.readMap { $0.readInt() } } }
            }
            return nil
        } catch {
            return error
        }
    }

    @Test func keysThatNobodyDeclaredAreBlank() {
        let text = #"{"data":{"c4nary":{"prices":"x"}}}"#
        #expect(fault(text)?.path == "$.data.c4nary.prices")
        #expect(fault(text, Self.declared)?.path == "$.data['•••'].prices")
        // The key where the document breaks isn't a value, and is not shown either.
        for broken in [
            #"{"data":{"c4nary"x"#, #"{"data":{"c4nary":{},"c4nary" 1"#, #"{"data":{"c4nary\q"#, #"{"data":{c4nary"#,
            #"{"data":{"c4nary"#,
        ] {
            let fault = fault(broken, Self.declared)
            #expect(fault?.isMalformed == true)
            var dumped = "\(String(describing: fault))"
            dump(fault, to: &dumped)
            #expect(!dumped.contains("nary"), "\(dumped)")
        }
    }

    @Test func pathsAreBounded() {
        let long = String(repeating: "k", count: 30_000)
        #expect(fault(#"{"data":{"\#(long)":{"prices":"x"}}}"#)?.path == "$.data['…'].prices")
        #expect(fault(#"{"data":{"\#(long)":{"prices":"x"}}}"#, Self.declared)?.path == "$.data['•••'].prices")
        let depth = 400
        let text = (0..<depth).map { "{\"level\($0)-\(String(repeating: "x", count: 50))\":" }.joined() + "x"
        do {
            try JSON.scan(Array(text.utf8)) { $0.skipValue() }
            Issue.record("it was read")
        } catch {
            #expect(error.path.count < 1_000 && error.path.contains("…"))
            #expect(error.path.hasPrefix("$['level0-") && error.path.contains("level399-"))
        }
    }

    /// One fault, one line, in the order in which it reads.
    @Test func faultsAreOneLine() {
        let fault = fault("{\"data\":{\"a\u{202E}b\u{2028}c\\nd\":{\"prices\":\"\u{2066}\u{85}\"}}}")
        for text in [fault?.path ?? "", fault?.excerpt ?? "", fault?.description ?? ""] {
            #expect(!text.isEmpty && !text.unicodeScalars.contains(where: PrintedText.isUnprintable), "\(text)")
        }
        let made = JSONError(code: .refused("a\nb\u{2028}"), byteOffset: 0, path: String(repeating: "p", count: 9_000))
        #expect(made.description.hasPrefix(#"refused: a\nb\u{2028} at ppp"#) && made.description.count < 4_100)
    }

    @Test func textIsCutBetweenScalars() {
        #expect(PrintedText.cut("äöü", to: 3) == "äöü" && PrintedText.cut("äöü", to: 2) == "äö…")
        #expect(
            PrintedText.line("plain") == "plain"
                && PrintedText.line("a\r\n\tb\u{7F}\u{61C}é👩‍💻") == #"a\r\n\tb\u{7F}\u{61C}é👩‍💻"#)
        // A character may be of any length.
        #expect(
            PrintedText.line("e" + String(repeating: "\u{301}", count: 5_000), limit: 10).unicodeScalars.count == 11)
    }
}
