import ErrandTransportConformance
import Foundation

/// A server on a socket that keeps a ledger, and honors keys.
final class LetterServer: @unchecked Sendable {
    /// When the server kills the process that sends to it.
    enum Kill: Sendable { case beforeEffect, beforeResponse }

    private let lock = NSLock()
    private var keys: Set<String> = []
    private var effects: [String: [String]] = [:]
    private var kill: (kind: Kill, action: @Sendable () -> Void)?
    private var server: RawServer?

    init() throws {
        server = try RawServer(keepsRequests: false) { [weak self] connection, _ in
            while let request = connection.readRequest() {
                self?.take(request)
                connection.respond("204 No Content")
            }
        }
    }

    var url: String { server?.url ?? "" }

    /// The tokens with which each text took effect.
    var ledger: [String: [String]] { lock.withLock { effects } }

    /// Ends the process at the next request.
    func kill(_ kind: Kill, by action: @escaping @Sendable () -> Void) { lock.withLock { kill = (kind, action) } }
    func killNobody() { lock.withLock { kill = nil } }

    private func take(_ request: String) {
        lock.withLock {
            if kill?.kind == .beforeEffect { end() }
            let text = Self.header("X-Text", of: request) ?? "?"
            let token = Self.header("Authorization", of: request) ?? "?"
            let key = Self.header("Idempotency-Key", of: request)
            if key.map({ keys.insert($0).inserted }) ?? true { effects[text, default: []].append(token) }
            if kill?.kind == .beforeResponse { end() }
        }
    }

    private func end() {
        kill?.action()
        kill = nil
    }

    private static func header(_ name: String, of request: String) -> String? {
        let start = name.lowercased() + ": "
        return request.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix(start) }
            .map { String($0.dropFirst(start.count)) }
    }
}
