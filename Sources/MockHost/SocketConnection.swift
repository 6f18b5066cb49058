// Without the trait `Tool`, the target is empty, so that only the message of `errand/ToolRequirement.swift` is shown.
#if canImport(FlyingSocks)
import FlyingSocks
import MockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One connection of the host, from its opening to its end.
struct SocketConnection {
    let socket: AsyncSocket
    let number: Int
    let host: MockHost
    let limits: ConnectionLimits
    private var unread: [UInt8] = []

    init(_ socket: AsyncSocket, number: Int, host: MockHost, limits: ConnectionLimits) {
        self.socket = socket
        self.number = number
        self.host = host
        self.limits = limits
    }

    private enum End: Error { case closed }

    /// Handles the requests of the connection, one after the other.
    mutating func run() async {
        do {
            while let head = try await readHead() {
                let body = try await readBody(head)
                await host.setDeadline(of: number, in: limits.responseTime)
                try await respond(to: head.request(body: body), head)
                guard head.isPersistent else { break }
            }
        } catch let fault as HTTPFault {
            await host.note(fault)
            try? await refuse(fault)
        } catch {
            // The client is gone, took too long, or gets no response.
        }
    }

    // MARK: Reading

    /// Nil if the client has closed the connection between two requests.
    private mutating func readHead() async throws -> HTTPHead? {
        await host.setDeadline(of: number, in: limits.idle)
        let blank = Array("\r\n\r\n".utf8)
        var searched = 0
        while true {
            if let end = index(of: blank, from: searched) {
                guard end <= limits.headBytes else { throw headTooLarge }
                let head = try HTTPHead(unread[..<end], limits)
                unread.removeFirst(end + blank.count)
                return head
            }
            guard unread.count <= limits.headBytes else { throw headTooLarge }
            searched = max(0, unread.count - blank.count)
            guard try await readMore() else {
                if unread.isEmpty { return nil }
                throw End.closed
            }
        }
    }

    private var headTooLarge: HTTPFault {
        HTTPFault(status: 431, message: "the head of the request is larger than \(limits.headBytes >> 10) KiB")
    }

    private mutating func readBody(_ head: HTTPHead) async throws -> [UInt8] {
        guard head.framing != .none else { return [] }
        await host.setDeadline(of: number, in: limits.bodyTime)
        if HTTPHead.values("expect", head.headers).contains(where: { $0.lowercased() == "100-continue" }) {
            try await write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        switch head.framing {
        case .none: return []
        case .length(let length): return try await take(length)
        case .chunks: return try await readChunks()
        }
    }

    private mutating func readChunks() async throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = try await takeLine()
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
            guard digits.count <= 8, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0
            else {
                throw HTTPFault(status: 400, message: "the size of a chunk is not a number")
            }
            if size == 0 { break }
            guard body.count + size <= limits.bodyBytes else { throw HTTPHead.tooLarge(limits) }
            body += try await take(size)
            guard try await takeLine().isEmpty else {
                throw HTTPFault(status: 400, message: "a chunk is longer than its size")
            }
        }
        // The trailers mean nothing here.
        for _ in 0...limits.headers {
            if try await takeLine().isEmpty { return body }
        }
        throw HTTPFault(status: 431, message: "the request has more than \(limits.headers) trailers")
    }

    private mutating func take(_ count: Int) async throws -> [UInt8] {
        while unread.count < count {
            guard try await readMore() else { throw End.closed }
        }
        let taken = Array(unread[..<count])
        unread.removeFirst(count)
        return taken
    }

    private mutating func takeLine() async throws -> [UInt8] {
        let lineBreak = Array("\r\n".utf8)
        while true {
            if let end = index(of: lineBreak, from: 0) {
                let line = Array(unread[..<end])
                unread.removeFirst(end + lineBreak.count)
                return line
            }
            guard unread.count <= 1024 else { throw HTTPFault(status: 400, message: "a line of the body is too long") }
            guard try await readMore() else { throw End.closed }
        }
    }

    private mutating func readMore() async throws -> Bool {
        do {
            let bytes = try await socket.read(atMost: 4096)
            unread += bytes
            return !bytes.isEmpty
        } catch SocketError.disconnected {
            return false
        }
    }

    private func index(of run: [UInt8], from start: Int) -> Int? {
        guard unread.count >= run.count + start else { return nil }
        return (start...unread.count - run.count).first {
            unread[$0] == run[0] && unread[$0..<$0 + run.count].elementsEqual(run)
        }
    }

    // MARK: Writing

    private func respond(to request: MockRequest, _ head: HTTPHead) async throws {
        if let page = await host.pageResponse(to: request) {
            return try await write(page, head)
        }
        let reply = await host.reply(to: request)
        if reply.delivery.delay > .zero { try await Task.sleep(for: reply.delivery.delay) }
        if reply.delivery.hangs {
            try await Task.sleep(for: limits.responseTime)
            throw End.closed
        }
        if reply.delivery.cut == .beforeResponse { throw End.closed }
        let response = reply.response
        if case .elements(let elements, let pause) = response.body, request.method != "HEAD" {
            try await write(HTTPText.head(response.status, response.headers, length: nil, isLast: !head.isPersistent))
            for (position, element) in elements.enumerated() {
                if position > 0 { try await Task.sleep(for: pause) }
                if reply.delivery.cut == .insideBody, position >= elements.count / 2 { throw End.closed }
                try await write(HTTPText.chunk(element), reply.delivery.bytesPerSecond)
            }
            return try await write(HTTPText.lastChunk)
        }
        let body = response.body.bytes
        let start = HTTPText.head(response.status, response.headers, length: body.count, isLast: !head.isPersistent)
        if reply.delivery.cut == .insideBody {
            try await write(start + body.prefix(body.count / 2))
            throw End.closed
        }
        try await write(start + body, reply.delivery.bytesPerSecond)
    }

    /// A response of the page, whose events come as long as the page is open.
    private func write(_ page: PageResponse, _ head: HTTPHead) async throws {
        guard let events = page.events else {
            return try await write(
                HTTPText.head(page.status, page.headers, length: page.body.count, isLast: !head.isPersistent)
                    + page.body)
        }
        try await write(HTTPText.head(page.status, page.headers, length: nil, isLast: true))
        for await event in events {
            await host.setDeadline(of: number, in: limits.responseTime)
            try await write(HTTPText.chunk(event))
        }
        try await write(HTTPText.lastChunk)
        throw End.closed
    }

    private func refuse(_ fault: HTTPFault) async throws {
        let body = Array("{\"message\":\"\(fault.message.replacing("\"", with: "'"))\"}".utf8)
        let headers = [("Content-Type", "application/json"), (MockEngine.findingHeader, fault.message)]
        try await write(HTTPText.head(fault.status, headers, length: body.count, isLast: true) + body)
        // What the client still sends is read for a moment: closing at once would reset the connection, and the client might
        // never see the response.
        await host.endWriting(to: number)
        await host.setDeadline(of: number, in: .seconds(2))
        for _ in 0..<512 where try await !socket.read(atMost: 4096).isEmpty {}
    }

    private func write(_ bytes: [UInt8]) async throws { try await socket.write(Data(bytes)) }

    private func write(_ bytes: [UInt8], _ bytesPerSecond: Int?) async throws {
        guard let bytesPerSecond else { return try await write(bytes) }
        // Ten times a second.
        let count = max(1, bytesPerSecond / 10)
        var rest = bytes[...]
        while !rest.isEmpty {
            try await write(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            if !rest.isEmpty { try await Task.sleep(for: .seconds(Double(count) / Double(bytesPerSecond))) }
        }
    }
}
#endif
