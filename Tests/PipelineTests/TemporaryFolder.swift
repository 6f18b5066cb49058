import Foundation

/// A folder of a test's own, gone when the test is.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var path: String { url.path }

    func path(_ relative: String) -> String { url.appendingPathComponent(relative).path }

    func write(_ text: String, to relative: String) throws {
        let file = url.appendingPathComponent(relative)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func text(_ relative: String) -> String? {
        try? String(contentsOf: url.appendingPathComponent(relative), encoding: .utf8)
    }

    /// Every file below the folder, hidden ones too.
    var files: [String] {
        let walk = FileManager.default.enumerator(atPath: url.path)
        var files: [String] = []
        while let name = walk?.nextObject() as? String {
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path(name), isDirectory: &isFolder), !isFolder.boolValue {
                files.append(name)
            }
        }
        return files.sorted()
    }
}
