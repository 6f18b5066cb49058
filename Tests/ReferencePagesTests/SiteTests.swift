import ContractChecks
import ContractModel
import Foundation
import SwiftEmitter
import TestPrograms
import Testing

@testable import ReferencePages

/// The pages as a whole: their markup, their links and their size.
@Suite struct SiteTests {
    @Test func shippedContractsMakeOneSiteWithoutProblems() throws {
        let contracts = try SampleSite.shipped.map { try SampleSite.contract($0) } + [SampleSite.everything()]
        let files = try SampleSite.files(contracts)
        #expect(SampleSite.problems(files).isEmpty, "\(SampleSite.problems(files).prefix(10))")
        for contract in contracts {
            let folder = contract.service.value
            for endpoint in contract.endpoints {
                #expect(files["\(folder)/\(endpoint.name.value).html"] != nil, "\(folder) \(endpoint.name.value)")
            }
            #expect(files["index.html"]?.contains("href=\"\(folder)/index.html\"") == true)
        }
        for (path, text) in files {
            #expect(GeneratedMarker.isPresent(in: Array(text.utf8)), "\(path)")
            // Pages open from the disk: nothing comes from elsewhere.
            for word in ["src=\"http", "href=\"http", "@import", "url("] {
                #expect(!text.contains(word), "\(path): \(word)")
            }
        }
    }

    /// A reader that looks for problems finds them.
    @Test func aBrokenPageHasProblems() {
        let page = { (body: String) in "<html><body>\(body)</body></html>" }
        for body in [
            "<h1>A</h1><p>", "<h1>A</h1><h3>B</h3>", "<h1>A</h1><a href=\"b.html\">b</a>",
            "<h1>A</h1><a href=\"#b\">b</a>",
            "<h1 id=\"a\">A</h1><p id=\"a\"></p>", "<p></p>", "<h1>A</h1> a < b",
            "<h1>A</h1>" + String(repeating: "a", count: 300_000),
        ] {
            #expect(!SampleSite.problems(["a.html": page(body)]).isEmpty, "\(body.prefix(60))")
        }
    }

    /// The same templates make the pages of a harmless text and those of a hostile one.
    @Test(arguments: PageFormat.allCases) func textIsNeverMarkup(_ format: PageFormat) throws {
        func contract(_ text: String) throws -> [String: String] {
            try SampleSite.files([SampleSite.contract(text: HostileContract.contract(text))], format)
        }
        let names = Set(try contract("harmless").keys)
        for text in HostileContract.texts {
            let files = try contract(text)
            #expect(Set(files.keys) == names)
            guard format == .html else { continue }
            #expect(SampleSite.problems(files).isEmpty, "\(text): \(SampleSite.problems(files).prefix(3))")
            for (path, file) in files where path.hasSuffix(".html") {
                let page = ReadPage(file)
                for element in page.elements {
                    #expect(!["img", "b", "details", "iframe", "style"].contains(element.name), "\(path): \(text)")
                    for attribute in element.attributes {
                        #expect(!attribute.name.hasPrefix("on"), "\(path): \(text)")
                    }
                    if element.name == "script" {
                        #expect(element["src"] == "../search.js" || element["src"] == "search.js")
                    }
                }
                #expect(!file.unicodeScalars.contains("\u{202E}") && !file.unicodeScalars.contains("\u{2066}"))
            }
            #expect(files["index.js"]?.utf8.contains(UInt8(ascii: "<")) == false)
        }
        guard format == .html else { return }
        let page = ReadPage(try contract("<script>alert(1)</script>")["Shop/buy.html"] ?? "")
        #expect(page.text.contains("<script>alert(1)</script>"), "the text is shown as it is")
    }

