import Diagnostics
import Foundation
import Testing

@testable import YAMLTree

/// Nothing of the text is lost: nodes and the gaps between them make up the file again.
@Suite struct RoundTripTests {
    @Test(arguments: [
        bankContract, "\u{FEFF}a: [b, {c: d}, 'é', d?]\n", "- |\n  a\n\n- b # c\n-\n  - - d\n",
        "? \"a\\\n  b\"\n: >+\n\n  x\n\n\n", "a",
    ])
    func nodesAndGapsMakeUpTheFile(_ text: String) throws {
        let parsed = YAMLParser().parse(text, file: "a.yaml")
        checkRoundTrip(try #require(parsed.document))
    }

    @Test(arguments: ["stripe.yaml", "plaid.yaml"])
    func realDocuments(_ name: String) throws {
        let corpora = ProcessInfo.processInfo.environment["ERRAND_CORPORA"] ?? "/nonexistent"
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: "\(corpora)/openapi/\(name)")) else {
            print("skipped: ERRAND_CORPORA names no folder with openapi/\(name)")
            return
        }
        let bytes = [UInt8](data)
        let parsed = YAMLParser().parse(bytes, file: name)
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.prefix(3))")
        checkRoundTrip(try #require(parsed.document))
    }
}

/// Walks a document and checks that ranges nest, do not overlap, and that scalars and gaps spell the file.
func checkRoundTrip(_ document: YAMLDocument, _ location: SourceLocation = #_sourceLocation) {
    var rebuilt: [UInt8] = []
    var position = 0
    let bytes = document.bytes

    func visit(_ row: UInt32, within outer: Range<Int>) {
        let content = document.table.rows[Int(row)]
        let range = Int(content.start)..<Int(content.end)
        if range.lowerBound < outer.lowerBound || range.upperBound > outer.upperBound {
            Issue.record("\(range) is not inside \(outer)", sourceLocation: location)
            return
        }
        switch content.kind {
        case .sequence, .mapping:
            let children = document.table.children[Int(content.first)..<Int(content.first + content.count)]
            for child in children { visit(child, within: range) }
        case .scalar, .alias, .unreadable:
            guard range.lowerBound >= position else {
                Issue.record("\(range) overlaps what ends at \(position)", sourceLocation: location)
                return
            }
            rebuilt += bytes[position..<range.lowerBound]
            let node = YAMLNode(document: document, row: row, alias: nil)
            // An alias has the text of its target.
            let source =
                content.kind == .scalar ? node.sourceText : document.text(from: range.lowerBound, to: range.upperBound)
            rebuilt += source.utf8
            position = range.upperBound
        }
    }
    visit(0, within: 0..<bytes.count)
    rebuilt += bytes[min(position, bytes.count)...]
    if rebuilt != bytes { Issue.record("the nodes do not spell the file", sourceLocation: location) }
}
