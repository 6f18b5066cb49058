import Foundation

/// The tool, run as a user runs it: another process, with its streams and exit status.
struct CommandRun {
    let status: Int32
    let output: String
    let complaints: String

    /// Runs `errand` in a folder.
    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:], input: Pipe? = nil) throws {
        let process = Process()
        process.executableURL = try Self.tool()
        process.arguments = arguments
        process.currentDirectoryURL = folder
        if let input { process.standardInput = input }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let out = folder.appendingPathComponent(".out-\(UUID().uuidString)")
        let err = folder.appendingPathComponent(".err-\(UUID().uuidString)")
        for file in [out, err] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: err)
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        output = try String(contentsOf: out, encoding: .utf8)
        complaints = try String(contentsOf: err, encoding: .utf8)
        for file in [out, err] { try FileManager.default.removeItem(at: file) }
    }

    struct ToolMissing: Error {}

    /// The tool is built beside the tests.
    static func tool() throws -> URL {
        var folders = [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        for folder in folders {
            let tool = folder.appendingPathComponent("errand")
            if FileManager.default.isExecutableFile(atPath: tool.path) { return tool }
        }
        throw ToolMissing()
    }
}
