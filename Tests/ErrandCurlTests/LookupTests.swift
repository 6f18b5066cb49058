#if os(Linux)
@testable import ErrandCurl
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import Testing

/// The lookups of a test's own: names with an answer, and names whose lookup lasts until the end of the test.
private final class Names: Sendable {
    private let state = LockedState<(asked: [String: Int], isOver: Bool)> { ([:], false) }
    private let addresses: [String: [String]]

    init(_ addresses: [String: [String]] = [:]) { self.addresses = addresses }

    var asked: [String: Int] { state.withLock { $0.asked } }

    func end() { state.withLock { $0.isOver = true } }

    func lookUp(_ host: String) -> [String] {
        state.withLock { $0.asked[host, default: 0] += 1 }
        if let found = addresses[host] { return found }
        let end = Date(timeIntervalSinceNow: 60)
        while !state.withLock({ $0.isOver }), Date() < end { usleep(2_000) }
        return []
    }

    func makeLookups(maximum: Int = 64, reserved: Int = 8) -> HostLookups {
        HostLookups(maximumLookups: maximum, reservedLookups: reserved) { [self] in lookUp($0) }
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

/// Names are looked up by few threads, and once for all requests to a host.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LookupTests {
    private static func get(_ host: String, _ port: Int, timeout: Duration = .seconds(30)) -> TransportRequest {
        TransportRequest(method: .get, url: "http://\(host):\(port)/", timeout: timeout)
    }

    private static func server() throws -> RawServer {
        try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "x") }
        }
    }

    private static func wait(_ isReached: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while !isReached(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(2)) }
        #expect(isReached())
    }

    private static var threads: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }

    @Test func cancelledRequestsToASilentNameLeaveOneLookup() async throws {
        let names = Names(["good.test": ["127.0.0.1"]])
        defer { names.end() }
        let server = try Self.server()
        let transport = CurlTransport(lookups: names.makeLookups())
        // The threads of the transport, and of Swift's pool, exist from now on.
        #expect(try await transport.send(Self.get("good.test", server.port)).status == 200)
        let before = Self.threads
        for _ in 1...20 {
            let running = (0..<20).map { _ in
                Task { await transport.fault(of: Self.get("silent.test", server.port)) }
            }
            try await Self.wait { names.asked["silent.test"] != nil }
            for task in running { task.cancel() }
            for task in running {
                let fault = await task.value
                #expect(fault?.kind == .cancelled && fault?.evidence == .notSent)
            }
        }
        #expect(names.asked == ["good.test": 1, "silent.test": 1])
        // One thread for the lookup; a few more for those that the system starts by itself.
        #expect(Self.threads <= before + 8)
        let other = CurlTransport(lookups: names.makeLookups())
        #expect(try await other.send(Self.get("good.test", server.port)).status == 200)
    }

    @Test func aRequestThatWaitsForAnAddressEndsInTime() async throws {
        let names = Names()
        defer { names.end() }
        let transport = CurlTransport(lookups: names.makeLookups())
        for streams in [false, true] {
            var request = Self.get("silent.test", 1, timeout: .milliseconds(100))
            request.streamsResponse = streams
            let fault = await transport.fault(of: request)
            #expect(fault?.kind == .timeout && fault?.evidence == .notSent)
        }
    }

    @Test func requestsThatWaitTogetherShareALookup() async throws {
        let server = try Self.server()
        let state = LockedState<(asked: Int, isOpen: Bool)> { (0, false) }
        let lookups = HostLookups { _ in
            state.withLock { $0.asked += 1 }
            let end = Date(timeIntervalSinceNow: 60)
            while !state.withLock({ $0.isOpen }), Date() < end { usleep(1_000) }
            return ["127.0.0.1"]
        }
        let transports = [CurlTransport(lookups: lookups), CurlTransport(lookups: lookups)]
        let running = (0..<50).map { number in
            Task { await transports[number % 2].fault(of: Self.get("shared.test", server.port)) }
        }
        try await Self.wait { state.withLock { $0.asked } > 0 }
        // Time for another lookup, which doesn't come.
        try await Task.sleep(for: .milliseconds(50))
        #expect(state.withLock { $0.asked } == 1)
        state.withLock { $0.isOpen = true }
        for task in running { #expect(await task.value == nil) }
        // A host has its own name, whatever its address.
        #expect(server.requests.allSatisfy { $0.contains("Host: shared.test:\(server.port)\r\n") })
    }

    /// The name has an address without a server, then one with it, in both families.
    @Test func allAddressesAreTried() async throws {
        let server = try Self.server()
        let names = Names(["two.test": ["::1", "127.0.0.1"]])
        let transport = CurlTransport(lookups: names.makeLookups())
        #expect(try await transport.send(Self.get("two.test", server.port)).status == 200)
        let missing = CurlTransport(lookups: Names(["none.test": []]).makeLookups())
        let fault = await missing.fault(of: Self.get("none.test", server.port))
        #expect(fault?.kind == .dns && fault?.evidence == .notSent)
    }

    /// Addresses and `localhost` need no lookup, and neither does a connection that exists.
    @Test func noLookupIsWasted() async throws {
        let server = try Self.server()
        let names = Names(["kept.test": ["127.0.0.1"]])
        let transport = CurlTransport(lookups: names.makeLookups())
        for host in ["127.0.0.1", "localhost", "kept.test", "kept.test", "KEPT.test"] {
            #expect(try await transport.send(Self.get(host, server.port)).status == 200)
        }
        #expect(names.asked == ["kept.test": 1])
        let fault = await transport.fault(of: Self.get("[::1]", 1))
        #expect(fault?.kind == .refused)
    }

    /// Silent names take all places but the reserved ones.
    @Test func aKnownHostHasAPlaceWhenAllOthersAreSilent() async throws {
        let server = try Self.server()
        let names = Names(["known.test": ["127.0.0.1"], "new.test": ["127.0.0.1"]])
        let lookups = names.makeLookups(maximum: 6, reserved: 2)
        #expect(try await CurlTransport(lookups: lookups).send(Self.get("known.test", server.port)).status == 200)
        // Without the connection, and without libcurl's own memory of names.
        let transport = CurlTransport(lookups: lookups)
        let silent = (0..<10).map { number in
            Task { await transport.fault(of: Self.get("silent\(number).test", server.port)) }
        }
        try await Self.wait { names.asked.count == 5 }
        #expect(try await transport.send(Self.get("known.test", server.port)).status == 200)
        let late = await transport.fault(of: Self.get("new.test", server.port, timeout: .milliseconds(200)))
        #expect(late?.kind == .timeout && late?.evidence == .notSent)
        #expect(names.asked["new.test"] == nil && names.asked.count == 5)
        for task in silent { task.cancel() }
        for task in silent { #expect(await task.value?.kind == .cancelled) }
        names.end()
        #expect(try await transport.send(Self.get("new.test", server.port)).status == 200)
    }

    @Test func aHostWithoutRequestsLosesItsTurn() async throws {
        let names = Names(["good.test": ["127.0.0.1"]])
        let lookups = names.makeLookups(maximum: 1, reserved: 0)
        let found = LockedState<[String]?> { nil }
        _ = lookups.ask("silent.test") { _ in }
        let ticket = lookups.ask("cancelled.test") { _ in }
        _ = lookups.ask("good.test") { addresses in found.withLock { $0 = addresses } }
        lookups.giveBack(ticket)
        #expect(found.withLock { $0 } == nil)
        names.end()
        try await Self.wait { found.withLock { $0 } != nil }
        #expect(found.withLock { $0 } == ["127.0.0.1"])
        #expect(names.asked == ["silent.test": 1, "good.test": 1])
    }

    @Test func theSystemsAddressesAreOfBothFamilies() {
        #expect(HostLookups.systemAddresses(of: "localhost").contains("127.0.0.1"))
        #expect(HostLookups.systemAddresses(of: "no-such-name.invalid") == [])
        #expect(Origin("http://a.test:1").map { Peer($0).entry(["::1", "127.0.0.1"]) } == "+a.test:1:[::1],127.0.0.1")
    }
}
#endif
