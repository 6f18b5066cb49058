#if canImport(FoundationNetworking)
import ErrandRuntime
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import FoundationNetworking
import TestProxy
import Testing

/// The proxies of the environment, which libcurl reads for FoundationNetworking. A process with variables of its own sends the requests.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ProxyTests {
    private static let variable = "ERRAND_PROXY_URLS"
    private static var urls: [String]? {
        ProcessInfo.processInfo.environment[variable]?.split(separator: " ").map(String.init)
    }
    static var isInside: Bool { urls != nil }

    private static func server() throws -> RawServer {
        try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "x") }
        }
    }

    private static func outcome(_ transport: URLSessionTransport, _ url: String) async -> String {
        let token = HTTPHeaders([HTTPHeaders.Field("Authorization", "Bearer t0ken")])
        do throws(TransportFault) {
            return "\(try await transport.send(TransportRequest(method: .get, url: url, headers: token)).status)"
        } catch {
            return "\(error) (\((error.underlying as? ProxyError).map { "\($0)" } ?? "another"))"
        }
    }

    @Test(.enabled(if: isInside, "the other tests run it in a process of its own")) func insideOfTheProcess() async {
        let transport = URLSessionTransport()
        for (index, url) in (Self.urls ?? []).enumerated() {
            print("outcome \(index): \(await Self.outcome(transport, url))")
        }
    }

    /// The results of requests to these URLs in a process with these variables.
    private static func outcomes(_ variables: [String: String], _ urls: [String]) async throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("errand-proxy-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "sh", "-c",
            #"exec timeout -s KILL 60 "$1" --testing-library swift-testing --filter insideOfTheProcess >"$2" 2>&1"#,
            "sh", try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), file,
        ]
        let proxies = [
            "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        ]
        process.environment = ProcessInfo.processInfo.environment.filter { !proxies.contains($0.key) }
            .merging(variables) { $1 }.merging([Self.variable: urls.joined(separator: " ")]) { $1 }
        process.standardInput = FileHandle.nullDevice
        _ = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let output = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        let found = output.split(separator: "\n").compactMap { line in
            line.range(of: "outcome [0-9]+: ", options: .regularExpression).map { String(line[$0.upperBound...]) }
        }
        try #require(found.count == urls.count, "\(output)")
        return found
    }

    @Test(.enabled(if: !isInside)) func theEnvironmentsProxyGetsTheRequest() async throws {
        let (proxy, server) = (try TestProxy(credentials: "ada:pw"), try Self.server())
        let found = try await Self.outcomes(
            ["http_proxy": proxy.url("ada:pw"), "no_proxy": "127.0.0.1"],
            ["http://server.test:\(server.port)/far", server.url + "/near"])
        #expect(found == ["200", "200"])
        #expect(
            proxy.heads.map { $0.prefix { $0 != "\r\n" } } == ["GET http://server.test:\(server.port)/far HTTP/1.1"])
        #expect(server.requests.count == 2 && !server.requests.joined().lowercased().contains("proxy-authorization"))
    }

    @Test(.enabled(if: !isInside)) func itsRefusalsAreNamed() async throws {
        let (proxy, broken, closing, down) = (
            try TestProxy(credentials: "ada:pw"), try TestProxy(.refuse(502)), try TestProxy(.hangUp), try TestProxy()
        )
        down.stop()
        let urls = ["http://server.test:1/", "https://server.test:1/"]
        let refused = try await Self.outcomes(["all_proxy": proxy.url("ada:secret")], urls)
        for outcome in refused {
            #expect(
                outcome.hasPrefix("transport authentication, notSent") && outcome.contains(proxy.url()), "\(outcome)")
            #expect(!outcome.contains("secret"))
        }
        #expect(proxy.heads.count == 2 && !proxy.heads[1].contains("t0ken"))
        for (proxy, text) in [(broken, "status 502"), (closing, "made no connection"), (down, "cannot be reached")] {
            let outcome = try #require(try await Self.outcomes(["https_proxy": proxy.url()], [urls[1]]).first)
            #expect(outcome.hasPrefix("transport refused, notSent") && outcome.contains(text), "\(outcome)")
        }
        let unknown = try await Self.outcomes(["all_proxy": "proxy.invalid:1"], urls)
        for outcome in unknown {
            #expect(outcome.hasPrefix("transport dns, notSent") && outcome.contains("proxy.invalid"))
        }
    }

    /// libcurl would ignore each of these, and connect directly.
    @Test(.enabled(if: !isInside)) func whatLibcurlIgnoresIsAnErrorBeforeAnythingIsSent() async throws {
        let server = try Self.server()
        let found = try await Self.outcomes(["HTTP_PROXY": "proxy.test:1"], [server.url + "/"])
        #expect(
            found.first?.contains("URLSession on Linux cannot use the proxy http://proxy.test:1") == true, "\(found)")
        let malformed = try await Self.outcomes(["http_proxy": "ftp://x:1"], [server.url + "/"])
        #expect(malformed.first?.contains("the variable http_proxy has none of the schemes") == true, "\(malformed)")
        let settings = ProxySettings(http: try Proxy("http://proxy.test:1"))
        let own = await Self.outcome(URLSessionTransport(proxies: settings), server.url + "/")
        #expect(own.contains("notSent") && own.contains("cannot use the proxy http://proxy.test:1"), "\(own)")
        let configured = URLSessionTransport { $0.connectionProxyDictionary = ["HTTPEnable": 1] }
        let ignored = await Self.outcome(configured, server.url + "/")
        #expect(ignored.contains("notSent") && ignored.contains("cannot use"), "\(ignored)")
        #expect(server.requests == [])
    }
}
#endif
