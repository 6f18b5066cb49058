import ErrandRuntime
import ErrandTransportConformance
import ErrandURLSession
import EverythingClient
import Foundation
import Testing

#if os(Linux)
import ErrandCurl
#endif

/// A generated QUERY with its body on a socket, over each transport of the package.
@Suite(.serialized, .timeLimit(.minutes(2))) struct QuerySocketTests {
    enum Carrier: CaseIterable {
        case urlSession
        #if os(Linux)
        case curl
        #endif

        var transport: any Transport {
            switch self {
            case .urlSession: URLSessionTransport()
            #if os(Linux)
            case .curl: CurlTransport()
            #endif
            }
        }
    }

    private static let found = #"[{"id":1,"na\"me":"n"}]"#

    private func search(_ server: RawServer, over carrier: Carrier) async throws -> [Everything.Item] {
        let client = Everything(
            .init(url: server.url, upload: server.url, let: server.url),
            on: Dispatcher(transport: carrier.transport),
            common: Everything.Common(xDevice: UUID(), apiKey: "k"), secretKey: "s")
        return try await client.searchOrders(shelf: 7, text: "tea")
    }

    /// Whether a request is the command's with all of its body.
    private func isWhole(_ request: String, at path: String = "/orders/7") -> Bool {
        let body = request.components(separatedBy: "\r\n\r\n").last ?? ""
        return request.hasPrefix("QUERY \(path)?") && body.hasPrefix("{") && body.hasSuffix("}")
            && body.contains(#""text":"tea""#) && request.lowercased().contains("content-type: application/json\r\n")
    }

    @Test(arguments: Carrier.allCases) func theBodyArrives(_ carrier: Carrier) async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", Self.found) }
        }
        #expect(try await search(server, over: carrier).map(\.id) == [1])
        #expect(server.requests.count == 1)
        #expect(isWhole(try #require(server.requests.first)), "\(server.requests)")
    }

    /// It only reads, so that it is sent again where a POST would be `unconfirmed`.
    @Test(arguments: Carrier.allCases) func aLostOneIsSentAgain(_ carrier: Carrier) async throws {
        let server = try RawServer { connection, number in
            guard connection.readRequest() != nil else { return }
            if number == 1 { connection.reset() } else { connection.respond("200 OK", "", Self.found) }
        }
        #expect(try await search(server, over: carrier).count == 1)
        #expect(server.requests.count == 2)
        for request in server.requests { #expect(isWhole(request), "\(request)") }
    }

    @Test(arguments: Carrier.allCases, ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
    func aRedirectKeepsMethodAndBody(_ carrier: Carrier, _ status: String) async throws {
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.contains(" /moved?") {
                    connection.respond("200 OK", "", Self.found)
                } else {
                    connection.respond(status, "Location: /moved?x=1\r\n")
                }
            }
        }
        #expect(try await search(server, over: carrier).count == 1)
        #expect(server.requests.count == 2)
        #expect(isWhole(try #require(server.requests.last), at: "/moved"), "\(server.requests)")
    }

    @Test(arguments: Carrier.allCases) func aGetReadsWhatA303Names(_ carrier: Carrier) async throws {
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.hasPrefix("GET /results/7 ") {
                    connection.respond("200 OK", "", Self.found)
                } else {
                    connection.respond("303 See Other", "Location: /results/7\r\n")
                }
            }
        }
        #expect(try await search(server, over: carrier).count == 1)
        let last = try #require(server.requests.last)
        #expect(last.hasPrefix("GET /results/7 HTTP/1.1\r\n") && last.hasSuffix("\r\n\r\n"), "\(last)")
        #expect(!last.lowercased().contains("content-type"))
    }
}
