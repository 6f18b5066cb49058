import Foundation
import Testing

/// What the articles of `Sources/ErrandRuntime/Documentation.docc` show of contracts and templates, done.
@Suite struct ArticleTests {
    private func article(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Sources/ErrandRuntime/Documentation.docc")
        return try String(contentsOf: folder.appendingPathComponent(name + ".md"), encoding: .utf8)
    }

    private func blocks(_ language: String, of article: String) -> [String] {
        article.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    private func compile(_ folder: ProjectFolder) throws -> Int32 {
        let modules = try CommandRun.tool().deletingLastPathComponent().appendingPathComponent("Modules").path
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            [
                "swiftc", "-typecheck", "-warnings-as-errors", "-swift-version", "6", "-parse-as-library",
                "-module-name", "App", "-I", modules,
            ] + folder.contents.keys.filter { $0.hasSuffix(".swift") }.sorted()
        compiler.currentDirectoryURL = folder.url
        try compiler.run()
        compiler.waitUntilExit()
        return compiler.terminationStatus
    }

    @Test(arguments: ["GettingStarted", "WritingAContract"]) func theContractHasNoFindings(_ name: String) throws {
        let contract = try #require(blocks("yaml", of: article(name)).first)
        let folder = try ProjectFolder()
        try folder.write(contract, to: "contracts/a.contract.yaml")
        let lint = try CommandRun(["lint"], in: folder.url)
        #expect(lint.status == 0, "\(lint.output)")
        let generate = try CommandRun(["generate"], in: folder.url)
        #expect(generate.status == 0, "\(generate.complaints)")
        #expect(try compile(folder) == 0)
    }

    @Test func theFirstCallsCompile() throws {
        let article = try article("GettingStarted")
        let folder = try ProjectFolder()
        try folder.write(try #require(blocks("yaml", of: article).first), to: "contracts/shop.contract.yaml")
        #expect(try CommandRun(["generate"], in: folder.url).status == 0)
        let calls = blocks("swift", of: article).filter { !$0.hasPrefix("// Package.swift") }
        #expect(calls.count == 2)
        try folder.write(
            "func article(show: (String) -> Void) async throws {\n\(calls.joined())}\n", to: "generated/Calls.swift")
        #expect(try compile(folder) == 0)
    }

    @Test func theTemplateIsTaken() throws {
        let article = try article("CustomisingTemplates")
        let folder = try ProjectFolder()
        try folder.write(try #require(blocks("yaml", of: article).first), to: "errand.yaml")
        try folder.write(try #require(blocks("mustache", of: article).first), to: "templates/alias.mustache")
        try folder.write(
            """
            errand: 1
            service: Shop
            servers: {main: https://shop.example}
            types:
              Code: {alias: string, doc: Four letters.}
            endpoints:
              getCode: {get: /code, response: Code}
            """, to: "contracts/shop.contract.yaml")
        let run = try CommandRun(["generate"], in: folder.url)
        #expect(run.status == 0, "\(run.complaints)")
        let types = try #require(folder.text("generated/Shop/ShopTypes1.swift"))
        #expect(
            types.contains(
                "    /// Four letters.\n    /// - Note: An alias of the contract.\n    public typealias Code = String"),
            "\(types)")
        #expect(try compile(folder) == 0)
    }
}
