import Foundation
import NIOCore
import NIOPosix

/// nginx with TLS and HTTP/2, on a certificate that only its tests trust. It has one answer, and files that it compresses. It writes a line
/// for each request into its log: the number of the connection, the protocol, the name in the client's certificate, and the status.
final class NginxServer {
    /// A request, as nginx logs it.
    struct Line: Equatable {
        let connection: String
        let version: String
        /// `CN=Ada`, or `-` without a certificate.
        let client: String
        let status: String
    }

    private static let program =
        ((ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        + ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"])
        .map { "\($0)/nginx" }.first(where: FileManager.default.isExecutableFile)
    static var isAvailable: Bool { program != nil && ServerCertificate.openssl != nil }

    let certificate: ServerCertificate
    let url: String
    let port: Int
    private let process = Process()
    private var folder: URL { certificate.folder }

    /// - Parameters:
    ///   - clients: the authority, in PEM, whose certificates clients must have; nil if they need none.
    ///   - target: where `/moved` redirects to.
    ///   - certificate: its own; nil for a new one.
    ///   - port: that of a server which has ended; nil for another one.
    ///   - upstream: the port of a service on this machine, which it passes requests below `/service` on to; nil for none.
    init(
        answer: String, clients: [UInt8]? = nil, target: String = "/", certificate: ServerCertificate? = nil,
        port: Int? = nil, upstream: Int? = nil
    ) async throws {
        self.certificate = try certificate ?? ServerCertificate()
        let folder = self.certificate.folder
        let free = try await Self.freePort()
        let port = port ?? free
        self.port = port
        url = "https://localhost:\(port)"
        if let clients { try Data(clients).write(to: folder.appendingPathComponent("clients.pem")) }
        let demand = clients == nil ? "" : "ssl_client_certificate clients.pem; ssl_verify_client on;"
        try Data(Self.configuration(port, answer, demand, target, upstream).utf8).write(
            to: folder.appendingPathComponent("nginx.conf"))
        process.executableURL = Self.program.map { URL(fileURLWithPath: $0) }
        process.arguments = ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning {
            if let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port).get()
            {
                try await channel.close()
                return
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Ended(log: (try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)) ?? "")
    }

    /// It takes no port of the system's choice, so one that was just free is asked for.
    private static func freePort() async throws -> Int {
        let probe = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = probe.localAddress?.port ?? 0
        try await probe.close()
        return port
    }

    /// It did not start.
    struct Ended: Error {
        let log: String
    }

    /// Puts a file where the server finds it at `/files/NAME`.
    func write(_ text: String, to name: String) throws {
        let file = folder.appendingPathComponent("files/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    deinit { process.terminate() }

    /// Ends the server, which writes the last lines of its log then.
    func stop() async throws -> [Line] {
        process.terminate()
        while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        let log = try String(contentsOf: folder.appendingPathComponent("access.log"), encoding: .utf8)
        return log.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return Line(
                connection: words.first ?? "", version: words.dropFirst().first ?? "",
                client: words.dropFirst(2).first ?? "", status: words.last ?? "")
        }
    }

    /// A master with its worker: this process starts it with SIGTERM blocked, which a master unblocks, and a server without one never
    /// does.
    private static func configuration(
        _ port: Int, _ answer: String, _ demand: String, _ target: String, _ upstream: Int?
    ) -> String {
        let service = upstream.map { "upstream service { server 127.0.0.1:\($0); keepalive 4; }" } ?? ""
        let location =
            upstream == nil
            ? ""
            : """
            location /service/ {
              proxy_pass http://service/;
              proxy_http_version 1.1;
              proxy_set_header Connection "";
            }
            """
        return """
            daemon off;
            pid nginx.pid;
            events {}
            http {
              log_format request '$connection $server_protocol $ssl_client_s_dn $status';
              access_log access.log request;
              client_body_temp_path body;
              proxy_temp_path proxy;
              fastcgi_temp_path fastcgi;
              uwsgi_temp_path uwsgi;
              scgi_temp_path scgi;
              \(service)
              limit_req_zone $server_port zone=slow:1m rate=2r/s;
              server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate certificate.pem;
                ssl_certificate_key key.pem;
                \(demand)
                \(location)
                location /moved { return 307 \(target); }
                location /limited {
                  limit_req zone=slow;
                  error_page 404 405 =200 @done;
                }
                location @done { return 200 '{}'; }
                location /files/ {
                  root .;
                  default_type application/json;
                  gzip on;
                  gzip_types application/json;
                  gzip_min_length 1;
                  gzip_vary on;
                  add_header Cache-Control "max-age=0, stale-if-error=600";
                }
                location / {
                  default_type application/json;
                  return 200 '\(answer)';
                }
              }
            }

            """
    }
}
