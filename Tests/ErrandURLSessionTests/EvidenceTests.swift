import ErrandTesting
import Foundation
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import ErrandURLSession

/// How far a request got is what decides whether it is sent again. Nothing here may say `notSent` of a request that the
/// server has read.
@Suite(.serialized) struct EvidenceTests {
    private let transport = URLSessionTransport()

    private func fault(_ request: TransportRequest) async -> TransportFault? {
        do throws(TransportFault) {
            _ = try await transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    #if canImport(FoundationNetworking)
    /// It calls every failure so where one of several addresses has refused: the request went to another one.
    @Test(arguments: [
        "Empty reply from server", "Recv failure: Connection reset by peer",
        "transfer closed with 45 bytes remaining to read",
        "Operation timed out after 1000 milliseconds with 0 bytes received", "",
    ])
    func aRefusalOfAnotherAddressSaysNothing(text: String) {
        let error = URLError(.cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: text])
        #expect(TransportFault(error).kind == .lost)
        #expect(TransportFault(error).evidence == .sent)
    }

    @Test(arguments: [
        "Failed to connect to 127.0.0.1 port 1: Connection refused",
        "Failed to connect to localhost port 1 after 0 ms: Couldn't connect to server",
    ])
    func aRefusalOfAllOfThemDoes(text: String) {
        let error = URLError(.cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: text])
        #expect(TransportFault(error).kind == .refused)
        #expect(TransportFault(error).evidence == .notSent)
    }
    #endif

    /// `localhost` has two addresses as a rule, and the server listens on one of them.
    @Test func aServerOnOneOfTwoAddressesHasReadIt() async throws {
        let server = try RawServer { connection, _ in _ = connection.readRequest() }
        let met = await fault(
            TransportRequest(
                method: .post, url: "http://localhost:\(server.port)/", body: [1, 2, 3], isRepeatable: false))
        #expect(server.requests.count == 1)
        #expect(met?.kind == .lost)
        #expect(met?.evidence == .sent)
    }

    /// The server reads the second request on the connection of the first one, and is gone. Whoever sends it again
    /// by himself is refused then.
    @Test func aServerThatGoesAwayHasReadIt() async throws {
        let handed = Handed<RawServer>()
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.contains(" /last ") {
                    handed.value?.stopListening()
                    usleep(100_000)
                    return
                }
                connection.respond("200 OK", "", "x")
            }
        }
        handed.value = server
        #expect(await fault(TransportRequest(method: .delete, url: server.url + "/first")) == nil)
        let met = await fault(TransportRequest(method: .delete, url: server.url + "/last"))
        #expect(server.requests.contains { $0.contains(" /last ") })
        #expect(met?.evidence == .sent)
        handed.value = nil
    }

    @Test(arguments: ["103 Early Hints\r\nLink: </a>", "100 Continue"])
    func whatOnlyAnnouncesAnAnswerIsNone(status: String) async throws {
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 \(status)\r\n\r\n")
        }
        let met = await fault(TransportRequest(method: .get, url: server.url))
        #expect(met?.kind == .lost)
        #expect(met?.evidence == .sent)
    }

    @Test func whatWasCancelledBeforeItBeganWasNotSent() async throws {
        let server = try RawServer { connection, _ in _ = connection.readRequest() }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await fault(TransportRequest(method: .post, url: server.url, isRepeatable: false))
        }
        task.cancel()
        let met = await task.value
        #expect(met?.kind == .cancelled)
        #expect(met?.evidence == .notSent)
        #expect(server.requests.isEmpty)
    }
}

/// Something that a handler needs before it is there.
private final class Handed<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: Value?
    var value: Value? {
        get { lock.withLock { kept } }
        set { lock.withLock { kept = newValue } }
    }
}
