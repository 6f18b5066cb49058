import ContractModel
import Diagnostics
import Foundation
import Testing

/// Reads the files of this checkout.
struct CheckoutSource: SourceProvider {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    func read(_ path: String) -> SourceReading {
        guard let data = try? Data(contentsOf: Self.root.appendingPathComponent(path)) else {
            return .failure(rule: .unreadableFile, message: "`\(path)` cannot be read", help: nil)
        }
        return .bytes(Array(data))
    }
}

@Suite struct ShippedContractTests {
    @Test(arguments: ["bank", "video", "conversations", "friends", "auth", "live", "presence"])
    func resolvesWithoutAFinding(_ name: String) throws {
        let result = ContractResolver(provider: CheckoutSource()).resolve(path: "contracts/\(name).contract.yaml")
        for diagnostic in result.diagnostics {
            let place = diagnostic.range.map { "\($0.start.line):\($0.start.column)" } ?? ""
            Issue.record(
                "\(diagnostic.file):\(place) \(diagnostic.rule): \(diagnostic.message) — \(diagnostic.help ?? "")")
        }
        let contract = try #require(result.contract)
        #expect(!contract.endpoints.isEmpty)
    }
}
