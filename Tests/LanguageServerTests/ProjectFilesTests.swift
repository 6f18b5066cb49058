import Foundation
import Testing

@testable import LanguageServer

/// The server reads the files that `errand lint` reads.
@Suite struct ProjectFilesTests {
    @Test(arguments: [false, true])
    func anImportLiesInTheProject(_ hasSettings: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-lsp-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let project = folder.appendingPathComponent("project")
        try FileManager.default.createDirectory(
            at: project.appendingPathComponent("contracts"), withIntermediateDirectories: true)
        let text = """
            errand: 1
            service: Shop
            imports: [../../outside.yaml]
            servers: {main: https://shop.example}
            defaults: {timeout: 10s}
            endpoints:
              listItems: {get: /items, response: "[Item]"}

            """
        try Data("errand: 1\nservice: S\ntypes: {Item: {id: int}}\nendpoints: {}\n".utf8).write(
            to: folder.appendingPathComponent("outside.yaml"))
        if hasSettings {
            try Data("allow: [..]\n".utf8).write(to: project.appendingPathComponent("errand.yaml"))
        }
        let file = project.appendingPathComponent("contracts/shop.contract.yaml")
        let client = ScriptedClient()
        client.begin(in: project)
        client.open(file.absoluteString, text)
        let word = client.request(
            "textDocument/definition",
            [
                "textDocument": ["uri": file.absoluteString], "position": ["line": 2, "character": 14],
            ])
        client.run()
        let rules = client.published.filter { $0.uri.hasSuffix("shop.contract.yaml") }.flatMap(\.rules)
        #expect(rules.contains("outside-project"), "\(client.published)")
        #expect((client.result(of: word) as? [Any])?.isEmpty == true)
    }
}
