import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import Testing

/// A server that refuses a large body responds after the first part of it, and closes. The response is what the caller gets: without
/// it, a refused payment would be one that may have been made.
@Suite(.serialized, .timeLimit(.minutes(2))) struct EarlyAnswerTests {
    private enum Body: CaseIterable {
        case memory, stream, chunks
    }

    @Test(arguments: [
        "200 OK", "401 Unauthorized", "413 Content Too Large", "422 Unprocessable Content", "503 Service Unavailable",
    ])
    func theResponseToAPartOfTheBodyArrives(status: String) async throws {
        let server = try RawServer(keepsRequests: false) { connection, number in
            // From the head alone to a part of the body.
            for _ in 0...number % 4 { _ = connection.readPart(16 << 10) }
            connection.respond(status, "Connection: close\r\n", "{\"code\": 7}")
        }
        let transport = AsyncHTTPClientTransport()
        let bytes = [UInt8](repeating: 7, count: 5 << 20)
        var faults: [String: Int] = [:]
        for number in 0..<24 {
            let body = Body.allCases[number % 3]
            var request = TransportRequest(
                method: .post, url: server.url, body: body == .memory ? bytes : nil, timeout: .seconds(20),
                isRepeatable: false)
            if body == .stream { request.streamedBody = .bytes(bytes) }
            if body == .chunks {
                let chunks = stride(from: 0, to: bytes.count, by: 64 << 10).map {
                    Array(bytes[$0..<min($0 + 64 << 10, bytes.count)])
                }
                let (parts, sender) = AsyncStream.makeStream(of: [UInt8].self)
                for chunk in chunks { sender.yield(chunk) }
                sender.finish()
                request.streamedBody = .stream(parts, length: nil)
            }
            do throws(TransportFault) {
                let response = try await transport.send(request)
                #expect(response.status == Int(status.prefix(3)))
                #expect(response.body == Array("{\"code\": 7}".utf8), "\(body)")
            } catch {
                faults["\(body): \(error) \(error.underlying.map { "\($0)" } ?? "")", default: 0] += 1
            }
        }
        #expect(faults == [:])
    }
}
