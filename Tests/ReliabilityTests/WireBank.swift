import BankClient
import ErrandTransportConformance
import Foundation

/// A bank on raw sockets, in bad weather. Its books tell what it has carried out and what became of each request.
final class WireBank: Sendable {
    let server: RawServer
    let books: WireBooks

    init(seed: UInt64) throws {
        let books = WireBooks(seed: seed)
        self.books = books
        server = try RawServer(keepsRequests: false) { connection, _ in
            books.open()
            WireCustomer(connection: connection, books: books).serve()
            books.close()
        }
    }
}

/// What happens on one connection to a `WireBank`.
private struct WireCustomer {
    let connection: RawConnection
    let books: WireBooks

    func serve() {
        switch books.weatherOnAccept() {
        case .resetOnAccept?: return connection.reset()
        case .closedOnAccept?: return
        default: break
        }
        repeat {
            let weather = books.weather()
            if weather == .closedMidRequest || weather == .resetMidRequest {
                guard connection.readPart(40) else { return }
                books.note(weather)
                return weather == .resetMidRequest ? connection.reset() : ()
            }
            guard let text = connection.readRequest() else { return }
            if let end = WireRequest.place(of: text).map(\.endOfMove) {
                guard let end else { return }
                connection.respond(end.status, end.header, end.body)
                continue
            }
            guard let request = WireRequest(text) else { return }
            if request.kind == .login {
                connection.respond("200 OK", "", #"{"data":{"token":"t","customer":7}}"#)
                continue
            }
            guard apply(weather, to: request) else { return }
            // An unused one is dropped, as servers do.
        } while connection.hears(within: 500)
    }

    /// Whether the connection may be used again.
    private func apply(_ weather: WireFaultKind, to request: WireRequest) -> Bool {
        let answer = books.receive(request, weather)
        let body = answer.body
        switch weather {
        case .closedOnAccept, .resetOnAccept, .closedMidRequest, .resetMidRequest, .closed: return false
        case .reset: connection.reset()
        case .cutBody, .resetBody:
            connection.write(answer.head(announcing: body.utf8.count) + body.dropLast(9))
            if weather == .resetBody { connection.reset() }
        case .cutChunks:
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n\(body.prefix(8))\r\n")
        case .cutStatusLine: connection.write("HTTP/1.1 20")
        case .resetHeader:
            connection.write("\(answer.head(announcing: body.utf8.count).dropLast(2))X-A: b")
            connection.reset()
        case .onlyAnnounced: connection.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        case .stalledBody:
            connection.write(answer.head(announcing: body.utf8.count + 9) + body)
            _ = connection.isClosedByClient(within: 30)
        case .excessBody: connection.write(answer.head(announcing: 9) + body)
        case .stalled: _ = connection.isClosedByClient(within: 30)
        case .late:
            _ = connection.isClosedByClient(within: 30)
            books.carryOut(request)
        case .dribbled:
            let pause = UInt32.random(in: 100...8_000)
            for byte in (answer.head(announcing: body.utf8.count) + body).utf8 {
                guard connection.write([byte]) else { return false }
                usleep(pause)
            }
            return true
        case .internalError: connection.respond("500 Internal Server Error")
        case .badGateway: connection.respond("502 Bad Gateway")
        case .gatewayTimeout: connection.respond("504 Gateway Timeout")
        case .garbage: connection.write("\u{1}\u{2}SSH-2.0\r\n\r\n")
        case .webPage: connection.respond("200 OK", "Content-Type: text/html\r\n", "<html>Please log in.</html>")
        case .halfJSON: connection.respond("200 OK", "", String(body.dropLast(3)))
        case .wrongJSON:
            let isDone = answer.status == "200 OK"
            connection.respond(answer.status, "", isDone ? #"{"data":{"id":"one"}}"# : body)
        case .answered, .answeredAndDropped, .refused:
            connection.respond(answer.status, "", body)
            return weather == .answered
        case .unavailable: connection.respond("503 Service Unavailable")
        case .throttled: connection.respond("429 Too Many Requests", "Retry-After: 0\r\n")
        case .movedAndThrottled, .movedAndTooEarly, .movedAndUnauthorized, .movedAndRefused, .movedAndUnavailable,
            .movedAndClosed:
            let status = Bool.random() ? "307 Temporary Redirect" : "308 Permanent Redirect"
            connection.respond(status, "Location: \(WireRequest.elsewhere)\(weather.rawValue)\r\n")
            return true
        }
        return false
    }
}

/// As much of a request as the bank's books need.
struct WireRequest {
    enum Kind { case card, transfer, find, read, login }

    /// The paths of another place, to which the bank redirects: a fault's name follows.
    static let elsewhere = "/elsewhere/"

    let kind: Kind
    /// The command's own number.
    let id: String
    let key: String?

    init?(_ text: String) {
        let parts = Self.target(of: text).split(separator: "/")
        let key = Self.value(of: "\r\nIdempotency-Key: ", in: text, until: "\r\n")
        switch (text.hasPrefix("POST "), parts.last) {
        case (true, "cards") where parts.count >= 2: (kind, id, self.key) = (.card, String(parts[parts.count - 2]), nil)
        case (true, "sessions"): (kind, id, self.key) = (.login, "", nil)
        case (true, _):
            guard let id = Self.value(of: "\"reference\":\"", in: text, until: "\"") else { return nil }
            (kind, self.id, self.key) = (.transfer, id, key)
        case (false, let last?):
            let isFind = parts.contains("by-key")
            (kind, id, self.key) = (isFind ? .find : .read, String(last), isFind ? String(last) : nil)
        case (false, nil): return nil
        }
    }

    /// The fault with which the bank has sent a request to another place; nil if the request came to the bank itself.
    static func place(of text: String) -> WireFaultKind? {
        let target = target(of: text)
        return target.hasPrefix(elsewhere) ? WireFaultKind(rawValue: String(target.dropFirst(elsewhere.count))) : nil
    }

    private static func target(of text: String) -> Substring {
        text.prefix { $0 != "\r\n" }.split(separator: " ").dropFirst().first ?? ""
    }

    private static func value(of name: String, in text: String, until end: String) -> String? {
        guard let start = text.range(of: name, options: .caseInsensitive) else { return nil }
        let rest = text[start.upperBound...]
        return rest.range(of: end).map { String(rest[..<$0.lowerBound]) }
    }
}
