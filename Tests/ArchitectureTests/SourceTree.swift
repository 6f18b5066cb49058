import Foundation

/// The sources of this checkout, as text.
struct SourceTree {
    struct File {
        /// Relative to the root of the checkout, with `/` between folders.
        var path: String
        var text: String

        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of a target, in its wing of `Sources`.
    static func folder(of target: String) throws -> String {
        for wing in try folders(in: "Sources") where try folders(in: "Sources/\(wing)").contains(target) {
            return "Sources/\(wing)/\(target)"
        }
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Sources/*/\(target)"])
    }

    /// The Swift files of a target, in the order of their paths.
    static func swiftFiles(of target: String) throws -> [File] { try swiftFiles(below: folder(of: target)) }

    /// The Swift files below a folder, in the order of their paths.
    static func swiftFiles(below folder: String) throws -> [File] {
        let base = root.appendingPathComponent(folder)
        guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
        var files: [File] = []
        for case let name as String in walk where name.hasSuffix(".swift") && !name.contains(".build") {
            let text = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
            files.append(File(path: folder + "/" + name, text: text))
        }
        return files.sorted { $0.path < $1.path }
    }

    /// The scripts for a shell below some folders, in the order of their paths.
    static func scripts(below folders: [String]) throws -> [File] {
        var files: [File] = []
        for folder in folders {
            let base = root.appendingPathComponent(folder)
            guard let walk = FileManager.default.enumerator(atPath: base.path) else { continue }
            for case let name as String in walk {
                if name.split(separator: "/").last?.hasPrefix(".build") == true { walk.skipDescendants() }
                guard !name.contains("."), let bytes = FileManager.default.contents(atPath: base.path + "/" + name),
                    bytes.starts(with: "#!".utf8)
                else { continue }
                files.append(File(path: folder + "/" + name, text: String(decoding: bytes, as: UTF8.self)))
            }
        }
        return files.sorted { $0.path < $1.path }
    }

    static func folders(in folder: String) throws -> [String] {
        let base = root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(at: base, includingPropertiesForKeys: [.isDirectoryKey])
            .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
            .map(\.lastPathComponent).sorted()
    }
}

extension SourceTree.File {
    /// The modules that the file imports, each with its line.
    var imports: [(module: String, line: Int)] {
        lines.enumerated().compactMap { number, line in
            // An expression that is tried at every line takes minutes.
            guard line.utf8.count < 200, line.contains("import "),
                let match = line.prefixMatch(
                    of:
                        /\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
                )
            else { return nil }
            return (String(match.1), number + 1)
        }
    }
}
