import Foundation

/// A certificate authority that only tests trust, and what it issues for `localhost`, made by the `openssl` command. Its folder is removed
/// with this object.
public final class TestAuthority: Sendable {
    private static let command = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { "\($0)/openssl" }.first(where: FileManager.default.isExecutableFile)
    public static var isAvailable: Bool { command != nil }

    /// The algorithms of keys, as `openssl genpkey` names them.
    public enum KeyKind: String, CaseIterable, Sendable {
        case rsa = "RSA"
        case curve = "EC -pkeyopt ec_paramgen_curve:P-256"
        case largeCurve = "EC -pkeyopt ec_paramgen_curve:P-384"
        case edwards = "ED25519"
    }

    public struct Failed: Error {
        public let command: [String]
    }

    public let folder: URL
    /// The authority's own certificate in PEM.
    public let certificate: [UInt8]

    public init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("subjectAltName=DNS:localhost,IP:127.0.0.1\n".utf8).write(to: folder.appendingPathComponent("names"))
        let root = folder
        try Self.openssl(
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "root.key", "-out", "root.pem",
                "-days", "2", "-subj", "/CN=An authority of tests",
            ], in: root)
        certificate = Array(try Data(contentsOf: root.appendingPathComponent("root.pem")))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Makes a key in `NAME.key`.
    ///
    /// - Returns: its pin (RFC 7469 section 2.4), as the commands of the appendix A of that document give it.
    public func makeKey(_ name: String, _ kind: KeyKind = .rsa) throws -> String {
        let algorithm = kind.rawValue.split(separator: " ").map(String.init)
        try Self.openssl(["genpkey", "-algorithm"] + algorithm + ["-out", "\(name).key"], in: folder)
        return try Self.pin(ofKey: "\(name).key", in: folder)
    }

    /// The pin of a key in PEM.
    public static func pin(ofKey key: String, in folder: URL) throws -> String {
        try openssl(["pkey", "-in", key, "-pubout", "-outform", "der", "-out", "\(key).pub"], in: folder)
        try openssl(["dgst", "-sha256", "-binary", "-out", "\(key).hash", "\(key).pub"], in: folder)
        let hash = try Data(contentsOf: folder.appendingPathComponent("\(key).hash"))
        return "sha256/\(hash.base64EncodedString())"
    }

    /// Issues a certificate in `NAME.pem` for a key.
    ///
    /// - Parameters:
    ///   - subject: its common name, which clients of servers ignore.
    ///   - days: how long it is valid; -1 for one that has expired.
    ///   - isSelfSigned: whether no authority vouches for it.
    public func issue(_ name: String, to subject: String = "localhost", days: Int = 2, isSelfSigned: Bool = false)
        throws
    {
        try Self.openssl(
            ["req", "-new", "-key", "\(name).key", "-subj", "/CN=\(subject)", "-out", "\(name).csr"], in: folder)
        let signer =
            isSelfSigned ? ["-signkey", "\(name).key"] : ["-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial"]
        try Self.openssl(
            ["x509", "-req", "-in", "\(name).csr", "-days", "\(days)", "-extfile", "names", "-out", "\(name).pem"]
                + signer, in: folder)
    }

    /// The text of a file of this authority.
    public func text(_ file: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    }

    /// Writes a key in the form of its algorithm, PKCS#1 or SEC1, to `NAME.old.key`.
    public func writeTraditionalKey(_ name: String) throws {
        try Self.openssl(["pkey", "-in", "\(name).key", "-traditional", "-out", "\(name).old.key"], in: folder)
    }

    /// Writes a key that needs a password to `NAME.locked.key`.
    public func writeEncryptedKey(_ name: String, isTraditional: Bool = false) throws {
        try Self.openssl(
            ["pkey", "-in", "\(name).key", "-aes256", "-passout", "pass:word", "-out", "\(name).locked.key"]
                + (isTraditional ? ["-traditional"] : []), in: folder)
    }

    /// A certificate in DER.
    public func der(_ name: String) throws -> [UInt8] {
        try Self.openssl(["x509", "-in", "\(name).pem", "-outform", "der", "-out", "\(name).der"], in: folder)
        return Array(try Data(contentsOf: folder.appendingPathComponent("\(name).der")))
    }

    /// Starts `openssl s_server` with a certificate, as a web server. What clients send to it goes into `NAME.received`.
    ///
    /// - Returns: the process, which the caller ends.
    public func serve(_ name: String, on port: Int, _ options: [String] = []) throws -> Process {
        let received = folder.appendingPathComponent("\(name).received")
        _ = FileManager.default.createFile(atPath: received.path, contents: nil)
        let process = Process()
        process.executableURL = Self.command.map { URL(fileURLWithPath: $0) }
        process.arguments =
            ["s_server", "-quiet", "-accept", "\(port)", "-key", "\(name).key", "-cert", "\(name).pem"] + options
        process.currentDirectoryURL = folder
        process.standardOutput = try FileHandle(forWritingTo: received)
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func openssl(_ arguments: [String], in folder: URL) throws {
        let process = Process()
        process.executableURL = command.map { URL(fileURLWithPath: $0) }
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(command: arguments) }
    }
}
