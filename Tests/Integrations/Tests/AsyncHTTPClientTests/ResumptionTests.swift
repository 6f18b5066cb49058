import ErrandAsyncHTTPClient
import ErrandJSON
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import NIOConcurrencyHelpers
import Testing

/// Downloads and streams that are opened again over AsyncHTTPClient, as `PartialContentTests` and `StreamReopeningTests` try them
/// over the other transports.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ResumptionTests {
    private static let old = "The old file, of forty bytes in all, ok."
    private static let new = "THE NEW FILE, AS LONG AS THE OLD ONE IS."

    /// One form of a 206 after a response that was cut: what the first response and the 206 say of the file, and whether the 206
    /// shows that it is the same.
    private static let forms: [(first: String, part: @Sendable (Int) -> String, isRest: Bool)] = [
        (tag, { range($0) + tag }, true),
        (tag, { range($0) }, false),
        (tag, { range($0) + "ETag: \"two\"\r\n" }, false),
        (tag, { range($0 + 1) + tag }, false),
        (tag, { range($0, of: "41") + tag }, false),
        (date, { range($0) }, true),
        (date, { range($0, of: "*") }, false),
        (date, { range($0) + "Last-Modified: Sun, 06 Nov 1994 08:50:37 GMT\r\n" }, false),
        (tag, { range($0, to: min($0 + 4, 39)) + tag }, true),
    ]
    private static let tag = "ETag: \"one\"\r\n"
    private static let date = """
        Date: Sun, 06 Nov 1994 09:49:37 GMT\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n
        """

    private static func range(_ start: Int, to end: Int = 39, of total: String = "40") -> String {
        "Content-Range: bytes \(start)-\(end)/\(total)\r\n"
    }

    private static func start(of request: String) -> Int? {
        request.lowercased().components(separatedBy: "range: bytes=").dropFirst().first.flatMap {
            Int($0.prefix { $0.isNumber })
        }
    }

    @Test(arguments: forms.indices)
    func twoFilesAreNeverJoined(_ index: Int) async throws {
        let form = Self.forms[index]
        let server = try RawServer { connection, number in
            guard let request = connection.readRequest() else { return }
            func write(_ status: String, _ fields: String, _ text: Substring, length: Int) {
                connection.write(
                    "HTTP/1.1 \(status)\r\nConnection: close\r\n\(fields)Content-Length: \(length)\r\n\r\n\(text)")
            }
            guard let start = Self.start(of: request) else {
                return number == 1
                    ? write("200 OK", form.first, Self.old.prefix(10), length: 40)
                    : write("200 OK", "ETag: \"two\"\r\n", Self.new[...], length: 40)
            }
            let fields = form.part(start)
            let count = fields.contains("-39/") ? 40 - start : min(5, 40 - start)
            let text = (form.isRest ? Self.old : Self.new).dropFirst(start).prefix(count)
            write("206 Partial Content", fields, text, length: count)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        try await Depot(server.url).download(Depot.Fetch(), to: file).finish()
        // The transport may tell of the cut before the bytes. Then nothing is there to be continued.
        guard server.requests.dropFirst().first.flatMap(Self.start) != nil else { return }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == (form.isRest ? Self.old : Self.new))
    }

    /// Each element shows that the stream lives, so it goes on. The pauses keep the server from being asked all the time.
    @Test func anElementForEachConnectionCostsAPauseEach() async throws {
        let server = try RawServer { connection, number in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            let event = "id: \(number)\ndata: \(number)\n\n"
            connection.write("\(String(event.utf8.count, radix: 16))\r\n\(event)\r\n")
        }
        let pauses = Pauses()
        var iterator = Depot(server.url, observers: [pauses]).stream(Depot.Watch()).makeAsyncIterator()
        var elements: Set<Int> = []
        while elements.count < 5, let element = try await iterator.next() { elements.insert(element) }
        #expect(elements.count == 5)
        #expect(server.requests.count == 5)
        #expect(pauses.count.withLockedValue { $0 } == 4)
    }
}

/// Counts the pauses of commands.
private final class Pauses: CommandObserver {
    let count = NIOLockedValueBox(0)

    func observe(_ event: CommandEvent) {
        if case .waiting(let wait) = event.kind, wait.place == .pause { count.withLockedValue { $0 += 1 } }
    }
}

/// A service with a file and a stream.
private struct Depot: ServiceClient {
    var binding: ServiceBinding

    init(_ server: String, observers: [any CommandObserver] = []) {
        binding = ServiceBinding(
            Self.service, server: server,
            on: Dispatcher(transport: AsyncHTTPClientTransport(), observers: observers), session: Session())
    }

    static let service = ServiceDescription(name: "Depot", version: "1")

    struct Fetch: ErrandRuntime.Command {
        typealias Service = Depot
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(Depot.service, "fetch", .get, effect: .read, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }

    struct Watch: StreamCommand {
        typealias Service = Depot
        typealias Failure = CommandFault
        typealias Element = Int
        static let endpoint = EndpointDescription(
            Depot.service, "watch", .get, effect: .read, response: .stream, stream: StreamDescription(.events))
        func encode(into request: inout RequestEncoder) { request.path("/watch") }
        static func element(from reader: inout JSONReader) -> Int? { reader.readInt() }
    }
}
