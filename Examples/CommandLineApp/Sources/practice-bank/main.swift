import FlyingFox
import Foundation

// A bank to practice with: Ada's password is `lovelace`, and of each transfer the first try is turned away.
let port = CommandLine.arguments.dropFirst().first.flatMap(UInt16.init) ?? 8080
let bank = PracticeBank()
let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
for route in [
    "POST /v1/sessions", "DELETE /v1/sessions", "GET /v1/accounts", "GET /v1/accounts/*/transfers",
    "POST /v1/transfers", "GET /v1/transfers/by-key/*",
] {
    await server.appendRoute(HTTPRoute(route)) { request in await bank.answer(request) }
}
let running = Task { try await server.run() }
try await server.waitUntilListening()
if case .ip4(let address, let port)? = await server.listeningAddress { print("http://\(address):\(port)/v1") }
fflush(nil)
try await running.value
