import Foundation
import Testing

/// `docs/screens.md` lists what there is.
@Suite struct ScreenPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Each key of the built-in texts has its line.
    @Test func everyKeyIsOnThePage() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/screens.md"), encoding: .utf8)
        let catalog = try String(
            contentsOf: Self.root.appendingPathComponent("Sources/Runtime/ErrandUI/Texts/Errand.xcstrings"),
            encoding: .utf8)
        let keys = Set(catalog.matches(of: /"(errand\.[A-Za-z.]+)" :/).map { String($0.output.1) })
        #expect(keys.count > 25)
        for key in keys { #expect(page.contains("`\(key)`"), "\(key)") }
    }
}
