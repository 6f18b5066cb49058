import ErrandTesting
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import Testing

@testable import ErrandRuntime

/// Runs each test of a suite a second time, with sockets between client and script. `URLSession` sends the command's encoded
/// request to a server on this machine. The script responds to the request that the server has read, and the client reads the
/// response's bytes.
struct OverSocketsToo: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing run: @Sendable () async throws -> Void
    ) async throws {
        try await run()
        guard testCase != nil, !test.traits.contains(where: { $0 is InMemoryOnly }) else { return }
        try await SocketCarrier.$isWanted.withValue(true) { try await run() }
    }
}

/// Keeps a test of such a suite from its second run.
struct InMemoryOnly: TestTrait {
    let reason: String
}

extension Trait where Self == OverSocketsToo {
    static var overSocketsToo: Self { OverSocketsToo() }
}

extension Trait where Self == InMemoryOnly {
    static func inMemoryOnly(_ reason: String) -> Self { InMemoryOnly(reason: reason) }
}

@Suite(.timeLimit(.minutes(1))) struct SocketCarrierTests {
    @Test func aScriptSeesWhatWasReadFromASocket() async throws {
        let transport = SocketCarrier.$isWanted.withValue(true) {
            ScriptedTransport.scripted { request, number throws(TransportFault) in
                guard number == 1 else { throw TransportFault(.dns, evidence: .notSent) }
                return .json(
                    207, "\(request.url) \(String(decoding: request.body ?? [], as: UTF8.self))", request.headers)
            }
        }
        let request = TransportRequest(method: .post, url: "https://shop.example:1/a?b=c", body: Array("text".utf8))
        let response = try await transport.send(request)
        #expect(response.status == 207)
        #expect(String(decoding: response.body, as: UTF8.self) == "https://shop.example:1/a?b=c text")
        #expect(response.headers["Host"]?.hasPrefix("127.0.0.1:") == true, "URLSession has written it")
        await #expect(throws: TransportFault.self) { try await transport.send(request) }
    }
}

/// Carries requests to a script over sockets.
final class SocketCarrier: Sendable {
    @TaskLocal static var isWanted = false

    private struct Call {
        let request: TransportRequest
        let answer: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
        /// The failure that the script wants to be seen. A socket can be broken, but not in a way that has a given name.
        var fault: TransportFault?
    }

    private static let header = "X-Script-Call"
    private let calls = LockedState<[Int: Call]> { [:] }
    private let server: RawServer
    private let transport = URLSessionTransport()

    init() throws {
        let calls = calls
        server = try RawServer(keepsRequests: false) { connection, _ in
            while let text = connection.readRequest() { guard Self.serve(text, on: connection, calls) else { return } }
        }
    }

    func send(
        _ request: TransportRequest, number: Int,
        _ answer: @escaping @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        calls.withLock { $0[number] = Call(request: request, answer: answer) }
        defer { calls.withLock { $0[number] = nil } }
        var carried = request
        carried.url = server.url + request.url.dropFirst(Self.origin(of: request.url).count)
        carried.headers.set(Self.header, "\(number)")
        // Time is the test's clock. `URLSession` has another, which goes on while a thousand requests wait for six connections.
        carried.timeout = .seconds(3600)
        do {
            return try await transport.send(carried)
        } catch {
            throw calls.withLock { $0[number]?.fault } ?? error
        }
    }

    private static func origin(of url: String) -> Substring {
        guard let authority = url.range(of: "://")?.upperBound else { return "" }
        return url.prefix(upTo: url[authority...].firstIndex { "/?#".contains($0) } ?? url.endIndex)
    }

    /// Whether the connection may be used again.
    private static func serve(
        _ text: String, on connection: RawConnection, _ calls: LockedState<[Int: Call]>
    ) -> Bool {
        guard let read = ReadRequest(text), let number = read.headers[header].flatMap(Int.init),
            let call = calls.withLock({ $0[number] })
        else { return false }
        var request = call.request
        request.method = read.method
        request.url = origin(of: call.request.url) + read.target
        request.headers = HTTPHeaders(read.headers.fields.filter { !HTTPHeaders.isEqual($0.name, header) })
        request.body = read.body
        switch result(of: call, for: request, while: connection) {
        case .success(let response):
            let lines = response.headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
            connection.respond("\(response.status) Scripted", lines, String(decoding: response.body, as: UTF8.self))
            return true
        case .failure(let fault):
            calls.withLock { $0[number]?.fault = fault }
            connection.reset()
            return false
        }
    }

    /// The script's result. It is cancelled when the client has gone.
    private static func result(
        of call: Call, for request: TransportRequest, while connection: RawConnection
    ) -> Result<TransportResponse, TransportFault> {
        let result = LockedState<Result<TransportResponse, TransportFault>?> { nil }
        let isDone = DispatchSemaphore(value: 0)
        let task = Task {
            do throws(TransportFault) {
                let response = try await call.answer(request)
                result.withLock { $0 = .success(response) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            isDone.signal()
        }
        while isDone.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
            if connection.hears(within: 0), connection.isClosedByClient(within: 0) { task.cancel() }
        }
        return result.withLock { $0 } ?? .failure(TransportFault(.lost, evidence: .sent))
    }
}

/// A request as it was read from a socket.
private struct ReadRequest {
    let method: HTTPMethod
    let target: String
    var headers = HTTPHeaders()
    var body: [UInt8]?

    init?(_ text: String) {
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        var lines = text[..<end.lowerBound].components(separatedBy: "\r\n")[...]
        let parts = lines.removeFirst().components(separatedBy: " ")
        guard parts.count == 3, let method = HTTPMethod(rawValue: parts[0]) else { return nil }
        self.method = method
        target = parts[1]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers.append(
                String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        if headers["Content-Length"] != nil { body = Array(text[end.upperBound...].utf8) }
    }
}
