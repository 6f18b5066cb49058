import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A client that writes bytes to a socket and reads what comes, without any help of HTTP.
///
/// Its calls wait on threads of their own: a test that waited on a thread of the tasks would keep the host from running.
final class RawClient: Sendable {
    struct Failure: Error { let name: String }

    private let file: Int32

    init(port: Int, at name: String = "127.0.0.1") throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        file = socket(AF_INET, kind, 0)
        guard file >= 0 else { throw Failure(name: "socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr(name)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(file)
            throw Failure(name: "connect")
        }
        // A test that waits in vain ends with a failure.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(file) }

    /// Lets this process have so many files, if the system allows it.
    static func allowFiles(_ count: Int) throws {
        var limit = rlimit()
        #if canImport(Darwin)
        let files = RLIMIT_NOFILE
        #else
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(files, &limit) == 0 else { throw Failure(name: "getrlimit") }
        guard limit.rlim_cur < rlim_t(count) else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        guard setrlimit(files, &limit) == 0 else { throw Failure(name: "setrlimit") }
    }

    /// Returns false if the server has closed the connection.
    @discardableResult
    func write(_ text: String) async -> Bool { await write(Array(text.utf8)) }

    @discardableResult
    func write(_ bytes: [UInt8]) async -> Bool { await Self.onThread { self.writeNow(bytes) } }

    /// Reads until the server closes the connection, or until the text has what is waited for.
    func read(until end: String? = nil) async -> String { await Self.onThread { self.readNow(until: end).text } }

    /// How reading ended.
    enum End: Sendable {
        /// The text that was waited for is there.
        case found
        case closed
        /// The server has not read everything.
        case reset
        /// Nothing came for a minute.
        case silent
    }

    /// Reads until the end of the connection.
    func readToEnd() async -> (text: String, end: End) {
        await Self.onThread { self.readNow(until: nil) }
    }

    /// The same for bytes that are no text.
    func readBytesToEnd() async -> (bytes: [UInt8], end: End) { await Self.onThread { self.bytesNow(until: nil) } }

    func readBytes() async -> [UInt8] { await readBytesToEnd().bytes }

    /// Tells the server that nothing more comes.
    func endWriting() { shutdown(file, Int32(SHUT_WR)) }

    private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { waiter in Thread { waiter.resume(returning: body()) }.start() }
    }

    private func writeNow(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func readNow(until end: String?) -> (text: String, end: End) {
        let (bytes, end) = bytesNow(until: end)
        return (String(decoding: bytes, as: UTF8.self), end)
    }

    private func bytesNow(until end: String?) -> (bytes: [UInt8], end: End) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end, String(decoding: bytes, as: UTF8.self).contains(end) { return (bytes, .found) }
            let count = recv(file, &buffer, buffer.count, 0)
            guard count > 0 else {
                return (bytes, count == 0 ? .closed : errno == ECONNRESET ? .reset : .silent)
            }
            bytes += buffer[..<count]
        }
    }
}
