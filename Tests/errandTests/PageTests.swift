import Foundation
import Testing

/// The Swift on the pages compiles as in a user's files (`scripts/check pages`).
@Suite struct PageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private struct Check {
        let status: Int32
        let output: String

        init(_ pages: [String] = []) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let modules = try CommandRun.tool().deletingLastPathComponent().appendingPathComponent("Modules").path
            process.arguments =
                ["bash", PageTests.root.appendingPathComponent("scripts/checks/pages").path, modules] + pages
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            status = process.terminationStatus
        }
    }

    @Test func everyExampleCompiles() throws {
        let check = try Check()
        #expect(check.status == 0, "\(check.output)")
        let count = try #require(
            check.output.split(separator: "\n").last?.split(separator: " ").first.flatMap { Int($0) })
        #expect(count > 100)
    }

    /// Pages with one mistake each, and what the check says of it.
    static let mistakes: [(page: String, message: String)] = [
        ("```swift\nlet bank = Bank()\n```\n", "mistake.md:2:12: error: cannot find 'Bank' in scope"),
        (
            "```swift\nimport BankClient\n\nlet bank = Bank(on: Dispatcher(observers: [ConsoleLog()]))\n```\n",
            "mistake.md:4:44: error: cannot find 'ConsoleLog' in scope"
        ),
        // The reader has not seen this import yet.
        (
            "```swift\nlet bank = Bank()\n```\n```swift\nimport BankClient\nlet bank = Bank()\n```\n",
            "mistake.md:2:12: error: cannot find 'Bank' in scope"
        ),
        ("```swift\n// Package.swift\ntarget: []\n```\n", "mistake.md:1:"),
        ("<!-- part of Examples/Screens -->\n```swift\nlet a = 1\n```\n", "is not in Examples/Screens"),
        ("<!-- run in Tests/None.swift -->\n```swift\nlet a = 1\n```\n", "Tests/None.swift, which does not exist"),
        ("<!-- not compiled: -->\n```swift\nlet a = b\n```\n", "mistake.md:3:9: error: cannot find 'b' in scope"),
        ("```yaml\nerrand: 1\nservice: 7\n```\n```swift\nlet a = 1\n```\n", "`7` cannot name a service"),
        // A warning is a mistake, too.
        (
            "```swift\n@available(*, deprecated) func old() {}\n```\n```swift\nold()\n```\n",
            "mistake.md:5:1: warning: 'old()' is deprecated"
        ),
    ]

    @Test(arguments: mistakes.indices) func aMistakeIsFound(_ index: Int) throws {
        let folder = try ProjectFolder()
        try folder.write(Self.mistakes[index].page, to: "mistake.md")
        let check = try Check([folder.url.appendingPathComponent("mistake.md").path])
        #expect(check.status == 1 && check.output.contains(Self.mistakes[index].message), "\(check.output)")
    }

    @Test func thePlacesOfExamplesAreUsed() throws {
        let pages = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appendingPathComponent("Tests/Support/Pages").path
        )
        .map { $0.replacing(".swift", with: "") }
        let all = try ["", "docs", "Sources/Runtime/ErrandRuntime/Documentation.docc"].flatMap {
            try FileManager.default.contentsOfDirectory(atPath: Self.root.appendingPathComponent($0).path)
        }
        for page in pages { #expect(all.contains(page + ".md"), "Tests/Support/Pages/\(page) belongs to no page") }
    }

    /// What a newcomer may write by mistake, and the words of the compiler about it.
    static let misuses: [(code: String, message: String)] = [
        ("Session { Bank.ListAccounts() }", "the closure returns a command that starts no session"),
        ("Session(store: .memory) { Bank.ListAccounts() }", "the closure returns a command that starts no session"),
        ("Session { reason in Bank.ListAccounts() }", "the closure returns a command that starts no session"),
        ("bank.elements(of: Bank.ListAccounts())", "the endpoint of this command has no `paginate` in the contract"),
        ("bank.pages(of: Bank.GetAccount(accountID: 1))", "the endpoint of this command has no `paginate`"),
    ]

    @Test(arguments: misuses.indices) func theCompilerNamesTheMistake(_ index: Int) throws {
        let folder = try ProjectFolder()
        let (code, message) = Self.misuses[index]
        try folder.write(
            "```swift\nimport BankClient\n\nfunc use(_ bank: Bank) {\n    _ = \(code)\n}\n```\n", to: "misuse.md")
        let check = try Check([folder.url.appendingPathComponent("misuse.md").path])
        #expect(check.status == 1 && check.output.contains("misuse.md:5:"), "\(check.output)")
        #expect(check.output.contains("is unavailable: " + message), "\(check.output)")
    }

    /// What compiles without the overloads that name a mistake also compiles with them.
    @Test func whatIsNoMistakeCompiles() throws {
        let folder = try ProjectFolder()
        let page = #"""
            ```swift
            import BankClient
            import ErrandRuntime
            import VideoClient

            func ask() async -> Bank.LogIn? { nil }
            func make() -> Bank.LogIn { Bank.LogIn(user: "", password: "") }
            func sessions(_ user: String?) -> [Session] {
                [
                    Session(), Session(store: .memory), Session(store: MemorySessionStore()),
                    Session { Bank.LogIn(user: "ada", password: "lovelace") },
                    Session { await ask() },
                    Session(store: .file("/tmp/session")) { await ask() },
                    Session(asks: 2) { make() },
                    Session(store: .memory, asks: 2, login: ask),
                    Session { reason in reason.previousFailure == nil ? await ask() : nil },
                    Session { _ in await ask() },
                    Session { (reason: LoginReason) in
                        switch reason.previousFailure {
                        case nil: return make()
                        default: return Bank.LogIn(user: "", password: "")
                        }
                    },
                    Session { () async -> Bank.LogIn? in
                        guard user != nil else { return nil }
                        return make()
                    },
                    Session {
                        let login: Bank.LogIn? = nil
                        return login
                    },
                ]
            }
            func walk(_ video: Video) async throws {
                for try await entry in video.elements(of: Video.GetFeed(feedID: "top")) { print(entry.title) }
                for try await title in video.elements(of: Video.GetFeed(feedID: "top")).map(\.title) { print(title) }
                let pages = video.pages(of: Video.GetFeed(feedID: "top")).makeAsyncIterator()
                while let page = try await pages.next() { print(page.elements.count) }
            }
            func walk<C: PagedCommand>(_ command: C, with client: C.Service) async throws where C.Service: ServiceClient {
                for try await element in client.elements(of: command) { print(element) }
                for try await page in client.pages(of: command) { print(page.index) }
            }
            func session<C: LoginCommand>(_ command: C) -> Session { Session { command } }
            ```
            """#
        try folder.write(page + "\n", to: "fine.md")
        let check = try Check([folder.url.appendingPathComponent("fine.md").path])
        #expect(check.status == 0, "\(check.output)")
    }
}
