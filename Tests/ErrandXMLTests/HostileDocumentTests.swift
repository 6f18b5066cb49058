import ErrandJSON
import ErrandRuntime
import ErrandXML
import Foundation
import Testing

/// Documents that mean harm, or were damaged.
@Suite(.timeLimit(.minutes(2))) struct HostileDocumentTests {
    @Test func entitiesAreRefused() {
        var laughs = "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY l0 \"lol\">"
        for level in 1..<10 {
            laughs += "<!ENTITY l\(level) \"" + String(repeating: "&l\(level - 1);", count: 10) + "\">"
        }
        laughs += "]><r>&l9;</r>"
        let quadratic =
            "<!DOCTYPE r [<!ENTITY a \"" + String(repeating: "a", count: 50_000) + "\">]><r>"
            + String(repeating: "&a;", count: 50_000) + "</r>"
        for document in [
            laughs, quadratic, "<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><r>&x;</r>",
            "<!DOCTYPE r [<!ENTITY % x SYSTEM \"http://127.0.0.1:1/x.dtd\"> %x;]><r/>",
            "<!DOCTYPE r [<!ATTLIST r a CDATA \"default\">]><r/>", "<!DOCTYPE r [<!ELEMENT r ANY>]><r/>",
            "<!DOCTYPE r [<!NOTATION n SYSTEM \"n\">]><r/>",
        ] {
            #expect(
                Sample.fault(document) == .refused("a document that declares entities, elements or attributes"),
                "\(document.prefix(60))")
        }
        #expect(Sample.fault("<r>&unknown;</r>") == .invalidSyntax)
    }

    /// A parser may have its own opinion of where a document begins.
    @Test func nothingHidesADocumentType() {
        let type = "<!DOCTYPE r [<!ELEMENT r ANY><!NOTATION n SYSTEM 'n'>]><r/>"
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let wide = type.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(Sample.fault(mark + mark + Array(type.utf8)) != nil)
        #expect(Sample.fault(wide, charset: "utf-8") != nil && Sample.fault(wide, charset: "iso-8859-1") != nil)
        #expect(Sample.fault("<!DOCTYPE r>" + type) != nil && Sample.fault("<!DOCTYPE r '" + type) != nil)
        #expect(Sample.fault("<!-- x -->\n<?a b?> " + type) != nil && Sample.fault("<r/>" + type) != nil)
        #expect(
            Sample.fault("<r>" + type + "</r>") != nil
                && Sample.fault("<?xml version='?>' encoding='utf-16'?>" + type) != nil)
        #expect(Sample.fault([0x4C, 0x6F, 0xA7, 0x94] + Array(type.utf8)) != nil)
    }

    /// Parts of a document that parsers have no text for.
    @Test func partsWithoutAText() throws {
        let document = """
            <?a?><!----><r xmlns=""><?b?><?c d?><!----><a b="" xmlns=""/><![CDATA[]]><x:y xmlns:x="urn:x" xmlns:z="urn:x"/></r>
            <!-- end --><?e?>
            """
        #expect(try Sample.json(document) == #"{"a":{"@b":""},"y":""}"#)
    }

    /// Feeds of old formats have one. It is not loaded, and declares nothing.
    @Test func aDocumentTypeWithoutDeclarationsIsNothing() throws {
        let document = #"<!DOCTYPE r PUBLIC "-//X//DTD X//EN" "http://127.0.0.1:1/x.dtd"><r><a>1</a></r>"#
        #expect(try Sample.json(document) == #"{"a":"1"}"#)
    }

    @Test func depthIsBounded() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(Sample.fault(nested(100)) == nil)
        for depth in [101, 100_000] { #expect(Sample.fault(nested(depth)) == .tooDeep) }
    }

    @Test func theNumberOfElementsIsBounded() {
        let count = (1 << 20) + 1
        let document = [UInt8]("<r>".utf8) + Array(repeating: Array("<a/>".utf8), count: count).joined() + "</r>".utf8
        #expect(Sample.fault(document) == .refused("more than 1048576 elements and attributes"))
    }

    /// The parser compares each attribute with all others.
    @Test(arguments: ["a", "xmlns:a"]) func theNumberOfAttributesIsBounded(_ name: String) {
        func element(_ count: Int) -> String {
            "<r " + (0..<count).map { "\(name)\($0)='u'" }.joined(separator: " ") + "/>"
        }
        #expect(Sample.fault(element(256)) == nil)
        for count in [257, 100_000] {
            #expect(Sample.fault(element(count)) == .refused("more than 256 attributes of one element"))
        }
    }

    @Test func theGrowthOfADocumentIsBounded() {
        let members = (0..<200).map { XMLMember("aMemberWithALongName\($0)", .list(.text)) }
        let document = "<r>" + String(repeating: "<a/>", count: 2_000) + "</r>"
        #expect(throws: JSONError.self) {
            try Sample.json(document, .object([XMLMember("a", .list(.object(members)))]))
        }
    }

    /// More than what libxml2 accepts as one text by default.
    @Test(.timeLimit(.minutes(1))) func megabytesOfTextAreReadOrRefused() {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 16 << 20)
        let fault = Sample.fault(Array("<r>".utf8) + text + Array("</r>".utf8))
        #expect(fault == nil || fault == .invalidSyntax)
        let attribute = Sample.fault(Array("<r a=\"".utf8) + text + Array("\"/>".utf8))
        #expect(attribute == nil || attribute == .invalidSyntax)
    }

    @Test(arguments: [
        "", " ", "text", "<", "<r", "<r>", "<r></s>", "<r/><s/>", "<a><b></a></b>", "<r a=1/>", "<r a='1' a='2'/>",
        "<r>\u{1}</r>", "<r>&#0;</r>", "<r>&#xD800;</r>", "<r>]]></r>", "<r><![CDATA[</r>", "<p:r/>", "<1/>", "{}",
        "<r/>text", "<r>&lt</r>", "<!-- -- --><r/>", "<!-- x --><?xml\tversion='1.0'?><r/>",
        "<?xml version='1.0'?><?xml version='1.0'?><r/>",
        // A processing instruction in a tag, on which the parser of Foundation on Linux crashes.
        "<r<?p?>a</r>", "<r a='<?p?>'/>", "<r a='b'<?p?>></r>", "<r a=\"b>'<?p?></r>", "<r></r<?p?>>",
        "<r><!x<?p?>></r>",
    ])
    func damagedDocuments(_ document: String) {
        #expect(Sample.fault(document) != nil)
    }

    @Test func aTruncatedDocumentIsRefusedWhereverItEnds() {
        let document = Array(
            #"<?xml version="1.0"?><r a="1"><b>text &amp; more</b><![CDATA[x]]><!-- y --><c d='2'/></r>"#.utf8)
        #expect(Sample.fault(document) == nil)
        for length in 0..<document.count { #expect(Sample.fault(Array(document.prefix(length))) != nil, "\(length)") }
    }

    @Test(
        arguments: [
            [0xC3, 0x28], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF8, 0x88, 0x80, 0x80], [0xFF], [0xC0, 0x80],
        ] as [[UInt8]])
    func bytesThatAreNoText(_ bytes: [UInt8]) {
        #expect(Sample.fault(Array("<r>".utf8) + bytes + Array("</r>".utf8)) != nil)
        #expect(Sample.fault(Array("<r a=\"".utf8) + bytes + Array("\"/>".utf8)) != nil)
        #expect(Sample.fault(Array("<r".utf8) + bytes + Array("/>".utf8)) != nil)
        #expect(Sample.fault(Array("<r a".utf8) + bytes + Array("='1'/>".utf8)) != nil)
        #expect(Sample.fault([0xFE, 0xFF, 0x00, 0x3C, 0xD8, 0x00, 0x00, 0x3E]) != nil)
    }

    /// A fault is at a place, and shows nothing of the document.
    @Test func aFaultHasItsPlace() {
        do {
            _ = try Sample.json("<r>\n<a>secret</b>\n</r>")
            Issue.record("it is not well-formed")
        } catch {
            #expect(error.code == .invalidSyntax)
            #expect((4...17).contains(error.byteOffset), "\(error.byteOffset)")
            #expect(!"\(error)".contains("secret"))
        }
    }
}