    /// Programs that others wrote read the same pages: html5lib as a strict validator, and markdown-it with the extensions of GitHub.
    @Test(.enabled(if: PythonTools.areInstalled, "scripts/install-python-tools installs it"))
    func othersReadThePagesAsTheyAreMeant() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pages-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ files: [String: String], to name: String) throws {
            for (path, text) in files {
                let url = folder.appendingPathComponent(name).appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
        }
        let contracts = try ["bank", "presence"].map { try SampleSite.contract($0) } + [SampleSite.everything()]
        for format in PageFormat.allCases {
            try write(SampleSite.files(contracts, format), to: "shipped-\(format)")
            for (number, text) in HostileContract.texts.enumerated() {
                let contract = try SampleSite.contract(text: HostileContract.contract(text))
                try write(SampleSite.files([contract], format), to: "hostile-\(format)-\(number)")
            }
        }
        let process = Process()
        process.executableURL = PythonTools.python
        process.arguments = ["-c", Self.reader, folder.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(output.prefix(3000))")
        #expect(output.hasPrefix("read "), "\(output.prefix(3000))")
    }

    private static let reader = #"""
        import html5lib, os, sys
        from markdown_it import MarkdownIt
        markdown = MarkdownIt("commonmark", {"linkify": True, "html": True}).enable(["table", "strikethrough", "linkify"])
        allowed = {"html", "head", "body", "h1", "h2", "h3", "h4", "p", "a", "code", "strong", "table", "thead", "tbody", "tr", "th", "td",
                   "ul", "li", "pre"}
        problems, pages, kinds = [], 0, {}
        for folder, _, names in os.walk(sys.argv[1]):
            for name in names:
                path = os.path.join(folder, name)
                text = open(path, encoding="utf-8").read()
                if name.endswith(".html"):
                    parser = html5lib.HTMLParser()
                    parser.parse(text)
                    problems += [f"{path}: {place}: {kind} {about}" for place, kind, about in parser.errors]
                elif name.endswith(".md"):
                    tree = html5lib.parseFragment(markdown.render(text), namespaceHTMLElements=False)
                    tags = [each.tag for each in tree.iter() if isinstance(each.tag, str) and each.tag != "DOCUMENT_FRAGMENT"]
                    problems += [f"{path}: <{tag}>" for tag in tags if tag not in allowed]
                    for each in tree.iter("a"):
                        if any(word in each.get("href", "") for word in ("evil", "script")): problems.append(f"{path}: a link")
                    case, page = os.path.relpath(path, sys.argv[1]).split(os.sep, 1)
                    # Neither rows, nor headings, nor items, nor links come or go with a text.
                    shape = {tag: tags.count(tag) for tag in ("h1", "h2", "h3", "table", "tr", "th", "td", "li", "a", "pre", "strong")}
                    if case.startswith("hostile"):
                        first = kinds.setdefault(page, (case, shape))
                        if first[1] != shape: problems.append(f"{path}: {shape} and in {first[0]} {first[1]}")
                else:
                    continue
                pages += 1
        print(f"read {pages} pages" if pages > 200 and not problems else "\n".join(problems[:40]) or f"only {pages} pages")
        sys.exit(bool(problems))
        """#

    // MARK: Size

    @Test func longListsAreSplitAndLinksStillLead() throws {
        var text = "errand: 1\nservice: Large\nversion: 1.0.0\nservers: {main: https://large.example}\nerrors:\n"
        for number in 0..<900 {
            text +=
                "  error\(number): {category: nonRetryable, when: {status: 409, code: \"\(number)\"}, message: Something went wrong at last., doc: \"\(String(repeating: "why & ", count: 30))\"}\n"
        }
        text += "envelopes: {standard: {code: code}}\ndefaults: {envelope: standard}\ntypes:\n"
        for number in 0..<900 { text += "  Type\(number): {a: string, b: Type\((number + 1) % 900)?, c: [int]}\n" }
        text += "  Wide:\n"
        for number in 0..<2500 { text += "    field\(number): {type: string?, doc: One of very many fields.}\n" }
        text +=
            "endpoints:\n  find: {get: /find, response: Wide, errors: [\((0..<900).map { "error\($0)" }.joined(separator: ", "))]}\n"
        text += "  last: {get: /last, response: Type899}\n"
        let files = try SampleSite.files([SampleSite.contract(text: text)])
        #expect(SampleSite.problems(files).isEmpty, "\(SampleSite.problems(files).prefix(5))")
        #expect(files["Large/errors.2.html"] != nil && files["Large/types.2.html"] != nil)
        let fields = files.filter { $0.key.hasPrefix("Large/types") }.values.reduce(0) { count, page in
            count + page.components(separatedBy: "One of very many fields.").count - 1
        }
        #expect(fields == 2500, "every field is on a page")
        #expect(files["Large/find.html"]?.contains("href=\"errors.html#error0\"") == true)
    }

    /// Texts that are longer than a page do not make it larger.
    @Test func hugeTextsAreCut() throws {
        let huge = String(repeating: "\\\"<&", count: 40_000)
        let long = String(huge.prefix(6_000))
        let fields = (0..<150).map { "p\($0): {type: string?, doc: \"\(long)\"}" }.joined(separator: ", ")
        let files = try SampleSite.files([
            SampleSite.contract(
                text: """
                    errand: 1
                    service: Large
                    version: 1.0.0
                    servers: {main: https://large.example}
                    doc: "\(huge)"
                    types: {Word: {doc: "\(huge)", fields: {a: {type: string, doc: "\(huge)"}, \(fields)}}}
                    endpoints:
                      find: {get: /find, doc: "\(huge)", query: {\(fields)}, response: Word}
                    """)
        ])
        #expect(files["Large/find.html"]?.contains("<code>p0</code>") == true, "something is left")
        #expect(SampleSite.problems(files).isEmpty, "\(SampleSite.problems(files).prefix(5))")
    }

    @Test func namesOfOnePathGetDifferentFiles() throws {
        var names = PageNames(taken: ["index"])
        #expect(
            ["Index", "a", "A", "a/b", "a.b", "", "ä"].map { names.name(for: $0) } == [
                "Index-2", "a", "A-2", "a-b", "a-b-2", "-", "--2",
            ])
    }

    /// Names that differ only behind what a file's name takes of them.
    @Test func manyNamesWithOneBeginningGetNumbers() {
        var names = PageNames()
        let long = String(repeating: "n", count: 90)
        let made = (1...20_000).map { names.name(for: long + "\($0)") }
        let cut = String(repeating: "n", count: 80)
        #expect(made.prefix(3) == [cut, cut + "-2", cut + "-3"] && made.last == cut + "-20000")
        #expect(Set(made).count == made.count)
    }

    // MARK: Templates

    @Test func aTemplateOfAUserIsEscapedToo() throws {
        let template = TemplateText(
            file: "mine/site.html.mustache", text: "<p title=\"{{#page}}{{title}}{{/page}}\">\n")
        let contract = try SampleSite.contract(text: HostileContract.contract("x"))
        let files = try SampleSite.files([contract], overrides: ["site.html.mustache": template])
        #expect(
            files["index.html"] == "<!-- Generated by Errand from contracts. Do not edit. -->\n<p title=\"Shop\">\n")
        for (name, text, rule) in [
            ("site.html.mustache", "{{nme}}", "template-name-unknown"),
            ("sitee.html.mustache", "", "template-file-unknown"),
            ("errors.md.mustache", "{{{anchor}}}", "template-tag-unsupported"),
            ("style.css.mustache", "{{title}}", "template-name-unknown"),
        ] {
            let loaded = PageTemplates.load(.html, overrides: [name: TemplateText(file: name, text: text)])
            #expect(loaded.diagnostics.map(\.rule.description) == [rule], "\(name)")
        }
    }

    // MARK: Colors

    /// The contrast of WCAG 2.2, 1.4.3, for both schemes and on paper.
    @Test func colorsHaveContrast() throws {
        let style = try SampleSite.files([SampleSite.contract("auth")])["style.css"] ?? ""
        let palettes = style.matches(of: /:root \{([^}]*)\}/).map { block in
            Dictionary(
                block.1.matches(of: /--([a-z]+): #([0-9a-f]+);/).map { (String($0.1), String($0.2)) },
                uniquingKeysWith: { _, last in last })
        }
        #expect(palettes.count == 3)
        for palette in palettes {
            for front in ["text", "faint", "accent", "bad", "note"] {
                for back in ["back", "card"] {
                    let contrast = try Self.contrast(#require(palette[front]), #require(palette[back]))
                    #expect(contrast >= 4.5, "\(front) on \(back): \(contrast)")
                }
            }
        }
        #expect(Self.contrast("777", "fff") < 4.5 && Self.contrast("000", "fff") > 20.9)
    }

    private static func contrast(_ one: String, _ other: String) -> Double {
        let lights = [one, other].map { color -> Double in
            let digits = color.count == 3 ? color.map { "\($0)\($0)" } : color.chunked
            let parts = digits.map { Double(Int($0, radix: 16) ?? 0) / 255 }.map {
                $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        return (max(lights[0], lights[1]) + 0.05) / (min(lights[0], lights[1]) + 0.05)
    }
}

extension String {
    fileprivate var chunked: [String] {
        Array(self).chunks(of: 2).map { String($0) }
    }
}
