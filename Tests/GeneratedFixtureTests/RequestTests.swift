import ErrandRuntime
import EverythingClient
import Foundation
import Synchronization
import Testing

/// Answers every request with one response, and keeps what was sent.
final class RecordingTransport: Transport {
    private let sent = Mutex<[TransportRequest]>([])
    let response: TransportResponse

    init(_ status: Int = 200, _ body: String = #"{"data":null}"#) {
        response = TransportResponse(status: status, body: Array(body.utf8))
    }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        sent.withLock { $0.append(request) }
        return response
    }

    var requests: [TransportRequest] { sent.withLock { $0 } }
    var body: String { requests.last?.body.map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

/// The generated commands of everything, sent.
@Suite struct RequestTests {
    private func client(_ transport: RecordingTransport) -> Everything {
        Everything(
            .fixed, on: Dispatcher(transport: transport),
            common: Everything.Common(xDevice: UUID(), apiKey: "k"), secretKey: "s")
    }

    private let item = Everything.Item(id: 1, name: "n")

    @Test func pathQueryAndHeadersCarryTheContractsForms() async throws {
        let transport = RecordingTransport(200, #"{"grant":{"token":"t"}}"#)
        _ = await client(transport).result(
            of: Everything.Fetch(imageURL: try #require(URL(string: "https://images.example/a?b=c"))))
        #expect(transport.requests.first?.url.hasPrefix("https://images.example/a?b=c") == true)
        #expect(transport.requests.first?.headers["X-Session"] == nil)
    }

    @Test func aFormCarriesListsAndDates() async throws {
        let transport = RecordingTransport(200, #"{"data":{"grant":{"token":"t","lifetime":60.0,"renewal":"r"}}}"#)
        let response = try await client(transport).logIn(
            user: "a&b", password: "canary-password", since: [Date(timeIntervalSince1970: 0)],
            kinds: [.aBC, .unrecognized("x")])
        #expect(response.grant?.token == "t")
        #expect(transport.body.contains("user=a%26b"))
        #expect(transport.body.contains("since=1970-01-01T00%3A00%3A00Z"))
        #expect(transport.body.contains("kinds=a-b%20c&kinds=x") || transport.body.contains("kinds=a-b+c&kinds=x"))
        #expect(transport.requests.first?.headers["X-Signature"] != nil)
    }

    @Test func constraintsAreHeldBeforeAnythingIsSent() async throws {
        let transport = RecordingTransport()
        let result = await client(transport).result(of: Everything.LogIn(user: "u", password: "short", since: []))
        guard case .failure(.fault(let fault)) = result else { return #expect(Bool(false)) }
        #expect(fault.kind == .invalidRequest)
        #expect(transport.requests.isEmpty)
        let dated = await client(transport).result(
            of: Everything.LogIn(
                user: "u", password: "long enough", since: [.distantFuture, Date(timeIntervalSince1970: 1e12)]))
        guard case .failure(.fault(let late)) = dated else { return #expect(Bool(false)) }
        #expect(late.kind == .invalidRequest)
    }

    @Test func redeclaredNamesReachTheWire() {
        #expect(Everything.service.version == "1.10")
        #expect(
            Everything.service.errors.map(\.name) == ["sessionExpired", "busy", "short", "listed", "worded", "bodied"])
        #expect(Everything.Server.main(port: "1", stage: "x").url == "http://127.0.0.1:1/x")
        #expect(Everything.Default.endpoint.name == "default")
        #expect(Everything.SendAll.endpoint.effect == .keyed)
    }
}
