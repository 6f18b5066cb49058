import ContractModel
import Diagnostics
import Foundation

/// Reads the files of this checkout.
struct CheckoutSource: SourceProvider {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    func read(_ path: String) -> SourceReading {
        guard let data = FileManager.default.contents(atPath: Self.root.appendingPathComponent(path).path) else {
            return .failure(rule: .unreadableFile, message: "`\(path)` cannot be read", help: nil)
        }
        return .bytes(Array(data))
    }

    static func examine(_ path: String) -> ContractExamination {
        ContractResolver(provider: CheckoutSource()).examine(path: path)
    }
}
