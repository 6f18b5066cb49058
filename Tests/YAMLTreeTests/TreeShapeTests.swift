import Diagnostics
import Testing

@testable import YAMLTree

/// The values that a decoder reads from a tree.
@Suite struct TreeShapeTests {
    private func document(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> YAMLDocument {
        let parsed = YAMLParser().parse(text, file: "a.yaml")
        #expect(parsed.diagnostics.isEmpty, sourceLocation: location)
        return try #require(parsed.document, sourceLocation: location)
    }

    @Test(arguments: ["on", "no", "0100", "1.10", "~", "null", "1e3", "0x1F", "2001-01-01", "string?", "/users/{id}"])
    func plainTextIsNotInterpreted(_ text: String) throws {
        let scalar = try #require(try document("a: \(text)\n").root.mapping?["a"]?.scalar)
        #expect(scalar.value == text)
        #expect(scalar.sourceText == text)
        #expect(scalar.isPlain)
        #expect(scalar.isNullLiteral == ["~", "null"].contains(text))
        #expect(!scalar.isAbsent)
    }

    @Test func stylesAndValues() throws {
        let text = "[p q, 's''t', \"u\\nv\", \"\"]\n"
        let items = try #require(try document(text).root.sequence)
        #expect(items.map(\.text) == ["p q", "s't", "u\nv", ""])
        #expect(items.map(\.sourceText) == ["p q", "'s''t'", "\"u\\nv\"", "\"\""])
        #expect(items.map(\.scalar?.style) == [.plain, .singleQuoted, .doubleQuoted, .doubleQuoted])
        #expect(items.allSatisfy { $0.scalar?.isNullLiteral == false })
        #expect(items.isFlow)

        let blocks = try #require(
            try document("a: | # c\n  x\n   y\n\nb: >-\n  x\n  y\n\n# d\nc: |+\n  z\n\n").root.mapping)
        #expect(blocks.map(\.value.text) == ["x\n y\n", "x y", "z\n\n"])
        #expect(blocks.map(\.value.sourceText) == ["| # c\n  x\n   y", ">-\n  x\n  y", "|+\n  z"])
        #expect(blocks.map(\.value.scalar?.style) == [.literal, .folded, .literal])
        #expect(!blocks.isFlow)
        #expect(blocks.node.document.comments.map(\.text) == ["c", "d"])
    }

    @Test func absentIsNotNull() throws {
        let root = try #require(try document("a:\nb: null\nc: {token}\nd: ''\n").root.mapping)
        #expect(root["a"]?.isAbsent == true)
        #expect(root["a"]?.isNullLiteral == true)
        #expect(root["a"]?.kindName == "nothing")
        #expect(root["a"]?.range.description == "a.yaml:1:3")
        #expect(root["b"]?.isAbsent == false)
        #expect(root["b"]?.isNullLiteral == true)
        #expect(root["d"]?.isAbsent == false)
        #expect(root["c"]?.kindName == "a mapping")
        #expect(root["c"]?.sourceText == "{token}")
        #expect(root["c"]?.mapping?["token"]?.isAbsent == true)
        #expect(root["e"] == nil)
        #expect(root.keys == ["a", "b", "c", "d"])
    }

    @Test func rangesOfCollectionsEndWithTheirLastChild() throws {
        let text = "a:\n  b: 1\n  c:\n  - x\n  - [y,\n     z]\n\n# later\nd: 2\n"
        let root = try document(text).root
        #expect(root.mapping?["a"]?.sourceText == "b: 1\n  c:\n  - x\n  - [y,\n     z]")
        #expect(root.mapping?["a"]?.mapping?["c"]?.sourceText == "- x\n  - [y,\n     z]")
        #expect(root.sourceText == text.dropLast())
    }

