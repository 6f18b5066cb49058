import Diagnostics
import Testing

@Suite struct ReportTests {
    /// A diagnostic at the place marked «…», and the text without the markers.
    private func marked(_ text: String, file: String = "a.yaml") -> (text: String, range: SourceRange) {
        var plain = ""
        var positions: [SourcePosition] = []
        for scalar in text.unicodeScalars {
            if scalar == "«" || scalar == "»" {
                let lineStart =
                    plain.unicodeScalars.lastIndex(of: "\n").map { plain.unicodeScalars.index(after: $0) }
                    ?? plain.startIndex
                positions.append(
                    SourcePosition(
                        line: plain.unicodeScalars.count { $0 == "\n" } + 1,
                        column: plain.unicodeScalars.distance(from: lineStart, to: plain.endIndex) + 1,
                        offset: plain.utf8.count
                    ))
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
        return (plain, SourceRange(file: file, start: positions[0], end: positions[1]))
    }

    private func excerpt(_ text: String, width: Int = 120) -> [String] {
        let (plain, range) = marked(text)
        var report = TextReport(sources: ["a.yaml": plain])
        report.width = width
        let lines = report.render([Diagnostic(rule: .sample("r"), message: "m", at: range)]).split(separator: "\n")
        return lines.dropFirst().map { String($0.dropFirst("      | ".count)) }
    }

    @Test func showsPlaceExcerptNotesAndHelp() {
        let (text, range) = marked("a: 1\nb: 2\n  «wire»: e_mail\n")
        let (_, first) = marked("«a»: 1")
        let diagnostic = Diagnostic(
            rule: .yamlDuplicateKey, message: "it stands twice", at: range,
            notes: [DiagnosticNote("first here", at: first), DiagnosticNote("no place")], help: "rename it")
        #expect(
            TextReport(sources: ["a.yaml": text]).render([diagnostic]) == """
                a.yaml:3:3: error: it stands twice [yaml-duplicate-key]
                    3 |   wire: e_mail
                      |   ^^^^
                a.yaml:1:1: note: first here
                    1 | a: 1
                      | ^
                note: no place
                help: rename it

                """)
        #expect(
            XcodeReport().render([diagnostic]) == """
                a.yaml:3:3: error: it stands twice [yaml-duplicate-key]
                a.yaml:1:1: note: first here
                a.yaml:3:3: note: no place
                a.yaml:3:3: note: rename it

                """)
    }

