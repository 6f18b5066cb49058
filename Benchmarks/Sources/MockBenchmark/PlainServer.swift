import FlyingFox
import Foundation

/// A server that FlyingFox's documentation would write: one handler that sends fixed bytes.
enum PlainServer {
    static let option = "--plain-flying-fox"

    static func run(body: String) {
        let bytes = Data(body.utf8)
        Task {
            // FlyingFox's own loopback address is that of IPv6, which the load client does not use.
            let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
            await server.appendRoute("*") { _ in
                HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: bytes)
            }
            let running = Task { try await server.run() }
            try await server.waitUntilListening()
            if case .ip4(_, let port)? = await server.listeningAddress { print("http://127.0.0.1:\(port)/") }
            fflush(nil)
            try await running.value
        }
        dispatchMain()
    }
}