    @Test func columnsCountScalarsAndOffsetsCountBytes() throws {
        for (text, lineBreak) in [
            ("# é\r\n日本: 👩‍👧\r\nx: y\r\n", 2), ("# é\n日本: 👩‍👧\nx: y\n", 1), ("# é\r日本: 👩‍👧\rx: y\r", 1),
        ] {
            for mark in ["", "\u{FEFF}"] {
                let root = try #require(try document(mark + text).root.mapping)
                let family = root[0].value.range
                let before = mark.utf8.count + 4 + lineBreak + 8
                #expect(family.start == SourcePosition(line: 2, column: 5, offset: before))
                #expect(family.end == SourcePosition(line: 2, column: 8, offset: before + 11))
                #expect(root["x"]?.range.start.line == 3)
                #expect(root["x"]?.sourceText == "y")
                #expect(root[0].key.text == "日本")
            }
        }
    }

    @Test func aliasesPointAtTheirDefinition() throws {
        let marked = MarkedText("a: &x {b: «c»}\nd: [*x, ‹*x›]\ne: &y \"z\"\n*y : f\n")
        let root = try #require(try document(marked.text).root.mapping)
        let last = try #require(root["d"]?.sequence?.last)
        let value = try #require(last.mapping?["b"])
        #expect(value.text == "c")
        #expect(value.range.start.offset == marked.range?.lowerBound)
        #expect(last.aliasRange?.start.offset == marked.second?.lowerBound)
        #expect(value.aliasRange?.start.offset == marked.second?.lowerBound)
        #expect(root["a"]?.aliasRange == nil)
        #expect(root["a"]?.anchor?.name == "x")
        #expect(root["a"]?.sourceText == "{b: c}")
        #expect(root["e"]?.sourceText == "\"z\"")
        #expect(root["z"]?.text == "f")
    }

    @Test func anchorOnAValueIsSeen() throws {
        let node = try #require(try document("a: &x # why\n  y\n").root.mapping?["a"])
        #expect(node.anchor?.name == "x")
        #expect(node.anchor?.range.start.column == 4)
        #expect(node.text == "y")
        #expect(node.sourceText == "y")
    }

    @Test func commentsKnowTheirPlace() throws {
        let text = "# top\na: \"#1\" # one\n\n# two\n  # three\nb: c#d # four\ne: #fff\nf: [x, # five\n  y]\n"
        let document = try document(text)
        let root = try #require(document.root.mapping)
        #expect(document.comments.map(\.text) == ["top", "one", "two", "three", "four", "fff", "five"])
        #expect(document.comments.map(\.isAlone) == [true, false, true, true, false, false, false])
        #expect(root["a"].flatMap(document.trailingComment)?.text == "one")
        #expect(root["e"].flatMap(document.trailingComment)?.text == "fff")
        #expect(root["e"].flatMap(document.trailingComment)?.range.description == "a.yaml:7:4")
        #expect(root["f"]?.sequence?.first.flatMap(document.trailingComment)?.text == "five")
        #expect(root["f"]?.sequence?.last.flatMap(document.trailingComment) == nil)
    }

    @Test func aPartOfAValueHasAPlace() throws {
        let marked = MarkedText("é: \"/users/{«userID»:int}\"\n")
        let scalar = try #require(try document(marked.text).root.mapping?[0].value.scalar)
        let range = scalar.range(ofValue: 8..<14)
        #expect(scalar.node.document.text(of: range) == "userID")
        #expect(range.start.offset == marked.range?.lowerBound)
        let escaped = try #require(try document("\"a\\tb\"").root.scalar)
        #expect(escaped.range(ofValue: 0..<1) == escaped.range)
        #expect(scalar.range(ofValue: 3..<99) == scalar.range)
    }

    @Test func keysOfLargeMappingsAreCompared() throws {
        let text = (0..<500).map { "\"k\($0)\": \($0)\n" }.joined()
        let root = try #require(try document(text).root.mapping)
        #expect(root["k499"]?.text == "499")
        #expect(root["k500"] == nil)
        // Two ways of writing é are two keys, in a large mapping as in a small one.
        let accents = try #require(try document("e\u{301}: 1\n\u{E9}: 2\n" + text).root.mapping)
        #expect(accents["\u{E9}"]?.text == "2")
        let few = try #require(try document("e\u{301}: 1\n\u{E9}: 2\n").root.mapping)
        #expect(few["\u{E9}"]?.text == "2")
    }
}
