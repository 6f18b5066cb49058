import Foundation
import Testing

/// `docs/screens.md` shows code that compiles: here, or against the stand-ins of Apple's modules (`scripts/check-apple`).
@Suite struct ScreenPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func everyExampleCompiles() throws {
        let files =
            try ["Tests/ErrandUITests/ScreenPageExamples.swift", "Sources/ErrandUI/Texts/BuiltInTexts.swift"]
            + ["Models", "App", "Counterparts"].flatMap { folder in
                try FileManager.default.contentsOfDirectory(
                    atPath: Self.root.appendingPathComponent("Examples/Screens/\(folder)").path
                ).map { "Examples/Screens/\(folder)/\($0)" }
            }
        let compiled = try files.flatMap {
            Self.lines(try String(contentsOf: Self.root.appendingPathComponent($0), encoding: .utf8))
        }
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/screens.md"), encoding: .utf8)
        let examples = page.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0].trimmingCharacters(in: .newlines)
        }
        #expect(examples.count == 19)
        for example in examples {
            let wanted = Self.lines(example)
            #expect(
                compiled.indices.contains { compiled[$0...].starts(with: wanted) }, "nothing compiles this:\n\(example)"
            )
        }
    }

    /// Each key of the built-in texts has its line.
    @Test func everyKeyIsOnThePage() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/screens.md"), encoding: .utf8)
        let catalogue = try String(
            contentsOf: Self.root.appendingPathComponent("Sources/ErrandUI/Texts/Errand.xcstrings"), encoding: .utf8)
        let keys = Set(catalogue.matches(of: /"(errand\.[A-Za-z.]+)" :/).map { String($0.output.1) })
        #expect(keys.count > 25)
        for key in keys { #expect(page.contains("`\(key)`"), "\(key)") }
    }
}
