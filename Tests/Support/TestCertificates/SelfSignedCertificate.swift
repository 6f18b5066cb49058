import Foundation

/// A certificate for `localhost` and its key, made by the `openssl` command. Its folder is removed with this object.
public final class SelfSignedCertificate: Sendable {
    private static let command = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { "\($0)/openssl" }.first(where: FileManager.default.isExecutableFile)
    public static var isAvailable: Bool { command != nil }

    /// The folder of `certificate.pem` and `key.pem`.
    public let folder: URL
    /// In PEM.
    public let bytes: [UInt8]

    public init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let maker = Self.openssl(
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "certificate.pem",
                "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ], in: folder)
        maker.waitUntilExit()
        bytes = Array(try Data(contentsOf: folder.appendingPathComponent("certificate.pem")))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts the command.
    public static func openssl(_ arguments: [String], in folder: URL) -> Process {
        let process = Process()
        process.executableURL = command.map { URL(fileURLWithPath: $0) }
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
        return process
    }
}
