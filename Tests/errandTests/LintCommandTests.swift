import Foundation
import Testing

/// `errand lint`, `explain` and `rules`, as a process: what they print where, how they end.
@Suite struct LintCommandTests {
    static let sound = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        defaults: {timeout: 10s}
        endpoints:
          getItem: {get: "/items/{id}", response: string}

        """
    /// An error, a warning and a note, and beside them a mistake of the language.
    static let faulty = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        envelopes: {standard: {data: data, error: error}}
        errors:
          soldOut: {category: nonRetryable, message: It is sold out., when: {code: 7}}
          noSuchItem: {category: retryable, message: There is none., when: {status: 404}}
          quiet: {category: retryable, when: {status: 500}}
        defaults: {envelope: standard, timeout: 10s}
        endpoints:
          getItem: {get: "/items/{id}", response: string, errors: [soldOut, noSuchItem, quiet], retry: {base: 1s}}
          findItem: {get: "/items/{id}", response: Itm}

        """

    private func project(_ text: String) throws -> ProjectFolder {
        let folder = try ProjectFolder()
        try folder.write(text, to: "contracts/shop.contract.yaml")
        return folder
    }

    @Test func nothingFoundIsSaidInOneLine() throws {
        let folder = try project(Self.sound)
        let run = try CommandRun(["lint"], in: folder.url)
        #expect(run.status == 0)
        #expect(run.output == "no problems in 1 contract\n")
        #expect(run.complaints.isEmpty)
        #expect(try CommandRun(["lint", "--quiet"], in: folder.url).output.isEmpty)
    }

