#if os(Linux)
import ErrandCurl
import ErrandRuntime
import ErrandTransportConformance
import Testing

/// A server that refuses a large body responds after the first part of it, and closes.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CurlEarlyAnswerTests {
    private static let bytes = [UInt8](repeating: 7, count: 5 << 20)

    @Test(arguments: [
        "200 OK", "401 Unauthorized", "413 Content Too Large", "422 Unprocessable Content", "503 Service Unavailable",
    ])
    func theResponseToAPartOfTheBodyArrives(status: String) async throws {
        let transport = CurlTransport()
        let server = try RawServer(refusingPartsWith: status, lingers: true)
        for number in 0..<24 {
            let response = try await transport.send(request(number, to: server))
            #expect(response.status == Int(status.prefix(3)))
            #expect(response.body == Array("{\"code\": 7}".utf8))
        }
    }

    /// libcurl reads no more when the connection is reset between its look for a response and its next write.
    @Test func aResetMayComeBeforeTheResponse() async throws {
        let transport = CurlTransport()
        let server = try RawServer(refusingPartsWith: "422 Unprocessable Content", lingers: false)
        var responses = 0
        for number in 0..<500 where number < 24 || responses == 0 {
            do throws(TransportFault) {
                let response = try await transport.send(request(number, to: server))
                #expect(response.status == 422)
                responses += 1
            } catch {
                #expect("\(error)".hasSuffix("transport lost, sent"))
            }
        }
        #expect(responses > 0)
    }

    private func request(_ number: Int, to server: RawServer) -> TransportRequest {
        let isStreamed = number % 2 == 1
        var request = TransportRequest(
            method: .post, url: server.url, body: isStreamed ? nil : Self.bytes, timeout: .seconds(20),
            isRepeatable: false)
        if isStreamed { request.streamedBody = .bytes(Self.bytes) }
        return request
    }
}
#endif
