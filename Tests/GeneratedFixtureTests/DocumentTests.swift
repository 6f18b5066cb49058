import ErrandJSON
import ErrandRuntime
import EverythingClient
import Foundation
import Testing

/// Generated models in XML.
@Suite struct DocumentTests {
    private static func caption(_ text: String) -> Everything.Caption { Everything.Caption(language: "en", text: text) }

    private static func sheet(_ number: Int, parts: [Everything.Sheet] = []) -> Everything.Sheet {
        Everything.Sheet(
            number: number, isNew: number > 1 ? true : nil, caption: caption(" <a> & \"b\"\r\n"),
            shapes: number == 1
                ? [.circle(Everything.Circle(radius: 2.5)), .square(Everything.Square(kind: "square", side: 3))] : nil,
            parts: parts,
            owner: number == 1
                ? .personOwner(Everything.PersonOwner(name: "Ada", words: ["x", ""]))
                : .codedOwner(Everything.CodedOwner(code: "7", bytes: [1, 2, 255])),
            at: Date(timeIntervalSince1970: 1_772_366_400), sizes: ["a": 1.5, "b-c": -2],
            grade: .best, level: .unrecognized("other one"), rest: nil)
    }

    @Test func aModelIsReadAsItWasWritten() throws {
        let xml = try #require(Everything.SwapSheet.endpoint.xml)
        let body = try #require(xml.body)
        let value = Self.sheet(1, parts: [Self.sheet(2), Self.sheet(3, parts: [Self.sheet(4)])])
        let written = try JSON.bytes { $0.write(value) }
        let document = try xml.translator.document(from: written, as: body, xml.types)
        let json = try xml.translator.json(from: document, charset: nil, as: body.shape, xml.types)
        let read = try JSON.scan(json) { Everything.Sheet.load(from: &$0) }
        #expect(try JSON.bytes { $0.write(read) } == written, "\(String(decoding: document, as: UTF8.self))")
    }

    @Test func theDocumentIsAsTheContractHasIt() throws {
        let xml = try #require(Everything.SwapSheet.endpoint.xml)
        let body = try #require(xml.body)
        var sheet = Self.sheet(2)
        sheet.level = nil
        let document = try xml.translator.document(from: JSON.bytes { $0.write(sheet) }, as: body, xml.types)
        #expect(
            String(decoding: document, as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?><sheet xmlns="urn:sheets" number="2" xmlns:n1="urn:sheets" \
                n1:new="true"><caption xml:lang="en"> &lt;a&gt; &amp; "b"&#13;
                </caption><owner code="7"><bytes>AQL/</bytes></owner><at>2026-03-01T12:00:00Z</at>\
                <sizes><a>1.5</a><b-c>-2</b-c></sizes><grade>-3</grade></sheet>
                """)
    }
}
