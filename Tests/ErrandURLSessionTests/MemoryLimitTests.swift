#if os(Linux)
import ErrandURLSession
import Foundation
import TestServices
import Testing

/// Answers that are made to fill the memory end as oversized, and do not fill it.
///
/// The servers send, or mean, many times what is allowed; the bound is a fraction of that, and many times what is needed.
@Suite(.serialized) struct MemoryLimitTests {
    private static let limit = 1 << 20
    private static let bound = 192 << 20

    private func expectBounded(
        _ name: String, limit: Int = limit, _ serve: @escaping @Sendable (RawConnection) -> Void
    ) async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            serve(connection)
            end.finish()
        }
        let watch = MemoryWatch()
        do throws(TransportFault) {
            _ = try await URLSessionTransport().send(
                TransportRequest(method: .get, url: server.url, maximumResponseSize: limit))
            Issue.record("\(name) was an answer")
        } catch {
            #expect(error.kind == .oversized && error.evidence == .responded, "\(name): \(error)")
        }
        // What is still being read after the command has ended counts too.
        for await _ in ended {}
        let growth = watch.stop()
        print("\(name): \(growth >> 20) MB more at most")
        #expect(growth < Self.bound, "\(name)")
    }

    /// As fast as it goes, which is faster than it is read.
    @Test(arguments: [true, false]) func anEndlessBody(isChunked: Bool) async throws {
        let block = [UInt8](repeating: 97, count: 65_536)
        let chunk = Array("10000\r\n".utf8) + block + Array("\r\n".utf8)
        let head = "HTTP/1.1 200 OK\r\n" + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n")
        try await expectBounded("an endless body, \(isChunked ? "chunked" : "until the end")") { connection in
            connection.write(head)
            // Twice the bound, then the client may have peace.
            for _ in 0..<6_144 {
                guard connection.write(isChunked ? chunk : block) else { return }
            }
        }
    }

    @Test func anAnnouncedFlood() async throws {
        let block = [UInt8](repeating: 97, count: 65_536)
        try await expectBounded("a body of an announced terabyte") { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n")
            for _ in 0..<6_144 {
                guard connection.write(block) else { return }
            }
        }
    }

    /// The body itself is far below the limit: only what it inflates to is above it.
    @Test func aGzipBomb() async throws {
        let bomb = Self.gzip(zeros: 512 << 20)
        let limit = 16 << 20
        #expect(bomb.count < limit / 4)
        try await expectBounded("a gzip bomb of \(bomb.count >> 10) KB", limit: limit) { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            connection.write(bomb)
        }
    }

    /// So many zeros at least, with fixed Huffman codes (RFC 1951 section 3.2.6): one as it is, and then again and again
    /// the 258 before. Without the checksum of RFC 1952, which nobody gets to see.
    private static func gzip(zeros: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        bytes.reserveCapacity(zeros / 150)
        var (bits, count): (UInt64, UInt64) = (0, 0)
        func put(_ value: UInt64, _ size: UInt64) {
            bits |= value << count
            count += size
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        // The last block; the literal 0; length 258 (code 285) at distance 1; the end. The first bit of a code is
        // its lowest here.
        put(0b011, 3)
        put(0b0000_1100, 8)
        for _ in 0...(zeros / 258) { put(0b1010_0011, 13) }
        put(0, 7)
        put(0, 7)
        return bytes
    }
}

/// Measures how much memory the process takes more than in the beginning, at most.
private final class MemoryWatch: @unchecked Sendable {
    private let lock = NSLock()
    private let start: Int
    private var most: Int
    private var isRunning = true

    init() {
        start = Self.resident()
        most = start
        Thread.detachNewThread { [self] in
            while look() { usleep(2_000) }
        }
    }

    /// Ends the measurement: the growth in bytes.
    func stop() -> Int {
        lock.withLock {
            isRunning = false
            return most - start
        }
    }

    private func look() -> Bool {
        let now = Self.resident()
        return lock.withLock {
            most = max(most, now)
            return isRunning
        }
    }

    /// The second number of `statm`, in pages (proc_pid_statm(5)).
    private static func resident() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
#endif
