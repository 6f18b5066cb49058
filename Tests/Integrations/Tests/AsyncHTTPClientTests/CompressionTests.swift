import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTesting
import Foundation
import Testing

/// Bodies that a contract wants compressed, over this transport.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CompressionTests {
    /// The server of the package's own tests: Python's, which unpacks with its zlib what it is sent.
    private static let script = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../ErrandCompressionTests/unpacking_server.py").standardizedFileURL
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private struct Archive: ServiceClient {
        var binding: ServiceBinding

        init(_ server: String, _ dispatcher: Dispatcher) {
            binding = ServiceBinding(Self.service, server: server, on: dispatcher, session: Session())
        }

        static let service = ServiceDescription(name: "Archive", version: "1")

        struct Store: ErrandRuntime.Command {
            typealias Service = Archive
            typealias Failure = CommandFault
            typealias Response = [UInt8]
            static let endpoint = EndpointDescription(
                Archive.service, "store", .post, effect: .idempotent, compression: .gzip(), response: .bytes)
            let body: BodySource
            func encode(into request: inout RequestEncoder) {
                request.path("/store")
                request.body(body)
            }
        }
    }

    private static func text(_ count: Int, from start: Int = 0) -> [UInt8] {
        (start..<(start + count)).map { UInt8($0 / 7 % 23 + 65) }
    }

    @Test(.enabled(if: python != nil, "there is no Python"))
    func aStreamIsCompressedAndSentInChunks() async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python ?? "")
        process.arguments = [Self.script.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        let archive = Archive("http://127.0.0.1:\(port)", Dispatcher(transport: AsyncHTTPClientTransport()))

        let small = try await archive.reply(to: Archive.Store(body: .bytes(Self.text(10_000))))
        #expect(small.value == Self.text(10_000))
        #expect(small.headers["X-Sent-Coding"] == "gzip" && small.headers["X-Sent-Framing"] == "length")

        let size = 250_000
        let body = BodySource.replayable {
            AsyncStream { continuation in
                for number in 0..<40 { continuation.yield(Self.text(size, from: number * size)) }
                continuation.finish()
            }
        }
        let large = try await archive.reply(to: Archive.Store(body: body))
        #expect(large.value == Self.text(40 * size))
        #expect(large.headers["X-Sent-Coding"] == "gzip" && large.headers["X-Sent-Framing"] == "chunked")
        #expect((large.headers["X-Sent-Size"].flatMap { Int($0) } ?? .max) < 5_000_000)
    }
}
