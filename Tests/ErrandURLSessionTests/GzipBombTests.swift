import ErrandRuntime
import Foundation
import Testing

@testable import ErrandTransportConformance
@testable import ErrandURLSession

/// FoundationNetworking inflates the responses of all sessions on the queue on which it also reads all others.
@Suite(.serialized) struct GzipBombTests {
    #if canImport(FoundationNetworking)
    /// Each 16 KB of a body is a report. Reports that changed threads made a bomb of 512 MB hold up other requests for
    /// 5 seconds, of which inflating it is 1.4.
    @Test func aReportIsDoneWhereItIsMade() {
        let thread = ObjectIdentifier(Thread.current)
        let ran = LockedState { false }
        DeliveryQueue().addOperation { ran.withLock { $0 = ObjectIdentifier(Thread.current) == thread } }
        #expect(ran.withLock { $0 })
    }
    #endif

    @Test func whatIsReadBesideABombIsAnswered() async throws {
        let bomb = GzipOfZeros.bytes(atLeast: 256 << 20)
        let hostile = try RawServer(keepsRequests: false) { connection, _ in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            connection.write(bomb)
        }
        let honest = try RawServer(keepsRequests: false) { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "ok") }
        }
        let transport = URLSessionTransport()
        let isOver = LockedState { false }
        let victim = Task {
            defer { isOver.withLock { $0 = true } }
            return await transport.fault(of: TransportRequest(method: .get, url: hostile.url))
        }
        var longest = Duration.zero
        while !isOver.withLock({ $0 }) {
            let start = ContinuousClock.now
            let response = try await transport.send(TransportRequest(method: .get, url: honest.url))
            #expect(response.status == 200)
            longest = max(longest, ContinuousClock.now - start)
        }
        let fault = await victim.value
        #expect(fault?.kind == .oversized && fault?.evidence == .responded)
        print("the longest read beside the bomb took \(longest)")
    }
}

extension Transport {
    fileprivate func fault(of request: TransportRequest) async -> TransportFault? {
        do throws(TransportFault) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }
}
