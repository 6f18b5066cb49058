import SwiftEmitter
import Testing

/// A feature that the runtime does not support yet is refused, with the key and its place. Only durable commands are one.
@Suite struct UnsupportedFeatureTests {
    @Test(arguments: [
        ("a: {post: /x, durable: true, effect: keyed}", "durable")
    ])
    func isRefused(_ endpoint: String, _ key: String) throws {
        let emitted = try EmittedContract(EmittedContract.contract("endpoints:\n  \(endpoint)\n"))
        #expect(emitted.files.isEmpty)
        #expect(
            emitted.diagnostics.contains {
                $0.rule == "feature-not-yet-generated" && $0.message.contains("`\(key)`") && $0.range?.start.line == 5
            }, "\(emitted.diagnostics)")
    }

    @Test func whatIsThereIsGenerated() throws {
        let emitted = try EmittedContract(
            EmittedContract.contract("endpoints: {a: {get: /x}}\n"), options: EmitterOptions(access: .package))
        #expect(
            emitted.files.map(\.path) == ["Shop/Shop.swift", "Shop/ShopErrors.swift", "Shop/ShopCommands1.swift"])
        #expect(emitted.text.contains("package struct A: ErrandRuntime.Command"))
        #expect(!emitted.text.contains("public struct"))
        #expect(emitted.files.allSatisfy { $0.lineCount > 1 })
    }
}
