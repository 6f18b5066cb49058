import FlyingSocks
import Foundation

/// One connection of a `FaultServer`, from its opening to its end.
struct FaultConnection {
    private enum End: Error { case closed, reset, leftToClient }

    var socket: AsyncSocket
    var server: FaultServer
    var index: Int

    func run(first fault: WireFault?) async {
        do {
            if let fault { try await apply(fault) }
            var unread: [UInt8] = []
            while let request = try await readRequest(&unread) {
                try await apply(await server.nextFault(for: request, on: index))
            }
            await server.closed(index, byClient: true)
        } catch End.closed {
            await server.closed(index, byClient: false)
        } catch End.reset {
            resetOnClose()
            await server.closed(index, byClient: false)
        } catch is CancellationError {
            await server.closed(index, byClient: false)
        } catch {
            // reading or writing failed: the client is gone
            await server.closed(index, byClient: true)
        }
        try? socket.close()
    }

    /// Returns if the connection continues, otherwise throws its end.
    private func apply(_ fault: WireFault) async throws {
        switch fault {
        case .closeOnAccept, .closeAfterRequest: throw End.closed
        case .resetOnAccept, .resetAfterRequest: throw End.reset
        case .closeMidHeader:
            try await write("HTTP/1.1 200 OK\r\nContent-Type: applic")
            throw End.closed
        case .closeMidBody(let sent, let announced):
            try await writePart(sent, of: announced)
            throw End.closed
        case .resetMidBody(let sent, let announced):
            try await writePart(sent, of: announced)
            // A reset may overtake what was written; let the client read it first.
            try await Task.sleep(for: .milliseconds(50))
            throw End.reset
        case .excessBody(let body, let announced):
            try await write(WireAnswer(body: body).head(announcing: announced) + body)
            throw End.closed
        case .closeMidChunks(let chunks):
            try await write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
            for chunk in chunks { try await write(String(chunk.utf8.count, radix: 16) + "\r\n" + chunk + "\r\n") }
            throw End.closed
        case .slowBytes(let answer, let pause):
            for byte in Array(answer.head().utf8) + answer.body {
                try await socket.write(Data([byte]))
                try await Task.sleep(for: pause)
            }
        case .stallAfterHeader(let announced):
            try await write(WireAnswer().head(announcing: announced))
            try await waitForClient()
        case .neverAnswer: try await waitForClient()
        case .garbage(let text):
            try await write(text)
            throw End.closed
        case .answer(let answer): try await socket.write(Data(Array(answer.head().utf8) + answer.body))
        case .delay(let pause, let then):
            try await Task.sleep(for: pause)
            try await apply(then)
        }
    }

    private func write(_ text: String) async throws { try await socket.write(Data(text.utf8)) }

    private func writePart(_ sent: Int, of announced: Int) async throws {
        let body = "[" + String(repeating: "1,", count: announced / 2 + 1)
        try await write(WireAnswer().head(announcing: announced) + body.prefix(min(sent, announced)))
    }

    /// Reads on until the client closes, which is thrown.
    private func waitForClient() async throws {
        while true { _ = try await socket.read(atMost: 4096) }
    }

    /// With no time to linger, closing is a reset.
    private func resetOnClose() {
        var noTime = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket.socket.file.rawValue, SOL_SOCKET, SO_LINGER, &noTime, socklen_t(MemoryLayout<linger>.size))
    }

    // MARK: Requests

    /// Nil if the client has closed the connection between two requests.
    private func readRequest(_ unread: inout [UInt8]) async throws -> ReceivedRequest? {
        let blankLine = Array("\r\n\r\n".utf8)
        var searched = 0
        while true {
            if let end = RequestText.index(of: blankLine, in: unread, from: searched) {
                let head = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeFirst(end + blankLine.count)
                return try await request(head, &unread)
            }
            searched = max(0, unread.count - blankLine.count)
            do {
                unread += try await socket.read(atMost: 65_536)
            } catch SocketError.disconnected where unread.isEmpty {
                return nil
            }
        }
    }

    private func request(_ head: String, _ unread: inout [UInt8]) async throws -> ReceivedRequest {
        guard var request = RequestText.request(head) else { throw SocketError.disconnected }
        if request.header("Expect")?.lowercased() == "100-continue" {
            try await write("HTTP/1.1 100 Continue\r\n\r\n")
        }
        if request.header("Transfer-Encoding")?.lowercased() == "chunked" {
            let end = Array("0\r\n\r\n".utf8)
            while !unread.suffix(end.count).elementsEqual(end) { unread += try await socket.read(atMost: 65_536) }
            (request.body, unread) = (RequestText.unchunked(unread), [])
        } else {
            let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
            while unread.count < length { unread += try await socket.read(atMost: 65_536) }
            request.body = Array(unread.prefix(length))
            unread.removeFirst(min(length, unread.count))
        }
        request.receivedAt = .now
        return request
    }
}
