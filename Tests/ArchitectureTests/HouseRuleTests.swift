import Foundation
import Testing

/// Rules of the house that a reader of a change could overlook.
@Suite struct HouseRuleTests {
    static let folders = ["Sources", "Plugins", "Examples/Demo"]

    private func eachLine(_ body: (SourceTree.File, Int, Substring) -> Void) throws {
        for folder in Self.folders {
            for file in try SourceTree.swiftFiles(below: folder) {
                for (number, line) in file.lines.enumerated() where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                    body(file, number + 1, line)
                }
            }
        }
    }

    @Test func nothingTrapsOnWhatComesFromOutside() throws {
        try eachLine { file, number, line in
            for word in ["try!", "fatalError(", " as! "] where line.contains(word) {
                Issue.record("\(file.path):\(number) uses `\(word)`")
            }
        }
    }

    /// The compiler does not check the signature of a function that is called by its symbol.
    @Test func noFunctionIsCalledByItsSymbol() throws {
        try eachLine { file, number, line in
            if line.contains("@_silgen_name") { Issue.record("\(file.path):\(number) uses `@_silgen_name`") }
        }
    }

    @Test func sendableIsUncheckedInTransportsOnly() throws {
        try eachLine { file, number, line in
            guard !file.path.hasPrefix("Sources/ErrandURLSession/") else { return }
            for word in ["@unchecked Sendable", "nonisolated(unsafe)"] where line.contains(word) {
                Issue.record("\(file.path):\(number) uses `\(word)`")
            }
        }
    }

    /// A process that the tool or an app starts does not inherit open files.
    @Test func filesAreClosedInOtherProcesses() throws {
        var count = 0
        try eachLine { file, number, line in
            guard line.contains("open("), ["O_RDONLY", "O_WRONLY", "O_RDWR"].contains(where: { line.contains($0) }),
                !line.contains("posix_spawn_file_actions_addopen(")
            else { return }
            count += 1
            if !line.contains("O_CLOEXEC") { Issue.record("\(file.path):\(number) opens a file without `O_CLOEXEC`") }
        }
        #expect(count > 5)
    }

    /// A library does not decide what an app prints: an app can observe all useful events. `ConsoleLog` prints the events that
    /// an app asks for.
    @Test func theRuntimePrintsNothing() throws {
        let libraries = [
            "ErrandJSON", "ErrandRuntime", "ErrandTransport", "ErrandCurl", "ErrandURLSession", "ErrandDigests",
            "ErrandAsyncHTTPClient", "ErrandWebSocket", "ErrandXML",
        ]
        try eachLine { file, number, line in
            guard libraries.contains(where: { file.path.hasPrefix("Sources/\($0)/") }),
                !file.path.hasSuffix("/ConsoleLog.swift")
            else { return }
            for word in [" print(", "debugPrint(", "NSLog("] where line.contains(word) {
                Issue.record("\(file.path):\(number) uses `\(word)`")
            }
        }
    }

    /// Files above 400 lines, each with the reason why it is one file.
    static let longFiles: [String: String] = [
        "Sources/ContractChecks/Catalog/RulePages.swift": "made from the rules; a table of texts",
        "Sources/ErrandJSON/PowersOfFive.swift": "a table of numbers",
    ]

    /// `grep -q` ends at the first match. The command before it then fails with SIGPIPE if it has more to write, and with
    /// `pipefail`, the pipeline fails at random.
    @Test func noScriptPipesIntoAGrepThatStopsEarly() throws {
        var count = 0
        for file in try SourceTree.scripts(below: ["scripts", ".ci", "Tests/Fuzzing", "Examples", "Benchmarks"])
        where file.text.contains("pipefail") {
            count += 1
            for (number, line) in file.lines.enumerated() where line.contains(/\|\s*grep\s+-[a-zA-Z]*q/) {
                Issue.record("\(file.path):\(number + 1) pipes into `grep -q`")
            }
        }
        #expect(count > 10)
    }

    @Test func filesAreShort() throws {
        for folder in Self.folders {
            for file in try SourceTree.swiftFiles(below: folder)
            where file.lines.count > 400 && Self.longFiles[file.path] == nil {
                Issue.record("\(file.path) has \(file.lines.count) lines: is there a second thing in it?")
            }
        }
    }

    @Test func nothingIsNamedAfterNothing() throws {
        let names = ["Core", "Utils", "Utilities", "Common", "Helpers", "Helper", "Manager", "Misc"]
        for folder in Self.folders + ["Tests"] {
            for file in try SourceTree.swiftFiles(below: folder) {
                let parts = file.path.replacingOccurrences(of: ".swift", with: "").split(separator: "/").map(
                    String.init)
                for part in parts where names.contains(part) { Issue.record("\(file.path): \(part) says nothing") }
            }
        }
    }

    /// Everything but a lint rule raises a `FindingKind`, which has a page; what a rule raises has the rule's own name.
    @Test func onlyLintRulesRaiseAnIDByItsText() throws {
        try eachLine { file, number, line in
            let home = ["Sources/ContractChecks/Rule.swift", "Sources/Diagnostics/Diagnostic.swift"]
            if line.contains("lintRule:"), !home.contains(file.path) {
                Issue.record("\(file.path):\(number) raises an id that may have no page")
            }
        }
    }

    @Test func theArchitecturePageNamesEveryTarget() throws {
        let page = try String(
            contentsOf: SourceTree.root.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
        for target in LayeringTests.arrows.keys.sorted() {
            #expect(
                page.contains("`\(target)`") || page.contains("\(target)/"),
                "docs/architecture.md does not name \(target)")
        }
    }
}
