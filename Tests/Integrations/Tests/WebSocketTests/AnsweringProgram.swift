import Foundation

/// A program in Python that prints a first line, and may then answer each line of its input with one of its output.
final class AnsweringProgram: @unchecked Sendable {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    /// What `scripts/install-python-tools` installs into the checkout, of which this package is a part.
    // Not standardized: Foundation would follow the link to the system's Python, which has none of the packages.
    private static let python = folder.appendingPathComponent("../../../../.build-python/bin/python")
    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

    let firstLine: String
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    /// Questions block, one after the other, on no thread of a task.
    private let queue = DispatchQueue(label: "answers")
    private var unread = Data()

    struct Silence: Error {}

    init(_ script: String, _ arguments: [String]) throws {
        process.executableURL = Self.python
        process.arguments = [Self.folder.appendingPathComponent(script).path] + arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var rest = Data()
        firstLine = try Self.line(from: output, &rest)
        unread = rest
    }

    deinit { Foundation.kill(process.processIdentifier, SIGKILL) }

    func freeze() { Foundation.kill(process.processIdentifier, SIGSTOP) }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func ask(_ question: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    with: Result {
                        try input.fileHandleForWriting.write(contentsOf: Data((question + "\n").utf8))
                        return try Self.line(from: output, &unread)
                    })
            }
        }
    }

    private static func line(from pipe: Pipe, _ unread: inout Data) throws -> String {
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let part = pipe.fileHandleForReading.availableData
            if part.isEmpty { throw Silence() }
            unread += part
        }
    }
}
