#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The request of a client that wants to open a WebSocket connection (RFC 6455, section 4.2.1).
package struct WebSocketHandshake: Sendable {
    /// The subprotocols that the client offers, the preferred one first.
    package let subprotocols: [String]
    /// The value of the response's `Sec-WebSocket-Accept`.
    let accept: String

    /// The headers of a response to a request that is not such a handshake.
    package static let upgradeHeaders = [
        ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
    ].map {
        (name: $0.0, value: $0.1)
    }

    package init(_ request: HTTPRequest) throws(HTTPFault) {
        guard request.method == "GET", request.body.isEmpty else {
            throw HTTPFault(
                426, "the service is a WebSocket connection, which begins with a GET request without a body")
        }
        guard Self.tokens("upgrade", request).contains("websocket"),
            Self.tokens("connection", request).contains("upgrade")
        else {
            throw HTTPFault(
                426,
                "the service is a WebSocket connection: the handshake needs `Connection: Upgrade` and `Upgrade: websocket`"
            )
        }
        guard Self.values("sec-websocket-version", request) == ["13"] else {
            throw HTTPFault(426, "the version of WebSocket is 13")
        }
        let keys = Self.values("sec-websocket-key", request)
        guard keys.count == 1, let key = keys.first, Self.isKey(key) else {
            throw HTTPFault(400, "`Sec-WebSocket-Key` of a handshake is the Base64 text of 16 bytes")
        }
        accept = Self.accept(key)
        subprotocols = Self.values("sec-websocket-protocol", request).joined(separator: ",").split(separator: ",").map {
            $0.filter { $0 != " " && $0 != "\t" }
        }
    }

    /// What proves that a server has understood a key (section 4.2.2).
    static func accept(_ key: String) -> String {
        Data(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }

    private static func values(_ name: String, _ request: HTTPRequest) -> [String] {
        HTTPHead.values(name, request.headers)
    }

    /// The elements of a header's list, in lowercase.
    private static func tokens(_ name: String, _ request: HTTPRequest) -> [String] {
        values(name, request).joined(separator: ",").lowercased().split(separator: ",").map {
            $0.filter { $0 != " " && $0 != "\t" }
        }
    }

    /// Whether the text is the Base64 text of 16 bytes.
    private static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 24 && text.hasSuffix("==") && bytes.prefix(22).allSatisfy { alphabet.contains($0) }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
