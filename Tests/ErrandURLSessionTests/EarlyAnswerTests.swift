import ErrandRuntime
import ErrandTransportConformance
import ErrandURLSession
import Testing

/// A server that refuses a large body responds after the first part of it, and closes.
@Suite(.serialized, .timeLimit(.minutes(2))) struct EarlyAnswerTests {
    @Test(arguments: [
        "401 Unauthorized", "413 Content Too Large", "422 Unprocessable Content", "503 Service Unavailable",
    ])
    func theResponseToAPartOfTheBodyArrives(status: String) async throws {
        let transport = URLSessionTransport()
        let server = try RawServer(keepsRequests: false) { connection, number in
            for _ in 0...number % 4 { _ = connection.readPart(16 << 10) }
            connection.respond(status, "Connection: close\r\n", "{\"code\": 7}")
        }
        let bytes = [UInt8](repeating: 7, count: 5 << 20)
        var faults: [String: Int] = [:]
        // The dispatcher hands a streamed body over in memory, where `URLSession` doesn't stream it.
        for _ in 0..<12 {
            let request = TransportRequest(
                method: .post, url: server.url, body: bytes, timeout: .seconds(20), isRepeatable: false)
            do throws(TransportFault) {
                let response = try await transport.send(request)
                #expect(response.status == Int(status.prefix(3)))
                #expect(response.body == Array("{\"code\": 7}".utf8))
            } catch {
                faults["\(error)", default: 0] += 1
            }
        }
        // The connection is sometimes reset between the look for a response and the next write, which ends the task.
        #expect(
            faults.keys.allSatisfy { $0.hasSuffix("transport lost, sent") } && faults.values.reduce(0, +) <= 6,
            "\(faults)")
    }
}
