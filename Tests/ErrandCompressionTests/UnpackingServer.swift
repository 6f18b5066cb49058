import ErrandRuntime
import Foundation

/// The server of `unpacking_server.py`, for as long as this lives.
final class UnpackingServer: Sendable {
    static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    let url: String
    private let process: Int32

    init(_ path: String = #filePath) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python ?? "")
        process.arguments = [
            URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("unpacking_server.py").path
        ]
        let output = Pipe()
        process.standardOutput = output
        // What outlives the test must not hold the pipe that the test's own output goes through.
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process.processIdentifier
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw Silent() }
        url = "http://127.0.0.1:\(port)"
    }

    struct Silent: Error {}

    // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
    deinit { kill(process, SIGKILL) }
}

/// A service that takes bytes.
struct Archive: ServiceClient {
    var binding: ServiceBinding

    init(_ server: String, _ dispatcher: Dispatcher) {
        binding = ServiceBinding(Self.service, server: server, on: dispatcher, session: Session())
    }

    static let service = ServiceDescription(name: "Archive", version: "1")

    struct Store: Command {
        typealias Service = Archive
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Archive.service, "store", .post, effect: .idempotent, compression: .gzip(minimumSize: 1_000),
            response: .bytes)

        let body: BodySource
        init(_ body: BodySource) { self.body = body }
        func encode(into request: inout RequestEncoder) {
            request.path("/store")
            request.body(body)
        }
    }
}