    @Test func whatIsSaidOfTheSameTextIsShownOnceWithTheOtherLines() {
        let lines = (1...11).map { "b\($0 == 1 ? "x" : ""): \($0)" }.joined(separator: "\n") + "\n"
        var offset = 0
        var found: [Diagnostic] = []
        for (number, line) in lines.split(separator: "\n").enumerated() {
            let start = SourcePosition(line: number + 1, column: 1, offset: offset)
            let count = line.prefix { $0 != ":" }.count
            let end = SourcePosition(line: number + 1, column: 1 + count, offset: offset + count)
            let range = SourceRange(file: "a.yaml", start: start, end: end)
            found.append(Diagnostic(rule: .sample("r"), message: "m", at: range, help: "h"))
            offset += line.utf8.count + 1
        }
        let report = TextReport(sources: ["a.yaml": lines])
        #expect(
            report.render(found) == """
                a.yaml:1:1: error: m [r]
                    1 | bx: 1
                      | ^^
                help: h

                a.yaml:2:1: error: m [r]
                    2 | b: 2
                      | ^
                note: the same in 9 more places, in the lines 3, 4, 5, 6, 7, 8, 9, 10 and 1 more
                help: h

                """)
        #expect(!report.render(Array(found.prefix(4))).contains("the same in"), "three are shown one by one")
        #expect(report.render(Array(found.prefix(5))).contains("the same in 3 more places, in the lines 3, 4, 5\n"))
        #expect(XcodeReport().render(found).split(separator: "\n").count { $0.contains("error: m") } == 11)
    }

    @Test func aFileLevelProblemHasNoPlace() {
        let diagnostic = Diagnostic(rule: .sample("r"), severity: .warning, message: "m", file: "a.yaml")
        #expect(TextReport(sources: [:]).render([diagnostic]) == "a.yaml: warning: m [r]\n")
        #expect(XcodeReport().render([diagnostic]) == "a.yaml: warning: m [r]\n")
        #expect(TextReport(sources: [:]).render([]) == "")
    }

    @Test func caretsStandUnderWhatTheyMean() {
        #expect(excerpt("ab«»") == ["ab", "  ^"])
        #expect(excerpt("«»") == ["", "^"])
        #expect(excerpt("\ta\t«b\tc»d") == ["    a    b    cd", "         ^^^^^^"])
        #expect(excerpt("日本: «語x»") == ["日本: 語x", "      ^^^"])
        #expect(excerpt("e\u{301}: «👩‍👧»x") == ["e\u{301}: 👩‍👧x", "   ^^"])
        #expect(excerpt("a\nb «c\nd» e") == ["b c", "  ^"])
        #expect(excerpt("a: «b»\r\nc") == ["a: b", "   ^"])
        #expect(excerpt("\u{FEFF}a: «b»") == ["a: b", "   ^"])
    }

    @Test func whatATerminalWouldObeyIsWrittenOut() {
        #expect(excerpt("a\u{1B}[31m«b»") == ["a\\u{1B}[31mb", "           ^"])
        #expect(excerpt("«\u{202E}»b") == ["\\u{202E}b", "^^^^^^^^"])
        let diagnostic = Diagnostic(rule: .sample("r"), message: "a\u{1B}[31m\nb", file: "a")
        #expect(TextReport(sources: [:]).render([diagnostic]) == "a: error: a\\u{1B}[31m\\u{A}b [r]\n")
    }

    @Test func longLinesAreCutAroundTheCaret() {
        let long = String(repeating: "x", count: 50)
        #expect(excerpt("«ab»" + long, width: 30) == ["ab" + String(repeating: "x", count: 28) + "…", "^^"])
        #expect(excerpt(long + "«ab»" + long, width: 30) == ["…xxxxxxxxxxabxxxxxxxxxxxxxxxxxx…", "           ^^"])
        #expect(
            excerpt(long + "«ab»", width: 30) == [
                "…" + String(repeating: "x", count: 28) + "ab", String(repeating: " ", count: 29) + "^^",
            ])
        let endless = String(repeating: "é", count: 100_000)
        #expect(
            excerpt(endless + "«ab»" + endless, width: 30) == ["…ééééééééééabéééééééééééééééééé…", "           ^^"])
    }

    @Test func bytesThatAreNotUTF8AreShown() {
        let bytes: [UInt8] = [0x61, 0xFF, 0x62]
        let start = SourcePosition(line: 1, column: 2, offset: 1)
        let range = SourceRange(file: "a", start: start, end: SourcePosition(line: 1, column: 3, offset: 2))
        let text = TextReport(source: { _ in bytes }).render([Diagnostic(rule: .sample("r"), message: "m", at: range)])
        #expect(text == "a:1:2: error: m [r]\n    1 | a\\xFFb\n      |  ^^^^\n")
    }

    @Test func aRangeOutsideTheTextHasNoExcerpt() {
        let start = SourcePosition(line: 9, column: 1, offset: 99)
        let diagnostic = Diagnostic(
            rule: .sample("r"), message: "m", at: SourceRange(file: "a", start: start, end: start))
        #expect(TextReport(sources: ["a": "b"]).render([diagnostic]) == "a:9:1: error: m [r]\n")
    }

    @Test func colorsOnlyWhenAsked() {
        let (text, range) = marked("a: «b»")
        var report = TextReport(sources: ["a.yaml": text])
        let diagnostic = Diagnostic(rule: .sample("r"), message: "m", at: range)
        #expect(!report.render([diagnostic]).contains("\u{1B}"))
        report.usesColor = true
        #expect(report.render([diagnostic]).contains("\u{1B}[1;31merror:\u{1B}[0m m [r]"))
    }

    @Test func theSummaryCounts() {
        func found(_ severity: Severity) -> Diagnostic {
            Diagnostic(rule: .sample("r"), severity: severity, message: "m", file: "a")
        }
        #expect(summary(of: []) == "no problems")
        #expect(summary(of: [found(.error), found(.warning), found(.error)]) == "2 errors, 1 warning")
    }

    @Test func noFormatLetsTextBreakOutOfIt() {
        let place = SourcePosition(line: 2, column: 3, offset: 9)
        let end = SourcePosition(line: 2, column: 5, offset: 11)
        let hostile = "50 % <b>\"x\"</b>,\n::error::y & \u{1}"
        let finding = Diagnostic(
            rule: .sample("r"), severity: .warning, message: hostile,
            at: SourceRange(file: "a b,c:d.yaml", start: place, end: end), help: "no]]>")
        #expect(
            GitHubReport().render([finding])
                == "::warning file=a b%2Cc%3Ad.yaml,line=2,endLine=2,col=3,endColumn=5,title=r::50 %25 <b>\"x\"</b>,%0A::error::y & \\u{1}%0Ano]]>\n"
        )
        let junit = JUnitReport().render([finding], files: ["fine.yaml"])
        #expect(junit.contains("<testsuite name=\"fine.yaml\" tests=\"1\" failures=\"0\">"))
        #expect(junit.contains("message=\"50 % &lt;b&gt;&quot;x&quot;&lt;/b&gt;,\n::error::y &amp; \u{FFFD}\""))
        let json = JSONReport().render([finding])
        #expect(json.contains("\"message\": \"50 % <b>\\\"x\\\"</b>,\\n::error::y & \\u0001\""))
        #expect(json.contains("\"summary\": {\n    \"errors\": 0,\n    \"warnings\": 1,\n    \"notes\": 0\n  }"))
        let sarif = SARIFReport(version: "1.0.0", rules: []).render([finding])
        #expect(sarif.contains("\"uri\": \"a%20b,c%3Ad.yaml\""))
    }
}
