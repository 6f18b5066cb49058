import Foundation
import Testing

@testable import LanguageServer

/// The fixes in a file whose lines end with `\r\n` are the same as in a file whose lines end with `\n`, at the same lines and
/// columns, with line breaks of the file in the inserted text.
@Suite struct QuickFixTests {
    private static let cases = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("ContractChecksTests/Cases")
    private static let rules = ((try? FileManager.default.contentsOfDirectory(atPath: cases.path)) ?? []).filter {
        !$0.hasPrefix(".")
    }.sorted()

    /// An edit of an action, in words.
    private struct Offer: Equatable {
        let title: String
        let range: String
        var text: String
    }

    private func offers(for text: String, at file: URL) throws -> [Offer] {
        let client = ScriptedClient()
        client.begin(in: file.deletingLastPathComponent())
        client.open(file.absoluteString, text)
        let everything: [String: Any] = ["start": ["line": 0, "character": 0], "end": ["line": 9999, "character": 0]]
        let id = client.request(
            "textDocument/codeAction",
            ["textDocument": ["uri": file.absoluteString], "range": everything, "context": [String: Any]()])
        client.run()
        let actions = try #require(client.result(of: id) as? [[String: Any]])
        return try actions.flatMap { action in
            let changes = try #require((action["edit"] as? [String: Any])?["changes"] as? [String: [[String: Any]]])
            return try changes.values.joined().map { edit in
                Offer(
                    title: action["title"] as? String ?? "", range: ScriptedClient.sortedText(edit["range"] ?? ""),
                    text: try #require(edit["newText"] as? String))
            }
        }
    }

    @Test(arguments: rules)
    func aFileFromWindowsIsOfferedTheSame(_ rule: String) throws {
        let file = Self.cases.appendingPathComponent("\(rule)/fails.contract.yaml")
        let text = try String(contentsOf: file, encoding: .utf8).replacing("«", with: "").replacing("»", with: "")
        let plain = try offers(for: text, at: file)
        let windows = try offers(for: text.replacing("\n", with: "\r\n"), at: file)
        #expect(
            windows
                == plain.map { Offer(title: $0.title, range: $0.range, text: $0.text.replacing("\n", with: "\r\n")) })
    }

    @Test func theLastLineIsIgnoredAsTheOthersEnd() throws {
        let text =
            "errand: 1\r\nservice: Sample\r\nservers: {main: https://a.example}\r\ndefaults: {timeout: 10s}\r\nendpoints:\r\n  a: {get: /getA, response: string}"
        let offers = try offers(for: text, at: URL(fileURLWithPath: "/tmp/no such folder/a.contract.yaml"))
        #expect(offers.map(\.text) == ["  # errand:ignore verb-in-path REASON\r\n"])
    }

    @Test func someInsertLines() throws {
        let text =
            "errand: 1\r\nservice: A\r\ndefaults: {timeout: 10s}\r\nendpoints:\r\n  a:\r\n    get: /a\r\n    response: string\r\n    retry:\r\n      base: 2s\r\n"
        let offers = try offers(for: text, at: URL(fileURLWithPath: "/tmp/no such folder/a.contract.yaml"))
        #expect(offers.contains { $0.text == "attempts: 3\r\n      " })
        #expect(
            offers.contains {
                $0.title == "Fix all findings with a certain fix"
                    && $0.text == "      attempts: 3\r\n      base: 2s\r\n"
            })
    }
}

extension ScriptedClient {
    fileprivate static func sortedText(_ object: Any) -> String {
        (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed])).map {
            String(decoding: $0, as: UTF8.self)
        } ?? ""
    }
}
