import Foundation

/// A certificate for `localhost` and its key, in a folder that is removed with this object.
final class ServerCertificate: Sendable {
    /// The command that makes certificates; nil if it is not available.
    static let openssl = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { "\($0)/openssl" }.first(where: FileManager.default.isExecutableFile)

    let folder: URL
    /// In PEM.
    let bytes: [UInt8]
    var file: String { folder.appendingPathComponent("certificate.pem").path }
    var keyFile: String { folder.appendingPathComponent("key.pem").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = Self.openssl.map { URL(fileURLWithPath: $0) }
        process.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "certificate.pem",
            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        ]
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        bytes = Array(try Data(contentsOf: folder.appendingPathComponent("certificate.pem")))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
