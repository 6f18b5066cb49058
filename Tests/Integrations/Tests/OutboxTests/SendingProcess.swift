import Foundation

/// A run of `OutboxSender`, which is built beside the tests.
final class SendingProcess: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()

    /// - Parameter step: where the process kills itself; 0 is nowhere.
    init(
        _ folder: String, _ server: String, as user: String, kinds: String = "-", step: Int = 0,
        tracedTo trace: String? = nil, within mount: [String]? = nil
    )
        throws
    {
        let arguments = [folder, server, user, kinds, "\(step)"]
        let program = try Self.program().path
        if let trace {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
            process.arguments =
                [
                    "-f", "-y", "-s", "64", "-e", "trace=write,pwrite64,fsync,fdatasync,sendto,sendmsg,writev", "-o",
                    trace, program,
                ]
                + arguments
        } else if let mount {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
            process.arguments = mount + [program] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
        }
        process.standardOutput = output
        try process.run()
    }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// What the process has printed until its end, in words.
    func lines() -> [[String]] {
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// Whether the process has ended by itself, without an error.
    var hasSucceeded: Bool { process.terminationReason == .exit && process.terminationStatus == 0 }

    struct ProgramMissing: Error {}

    private static func program() throws -> URL {
        var folders = [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        for folder in folders {
            let program = folder.appendingPathComponent("OutboxSender")
            if FileManager.default.isExecutableFile(atPath: program.path) { return program }
        }
        throw ProgramMissing()
    }
}
