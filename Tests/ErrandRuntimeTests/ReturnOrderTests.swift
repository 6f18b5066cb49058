import BankClient
import ErrandTransport
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import Testing

@testable import ErrandRuntime

/// The order in which commands that waited for the network or a responder are sent, on real threads and sockets.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ReturnOrderTests {
    /// A transport that notes the requests in the order in which it gets them.
    private struct Noting: Transport {
        let transport: any Transport
        /// The server on this machine that stands for the bank's: commands to this machine wait for no network.
        let server: String
        let pages: LockedState<[Int]>

        var maximumRequestsPerHost: Int? { transport.maximumRequestsPerHost }

        func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
            var request = request
            request.url = request.url.replacingOccurrences(of: "https://api.bank.example", with: server)
            if let page = ReturnOrderTests.page(of: request.url) { pages.withLock { $0.append(page) } }
            return try await transport.send(request)
        }
    }

    private static func page(of text: String) -> Int? {
        guard let range = text.range(of: "page=") else { return nil }
        return Int(text[range.upperBound...].prefix { $0.isNumber })
    }

    private static func transports() -> [any Transport] {
        #if canImport(FoundationNetworking)
        [URLSessionTransport(), SystemTransport.make()]
        #else
        [SystemTransport.make()]
        #endif
    }

    /// How far the element of a list is from its place that is the furthest away.
    private static func displacement(_ pages: [Int]) -> (moved: Int, most: Int) {
        let distances = pages.enumerated().map { abs($0.offset + 1 - $0.element) }
        return (distances.filter { $0 > 0 }.count, distances.max() ?? 0)
    }

    /// How many earlier pages had not arrived yet when a page arrived, at most.
    private static func overtaken(_ pages: [Int]) -> Int {
        var missing = Set(1...max(pages.count, 1))
        var most = 0
        for page in pages {
            missing.remove(page)
            most = max(most, missing.count { $0 < page })
        }
        return most
    }

    /// Says `retry` once the test wants it to.
    private struct Patient: Responder {
        let isTold = Suspension<Void>()

        func respond(to incident: Incident) async -> IncidentAnswer {
            await isTold.value(ifCancelled: ())
            return .retry
        }
    }

    /// The host is down, and comes back while all commands wait for a responder. Its answer wakes a thousand tasks at once.
    @Test(arguments: [32, 1])
    func aThousandCommandsGoInOrderAfterAnOutage(_ limit: Int) async throws {
        for transport in Self.transports() {
            let name = "\(type(of: transport)), \(limit) at once"
            let count = limit == 1 ? 200 : 1_000
            let isDown = LockedState<Bool> { true }
            let server = try RawServer(keepsRequests: false) { connection, _ in
                while connection.readRequest() != nil {
                    if isDown.withLock({ $0 }) {
                        connection.respond("503 Service Unavailable")
                    } else {
                        usleep(limit > 1 ? 20_000 : 0)
                        connection.respond("200 OK", "Content-Type: application/json\r\n", noAccounts)
                    }
                }
            }
            let sent = LockedState<[Int]> { [] }
            let responder = Patient()
            let dispatcher = Dispatcher(
                transport: Noting(transport: transport, server: server.url, pages: sent), responder: responder,
                settings: DispatcherSettings(retry: .never, maximumRequestsPerHost: limit))
            let bank = Bank(on: dispatcher, session: Session(tokens: SessionTokens(access: "t")))
            var tasks: [Task<[Bank.Account], any Error>] = []
            for number in 1...count {
                tasks.append(Task { try await bank.listAccounts(page: number) })
                await until { dispatcher.waitingCount == number && dispatcher.board.cohort == number }
            }
            #expect(sent.withLock { $0 } == Array(1...count))
            isDown.withLock { $0 = false }
            sent.withLock { $0 = [] }
            responder.isTold.end(())
            for task in tasks { _ = try await task.value }
            let order = Self.displacement(sent.withLock { $0 })
            #expect(order == (0, 0), "\(name): \(order.moved) out of order, one by \(order.most) places")
        }
    }

    /// The server takes its time, so the commands wait for the host after they have waited for the network.
    @Test(arguments: [32, 1])
    func aThousandCommandsGoInTheOrderOfTheirSubmission(_ limit: Int) async throws {
        for transport in Self.transports() {
            let name = "\(type(of: transport)), \(limit) at once"
            let count = limit == 1 ? 200 : 1_000
            let arrived = LockedState<[Int]> { [] }
            let server = try RawServer(keepsRequests: false) { connection, _ in
                while let request = connection.readRequest() {
                    if let page = Self.page(of: request) { arrived.withLock { $0.append(page) } }
                    if limit > 1 { usleep(20_000) }
                    connection.respond("200 OK", "Content-Type: application/json\r\n", noAccounts)
                }
            }
            let sent = LockedState<[Int]> { [] }
            let monitor = TestPathMonitor(.unsatisfied)
            let dispatcher = Dispatcher(
                transport: Noting(transport: transport, server: server.url, pages: sent), network: monitor,
                settings: DispatcherSettings(maximumRequestsPerHost: limit))
            let bank = Bank(on: dispatcher, session: .begun)
            var tasks: [Task<[Bank.Account], any Error>] = []
            for number in 1...count {
                tasks.append(Task { try await bank.listAccounts(page: number) })
                await until { dispatcher.waitingCount == number }
            }
            monitor.become(ConnectivityTests.wiFi)
            for task in tasks { _ = try await task.value }
            let order = Self.displacement(sent.withLock { $0 })
            #expect(order == (0, 0), "\(name): \(order.moved) out of order, one by \(order.most) places")
            // What is under way at the same time may arrive in any order.
            let overtaken = Self.overtaken(arrived.withLock { $0 })
            #expect(overtaken < limit, "\(name): one arrived before \(overtaken) that were sent earlier")
        }
    }
}
