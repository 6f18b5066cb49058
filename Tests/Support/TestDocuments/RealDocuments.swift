import Foundation

/// Documents that other people wrote, where `ERRAND_CORPORA` names the folder that has them.
public enum RealDocuments {
    /// The paths of the OpenAPI documents, in order; empty without the folder.
    ///
    /// - Parameter isWanted: whether a document counts, by its path in their folder.
    public static func openAPI(where isWanted: (String) -> Bool = { _ in true }) -> [String] {
        guard let folder = ProcessInfo.processInfo.environment["ERRAND_CORPORA"] else { return [] }
        let root = URL(fileURLWithPath: folder).appendingPathComponent("openapi")
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return names.filter { ($0.hasSuffix(".yaml") || $0.hasSuffix(".json")) && isWanted($0) }.sorted().map {
            root.appendingPathComponent($0).path
        }
    }
}
