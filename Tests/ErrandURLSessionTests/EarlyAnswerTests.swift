import ErrandRuntime
import ErrandTransportConformance
import ErrandURLSession
import Testing

/// A server that refuses a large body responds after the first part of it, and closes.
@Suite(.serialized, .timeLimit(.minutes(2))) struct EarlyAnswerTests {
    private static let bytes = [UInt8](repeating: 7, count: 5 << 20)

    @Test(arguments: [
        "401 Unauthorized", "413 Content Too Large", "422 Unprocessable Content", "503 Service Unavailable",
    ])
    func theResponseToAPartOfTheBodyArrives(status: String) async throws {
        let transport = URLSessionTransport()
        let server = try RawServer(refusingPartsWith: status, lingers: true)
        for _ in 0..<12 {
            let response = try await transport.send(request(to: server))
            #expect(response.status == Int(status.prefix(3)))
            #expect(response.body == Array("{\"code\": 7}".utf8))
        }
    }

    /// The connection may be reset between the look for a response and the next write, which ends the task.
    @Test func aResetMayComeBeforeTheResponse() async throws {
        let transport = URLSessionTransport()
        let server = try RawServer(refusingPartsWith: "422 Unprocessable Content", lingers: false)
        var responses = 0
        for number in 0..<500 where number < 12 || responses == 0 {
            do throws(TransportFault) {
                let response = try await transport.send(request(to: server))
                #expect(response.status == 422)
                responses += 1
            } catch {
                #expect("\(error)".hasSuffix("transport lost, sent"))
            }
        }
        #expect(responses > 0)
    }

    /// The dispatcher hands a streamed body over in memory, where `URLSession` doesn't stream it.
    private func request(to server: RawServer) -> TransportRequest {
        TransportRequest(
            method: .post, url: server.url, body: Self.bytes, timeout: .seconds(20), isRepeatable: false)
    }
}
