import Foundation
import Testing

/// `docs/observability.md` lists the fields that there are.
@Suite struct PageTests {
    private static let here = URL(fileURLWithPath: #filePath)

    private static func page() throws -> String {
        try String(
            contentsOf: here.appendingPathComponent("../../../../../docs/observability.md").standardized,
            encoding: .utf8)
    }

    @Test func everyFieldIsOnThePage() throws {
        let page = try Self.page()
        let folder = Self.here.appendingPathComponent("../../../../../Sources/Runtime/ErrandObservability").standardized
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
