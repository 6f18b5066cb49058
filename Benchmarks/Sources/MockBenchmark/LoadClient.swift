import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One connection that sends a request, reads its response, and begins again.
final class LoadClient {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private let file: Int32
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var received: [UInt8] = []

    init(port: Int) throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        file = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard file >= 0, result == 0 else { throw Failure(description: "no connection to port \(port)") }
        var isOn: Int32 = 1
        setsockopt(file, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(file) }

    /// The body of the response to a request.
    func body(of request: String) throws -> String { String(decoding: try send(Array(request.utf8)), as: UTF8.self) }

    private func send(_ request: [UInt8]) throws -> [UInt8] {
        let sent = request.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard sent == request.count else { throw Failure(description: "the request was not sent") }
        while true {
            if let body = takeBody() { return body }
            let count = read(file, &buffer, buffer.count)
            guard count > 0 else { throw Failure(description: "the server has closed the connection") }
            received += buffer[..<count]
        }
    }

    /// Nil if the response is not complete yet.
    private func takeBody() -> [UInt8]? {
        let end = Array("\r\n\r\n".utf8)
        guard let start = received.firstRange(of: end)?.upperBound else { return nil }
        let head = String(decoding: received[..<start], as: UTF8.self).lowercased()
        guard let field = head.range(of: "content-length:"),
            let length = Int(head[field.upperBound...].prefix { $0 != "\r\n" }.filter { $0 != " " }),
            received.count >= start + length
        else { return nil }
        let body = Array(received[start..<(start + length)])
        received.removeFirst(start + length)
        return body
    }

    /// How many requests per second several connections get answered together.
    static func rate(port: Int, _ request: String, connections: Int, for seconds: Double) throws -> Double {
        let clients = try (0..<connections).map { _ in try LoadClient(port: port) }
        let bytes = Array(request.utf8)
        let counts = Counts()
        let end = ContinuousClock.now + .seconds(seconds)
        let start = ContinuousClock.now
        let group = DispatchGroup()
        for client in clients {
            nonisolated(unsafe) let client = client
            let thread = Thread {
                var count = 0
                while ContinuousClock.now < end, (try? client.send(bytes)) != nil { count += 1 }
                counts.add(count)
                group.leave()
            }
            group.enter()
            thread.start()
        }
        group.wait()
        let time = ContinuousClock.now - start
        guard counts.all.count == connections, counts.all.allSatisfy({ $0 > 0 }) else {
            throw Failure(description: "a connection got no response")
        }
        let taken = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        return Double(counts.all.reduce(0, +)) / taken
    }

    private final class Counts: @unchecked Sendable {
        private let lock = NSLock()
        private var counts: [Int] = []

        func add(_ count: Int) { lock.withLock { counts.append(count) } }
        var all: [Int] { lock.withLock { counts } }
    }
}
