import ErrandRuntime
import EverythingClient
import Foundation
import Testing

/// Generated multipart bodies on a socket, read by a parser that other people wrote.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: PartsServer.python != nil, "there is no Python"))
struct MultipartSocketTests {
    struct Part: Decodable, Equatable {
        var name: String
        var file: String?
        var type: String?
        var bytes: [UInt8]

        init(_ name: String, _ text: String, type: String? = nil) {
            self.init(name, Array(text.utf8), file: nil, type: type)
        }

        init(_ name: String, _ bytes: [UInt8], file: String?, type: String?) {
            (self.name, self.file, self.type, self.bytes) = (name, file, type, bytes)
        }
    }

    private struct Received: Decodable {
        var framing: String
        var parts: [Part]
        var defects: [String]
    }

    private static let png: [UInt8] = Array(0...255) + [13, 10, 45, 45, 10, 13]

    /// The parts of the contract's own fields, without those of the common parameters.
    private func received(_ command: Everything.UploadTree) async throws -> Received {
        let server = try PartsServer()
        let client = Everything(
            .init(url: server.url, upload: server.url, let: server.url),
            common: Everything.Common(xDevice: UUID(), apiKey: "k"), secretKey: "s")
        let json = try await client.send(command)
        var received = try JSONDecoder().decode(Received.self, from: Data(json.description.utf8))
        #expect(received.defects == [])
        let common = ["sent_at", "nonce", "api_key", "sentAt", "apiKey"]
        received.parts.removeAll { common.contains($0.name) }
        return received
    }

    @Test func everyPartArrives() async throws {
        let received = try await received(
            Everything.UploadTree(
                photos: [
                    FilePart(Self.png, fileName: "a b.png"),
                    FilePart([], fileName: "empty.gif", contentType: "image/gif"),
                ],
                rows: [Everything.FormRow(price: 3, more: .init(since: Date(timeIntervalSince1970: 0), words: ["w"]))],
                tags: ["k y": "v&w"], words: ["one", "zwölf"],
                notes: ["# Hi"], numbers: [1, 2], item: Everything.Item(id: 7, name: "n"),
                let: FilePart(Array("x".utf8), fileName: "let.txt")))
        #expect(received.framing == "length")
        #expect(
            received.parts == [
                Part("photos[]", Self.png, file: "a b.png", type: "image/png"),
                Part("photos[]", [], file: "empty.gif", type: "image/gif"),
                Part("rows[0][unit price]", "3"),
                Part("rows[0][more][since]", "1970-01-01T00:00:00Z"),
                Part("rows[0][more][words][0]", "w"),
                Part("tags[k y]", "v&w"),
                Part("words", "one"),
                Part("words", "zwölf"),
                Part("notes", "# Hi", type: "text/markdown"),
                Part("numbers", "[1,2]", type: "application/json"),
                Part("item", #"{"id":7,"na\"me":"n","level":"low"}"#, type: "application/vnd.item+json"),
                Part("let", Array("x".utf8), file: "let.txt", type: "application/octet-stream"),
            ])
    }

    /// The length of files on the disk is known, so the body has a length and stays out of memory.
    @Test func filesAreStreamedFromTheDisk() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString).bin")
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let files = [
            try FilePart(.file(at: url), fileName: "one.bin"), try FilePart(.file(at: url), fileName: "two.bin"),
        ]
        #expect(files.map(\.content.length) == [300_000, 300_000])
        let received = try await received(
            Everything.UploadTree(photos: files, rows: [], words: [], numbers: []))
        #expect(received.framing == "length")
        #expect(
            received.parts == [
                Part("photos[]", bytes, file: "one.bin", type: "image/png"),
                Part("photos[]", bytes, file: "two.bin", type: "image/png"),
                Part("numbers", "[]", type: "application/json"),
            ])
    }

    @Test func aListOfFilesKeepsItsBounds() async throws {
        let client = Everything(
            .fixed, common: Everything.Common(xDevice: UUID(), apiKey: "k"), secretKey: "s")
        await #expect(throws: (any Error).self) {
            try await client.uploadTree(photos: [], rows: [], words: [], numbers: [])
        }
    }
}

/// The server of `multipart_server.py`, for as long as this lives.
final class PartsServer: Sendable {
    static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    let url: String
    private let process: Int32

    init(_ path: String = #filePath) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python ?? "")
        process.arguments = [
            URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("multipart_server.py").path
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
