import Foundation
import TestPrograms
import Testing

/// What README and the articles of `Sources/Runtime/ErrandRuntime/Documentation.docc` show of contracts and templates, done.
@Suite struct ArticleTests {
    private func article(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Sources/Runtime/ErrandRuntime/Documentation.docc")
        return try String(contentsOf: folder.appendingPathComponent(name + ".md"), encoding: .utf8)
    }

    private func readme() throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../README.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    private func blocks(_ language: String, of article: String) -> [String] {
        article.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    /// Compiles what was generated as a module of a package, and then the texts as files of an app that imports it.
    private func compile(_ folder: ProjectFolder, as client: String = "BankClient", with texts: [String]) throws
        -> Int32
    {
        try folder.write(
            "public enum CallLog { public static func add(_ text: String) {} }", to: "modules/CallLog.swift")
        let generated = folder.contents.keys.filter { $0.hasPrefix("generated/") }.sorted()
        let module = ["-emit-module", "-package-name", "app", "-I", "modules"]
        for (name, files) in [("CallLog", ["modules/CallLog.swift"]), (client, generated)] {
            let path = ["-module-name", name, "-emit-module-path", "modules/\(name).swiftmodule"]
            let status = try swiftc(module + path + files, in: folder)
            guard status == 0 else { return status }
        }
        var files: [String] = []
        for (index, text) in texts.enumerated() {
            files.append("modules/app\(index).swift")
            try folder.write("import CallLog\n" + text, to: files[index])
        }
        return try swiftc(["-typecheck", "-module-name", "App", "-I", "modules"] + files, in: folder)
    }

    private func compile(_ folder: ProjectFolder) throws -> Int32 {
        try swiftc(
            ["-typecheck", "-warnings-as-errors", "-module-name", "App"]
                + folder.contents.keys.filter { $0.hasSuffix(".swift") }.sorted(), in: folder)
    }

    private func swiftc(_ arguments: [String], in folder: ProjectFolder) throws -> Int32 {
        let modules = try CommandRun.tool().deletingLastPathComponent().appendingPathComponent("Modules").path
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            ["swiftc", "-swift-version", "6", "-parse-as-library"] + arguments + ["-I", modules]
            + (try ModuleMaps.arguments())
        compiler.currentDirectoryURL = folder.url
        try compiler.run()
        compiler.waitUntilExit()
        return compiler.terminationStatus
    }

    @Test(arguments: ["GettingStarted", "WritingAContract", "MovingAClient", "README"])
    func theContractHasNoFindings(_ name: String) throws {
        let page = try name == "README" ? readme() : article(name)
        let contract = try #require(blocks("yaml", of: page).first)
        let folder = try ProjectFolder()
        try folder.write(contract, to: "contracts/a.contract.yaml")
        let lint = try CommandRun(["lint"], in: folder.url)
        #expect(lint.status == 0, "\(lint.output)")
        let generate = try CommandRun(["generate"], in: folder.url)
        #expect(generate.status == 0, "\(generate.complaints)")
        #expect(try compile(folder) == 0)
    }

    private static let orders: String? = ProcessInfo.processInfo.environment["ERRAND_CORPORA"].map {
        $0 + "/openapi/paypal/checkout_orders_v2.json"
    }

    /// The document of the article is imported, what it shows of the contract is there, its edit is made, its call compiles, and an
    /// update keeps the edit.
    @Test(.enabled(if: orders != nil, "ERRAND_CORPORA names no folder with documents"))
    func anOpenAPIDocumentBecomesAClient() throws {
        let article = try article("FromAnOpenAPIDocument")
        let document = try #require(Self.orders)
        let folder = try ProjectFolder()
        let lines = blocks("sh", of: article).flatMap { $0.split(separator: "\n") }
        let commands = lines.map { line in
            line.split(separator: " ").dropFirst().map { $0 == "checkout_orders_v2.json" ? document : String($0) }
        }
        try #require(commands.count == 4)
        let imported = try CommandRun(commands[0], in: folder.url)
        #expect(imported.status == 1)
        for line in article.components(separatedBy: "```\n") where line.hasPrefix("errors/") {
            for review in line.split(separator: "\n") {
                let words = review.split(separator: " ", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                #expect(imported.output.contains(words[0]) && imported.output.contains(words[1]), "\(review)")
            }
        }
        let fragments = blocks("yaml", of: article)
        let path = "contracts/orders.contract.yaml"
        let contract = String(decoding: try #require(folder.contents[path]), as: UTF8.self)
        #expect(contract.contains(fragments[0]) && contract.contains("effect: {keyed: {header: PayPal-Request-Id}}"))
        let unauthorized = try #require(
            contract.split(separator: "\n\n").flatMap { $0.components(separatedBy: "  # errand:review ") }.first {
                $0.contains("\n  unauthorized:\n")
            })
        let edited = contract.replacing(fragments[0], with: fragments[1]).replacing(
            "- unprocessableDetails", with: "- paymentRefused"
        ).replacing("  # errand:review " + unauthorized, with: fragments[3])
        try folder.write(edited, to: path)
        let lint = try CommandRun(commands[1], in: folder.url)
        #expect(lint.output.contains("[string-that-is-a-timestamp]"), "\(lint.output)")
        #expect(!lint.output.contains("[logout-without-login-endpoint]"), "\(lint.output)")
        #expect(try CommandRun(commands[2], in: folder.url).status == 0)
        #expect(try compile(folder, as: "OrdersClient", with: [#require(blocks("swift", of: article).first)]) == 0)
        let updated = try CommandRun(commands[3], in: folder.url)
        #expect(updated.status == 1, "\(updated.complaints)")
        #expect(!updated.complaints.contains("openapi-update"))
        #expect(folder.contents[path].map { String(decoding: $0, as: UTF8.self) } == edited)
    }

    /// The protocol that `errand.yaml` asks for, and the page's example of a type in the client's place.
    @Test func theProtocolIsTaken() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../docs/configuration.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let folder = try ProjectFolder()
        try folder.write(try #require(blocks("yaml", of: readme()).first), to: "contracts/bank.contract.yaml")
        try folder.write("protocol: true\n", to: "errand.yaml")
        #expect(try CommandRun(["generate"], in: folder.url).status == 0)
        let example = try #require(blocks("swift", of: page).first)
        let app = """

            func transfer(with bank: any Bank.Calls) async throws(Bank.TransferFundsFailure) {
                _ = try await bank.transferFunds(fromAccount: 1, toAccount: 2, amount: 3)
            }
            func app() async throws {
                try await transfer(with: NoMoney())
                try await transfer(with: Bank())
            }
            """
        #expect(try compile(folder, with: [example + app]) == 0)
        let refused = "\nfunc other(_ bank: any Bank.Calls) async throws { try await bank.listBooks() }"
        #expect(try compile(folder, with: [example + refused]) != 0)
        // Groups are properties of every type that conforms.
        try folder.write(
            """
            errand: 1
            service: Bank
            servers: {main: https://a.example}
            groups: {loans: What is lent.}
            endpoints:
              createLoan: {post: /loans, group: loans, query: {days: int = 7}, response: int, timeout: 5s}
              watchLoans: {get: /loans, group: loans, response: int, delivery: stream, timeout: 5s}
            """, to: "contracts/bank.contract.yaml")
        #expect(try CommandRun(["generate"], in: folder.url).status == 0)
        let grouped = """
            import BankClient
            import ErrandRuntime

            struct NoLoans: Bank.Calls {
                func createLoan(days: Int) async throws(Bank.WriteFailure) -> Int { days }
                func watchLoans() -> ResponseStream<Bank.WatchLoans> { Bank().watchLoans() }
            }
            func app(_ calls: any Bank.Calls) async throws {
                _ = try await calls.loans.create() + NoLoans().loans.create(days: 3) + Bank().loans.create()
                for try await number in calls.loans.watch() { print(number) }
            }
            """
        #expect(try compile(folder, with: [grouped]) == 0)
        // A type of this name is then in the way, and `lint` says so as `generate` does.
        try folder.write(
            "errand: 1\nservice: Bank\nservers: {main: https://a.example}\ntypes: {Calls: {id: int}}\nendpoints: {a: {get: /a, response: Calls, timeout: 5s}}\n",
            to: "contracts/bank.contract.yaml")
        for command in ["lint", "generate"] {
            let run = try CommandRun([command], in: folder.url)
            #expect(run.status == 1 && (run.output + run.complaints).contains("`Calls`"), "\(run.output)")
        }
        try folder.write("protocol: false\n", to: "errand.yaml")
        #expect(try CommandRun(["lint"], in: folder.url).status == 0)
    }

    /// An app's code for each of the templates, and the code that the compiler must refuse.
    static let templates: [(name: String, configuration: String, app: String, refused: String)] = [
        (
            "LoggedCommands", "imports: [CallLog]\n",
            "import BankClient\nfunc app() async throws { try await Bank().logOut() }",
            "func other() { CallLog.remove() }"
        ),
        (
            "SealedModels", "",
            "import BankClient\nfunc app(_ account: Bank.Account) -> Int { account.id }",
            "import BankClient\nfunc sealed() -> Bank.Transfer { Bank.Transfer(fromAccount: 1, toAccount: 2, amount: 1, confirmation: 1) }"
        ),
    ]

    @Test(arguments: templates.indices) func theTemplatesAreTaken(_ index: Int) throws {
        let (name, configuration, app, refused) = Self.templates[index]
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let templates = root.appendingPathComponent("Examples/Templates/" + name)
        let folder = try ProjectFolder()
        try folder.write("templates: templates\n" + configuration, to: "errand.yaml")
        let contract = root.appendingPathComponent("contracts/bank.contract.yaml")
        try folder.write(String(contentsOf: contract, encoding: .utf8), to: "contracts/bank.contract.yaml")
        let files = try FileManager.default.contentsOfDirectory(atPath: templates.path)
        let article = try blocks("mustache", of: article("CustomizingTemplates"))
        for file in files {
            let text = try String(contentsOf: templates.appendingPathComponent(file), encoding: .utf8)
            try folder.write(text, to: "templates/" + file)
            #expect(article.contains { text.contains($0.dropLast()) }, "the article shows \(name)/\(file)")
        }
        let run = try CommandRun(["generate"], in: folder.url)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(try compile(folder, with: [app]) == 0)
        #expect(try compile(folder, with: [app, refused]) != 0, "the template changes nothing")
    }
}
