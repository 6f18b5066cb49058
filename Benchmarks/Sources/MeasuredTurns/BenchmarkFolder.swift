import Foundation

/// A folder for files that a benchmark measures, removed with this object. It is beside the package's build, since a system may keep its
/// temporary files in memory.
public final class BenchmarkFolder {
    public let path: String

    /// - Parameter name: what the folder is for.
    public init(_ name: String) throws {
        path = FileManager.default.currentDirectoryPath + "/.build/\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
