import Foundation
import TestSeeds
import Testing

@testable import LanguageServer

/// A client that types at random and sends invalid messages: the server survives, and in the end it reports the same as lint.
@Suite struct NonsenseTests {
    private static let words = [
        "a", " ", "  ", "\n", "\r\n", "\t", ":", ": ", "- ", "{", "}", "[", "]", ",", "\"", "'", "#", "|", "&x ", "*x",
        "🧾", "é", "\u{0}",
        "\u{FEFF}", "types:\n", "  Item: {id: int}\n", "errors:\n",
        "  gone: {category: retryable, when: {status: 410}}\n",
        "response: Item", "retry: {base: 1s}\n", "# errand:ignore verb-in-path why\n", "endpoints:\n",
        "  getItem: {get: /getItem, response: Item}\n", "imports: [bank.contract.yaml]\n", "errand: 1\n",
    ]
    private static let methods = [
        "hover", "definition", "references", "documentHighlight", "documentSymbol", "completion", "codeAction",
        "prepareRename", "rename",
        "dance",
    ].map { "textDocument/" + $0 }
    private static let nonsense = [
        "", "{", "[]", "null", "7", "\u{1}", #"{"id":1}"#, #"{"method":[]}"#, #"{"id":{},"method":"shutdown"}"#,
        #"{"method":"textDocument/didChange","params":{}}"#,
        #"{"id":9000,"method":"initialize","params":{"capabilities":{}}}"#,
        #"{"method":"$/cancelRequest","params":{"id":7}}"#,
        #"{"method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///x"}}}"#,
    ]

