import FlyingFox
import Foundation

// A server to practice with. It stores a message once for each key, and doesn't respond to the first request for a minute.

/// What the server has stored.
actor Ledger {
    private var keys: Set<String> = []
    private var requests = 0

    /// - Returns: whether this is the first request.
    func take(_ text: String, _ key: String) -> Bool {
        requests += 1
        let isNew = keys.insert(key).inserted
        FileHandle.standardOutput.write(Data((isNew ? "stored: \(text)\n" : "known: \(text)\n").utf8))
        return requests == 1
    }
}

struct Body: Decodable {
    struct Draft: Decodable { let text: String }
    let draft: Draft
}

let ledger = Ledger()
let port = CommandLine.arguments.dropFirst().first.flatMap(UInt16.init) ?? 8080
let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
await server.appendRoute("POST /api/conversations/*/messages") { request in
    guard let key = request.headers[HTTPHeader("Idempotency-Key")],
        let body = try? JSONDecoder().decode(Body.self, from: try await request.bodyData)
    else { return HTTPResponse(statusCode: .badRequest) }
    if await ledger.take(body.draft.text, key) { try await Task.sleep(for: .seconds(60)) }
    let message = """
        {"data":{"kind":"text","id":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","sender_id":1,\
        "sent_at":"2026-01-02T03:04:05Z","text":"\(body.draft.text)"}}
        """
    return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: Data(message.utf8))
}
let running = Task { try await server.run() }
try await server.waitUntilListening()
FileHandle.standardOutput.write(Data("ready\n".utf8))
try await running.value