    @Test func whatTheGeneratorRefusesDoesNotHideTheRest() throws {
        let folder = try project(Self.faulty)
        let run = try CommandRun(["lint"], in: folder.url)
        #expect(run.status == 1)
        #expect(run.output.contains("[unknown-type]"))
        #expect(run.output.contains("[unreachable-error]"))
        #expect(run.output.contains("[category-contradicts-status]"))
        #expect(run.output.contains("[error-without-message]"))
        #expect(run.output.contains("^^^^^^^"))
        let generate = try CommandRun(["generate"], in: folder.url)
        #expect(generate.status == 1 && generate.complaints.contains("[unknown-type]"))
        #expect(
            generate.complaints.contains("[unreachable-error]")
                && !generate.complaints.contains("[category-contradicts-status]"),
            "an error of a rule prevents generation, and a warning does not")
    }

    /// A pattern cannot end the process, and the finding is at the place in the pattern.
    @Test func patternsThatHurtAreFindings() throws {
        let field = { (pattern: String) in "{type: string, pattern: '\(pattern)'}" }
        let query =
            "{a: \(field(String(repeating: "[", count: 3_000))), b: \(field("(a+)+(?=b)")), c: \(field("((a{999}){999}){999}"))}"
        let folder = try project(
            Self.sound.replacingOccurrences(of: "response: string", with: "response: string, query: \(query)"))
        let run = try CommandRun(["lint"], in: folder.url)
        #expect(run.status == 1, "\(run.complaints)")
        #expect(run.output.components(separatedBy: "[invalid-pattern]").count == 3, "\(run.output)")
        #expect(run.output.components(separatedBy: "[unsupported-pattern]").count == 2, "\(run.output)")
    }

    @Test(arguments: [("error", 0), ("warning", 0), ("note", 1)])
    func theExitStatusFollowsFailOn(_ level: String, _ status: Int32) throws {
        let folder = try project(
            Self.sound.replacingOccurrences(
                of: "endpoints:", with: "errors:\n  quiet: {category: retryable, when: {status: 500}}\nendpoints:"))
        #expect(try CommandRun(["lint", "--fail-on", level], in: folder.url).status == status)
        try folder.write("lint: {fail-on: \(level)}\n", to: "errand.yaml")
        #expect(try CommandRun(["lint"], in: folder.url).status == status)
        #expect(
            try CommandRun(["lint", "--fail-on", "error"], in: folder.url).status == 0,
            "what is said on the command line comes first")
    }

    @Test(arguments: [
        ["lint", "missing.contract.yaml"], ["lint", "--format", "html"], ["explain", "no-such-rule"],
        ["explain", "Shop", "nothing"], ["explain", "Nobody", "getItem"],
    ])
    func whatCannotRunEndsWithTwo(_ arguments: [String]) throws {
        let folder = try project(Self.sound)
        let run = try CommandRun(arguments, in: folder.url)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(!run.complaints.isEmpty)
    }

    @Test func jsonAndSARIFAreJSONWithEveryFinding() throws {
        let folder = try project(Self.faulty)
        let json = try CommandRun(["lint", "--format", "json"], in: folder.url)
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let findings = try #require(object["findings"] as? [[String: Any]])
        #expect(
            findings.allSatisfy {
                $0["rule"] is String && $0["file"] as? String == "contracts/shop.contract.yaml"
                    && $0["range"] is [String: Any]
            })
        #expect(findings.contains { ($0["fix"] as? [String: Any])?["applicability"] as? String == "certain" })

        let sarif = try CommandRun(["lint", "--format", "sarif"], in: folder.url)
        let log = try #require(JSONSerialization.jsonObject(with: Data(sarif.output.utf8)) as? [String: Any])
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == findings.count)
        #expect(results.allSatisfy { $0["ruleIndex"] is Int }, "each finding has a page in the report")
        #expect(json.status == 1 && sarif.status == 1)
    }

    /// The official schema of OASIS, held against what is printed by Python's `jsonschema`; without that there is nothing to hold.
    @Test func sarifFulfilsItsSchema() throws {
        let folder = try project(Self.faulty)
        try folder.write(CommandRun(["lint", "--format", "sarif"], in: folder.url).output, to: "log.sarif")
        try folder.write(CommandRun(["lint", "--format", "sarif", "--fix"], in: folder.url).output, to: "fixed.sarif")
        let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Schemas/sarif-schema-2.1.0.json"
        ).path
        let script = """
            import json, sys
            try: import jsonschema
            except ImportError: print("no jsonschema"); sys.exit(0)
            validator = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
            errors = [e.message for name in sys.argv[2:] for e in validator.iter_errors(json.load(open(name)))]
            print(chr(10).join(errors) or "valid")
            broken = json.load(open(sys.argv[2])); broken["runs"][0]["results"][0]["level"] = "fatal"
            print("sees" if list(validator.iter_errors(broken)) else "blind")
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, schema, folder.path("log.sarif"), folder.path("fixed.sarif")]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if text.hasPrefix("no jsonschema") { return print("skipped: Python has no jsonschema") }
        #expect(text == "valid\nsees\n")
    }

    @Test func linesForBuildersNameThePlace() throws {
        let folder = try project(Self.faulty)
        let xcode = try CommandRun(["lint", "--format", "xcode"], in: folder.url).output
        #expect(xcode.contains("contracts/shop.contract.yaml:7:26: warning: `noSuchItem` is retryable"), "\(xcode)")
        let github = try CommandRun(["lint", "--format", "github"], in: folder.url).output
        #expect(
            github.contains(
                "::warning file=contracts/shop.contract.yaml,line=7,endLine=7,col=26,endColumn=35,title=category-contradicts-status::"
            ), "\(github)")
        let junit = try CommandRun(["lint", "--format", "junit"], in: folder.url).output
        #expect(XMLReading(junit).isSound && junit.contains("<failure type=\"warning\""), "\(junit)")
    }

    @Test func fixesAreMadeOnceAndLeaveTheRestAlone() throws {
        let text = Self.sound.replacingOccurrences(
            of: "response: string}",
            with:
                "response: string, retry: {base: 1s}} # as agreed\n  # the old way\n  seek:\n    get: /seek\n    response: string\n    retry:\n      base: 2s   # slow"
        )
        let folder = try project(text)
        #expect(try CommandRun(["lint", "--fail-on", "error"], in: folder.url).status == 1)
        #expect(folder.text("contracts/shop.contract.yaml") == text)
        let run = try CommandRun(["lint", "--fix", "./contracts"], in: folder.url)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("2 fixed"))
        let wanted = text.replacingOccurrences(of: "{base: 1s}", with: "{attempts: 3, base: 1s}")
            .replacingOccurrences(of: "      base: 2s   # slow", with: "      attempts: 3\n      base: 2s   # slow")
        #expect(folder.text("contracts/shop.contract.yaml") == wanted)
        #expect(try CommandRun(["lint", "--fix"], in: folder.url).output == "no problems in 1 contract\n")
        #expect(folder.text("contracts/shop.contract.yaml") == wanted)
        #expect(folder.contents.keys.filter { $0.contains("errand-new") }.isEmpty)
    }

    @Test func aFileFromWindowsStaysOne() throws {
        let text =
            Self.sound
            + "  seek:\n    # errand:ignore verb-in-path so it is\n    get: /getSeek\n    response: string\n    retry:\n      base: 2s   # slow\n"
        let windows = text.replacingOccurrences(of: "\n", with: "\r\n")
        let plain = try project(text)
        let folder = try project(windows)
        #expect(try CommandRun(["lint"], in: folder.url).output == CommandRun(["lint"], in: plain.url).output)
        let run = try CommandRun(["lint", "--fix"], in: folder.url)
        #expect(try run.output == CommandRun(["lint", "--fix"], in: plain.url).output)
        #expect(run.output.hasPrefix("1 fixed\n"))
        let fixed = try #require(plain.text("contracts/shop.contract.yaml"))
        #expect(fixed != text)
        #expect(folder.text("contracts/shop.contract.yaml") == fixed.replacingOccurrences(of: "\n", with: "\r\n"))
        #expect(try CommandRun(["lint", "--fix"], in: folder.url).output == "no problems in 1 contract\n")
        #expect(folder.text("contracts/shop.contract.yaml") == fixed.replacingOccurrences(of: "\n", with: "\r\n"))
    }

    @Test func aBaselineLetsOnlyNewFindingsCount() throws {
        let old = Self.sound.replacingOccurrences(of: "\"/items/{id}\"", with: "/getItems/")
        let folder = try project(old)
        #expect(try CommandRun(["lint", "--baseline", "known.txt"], in: folder.url).status == 2, "there is none yet")
        #expect(try CommandRun(["lint", "--update-baseline"], in: folder.url).status == 2)
        let written = try CommandRun(["lint", "--baseline", "known.txt", "--update-baseline"], in: folder.url)
        #expect(
            written.status == 0 && written.output == "no problems in 1 contract, 2 in the baseline\n",
            "\(written.output)\(written.complaints)")
        #expect(
            folder.text("known.txt")?.contains("trailing-slash contracts/shop.contract.yaml endpoints.getItem.get\n")
                == true)
        try folder.write(
            "# a new first line\n" + old + "  seek: {get: /seek/, response: string}\n",
            to: "contracts/shop.contract.yaml")
        let run = try CommandRun(["lint", "--baseline", "known.txt", "--format", "xcode"], in: folder.url)
        #expect(run.status == 1)
        #expect(
            run.output.components(separatedBy: "warning:").count == 2 && run.output.contains("`seek`"), "\(run.output)")
        try folder.write("errand: 1\nservice: Shop\nendpoints: {x: {get: y}}\n", to: "contracts/shop.contract.yaml")
        #expect(
            try CommandRun(["lint", "--baseline", "known.txt", "--update-baseline"], in: folder.url).status == 1,
            "an error of the language always counts")
    }

    @Test func theConfigurationSaysWhatRulesWeigh() throws {
        let folder = try project(Self.sound.replacingOccurrences(of: "\"/items/{id}\"", with: "/getItems/"))
        try folder.write(
            "lint: {rules: {trailing-slash: off}, paths: {contracts/: {verb-in-path: error}}}\n", to: "errand.yaml")
        let run = try CommandRun(["lint", "--format", "xcode"], in: folder.url)
        #expect(run.status == 1)
        #expect(run.output.contains("error: `getItems`") && !run.output.contains("trailing-slash"), "\(run.output)")
        try folder.write("lint: {rules: {trailing-slas: off, verb-in-path: never}, path: {}}\n", to: "errand.yaml")
        let wrong = try CommandRun(["lint"], in: folder.url)
        #expect(wrong.status == 2)
        #expect(
            wrong.complaints.contains("did you mean `trailing-slash`?")
                && wrong.complaints.contains("cannot have the severity `never`")
                && wrong.complaints.contains("no key `path`"))
    }

    @Test func rulesAreListedAndExplained() throws {
        let folder = try ProjectFolder()
        let rules = try CommandRun(["rules"], in: folder.url)
        #expect(rules.status == 0 && rules.output.contains("\nunreachable-error "))
        let page = try CommandRun(["explain", "unreachable-error"], in: folder.url)
        #expect(page.status == 0 && page.output.contains("## Use instead"))
    }

    @Test func whatIsNoRuleIsListedAndExplainedToo() throws {
        let folder = try ProjectFolder()
        let rules = try CommandRun(["rules"], in: folder.url)
        #expect(rules.output.contains("\nmissing-key "))
        let page = try CommandRun(["explain", "missing-key"], in: folder.url)
        #expect(page.status == 0 && page.output.contains("## Use instead"))
        let misspelled = try CommandRun(["explain", "missing-kye"], in: folder.url)
        #expect(misspelled.status == 2 && misspelled.complaints.contains("did you mean `missing-key`?"))
    }

    @Test func anEndpointIsExplained() throws {
        let folder = try project(Self.sound)
        let run = try CommandRun(["explain", "shop", "getItem"], in: folder.url)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("GET /items/{id}: the request only reads"))
        #expect(run.output.contains("status 503"))
        #expect(run.output.contains("attempt 2  from 10.2 s to 20.2 s"))
    }
}

/// Whether text is well-formed XML.
private struct XMLReading {
    let isSound: Bool

    init(_ text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.stdin)"]
        let input = Pipe()
        process.standardInput = input
        do {
            try process.run()
            input.fileHandleForWriting.write(Data(text.utf8))
            input.fileHandleForWriting.closeFile()
            process.waitUntilExit()
            isSound = process.terminationStatus == 0
        } catch {
            isSound = false
        }
    }
}
