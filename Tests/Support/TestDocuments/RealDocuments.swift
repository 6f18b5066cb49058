import Foundation

/// Documents that other people wrote, where `ERRAND_CORPORA` names the folder that has them.
public enum RealDocuments {
    /// The paths of the OpenAPI documents that are not longer than so many bytes, since a large one takes seconds. `ERRAND_DOCUMENTS=all`
    /// takes the large ones, too.
    public static func openAPI(
        in section: String = "openapi", upTo size: Int, where isWanted: (String) -> Bool = { _ in true }
    ) -> [String] {
        let paths = openAPI(in: section, where: isWanted)
        if ProcessInfo.processInfo.environment["ERRAND_DOCUMENTS"] == "all" { return paths }
        return paths.filter { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return attributes?[.size] as? Int ?? 0 <= size
        }
    }

    /// The paths of the OpenAPI documents, in order; empty without the folder.
    ///
    /// - Parameters:
    ///   - section: the part of the folder that they are in.
    ///   - isWanted: whether a document counts, by its path in their folder.
    public static func openAPI(
        in section: String = "openapi", where isWanted: (String) -> Bool = { _ in true }
    ) -> [String] {
        guard let folder = ProcessInfo.processInfo.environment["ERRAND_CORPORA"] else { return [] }
        let root = URL(fileURLWithPath: folder).appendingPathComponent(section)
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return names.filter { ($0.hasSuffix(".yaml") || $0.hasSuffix(".json")) && isWanted($0) }.sorted().map {
            root.appendingPathComponent($0).path
        }
    }
}
