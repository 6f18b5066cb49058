import Diagnostics
import Testing

@testable import YAMLTree

/// One mistake: where it is reported («…»), where the note points (‹…›), by which rule, and what the help says to write.
struct Mistake: Sendable, CustomTestStringConvertible {
    let rule: String
    let yaml: String
    let help: String

    init(_ rule: String, _ yaml: String, help: String = "") {
        (self.rule, self.yaml, self.help) = (rule, yaml, help)
    }

    var testDescription: String { "\(rule): \(yaml.debugDescription)" }

    /// Checks that this is the only thing reported.
    func check(in parsed: [Diagnostic], _ marked: MarkedText) throws {
        try #require(parsed.count == 1, "\(parsed)")
        let found = parsed[0]
        #expect(found.rule == rule)
        #expect(help.isEmpty || found.help?.contains(help) == true, "\(found.help ?? "no help")")
        if let range = marked.range {
            #expect(found.range.map { $0.start.offset..<$0.end.offset } == range, "\(String(describing: found.range))")
        } else {
            #expect(found.range == nil)
        }
        let note = found.notes.first?.range
        if let second = marked.second {
            #expect(note.map { $0.start.offset..<$0.end.offset } == second)
        }
    }
}

@Suite struct SyntaxExplanationTests {
    static let mistakes: [Mistake] = [
        // Text after something complete
        Mistake("yaml-text-after-list", "a:\n  values: [User] «= []»\n  b: 1\n", help: "\"[User] = []\""),
        Mistake("yaml-text-after-list", "a: {b: [User] «= []»}\n", help: "\"[User] = []\""),
        Mistake("yaml-text-after-list", "[a] «b»\n", help: "\"[a] b\""),
        Mistake("yaml-text-after-list", "a:\n  tags: [string]«?»\n", help: "\"[string]?\""),
        Mistake("yaml-text-after-list", "a:\n  tags: [[string], b]«?»\n  c: d\n", help: "\"[[string], b]?\""),
        Mistake("yaml-text-after-mapping", "a:\n  tags: {string: int}«?»\n", help: "\"{string: int}?\""),
        Mistake("yaml-text-after-mapping", "a: {b: c} «= x» # no\n", help: "\"{b: c} = x\""),
        Mistake("yaml-text-after-quote", "a: \"x\" «y»\nb: 1\n", help: "'\"x\" y'"),
        Mistake("yaml-text-after-quote", "a: [b, \"x\" «= 2», c]\n", help: "'\"x\" = 2'"),
        Mistake("yaml-text-after-quote", "a: 'it'«s x'»\n", help: "write \"it's x\""),

        // Braces inside brackets
        Mistake("yaml-braces-in-brackets", "a: {get: «/users/{id}»}\n", help: "\"/users/{id}\""),
        Mistake("yaml-braces-in-brackets", "a: {get: «/users/{id}/x», b: c}\n", help: "\"/users/{id}/x\""),
        Mistake("yaml-braces-in-brackets", "a: {url: «http://{port=8080}/v1»}\n", help: "\"http://{port=8080}/v1\""),
        Mistake("yaml-braces-in-brackets", "a: {pattern: «[0-9]{2,3}»}\n", help: "\"[0-9]{2,3}\""),
        Mistake("yaml-braces-in-brackets", "a: {pattern: «\\d{2,3}», b: c}\n", help: "'\\d{2,3}'"),

        // Characters that cannot begin a text
        Mistake("yaml-reserved-start", "a: «@foo»\n", help: "\"@foo\""),
        Mistake("yaml-reserved-start", "a: «`foo`»\n", help: "\"`foo`\""),
        Mistake("yaml-reserved-start", "a: [«%foo», b]\n", help: "\"%foo\""),
        Mistake("yaml-reserved-start", "a: «&privateKey={key}»\nb: 1\n", help: "\"&privateKey={key}\""),
        Mistake("yaml-reserved-start", "a: {x: «&», b: 1}\n", help: "\"&\""),
        Mistake("yaml-reserved-start", "a: «*.json»\n", help: "\"*.json\""),
        Mistake("yaml-reserved-start", "a: «>=5»\n", help: "\">=5\""),
        Mistake("yaml-reserved-start", "a: «? x»\n", help: "\"? x\""),
        Mistake("yaml-reserved-start", "a: «, x»\n", help: "\", x\""),
        Mistake("yaml-directive", "«%foo»\nb: 1\n", help: "\"%foo\""),
        Mistake("yaml-directive", "«%YAML 3.0»\n---\nb: 1\n"),
        Mistake("yaml-tag", "a: «!foo!bar x»\n", help: "\"!foo!bar x\""),
        Mistake("yaml-tag", "a: «!<»\n", help: "\"!<\""),

        // Colons and dashes
        Mistake("yaml-colon-in-text", "a: «Note: this» # why\nb: 1\n", help: "\"Note: this\""),
        Mistake("yaml-colon-in-text", "a: {b: «Note: this»}\n", help: "\"Note: this\""),
        Mistake("yaml-missing-space", "a: 1\nb«:»2\nc: 3\n", help: "'b: 2'"),
        Mistake("yaml-missing-colon", "a: 1\n«foo»\nc: 3\n"),
        Mistake("yaml-missing-colon", "«foo»\nbar: 1\n"),
        Mistake("yaml-missing-key", "«:» x\n"),
        Mistake("yaml-list-beside-key", "a: «- x»\n", help: "\"- x\""),

        // Indentation
        Mistake("yaml-tab-indentation", "a:\n«\t»b: 1\n"),
        Mistake("yaml-tab-indentation", "a:\n  b: 1\n«\t»c: 2\n"),
        Mistake("yaml-indentation", "a:\n    ‹b: 1›\n  «c»: 2\n", help: "indent it by 4"),
        Mistake("yaml-indentation", "‹a:›\n  b:\n    c: 1\n «d»:\n  e: 1\n", help: "indent it by 0"),
        Mistake("yaml-indentation", "a:\n  ‹b:›\n    c: 1\n «d»:\n    e: 1\n", help: "indent it by 2"),
        Mistake("yaml-indentation", "a:\n  ‹b:›\n  «c: 1»\n    d: 2\n", help: "indent it by 4"),
        Mistake("yaml-indentation", "a:\n  b:\n    ‹c: 1›\n  «d: 2»\n    e: 3\n", help: "indent it by 4"),
        Mistake("yaml-indentation", "a:\n  ‹b: 1›\n   «c»: 2\n", help: "indent it by 2"),
        Mistake("yaml-indentation", "a:\n  ‹-› x\n  «b»: 1\n", help: "'- item'"),
        Mistake("yaml-indentation", "a:\n  ‹x›: 2\n  «-» b\n", help: "'key: value'"),
        Mistake("yaml-indentation", " ‹a: 1›\n«b»: 2\n"),

        // Quotes and brackets
        Mistake("yaml-unclosed-quote", "a: «\"»foo\nb: 1\n"),
        Mistake("yaml-unclosed-quote", "a: «'»foo\nb: 1\n", help: "''"),
        Mistake("yaml-unclosed-quote", "a: «\"»foo\nb: \"bar\"\nc: 1\n"),
        Mistake("yaml-unclosed-quote", "a: «\"»x\n---\ny\"\n"),
        Mistake("yaml-unclosed-bracket", "a: «[»x, y\nb‹:› 1\n", help: "']'"),
        Mistake("yaml-unclosed-bracket", "a: «{»x: y,\nb: [1, 2]\n‹c›:\n  - x\n", help: "'}'"),
        Mistake("yaml-unclosed-bracket", "a: «[»#\n"),
        Mistake("yaml-unclosed-bracket", "a: «{»text: See #4, b: 1}\nc: 1\n", help: "\"See #4\""),
        Mistake("yaml-unclosed-bracket", "a: «{»b: '#1 ', text: Room #4 is gone}\n", help: "\"Room #4 is gone\""),
        Mistake("yaml-unclosed-bracket", "a: «{»b: 1, # the first\n  c: 2\nd‹:› 1\n", help: "'}'"),
        Mistake("yaml-mismatched-bracket", "a: ‹[›x«}»\n"),
        Mistake("yaml-unexpected-bracket", "b: {a: x}«}»\nc: d\n"),
        Mistake("yaml-unexpected-bracket", "a: 1\n«]»\n"),
        Mistake("yaml-missing-value", "a: {b: c,«,» d: e}\n"),
        Mistake("yaml-unknown-escape", "a: \"^«\\d»{2}$\"\n", help: "'^\\d{2}$'"),
        Mistake("yaml-unknown-escape", "a: \"«\\x»1\"\n"),
    ]

