import ContractModel
import Foundation
import Testing

@testable import SwiftEmitter

/// Any text of a contract stays text.
@Suite struct HostileTextTests {
    static let texts = [
        "*/", "/* */ let x = 1 //", "\"", "\"\"\"", "\\", "\\\\\"", "\\(fatalError())", "#\"raw\"#", "\"#", "a\nb",
        "a\r\nb", "a\rb",
        "a\u{2028}let x = 1", "a\u{2029}let x = 1", "a\u{85}b", "a\u{B}b", "a\u{C}b", "a\u{0}b", "\u{1B}[31m", "\u{7F}",
        "\u{FEFF}x",
        "\u{202E}abc", "\u{2066}x\u{2069}", "\u{200D}", "e\u{301}", "\u{301}", "😀👨‍👩‍👧", "", " ", "\t", "///", "{{name}}",
        "{{{x}}}",
        "{{/types}}", "\\u{41}", "${x}", "\u{E000}", "\u{10FFFF}", "import Foundation", "`", "\\\n", "\u{FFFE}",
        "\u{61C}",
    ]

    /// Strings made of what is dangerous, the same on every run.
    static func made(_ count: Int) -> [String] {
        var state: UInt64 = 42
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        return (0..<count).map { _ in (0..<(1 + next(6))).map { _ in texts[next(texts.count)] }.joined() }
    }

    @Test func commentsNeverEnd() {
        for text in Self.texts + Self.made(2_000) {
            let comment = DocComment(text).layout.printed
            #expect(comment.isEmpty || comment.hasSuffix("\n"), "\(text.debugDescription)")
            for line in comment.unicodeScalars.split(separator: "\n") {
                #expect(String(Substring(line)).hasPrefix("///"))
                #expect(!line.contains { HiddenCharacter.contains($0) || HiddenCharacter.endsLine($0) })
            }
        }
    }

    @Test func literalsShowNothingHidden() {
        for text in Self.texts + Self.made(2_000) {
            #expect(!SwiftLiteral.string(text).unicodeScalars.contains { HiddenCharacter.contains($0) })
        }
    }

    /// Compiled and run, each literal holds its text scalar for scalar.
    @Test func theCompilerReadsWhatTheContractSaid() async throws {
        // The last ones are too wide for a line, and become literals of several lines.
        let texts = Self.texts + Self.made(300) + Self.made(40).map { String(repeating: $0 + "wide, ", count: 30) }
        var source = Layout()
        for (number, text) in texts.enumerated() {
            source.add(DocComment(text).layout)
            source.add("let text\(number) = ")
            source.add(SwiftEmitter.Expression.call(.name("String"), [Argument(.string(text))]).layout)
            source.add(.newline)
            source.add("print(text\(number).unicodeScalars.map { String($0.value) }.joined(separator: \",\"))")
            source.add(.newline)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "errand-hostile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("main.swift")
        try Data(source.printed.utf8).write(to: file)
        let program = folder.appendingPathComponent("program")
        #expect(
            try await run("/usr/bin/env", ["swiftc", "-warnings-as-errors", "-o", program.path, file.path]).status == 0)
        let output = try await run(program.path, []).output
        let wanted = texts.map { $0.unicodeScalars.map { String($0.value) }.joined(separator: ",") }
        #expect(output == wanted.joined(separator: "\n") + "\n")
    }

    /// Every place where a contract's text goes, with all of it at once, and the source keeps its shape.
    @Test func everyPlaceKeepsItsShape() throws {
        func contract(_ text: String) -> String {
            let quoted =
                "\""
                + text.unicodeScalars.map {
                    $0.isASCII && $0.value >= 0x20 && $0 != "\"" && $0 != "\\"
                        ? String($0) : String(format: "\\U%08X", $0.value)
                }.joined() + "\""
            return EmittedContract.contract(
                """
                doc: \(quoted)
                errors: {e: {category: nonRetryable, when: {code: \(quoted)}, message: \(quoted), doc: \(quoted)}}
                envelopes: {env: {code: c}}
                types:
                  T: {fields: {a: {type: string, wire: \(quoted), default: \(quoted), doc: \(quoted), deprecated: \(quoted)}}, doc: \(quoted)}
                  E: {enum: {one: \(quoted), two: other}}
                endpoints:
                  x: {post: /x, envelope: env, errors: [e], doc: \(quoted), deprecated: \(quoted), query: {q: {type: string, wire: \(quoted)}}, body: {t: T, e: E}, response: T}

                """)
        }
        let plain = try EmittedContract(contract("text"))
        #expect(plain.findings.isEmpty)
        for text in ["*/", "\"\"\"", "\\(x)", "\"#", "a\u{2028}b", "a\u{202E}b", "{{name}}", "#\"", "\u{7F}"] {
            let hostile = try EmittedContract(contract(text))
            // Text that is invalid in a contract is refused before it gets here.
            if hostile.findings.contains(where: { $0.hasPrefix("yaml-") }) { continue }
            #expect(hostile.findings.isEmpty, "\(text.debugDescription)")
            #expect(Self.skeleton(hostile.text) == Self.skeleton(plain.text), "\(text.debugDescription)")
        }
    }

    /// The source without its literals and comments.
    private static func skeleton(_ source: String) -> [String] {
        source.split(separator: "\n").filter { !$0.drop(while: { $0 == " " }).hasPrefix("///") }
            .map { String($0).replacing(/"(\\.|[^"\\])*"/, with: "\"\"") }
            .joined().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Runs a program on a thread of its own: other tests need the few that tasks share.
    private func run(_ tool: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let process = Process()
                        let pipe = Pipe()
                        process.executableURL = URL(fileURLWithPath: tool)
                        process.arguments = arguments
                        process.standardOutput = pipe
                        try process.run()
                        let data = pipe.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
                    })
            }
        }
    }
}
