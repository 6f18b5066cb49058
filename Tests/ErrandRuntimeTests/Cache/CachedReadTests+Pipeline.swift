import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

// Cached reads beside gates, shared requests, incidents and interceptors.
extension CachedReadTests {
    @Test func aCancelledReadStoresNothing() async {
        let desk = await CacheDesk()
        let door = Suspension<Void>()
        desk.answer { _ in
            await door.value(ifCancelled: ())
            return .failure(TransportFault(.cancelled, evidence: .sent))
        }
        let read = Task { await desk.read() }
        await until { desk.requests.count == 1 }
        read.cancel()
        #expect(await read.value == "cancelled")
        await until { desk.cache.isIdle }
        desk.answer(200, "1", ["Cache-Control": "max-age=600"])
        _ = await desk.read()
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await desk.read()
        }
        #expect(await late.value == "cancelled")
    }

    @Test func readsThatShareARequestShareItsConfirmation() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=10", "ETag": "\"a\""])
        #expect(await CacheDesk.told(desk.bank, SharedLook()) == "1")
        desk.clock.advance(20)
        let door = Suspension<Void>()
        desk.answer { request in
            await door.value(ifCancelled: ())
            return .success(.json(request.headers["If-None-Match"] == "\"a\"" ? 304 : 500, ""))
        }
        let reads = (1...5).map { _ in Task { await CacheDesk.told(desk.bank, SharedLook()) } }
        await until { desk.bank.binding.dispatcher.sharedAttempts.counts.waiters == 5 }
        door.end(())
        for read in reads {
            let told = await read.value
            // One that has a place at the request may look only once the response is stored.
            #expect(told == "1, validated 0" || told == "1, fresh 0")
        }
        #expect(await CacheDesk.told(desk.bank, SharedLook()) == "1, fresh 0")
        #expect(desk.requests.count == 2)
        // The task of the shared request lets go of its exchange after it has told its readers.
        await until { desk.cache.counts.underWay == 0 }
    }

    /// Commands that have waited for the network find what the first of them has brought.
    @Test func whoHasWaitedLooksOnceMore() async {
        let desk = await CacheDesk(settings: DispatcherSettings(maximumRequestsPerHost: 1))
        let door = Suspension<Void>()
        desk.answer { _ in
            await door.value(ifCancelled: ())
            return .success(.json(200, "1", ["Cache-Control": "max-age=600"]))
        }
        let reads = (1...4).map { _ in Task { await desk.read() } }
        await desk.bank.binding.dispatcher.waits(for: 3)
        door.end(())
        var told: [String] = []
        for read in reads { told.append(await read.value) }
        #expect(told.sorted() == ["1", "1, fresh 0", "1, fresh 0", "1, fresh 0"])
        #expect(desk.requests.count == 1)
    }

    /// A response that is stored says nothing about its host.
    @Test func aStoredResponseEndsNoOutage() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=600"])
        _ = await desk.read()
        let host = desk.bank.binding.host
        let budget = desk.bank.binding.dispatcher.budget
        if let host { _ = budget.withdraw(for: host) }
        let before = host.map { budget.balance(of: $0) }
        await desk.expect("1, fresh 0")
        #expect(host.map { budget.balance(of: $0) } == before)
    }

    @Test func aFieldOfAnInterceptorIsNotGuessed() async {
        let language = LockedState { "de" }
        let adding = HeaderAdding { language.withLock { $0 } }
        let desk = await CacheDesk(interceptors: [adding])
        desk.answer(200, "1", ["Cache-Control": "max-age=600", "Vary": "Accept-Language"])
        _ = await desk.read()
        language.withLock { $0 = "en" }
        desk.answer(200, "2", ["Cache-Control": "max-age=600", "Vary": "Accept-Language"])
        #expect(desk.cache.contents.count == 0)
        await desk.expect("2")
        #expect(desk.cache.contents.count == 0)
    }

    /// The token is a part of the URL, and a renewed one is that of the same login.
    @Test func aTokenInTheQueryDoesNotCount() async throws {
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            .json(200, "\(number)", ["Cache-Control": "max-age=600"])
        }
        let session = Session()
        let kiosk = Kiosk(
            binding: ServiceBinding(
                Kiosk.service, server: "https://kiosk.example", on: Dispatcher(transport: transport), session: session))
        await session.begin(SessionTokens(access: "one", identity: "ada"))
        #expect(try await kiosk.send(Kiosk.Read()) == 1)
        await session.replaceTokens(SessionTokens(access: "two", identity: "ada"))
        #expect(try await kiosk.send(Kiosk.Read()) == 1)
        await session.replaceTokens(SessionTokens(access: "three", identity: "ada"))
        try await kiosk.send(Kiosk.Remove())
        #expect(try await kiosk.send(Kiosk.Read()) == 3)
        #expect(transport.requests.last?.url == "https://kiosk.example/papers/1?page=1&access%20token=three")
        await session.begin(SessionTokens(access: "three", identity: "grace"))
        #expect(try await kiosk.send(Kiosk.Read()) == 4)
    }

    @Test func anEmptiedCacheHasNothing() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=600"])
        _ = await desk.read()
        desk.bank.binding.dispatcher.emptyCache()
        desk.answer(200, "2")
        await desk.expect("2")
        let none = await CacheDesk(settings: DispatcherSettings(maximumCacheSize: 0))
        none.answer(200, "1", ["Cache-Control": "max-age=600"])
        none.answer(200, "2", ["Cache-Control": "max-age=600"])
        #expect(await none.read() == "1")
        #expect(await none.read() == "2")
    }
}

/// A service whose token is a parameter, which is in the query of a read and of a removal.
private struct Kiosk: ServiceClient {
    var binding: ServiceBinding
    static let service = ServiceDescription(
        name: "Kiosk", version: "1", session: SessionPlacement(parameter: "access token"))

    struct Read: Command {
        typealias Service = Kiosk
        typealias Failure = CommandFault
        typealias Response = Int
        static let endpoint = EndpointDescription(
            Kiosk.service, "read", .get, effect: .read, session: .required, cache: CacheRule())
        func encode(into request: inout RequestEncoder) {
            request.path("/papers/1")
            request.query("page", 1)
        }
        static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
    }

    struct Remove: Command {
        typealias Service = Kiosk
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Kiosk.service, "remove", .delete, effect: .idempotent, session: .required, response: .none)
        func encode(into request: inout RequestEncoder) {
            request.path("/papers/1")
            request.query("page", 1)
        }
    }
}

private struct HeaderAdding: Interceptor {
    let language: @Sendable () -> String

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        var request = request
        request.headers.set("Accept-Language", language())
        return try await next(request)
    }
}
