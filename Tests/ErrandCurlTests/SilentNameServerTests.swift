#if os(Linux)
import ErrandCurl
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import Testing

/// A real name server that never replies. A process with its own `/etc/resolv.conf` and `/etc/hosts` runs the second test.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SilentNameServerTests {
    private static let variable = "ERRAND_SILENT_NAME_SERVER"
    private static let address = "127.0.0.77"
    private static let proof = "the silent name server was asked"
    static var isInside: Bool { getenv(variable) != nil }
    static var isPossible: Bool {
        !isInside && geteuid() == 0 && access("/etc/resolv.conf", F_OK) == 0
            && system("unshare -m mount --bind /etc/hosts /etc/hosts >/dev/null 2>&1") == 0
    }

    @Test(.enabled(if: isPossible, "only root can give a process another /etc/resolv.conf"))
    func aSilentNameServerLeavesNothing() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-names-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["resolv.conf", "hosts", "output"].map { folder.appendingPathComponent($0).path }
        try "nameserver \(Self.address)\noptions timeout:30 attempts:1\n".write(
            toFile: files[0], atomically: false, encoding: .utf8)
        try "127.0.0.1 localhost healthy.test\n".write(toFile: files[1], atomically: false, encoding: .utf8)
        let script = """
            mount --bind "$1" /etc/resolv.conf && mount --bind "$2" /etc/hosts &&
            exec timeout -s KILL 60 "$4" --testing-library swift-testing --filter insideOfTheProcess >"$3" 2>&1
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["unshare", "-m", "sh", "-c", script, "sh"] + files + [
                try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            ]
        process.environment = ProcessInfo.processInfo.environment.merging(
            [Self.variable: "1", "no_proxy": "", "http_proxy": "", "all_proxy": ""]) { $1 }
        process.standardInput = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let output = (try? String(contentsOfFile: files[2], encoding: .utf8)) ?? ""
        #expect(status == 0 && output.contains(Self.proof), "status \(status)\n\(output)")
    }

    @Test(.enabled(if: isInside, "the test before runs it in a process of its own"))
    func insideOfTheProcess() async throws {
        let nameServer = try SilentNameServer(Self.address)
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "x") }
        }
        var limit = rlimit(rlim_cur: 128, rlim_max: 128)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let transport = CurlTransport()
        let healthy = TransportRequest(method: .get, url: "http://healthy.test:\(server.port)/", timeout: .seconds(20))
        #expect(try await transport.send(healthy).status == 200)
        let before = (Self.count("task"), Self.count("fd"))
        for number in 0..<300 {
            let task = Task {
                try await transport.send(TransportRequest(method: .get, url: "http://silent.test/\(number)"))
            }
            try await Task.sleep(for: .milliseconds(1))
            task.cancel()
            await #expect(throws: TransportFault.self) { try await task.value }
        }
        let end = ContinuousClock.now + .seconds(20)
        while !nameServer.wasAsked, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(10)) }
        #expect(nameServer.wasAsked)
        print(Self.proof, before, (Self.count("task"), Self.count("fd")))
        #expect(Self.count("task") <= before.0 + 8 && Self.count("fd") <= before.1 + 8)
        // A new transport has neither a connection nor a memory of names.
        #expect(try await CurlTransport().send(healthy).status == 200)
        try await Self.sendOverAProxy(server)
    }

    /// The name of the proxy is looked up, and that of the server is not. Each has a transport of its own, which has no connection.
    private static func sendOverAProxy(_ server: RawServer) async throws {
        let request = TransportRequest(method: .get, url: "http://silent.test/over-a-proxy", timeout: .seconds(20))
        for scheme in ["", "http://"] {
            setenv("http_proxy", "\(scheme)healthy.test:\(server.port)", 1)
            #expect(try await CurlTransport().send(request).status == 200)
        }
        setenv("http_proxy", "http://127.0.0.1:\(server.port)", 1)
        #expect(try await CurlTransport().send(request).status == 200)
        #expect(server.requests.filter { $0.hasPrefix("GET http://silent.test/over-a-proxy ") }.count == 3)
        setenv("no_proxy", "healthy.test", 1)
        setenv("http_proxy", "http://silent.test:1", 1)
        let direct = TransportRequest(
            method: .get, url: "http://healthy.test:\(server.port)/direct", timeout: .seconds(20))
        #expect(try await CurlTransport().send(direct).status == 200)
        unsetenv("no_proxy")
        // libcurl does not read the variable itself.
        #expect(try await CurlTransport(proxies: .none).send(direct).status == 200)
        unsetenv("http_proxy")
    }

    /// The number of the process's threads, or descriptors.
    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? .max
    }
}

/// Takes questions for names, and never answers.
private final class SilentNameServer {
    private let socket: Int32

    init(_ text: String) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        #expect(inet_pton(AF_INET, text, &address.sin_addr) == 1)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isBound)
    }

    deinit { close(socket) }

    var wasAsked: Bool {
        var question = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, 0) > 0
    }
}
#endif
