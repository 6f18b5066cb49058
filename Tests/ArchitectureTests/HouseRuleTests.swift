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
            let delegates = ["ErrandURLSession", "ErrandBackground"].map { "Sources/Transports/\($0)/" }
            guard !delegates.contains(where: file.path.hasPrefix) else { return }
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
            "ErrandAsyncHTTPClient", "ErrandWebSocket", "ErrandXML", "ErrandConnections", "ErrandDurable",
            "ErrandBackground",
        ]
        try eachLine { file, number, line in
            guard libraries.contains(where: { file.path.hasPrefix("Sources/") && file.path.contains("/\($0)/") }),
                !file.path.hasSuffix("/ConsoleLog.swift")
            else { return }
            for word in [" print(", "debugPrint(", "NSLog("] where line.contains(word) {
                Issue.record("\(file.path):\(number) uses `\(word)`")
            }
        }
    }

    /// The long tests run in a step of their own. One that has another name now would run with the others, and no run
    /// would show that one is gone.
    @Test func everyLongTestIsThere() throws {
        let script = try String(
            contentsOf: SourceTree.root.appendingPathComponent("scripts/swift-test"), encoding: .utf8)
        let list = try #require(script.firstMatch(of: /long_tests=\(([^)]+)\)/))
        let names = list.1.split(whereSeparator: \.isWhitespace)
        let tests = try SourceTree.swiftFiles(below: "Tests").map(\.text).joined()
        for name in names {
            #expect(tests.contains("func \(name)("), "there is no test \(name)")
        }
        #expect(names.count > 10)
    }

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
            where file.lines.count > 400 {
                Issue.record("\(file.path) has \(file.lines.count) lines: is there a second thing in it?")
            }
        }
    }

    /// Files with declarations of more than four unlabeled parameters, each with the reason.
    static let unlabeledFiles: [String: String] = [
        "Sources/Tool/ContractModel/Decode/LanguageKey.swift": "a call is a row of the table of keys"
    ]

    /// A call does not say which of many values in a row is which.
    @Test func atMostFourParametersHaveNoLabel() throws {
        for file in try SourceTree.swiftFiles(below: "Sources") where Self.unlabeledFiles[file.path] == nil {
            for number in Self.unlabeledDeclarations(in: file.text) {
                Issue.record("\(file.path):\(number) has more than four parameters without a label")
            }
        }
    }

    /// A check that cannot fail says nothing.
    @Test func fiveParametersWithoutALabelAreFound() {
        let sample = """
            struct Sample<Value> {
                func four(_ a: Int, _ b: (_ a: Int, _ b: Int) -> Void, _ c: [Int: Int], _ d: Int, of e: Int) {}
                func five(
                    _ a: Int, _ b: (Int, Int) -> Void, _ c: Int = max(1, 2), _ d: String = ",)",
                    _ e: Value
                ) {}
                // init(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int) {}
                init(_ a: Int, _ b: Int, c: Int = 0, _ d: Int, _ e: Int, _ f: Int) {}
            }
            """
        #expect(Self.unlabeledDeclarations(in: sample) == [3, 8])
    }

    /// The lines of the functions, initializers and subscripts with more than four unlabeled parameters.
    private static func unlabeledDeclarations(in text: String) -> [Int] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
            guard !line.drop(while: { $0 == " " }).hasPrefix("//"),
                let word = ["func ", "init", "subscript"].lazy.compactMap({ line.firstRange(of: $0) }).first,
                let start = line[word.upperBound...].firstIndex(of: "(")
            else { return nil }
            return parameters(text[start...]).count { $0.hasPrefix("_ ") } > 4 ? number + 1 : nil
        }
    }

    /// The parameters in the parentheses at the start of a text.
    private static func parameters(_ text: Substring) -> [Substring] {
        var parameters: [Substring] = []
        var (depth, isQuoted) = (0, false)
        var start = text.startIndex
        for position in text.indices {
            let letter = text[position]
            if letter == "\"" { isQuoted.toggle() }
            guard !isQuoted else { continue }
            if "([{".contains(letter) { depth += 1 }
            if ")]}".contains(letter) { depth -= 1 }
            if depth == 0 || depth == 1 && (letter == "," || letter == "(") {
                parameters.append(text[start..<position].drop(while: \.isWhitespace))
                start = text.index(after: position)
            }
            if depth == 0 { break }
        }
        return parameters
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
            let home = ["Sources/Tool/ContractChecks/Subject/Rule.swift", "Sources/Tool/Diagnostics/Diagnostic.swift"]
            if line.contains("lintRule:"), !home.contains(file.path) {
                Issue.record("\(file.path):\(number) raises an id that may have no page")
            }
        }
    }
}
