import Foundation
import Testing

/// `errand texts`, as a process. `TextCatalogTests` tests the formats.
@Suite struct TextsCommandTests {
    private let contract = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        errors:
          soldOut: {category: nonRetryable, when: {status: 409}, message: "This is sold out.", doc: The last one is gone.}
          noText: {category: nonRetryable, when: {status: 410}}
          offline: {category: retryable, message: You are offline.}
        endpoints:
          buy: {post: /purchases, effect: idempotent, errors: [soldOut, noText], timeout: 5s}
        """

    @Test func theContractsTextsAreWrittenOnce() throws {
        let folder = try ProjectFolder()
        try folder.write(contract, to: "contracts/shop.contract.yaml")
        let first = try CommandRun(["texts", "-o", "Localizable.xcstrings"], in: folder.url)
        #expect(first.status == 0, "\(first.complaints)")
        #expect(
            first.output
                == "new      Shop.offline\nnew      Shop.soldOut\nLocalizable.xcstrings: 2 texts, 2 new, 0 changed, 0 unused\n"
        )
        let text = folder.text("Localizable.xcstrings") ?? ""
        #expect(
            text.contains(#""comment" : "Error of Shop. The app does not offer to try again. The last one is gone.""#))
        #expect(text.contains(#""value" : "This is sold out.""#))
        let check = try CommandRun(["texts", "-o", "Localizable.xcstrings", "--check"], in: folder.url)
        #expect(check.status == 0 && check.output == "Localizable.xcstrings is current: 2 texts\n")
        try folder.write(
            contract.replacingOccurrences(of: "sold out", with: "gone"), to: "contracts/shop.contract.yaml")
        let stale = try CommandRun(["texts", "-o", "Localizable.xcstrings", "--check", "--quiet"], in: folder.url)
        #expect(stale.status == 1 && stale.output.hasPrefix("changed  Shop.soldOut\n"), "\(stale.output)")
        #expect(folder.text("Localizable.xcstrings") == text)
    }

    @Test func theFilesOfTheConfigurationAreWrittenAndCompared() throws {
        let folder = try ProjectFolder()
        try folder.write(
            contract.replacingOccurrences(
                of: "message: \"This is", with: "data: {left: int}, message: \"This, {left}, is"),
            to: "contracts/shop.contract.yaml")
        try folder.write(
            "texts: [de.xcstrings, en.json]\nlint: {rules: {error-without-message: off}}\n", to: "errand.yaml")
        func lint() throws -> String { try CommandRun(["lint"], in: folder.url).output }
        let missing = try lint()
        #expect(missing.contains("errand.yaml:1:9: error: there is no file `de.xcstrings`"), "\(missing)")
        let written = try CommandRun(["texts"], in: folder.url)
        #expect(written.status == 0 && written.output.contains("en.json: 2 texts, 2 new"), "\(written)")
        #expect(folder.text("de.xcstrings")?.contains("The app puts the error's data in place of {left}.") == true)
        let current = try lint()
        #expect(!current.contains("stale-texts") && current.contains("in 1 contract"), "\(current)")
        try folder.write(
            #"{"Shop.soldOut": "Ausverkauft ({rest})", "Shop.gone": "Weg", "Shop.noText": "Nein", "title": "Laden"}"#,
            to: "en.json")
        let stale = try lint()
        for problem in [
            "contracts/shop.contract.yaml:7:43: warning: `en.json` has no text for `Shop.offline`",
            "en.json:1:42: warning: no contract has the key `Shop.gone`",
            "en.json:1:2: warning: a text for `Shop.soldOut` has the placeholder `{rest}`",
        ] {
            #expect(stale.contains(problem), "\(stale)")
        }
        #expect(!stale.contains("`title`") && !stale.contains("`Shop.noText`"), "\(stale)")
        let check = try CommandRun(["texts", "--check"], in: folder.url)
        #expect(check.status == 1 && check.output.contains("de.xcstrings is current"), "\(check.output)")
    }

    @Test func theConfigurationNamesNoFileOutsideOfTheProject() throws {
        let folder = try ProjectFolder()
        try folder.write(contract, to: "project/contracts/shop.contract.yaml")
        try folder.write("hunter2", to: "outside.json")
        try folder.write("texts: [../outside.json]\n", to: "project/errand.yaml")
        let project = folder.url.appendingPathComponent("project")
        for command in ["texts", "lint"] {
            let run = try CommandRun([command], in: project)
            #expect(run.status == 2, "\(run)")
            #expect(
                run.complaints.contains("errand.yaml:1:9: error: `../outside.json` is outside the project"), "\(run)")
            #expect(!(run.complaints + run.output).contains("hunter2"))
        }
        #expect(folder.text("outside.json") == "hunter2")
    }

    @Test func aFileThatCannotBeReadIsKept() throws {
        let folder = try ProjectFolder()
        try folder.write(contract, to: "shop.contract.yaml")
        try folder.write("{\"title\": \"Laden\",\n\"ä\": oops}", to: "de.json")
        let run = try CommandRun(["texts", "shop.contract.yaml", "-o", "de.json"], in: folder.url)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(
            run.complaints.hasPrefix("de.json:2:6: error: the file is not JSON: "),
            "\(run.complaints)")
        #expect(folder.text("de.json") == "{\"title\": \"Laden\",\n\"ä\": oops}")
    }

    /// The texts of all shipped contracts in each format, as a translator gets them.
    @Test func theShippedContractsHaveTheirTexts() throws {
        let contracts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("contracts").path
        let folder = try ProjectFolder()
        var keys: [Set<String>] = []
        for file in ["Localizable.xcstrings", "texts/de.json"] {
            let run = try CommandRun(["texts", contracts, "-o", file, "--quiet"], in: folder.url)
            #expect(run.status == 0, "\(run.complaints)")
            let data = try #require(folder.contents[file])
            let check = try CommandRun(["texts", contracts, "-o", file, "--check"], in: folder.url)
            #expect(check.status == 0 && check.output.contains(" is current: "), "\(check)")
            let root = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            let texts = root["strings"] as? [String: Any] ?? root
            keys.append(Set(texts.keys.filter { !$0.contains("@") }))
        }
        #expect(keys[0].count > 40 && keys[0] == keys[1])
    }

    @Test func allMistakesAreSaid() throws {
        let folder = try ProjectFolder()
        try folder.write(
            contract.replacingOccurrences(of: "category: retryable", with: "category: no"), to: "a.contract.yaml")
        try folder.write(contract.replacingOccurrences(of: "post:", with: "pots:"), to: "b.contract.yaml")
        let run = try CommandRun(["texts", "a.contract.yaml", "b.contract.yaml", "-o", "de.json"], in: folder.url)
        #expect(run.status == 2 && folder.text("de.json") == nil)
        #expect(run.complaints.contains("a.contract.yaml:7:") && run.complaints.contains("b.contract.yaml:9:"))
        for (arguments, problem) in [
            (["-o", "texts.csv"], "--output names a file without a format: name a file whose name ends with"),
            (["-o", "de.strings"], "Xcode converts a strings file into a string catalog"),
            ([], "There is no file. Name one with --output"),
            (["-o", "a.json", "--language", "e/n"], "--language needs the tag"),
        ] {
            let run = try CommandRun(["texts", "a.contract.yaml"] + arguments, in: folder.url)
            #expect(run.status == 2 && run.complaints.contains(problem), "\(run.complaints)")
        }
    }
}
