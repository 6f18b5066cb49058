#if os(Linux)
import ErrandCurl
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import Testing

/// The memory of large responses.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LargeAnswerTests {
    /// With the announced length, each byte has its place when it arrives, and none is there twice.
    @Test func severalAtOnceNeedLittleMoreThanTheirBytes() async throws {
        let size = 30_000_000
        let part = [UInt8](repeating: 120, count: 1_000_000)
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
                for _ in 0..<size / part.count where !connection.write(part) { return }
            }
        }
        let transport = CurlTransport()
        let start = try Self.restartPeak()
        let bytes = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await transport.send(
                        TransportRequest(method: .get, url: server.url, timeout: .seconds(60))
                    ).body
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bytes.map(\.count) == Array(repeating: size, count: 4))
        let growth = try Self.peak() - start
        print("4 answers of \(size / 1_000_000) MB at once: \(growth / 1_000_000) MB")
        #expect(growth < 4 * size * 3 / 2)
        withExtendedLifetime(bytes) {}
    }

    /// Makes the current size of the process its largest one, and returns it (proc_pid_clear_refs(5)).
    private static func restartPeak() throws -> Int {
        let file = try #require(fopen("/proc/self/clear_refs", "w"))
        fputs("5", file)
        fclose(file)
        return try peak()
    }

    private static func peak() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return 1_024 * (try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }))
    }
}
#endif
