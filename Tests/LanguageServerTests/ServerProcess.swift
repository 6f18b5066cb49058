import Foundation

@testable import LanguageServer

/// `errand lsp` as a process of its own.
final class ServerProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var framing = MessageFraming()
    private var nextID = 0
    /// Messages of the server that weren't responses, in their order.
    private(set) var notifications: [[String: Any]] = []

    init(in folder: URL) throws {
        process.executableURL = try Self.tool()
        process.arguments = ["lsp"]
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    struct ToolMissing: Error {}
    struct Gone: Error {}

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

    func say(_ bytes: [UInt8]) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(MessageFraming.framed(bytes)))
    }

    func note(_ method: String, _ parameters: Any) throws {
        try say(Array(ScriptedClient.text(["jsonrpc": "2.0", "method": method, "params": parameters]).utf8))
    }

    /// Sends a request and waits for its response.
    func ask(_ method: String, _ parameters: Any) throws -> [String: Any] {
        nextID += 1
        let id = nextID
        try say(Array(ScriptedClient.text(["jsonrpc": "2.0", "id": id, "method": method, "params": parameters]).utf8))
        return try hear { $0["id"] as? Int == id && $0["method"] == nil }
    }

    /// Reads until a message is the one that was waited for.
    @discardableResult
    func hear(until isWanted: ([String: Any]) -> Bool) throws -> [String: Any] {
        while true {
            while case .message(let bytes) = framing.next() {
                guard let message = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
                    continue
                }
                if message["method"] != nil { notifications.append(message) }
                if isWanted(message) { return message }
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Gone() }
            framing.append(Array(data))
        }
    }

    /// Closes its input and waits for its end.
    func end() throws -> Int32 {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
