import BankClient
import ErrandObservability
import ErrandRuntime
import Foundation
import Logging
import Testing

/// What `docs/observability.md` shows compiles, and says nothing of fields that there are not.
@Suite struct PageTests {
    private static let here = URL(fileURLWithPath: #filePath)

    private static func page() throws -> String {
        try String(
            contentsOf: here.appendingPathComponent("../../../../../docs/observability.md").standardized,
            encoding: .utf8)
    }

    private func client() -> Bank {
        let bank = Bank(on: Dispatcher(observers: [Telemetry(logger: Logger(label: "bank"))]))
        return bank
    }

    private func console() -> Bank {
        let bank = Bank(on: Dispatcher(observers: [ConsoleLog()]))
        return bank
    }

    @Test func theExamplesCompile() throws {
        let examples = try Self.page().components(separatedBy: "<!-- compiled -->\n```swift\n").dropFirst()
        #expect(examples.count == 2)
        let source = try String(contentsOf: Self.here, encoding: .utf8)
        for example in examples { #expect(source.contains(example.components(separatedBy: "\n```")[0])) }
        #expect(client().binding.dispatcher.waiting.isEmpty)
        #expect(console().binding.dispatcher.waiting.isEmpty)
    }

    @Test func everyFieldIsOnThePage() throws {
        let page = try Self.page()
        let folder = Self.here.appendingPathComponent("../../../../../Sources/ErrandObservability").standardized
        var names: Set<String> = []
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        for file in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: #/"((?:http|url|server|error|errand)\.[a-z._]+)"/#) {
                names.insert(String(match.1))
            }
        }
        #expect(names.count > 15)
        for name in names { #expect(page.contains("`\(name)`"), "\(name)") }
    }
}
