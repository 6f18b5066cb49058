import ErrandTransportConformance
import ErrandURLSession
import Foundation
import TestPrograms
import Testing

@testable import ErrandRuntime

/// Streams over real sockets.
@Suite(.serialized, .timeLimit(.minutes(2))) struct StreamSocketTests {
    static let server = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Streams/sse_server.py")

    /// No connection is open for a minute, so each one costs an attempt. The pauses are short: the clock takes a long one for a
    /// time limit.
    private static let rule = RetryRule(attempts: 20, base: .milliseconds(1), cap: .milliseconds(2))

    private func feed(_ url: String) -> Feed {
        Feed(
            Dispatcher(
                transport: URLSessionTransport(), settings: DispatcherSettings(retry: Self.rule),
                environment: DispatcherEnvironment(clock: InstantClock())),
            server: url)
    }

    private func numbers(_ url: String) async throws(Feed.Failure) -> [Int] {
        var numbers: [Int] = []
        var iterator = feed(url).stream(Feed.Watch()).makeAsyncIterator()
        while let number = try await iterator.next() { numbers.append(number) }
        return numbers
    }

    /// The first connection ends after each byte in turn; the second goes on after the last event that came whole.
    @Test func aConnectionThatEndsAnywhereLosesNothing() async throws {
        let events = (1...3).map { "id: \($0)\r\ndata: {\"n\":\($0)}\r\n\r\n" }
        let size = events.joined().utf8.count
        for cut in 0..<size {
            let server = try RawServer { connection, number in
                guard let request = connection.readRequest() else { return }
                let last = request.split(whereSeparator: \.isNewline).first {
                    $0.lowercased().hasPrefix("last-event-id")
                }
                let start = last.flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) } ?? 0
                let body = Array(events[start...].joined().utf8)
                connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: \(body.count)\r\n\r\n")
                connection.write(number == 1 ? Array(body.prefix(cut)) : body)
            }
            let numbers = try await numbers(server.url)
            #expect(numbers == [1, 2, 3], "cut after byte \(cut)")
            #expect(server.requests.count == 2, "cut after byte \(cut)")
        }
    }

    @Test(
        .enabled(
            if: PythonTools.areInstalled,
            "`scripts/install-python-tools` installs aiohttp-sse"))
    func aServerThatOthersWroteIsUnderstood() async throws {
        let process = Process()
        process.executableURL = PythonTools.python
        process.arguments = [Self.server.path]
        let output = Pipe()
        process.standardOutput = output
        // What outlives the test must not hold the pipe that the test's own output goes through.
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        defer { kill(process.processIdentifier, SIGKILL) }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(try await numbers("http://127.0.0.1:\(port)") == Array(1...60))
    }
}