    @Test(arguments: mistakes)
    func saysWhatToWrite(_ mistake: Mistake) throws {
        let marked = MarkedText(mistake.yaml)
        let parsed = YAMLParser().parse(marked.text, file: "a.yaml")
        #expect(parsed.document == nil)
        try mistake.check(in: parsed.diagnostics, marked)
    }

    @Test(arguments: mistakes)
    func fixIsYAMLAgain(_ mistake: Mistake) throws {
        let marked = MarkedText(mistake.yaml)
        let parsed = YAMLParser().parse(marked.text, file: "a.yaml")
        guard let fix = parsed.diagnostics.first?.fix else { return }
        var bytes = Array(marked.text.utf8)
        for edit in fix.edits.sorted(by: { $0.range.start > $1.range.start }) {
            bytes.replaceSubrange(edit.range.start.offset..<edit.range.end.offset, with: edit.replacement.utf8)
        }
        let mended = YAMLParser().parse(bytes, file: "a.yaml")
        #expect(mended.diagnostics.isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
    }

    /// Lines that end otherwise are the same lines.
    @Test(arguments: mistakes)
    func aFileFromWindowsIsToldTheSame(_ mistake: Mistake) {
        let text = MarkedText(mistake.yaml).text
        let windows = text.replacing("\n", with: "\r\n")
        let parser = YAMLParser()
        #expect(
            TextReport(sources: ["a.yaml": windows]).render(parser.parse(windows, file: "a.yaml").diagnostics)
                == TextReport(sources: ["a.yaml": text]).render(parser.parse(text, file: "a.yaml").diagnostics))
    }

    @Test func whatWasFoundBeforeASyntaxErrorIsReportedToo() {
        let parsed = YAMLParser().parse("a: 1\na: 2\nb: *c\nd: [x\ne: 1\nf: ]\n", file: "a.yaml")
        #expect(
            parsed.diagnostics.map(\.rule) == ["yaml-duplicate-key", "yaml-unknown-alias", "yaml-unclosed-bracket"])
        #expect(parsed.document == nil)
    }

    @Test func tabsOfFurtherLinesAreCounted() {
        let parsed = YAMLParser().parse("a:\n\tb: 1\n\tc: 2\n\td: 3\n", file: "a.yaml")
        #expect(parsed.diagnostics.map(\.notes.first?.message) == ["so are 2 lines after it"])
    }
}
