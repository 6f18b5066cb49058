import Foundation

/// Where a compiler that a test starts finds the package's modules of C.
public enum ModuleMaps {
    struct Failed: Error { let status: Int32 }

    /// The arguments of the compiler, from `scripts/module-maps`.
    public static func arguments() throws -> [String] {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../scripts/module-maps")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["bash", script.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
        return output.split(separator: "\n").map(String.init)
    }
}
