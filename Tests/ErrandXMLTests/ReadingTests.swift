import ErrandJSON
import ErrandRuntime
import ErrandXML
import Testing

/// What documents become in JSON.
@Suite struct ReadingTests {
    private static let book = XMLShape.object([
        XMLMember("@id", .number), XMLMember("title", .text), XMLMember("pages", .number),
        XMLMember("isNew", .bool), XMLMember("author", .list(.text)), XMLMember("tags/tag", .list(.token)),
        XMLMember("note", .list(.text), optional: true),
    ])

    @Test func attributesElementsAndLists() throws {
        let document = """
            <book id=" 7 "><title> A  </title><pages>+042</pages><isNew>1</isNew><author>Ada</author>
            <tags><tag> x </tag><other/></tags></book>
            """
        #expect(
            try Sample.json(document, Self.book) == """
                {"@id":7,"title":" A  ","pages":42,"isNew":true,"author":["Ada"],"tags/tag":["x"]}
                """)
    }

    /// `True`: djangorestframework-xml 2.0.0, dict2xml 1.7.8.
    @Test(arguments: [("true", "true"), ("0", "false"), (" True ", "true"), ("False", "false"), ("TRUE", "\"TRUE\"")])
    func aBool(text: String, isReadAs json: String) throws {
        let shape = XMLShape.object([XMLMember("isNew", .bool)])
        #expect(try Sample.json("<book><isNew>\(text)</isNew></book>", shape) == "{\"isNew\":\(json)}")
    }

    @Test func aListWithoutElementsIsEmptyUnlessItIsOptional() throws {
        #expect(try Sample.json("<book/>", Self.book) == #"{"author":[]}"#)
        #expect(try Sample.json("<book><tags/></book>", Self.book) == #"{"author":[],"tags/tag":[]}"#)
    }

    @Test func textBesideAttributes() throws {
        let shape = XMLShape.object([XMLMember("@currency", .token), XMLMember(".", .number)])
        #expect(try Sample.json(#"<price currency="EUR">1.50</price>"#, shape) == #"{"@currency":"EUR",".":1.50}"#)
    }

    @Test func mixedContentIsTheTextOfAllOfIt() throws {
        let shape = XMLShape.object([XMLMember("p", .text)])
        #expect(
            try Sample.json("<r><p>a <b>bold <!-- no -->word</b><![CDATA[ & <more>]]>&amp;&#x41;</p></r>", shape)
                == #"{"p":"a bold word & <more>&A"}"#)
    }

    @Test func namesMatchInAnyNamespaceUnlessTheyStateOne() throws {
        let document = """
            <a:r xmlns:a="urn:a" xmlns="urn:b" xmlns:x="urn:x" x:k="1" k="2"><a:n>A</a:n><n>B</n></a:r>
            """
        let stated = XMLShape.object([
            XMLMember("{urn:a}n", .text), XMLMember("n", .text), XMLMember("@{urn:x}k", .number),
            XMLMember("@{}k", .number),
        ])
        #expect(try Sample.json(document, stated).hasPrefix(#"{"{urn:a}n":"A","n":"B","@{urn:x}k":1,"@{}k":2"#))
        #expect(try Sample.json(document, .object([XMLMember("n", .list(.text))])).hasPrefix(#"{"n":["A","B"]"#))
    }

    @Test func thePlainAttributeComesBeforeAForeignOne() throws {
        let document = #"<item xmlns:a="urn:a" a:name="x" name="right"/>"#
        #expect(try Sample.json(document, .object([XMLMember("@name", .text)])).hasPrefix(#"{"@name":"right""#))
        let shape = XMLShape.union(by: XMLMember("@kind", .token), ["cat": .object([XMLMember("age", .number)])])
        #expect(try Sample.json(#"<pet kind=" cat "><age>3</age></pet>"#, shape) == #"{"age":3,"@kind":"cat"}"#)
    }

    @Test func aNullListInAnElementIsNull() throws {
        let shape = XMLShape.object([XMLMember("tags/tag", .list(.text), optional: true)])
        let document = try Sample.document(#"{"tags/tag":null}"#, shape)
        #expect(document.contains(#"xsi:nil="true""#))
        #expect(try Sample.json(document, shape) == #"{"tags/tag":null}"#)
    }

    @Test func whiteSpaceInsideOfBase64DoesNotCount() throws {
        #expect(
            try Sample.json("<r><a>\nQUJD\n  REVG\n</a></r>", .object([XMLMember("a", .bytes)])) == #"{"a":"QUJDREVG"}"#
        )
    }

    /// Conditions and paths of a contract may lead to what no type names.
    @Test func whatNoShapeNamesIsKept() throws {
        let document =
            #"<error code="4"><message lang="en">No</message><detail>a</detail><detail>b</detail><none/></error>"#
        #expect(
            try Sample.json(document, .object([]))
                == #"{"@code":"4","message":{"@lang":"en",".":"No"},"detail":["a","b"],"none":""}"#)
    }

    @Test func nullIsSaidOrIsAnEmptyElement() throws {
        let shape = XMLShape.object([
            XMLMember("a", .text), XMLMember("b", .text), XMLMember("c", .number), XMLMember("d", .type("T")),
        ])
        let types = XMLTypes([XMLMember("T", .object([XMLMember("x", .text)]))])
        let document = """
            <r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><a/><b xsi:nil="true"/><c/><d xsi:nil="1"/></r>
            """
        #expect(try Sample.json(document, shape, types) == #"{"a":"","b":null,"c":null,"d":null}"#)
    }

    @Test func severalElementsWhereOneIsExpectedAreAnArray() throws {
        #expect(
            try Sample.json("<r><a>1</a><a>2</a></r>", .object([XMLMember("a", .number)])) == #"{"a":[1,2]}"#)
    }

    @Test func whatIsNoNumberStaysText() throws {
        let shape = XMLShape.object([XMLMember("n", .list(.number))])
        let numbers = ["-0", "00", "0.50", ".5", "-.5e3", "1e5", "INF", "1,5", "0x1", "--1", "1."]
        let document = "<r>" + numbers.map { "<n>\($0)</n>" }.joined() + "</r>"
        #expect(
            try Sample.json(document, shape)
                == #"{"n":[-0,0,0.50,0.5,-0.5e3,1e5,"INF","1,5","0x1","--1","1."]}"#)
    }

    @Test func mapsAndUnions() throws {
        let map = XMLShape.map(.list(.number))
        #expect(try Sample.json("<r><b>1</b><a>2</a><b>3</b></r>", map) == #"{"b":[1,3],"a":[2]}"#)
        let union = XMLShape.list(
            .union(by: XMLMember("@kind", .token), ["cat": .object([XMLMember("lives", .number)])]))
        #expect(
            try Sample.json(#"<r><p kind="cat"><lives>9</lives></p><p kind="dog"><age>1</age></p></r>"#, union)
                == #"[{"lives":9,"@kind":"cat"},{"@kind":"dog","age":"1"}]"#)
        let choice = XMLShape.choice([
            XMLMember("iban", .object([XMLMember("iban", .text)])),
            XMLMember("card", .object([XMLMember("card", .number)])),
        ])
        #expect(try Sample.json("<r><card>12</card></r>", choice) == #"{"card":12}"#)
    }

    /// RFC 7303 section 3: a mark, then the charset of the response, then the declaration.
    @Test func encodings() throws {
        let shape = XMLShape.object([XMLMember("a", .text)])
        let text = "<r><a>é€</a></r>"
        let expected = #"{"a":"é€"}"#
        func units(_ text: String, isBig: Bool) -> [UInt8] {
            text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        }
        #expect(try Sample.json([0xEF, 0xBB, 0xBF] + text.utf8, shape, charset: "iso-8859-1") == expected)
        #expect(try Sample.json([0xFE, 0xFF] + units(text, isBig: true), shape) == expected)
        #expect(try Sample.json([0xFF, 0xFE] + units(text, isBig: false), shape, charset: "utf-8") == expected)
        let declared = #"<?xml version="1.0" encoding="UTF-16"?>"# + text
        #expect(try Sample.json(units(declared, isBig: false), shape) == expected)
        #expect(try Sample.json(units(declared, isBig: true), shape, charset: "utf-16") == expected)
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><r><a>".utf8) + [0xE9] + Array("</a></r>".utf8)
        #expect(try Sample.json(latin, shape) == #"{"a":"é"}"#)
        let windows = Array("<r><a>".utf8) + [0xE9, 0x80] + Array("</a></r>".utf8)
        #expect(try Sample.json(windows, shape, charset: "Windows-1252") == expected)
        #expect(try Sample.json(Array(declared.utf8), shape, charset: "utf-8") == expected)
        #expect(Sample.fault(Array(text.utf8), charset: "koi8-r") != nil)
    }

    @Test func whiteSpaceBetweenElementsIsNoValue() throws {
        #expect(
            try Sample.json("<?xml version=\"1.0\"?>\r\n<!-- c -->\n<r>\r\n  <a>\r\n</a>\n</r>\n", .any)
                == #"{"a":"\n"}"#)
    }
}
