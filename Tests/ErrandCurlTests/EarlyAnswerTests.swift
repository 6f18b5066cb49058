#if os(Linux)
import ErrandCurl
import ErrandRuntime
import ErrandTransportConformance
import Testing

/// A server that refuses a large body responds after the first part of it, and closes.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CurlEarlyAnswerTests {
    @Test(arguments: [
        "200 OK", "401 Unauthorized", "413 Content Too Large", "422 Unprocessable Content", "503 Service Unavailable",
    ])
    func theResponseToAPartOfTheBodyArrives(status: String) async throws {
        let transport = CurlTransport()
        let server = try RawServer(keepsRequests: false) { connection, number in
            for _ in 0...number % 4 { _ = connection.readPart(16 << 10) }
            connection.respond(status, "Connection: close\r\n", "{\"code\": 7}")
        }
        let bytes = [UInt8](repeating: 7, count: 5 << 20)
        var faults: [String: Int] = [:]
        for number in 0..<24 {
            let isStreamed = number % 2 == 1
            var request = TransportRequest(
                method: .post, url: server.url, body: isStreamed ? nil : bytes, timeout: .seconds(20),
                isRepeatable: false)
            if isStreamed { request.streamedBody = .bytes(bytes) }
            do throws(TransportFault) {
                let response = try await transport.send(request)
                #expect(response.status == Int(status.prefix(3)))
                #expect(response.body == Array("{\"code\": 7}".utf8))
            } catch {
                faults["\(isStreamed ? "streamed" : "memory"): \(error)", default: 0] += 1
            }
        }
        // libcurl reads no more when the connection is reset between its look for a response and its next write.
        #expect(
            faults.keys.allSatisfy { $0.hasSuffix("transport lost, sent") } && faults.values.reduce(0, +) <= 12,
            "\(faults)")
    }
}
#endif
