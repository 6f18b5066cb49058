import Foundation

/// A server in a process of its own, whose first line has its URL. What it prints goes into a file.
final class ServerProcess {
    let port: Int
    private let process = Process()
    private let output: URL

    init(_ program: String, _ arguments: [String]) throws {
        output = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString).log")
        try Data().write(to: output)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        var found: Int?
        while found == nil, process.isRunning {
            let text = try String(contentsOf: output, encoding: .utf8)
            found = text.firstMatch(of: #/:(\d+)\//#).flatMap { Int($0.1) }
            if found == nil { usleep(10_000) }
        }
        guard let found else {
            throw LoadClient.Failure(description: "\(program) \(arguments.first ?? "") does not start")
        }
        port = found
    }

    func stop() {
        process.terminate()
        try? FileManager.default.removeItem(at: output)
    }
}
