import Foundation

/// A program that is built beside the tests.
enum BuiltProgram {
    struct Missing: Error { let name: String }

    static func named(_ name: String) throws -> URL {
        var folders = [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        for folder in folders {
            let program = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: program.path) { return program }
        }
        throw Missing(name: name)
    }
}
