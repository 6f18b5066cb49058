import FlyingSocks
import Foundation
import TestServices
import Testing

@Suite struct FaultServerTests {
    @Test(arguments: [
        WireFault.closeOnAccept, .resetOnAccept, .closeAfterRequest, .resetAfterRequest,
        .closeMidBody(sent: 10, announced: 100), .resetMidBody(sent: 10, announced: 100),
        .closeMidChunks(chunks: ["[1,", "2"]), .garbage("nothing of the sort\r\n\r\n"),
    ])
    func brokenConnectionsAreErrors(fault: WireFault) async throws {
        let server = try await FaultServer(otherwise: fault)
        await #expect(throws: URLError.self) { try await RawClient(base: server.url).send("GET", "/a") }
        await server.stop()
    }

    /// By hand, see `WireFault.closeMidHeader`.
    @Test func headersBreakOff() async throws {
        let server = try await FaultServer(otherwise: .closeMidHeader)
        let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: UInt16(server.port)))
        try await socket.write(Data("GET /a HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        var received: [UInt8] = []
        await #expect(throws: SocketError.self) {
            while true { received += try await socket.read(atMost: 100) }
        }
        #expect(String(decoding: received, as: UTF8.self) == "HTTP/1.1 200 OK\r\nContent-Type: applic")
        #expect(await server.requests.first?.header("host") == "x")
        try socket.close()
        await server.stop()
    }

    @Test func nobodyListens() async throws {
        let port = try RefusingPort()
        await #expect(throws: URLError.self) { try await RawClient(base: port.url).send("GET", "/") }
    }

    @Test func requestsAreReadWhole() async throws {
        let server = try await FaultServer(.status(200), .delay(.milliseconds(20), then: .status(404, body: "[]")))
        let client = RawClient(base: server.url)
        let body = [UInt8](repeating: 7, count: 300_000)
        #expect(try await client.send("POST", "/a?b=c", ["Content-Type": "x/y"], body: body).json == [:])
        #expect(try await client.send("GET", "/d").status == 404)
        let requests = await server.requests
        #expect(requests.map(\.line) == ["POST /a", "GET /d"])
        #expect(requests.first?.body == body && requests.first?.mediaType == "x/y")
        await server.stop()
    }

    @Test func slowAnswersArrive() async throws {
        let server = try await FaultServer(.slowBytes(WireAnswer(body: "[1]"), pause: .milliseconds(1)))
        #expect(try await RawClient(base: server.url).send("GET", "/").json == [1])
        await server.stop()
    }

    @Test(arguments: [WireFault.neverAnswer, .stallAfterHeader(announced: 10)])
    func aClientThatGivesUpIsSeen(fault: WireFault) async throws {
        let server = try await FaultServer(otherwise: fault)
        let call = Task { try await RawClient(base: server.url).send("GET", "/") }
        #expect(await server.waitForRequests(1))
        #expect(await server.connections.first?.closedByClientAt == nil)
        call.cancel()
        #expect(await server.waitForClientToClose())
        await #expect(throws: (any Error).self) { try await call.value }
        await server.stop()
    }
}
