import Foundation
import TestPrograms
import Testing

/// The server as an editor runs it: another process, and a client that others have written.
@Suite struct EditingSessionTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test(
        .enabled(
            if: PythonTools.areInstalled,
            "`scripts/install-python-tools` installs pygls"
        ),
        arguments: ["utf-16", "utf-8"]
    )
    func aWholeSession(encoding: String) throws {
        let project = FileManager.default.temporaryDirectory.appendingPathComponent(
            "errand session ü \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: project, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: project) }
        let contracts = Self.folder.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
            "contracts")
        try FileManager.default.copyItem(at: contracts, to: project.appendingPathComponent("contracts"))

        let process = Process()
        process.executableURL = PythonTools.python
        process.arguments = [
            Self.folder.appendingPathComponent("Session/editing_session.py").path, try ServerProcess.tool().path,
            project.path, encoding,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text.suffix(2000))")
        #expect(text.hasSuffix("the session went as it should\n"))
    }
}