    @Test func twoThousandMessages() throws {
        let seed = SeededGenerator.newSeed()
        print("nonsense with seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "errand nonsense \(UUID().uuidString)")
        let contracts = folder.appendingPathComponent("contracts")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(at: CursorPathTests.root.appendingPathComponent("contracts"), to: contracts)

        let server = try ServerProcess(in: folder)
        _ = try server.ask("initialize", ["rootUri": folder.absoluteString, "capabilities": [String: Any]()])
        var texts: [String: String] = [:]
        for name in ["bank.contract.yaml", "friends.contract.yaml", "auth.contract.yaml"] {
            let text = try String(contentsOf: contracts.appendingPathComponent(name), encoding: .utf8)
            texts[name] = text
            try server.note(
                "textDocument/didOpen",
                [
                    "textDocument": [
                        "uri": contracts.appendingPathComponent(name).absoluteString, "languageId": "yaml",
                        "version": 1, "text": text,
                    ]
                ])
        }
        for number in 2...2_000 {
            let name = texts.keys.sorted()[Int.random(in: 0..<3, using: &random)]
            let uri = contracts.appendingPathComponent(name).absoluteString
            let text = texts[name] ?? ""
            let document = DocumentText(Array(text.utf8))
            let start = document.position(at: Self.place(text, &random), .utf16)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try server.say(Array((Self.nonsense.randomElement(using: &random) ?? "").utf8))
            case 1, 2, 3:
                let answer = try server.ask(
                    Self.methods.randomElement(using: &random) ?? "",
                    [
                        "textDocument": ["uri": uri], "position": ["line": start.line, "character": start.character],
                        "newName": "New",
                        "context": ["includeDeclaration": true],
                        "range": [
                            "start": ["line": start.line, "character": 0],
                            "end": ["line": start.line + 2, "character": 0],
                        ],
                    ])
                let code = (answer["error"] as? [String: Any])?["code"] as? Int
                #expect(code == nil || code == -32601 || code == -32803, "seed \(seed), message \(number): \(answer)")
            default:
                var edited = document
                // Now and then the text is put back, so that not all of it is rubble.
                var change: [String: Any] = ["text": text]
                if Int.random(in: 0..<20, using: &random) == 0 {
                    let shipped = try String(contentsOf: contracts.appendingPathComponent(name), encoding: .utf8)
                    edited = DocumentText(Array(shipped.utf8))
                    change["text"] = shipped
                } else {
                    let length = Int.random(in: 0...9, using: &random)
                    let last = min(document.bytes.count, document.offset(of: start, .utf16) + length)
                    let through = document.position(at: Self.boundary(text, last), .utf16)
                    let new = Self.words.randomElement(using: &random) ?? ""
                    let range = ClientRange(start: min(start, through), end: max(start, through))
                    edited.replace(range, with: new, .utf16)
                    change = [
                        "text": new,
                        "range": [
                            "start": ["line": range.start.line, "character": range.start.character],
                            "end": ["line": range.end.line, "character": range.end.character],
                        ],
                    ]
                }
                texts[name] = String(decoding: edited.bytes, as: UTF8.self)
                try server.note(
                    "textDocument/didChange",
                    ["textDocument": ["uri": uri, "version": number], "contentChanges": [change]])
            }
        }
        // A last edit of each, to know when it was looked at.
        for (name, text) in texts {
            let uri = contracts.appendingPathComponent(name).absoluteString
            try server.note(
                "textDocument/didChange",
                ["textDocument": ["uri": uri, "version": 9_999], "contentChanges": [["text": text]]])
        }
        var published: [String: [[String: Any]]] = [:]
        try server.hear { message in
            guard let parameters = message["params"] as? [String: Any], let uri = parameters["uri"] as? String,
                parameters["version"] as? Int == 9_999
            else { return false }
            published[URL(string: uri)?.lastPathComponent ?? ""] = parameters["diagnostics"] as? [[String: Any]]
            return published.count == 3
        }
        for (name, text) in texts {
            try text.write(to: contracts.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        let wanted = try lint(texts.keys.sorted().map { "contracts/" + $0 }, in: folder)
        for (name, text) in texts {
            let found = (published[name] ?? []).map { Finding($0, in: DocumentText(Array(text.utf8))) }
            #expect(found == wanted["contracts/" + name] ?? [], "seed \(seed), \(name)")
        }
        #expect(try server.ask("shutdown", [String: Any]())["error"] == nil)
        #expect(try server.end() == 0, "seed \(seed)")
    }

    /// A place between two characters.
    private static func place(_ text: String, _ random: inout SeededGenerator) -> Int {
        boundary(text, Int.random(in: 0...text.utf8.count, using: &random))
    }

    private static func boundary(_ text: String, _ offset: Int) -> Int {
        let bytes = Array(text.utf8)
        var offset = offset
        while offset > 0, offset < bytes.count,
            bytes[offset] & 0xC0 == 0x80 || (bytes[offset] == 0x0A && bytes[offset - 1] == 0x0D)
        {
            offset -= 1
        }
        return offset
    }

    // MARK: What lint says

    private struct Finding: Equatable {
        var rule: String
        var severity: Int
        var bytes: Range<Int>

        init(rule: String, severity: Int, bytes: Range<Int>) {
            self.rule = rule
            self.severity = severity
            self.bytes = bytes
        }

        init(_ diagnostic: [String: Any], in text: DocumentText) {
            func offset(_ end: String) -> Int {
                let place = (diagnostic["range"] as? [String: Any])?[end] as? [String: Any]
                let position = ClientPosition(
                    line: place?["line"] as? Int ?? -1, character: place?["character"] as? Int ?? -1)
                return text.offset(of: position, .utf16)
            }
            let rule = diagnostic["code"] as? String ?? ""
            self.init(rule: rule, severity: diagnostic["severity"] as? Int ?? 0, bytes: offset("start")..<offset("end"))
        }
    }

    private func lint(_ files: [String], in folder: URL) throws -> [String: [Finding]] {
        let process = Process()
        process.executableURL = try ServerProcess.tool()
        process.arguments = ["lint", "--format", "json"] + files
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let report =
            try JSONSerialization.jsonObject(with: output.fileHandleForReading.readDataToEndOfFile()) as? [String: Any]
        process.waitUntilExit()
        var found: [String: [Finding]] = [:]
        for finding in report?["findings"] as? [[String: Any]] ?? [] {
            func offset(_ end: String) -> Int {
                ((finding["range"] as? [String: Any])?[end] as? [String: Any])?["offset"] as? Int ?? 0
            }
            let severity = ["error": 1, "warning": 2, "note": 3][finding["severity"] as? String ?? ""] ?? 0
            found[finding["file"] as? String ?? "", default: []].append(
                Finding(
                    rule: finding["rule"] as? String ?? "", severity: severity, bytes: offset("start")..<offset("end"))
            )
        }
        return found
    }
}
