import Foundation
import Testing

@testable import ErrandBackground
@testable import ErrandRuntime

/// Transfers of a login: which user gets their results, and with which token they are sent.
@Suite(.serialized, .timeLimit(.minutes(1))) struct BackgroundSessionTests {
    private let store = ShelfStore()

    private func attic(_ session: Session) -> Attic { Attic(session: session) }

    /// A user logs in, and the user's upload is under way when the process ends.
    private func begin(_ world: BackgroundWorld) async {
        let session = Session(store: store)
        await session.begin(SessionTokens(access: "TOKEN-OF-ADA", identity: "ada"))
        await world.sendAndEnd(Attic.StoreOwn(), as: "one", from: attic(session))
        #expect(world.system.started.last?.request.headers["Authorization"] == "Bearer TOKEN-OF-ADA")
    }

    private func send(_ session: Session, _ registry: TransferRegistry) async -> Result<Attic.Stored, Attic.Failure> {
        await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await attic(session).binding.perform(Attic.StoreOwn(), as: "one", in: registry)
        }
    }

    @Test func theSameUserGetsTheResult() async throws {
        let world = try BackgroundWorld()
        await begin(world)
        await world.system.hold(false)
        #expect(try await send(Session(store: store), world.launch()).get().number == 4)
        #expect(world.requests.count == 1)
    }

    @Test func theJournalHasNoToken() async throws {
        let world = try BackgroundWorld { _, _ in
            .response(
                201, ["Set-Cookie": "COOKIE", "X-Api-Key": "COOKIE", "ETag": "\"7\""], Array(#"{"number":4}"#.utf8))
        }
        await begin(world)
        _ = world.launch()
        await world.system.hold(false)
        #expect(world.files.count == 3, "\(world.files)")
        for name in world.files {
            let file = world.journal.appendingPathComponent(name)
            let text = try String(contentsOf: file, encoding: .utf8)
            // As a word: the random ids of attempts are hexadecimal, so `ada` can be a part of one.
            let isOfTheUser = text.firstMatch(of: /\bada\b/) != nil
            #expect(!text.contains("TOKEN") && !text.contains("COOKIE") && !isOfTheUser, "\(name): \(text)")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test(arguments: [false, true]) func theNextUserDoesNot(_ isAnswered: Bool) async throws {
        let world = try BackgroundWorld()
        await begin(world)
        if isAnswered {
            _ = world.launch()
            await world.system.hold(false)
        }
        let session = Session(store: store)
        await session.begin(SessionTokens(access: "TOKEN-OF-EVE", identity: "eve"))
        let failed = await send(session, world.launch())
        guard case .failure(.fault(let fault)) = failed else {
            Issue.record("\(failed)")
            return
        }
        #expect(fault.kind == .sessionEnded)
        #expect(world.files == [], "and nothing is left of it")
        // The id now belongs to the next user.
        await world.system.hold(false)
        #expect(try await send(session, world.launch()).get().number == 4)
        #expect(world.requests.last?.headers["Authorization"] == "Bearer TOKEN-OF-EVE")
        #expect(world.requests.count == (isAnswered ? 2 : 1))
    }

    @Test func noUserDoesNot() async throws {
        let world = try BackgroundWorld()
        await begin(world)
        await Session(store: store).end()
        let failed = await send(Session(store: store), world.launch())
        if case .failure(.fault(let fault)) = failed {
            #expect(fault.kind == .sessionEnded)
        } else {
            Issue.record("\(failed)")
        }
    }

    @Test func aLogoutEndsWhatIsUnderWay() async throws {
        let world = try BackgroundWorld()
        await begin(world)
        let session = Session(store: store)
        let registry = world.launch()
        let task = Task { await send(session, registry) }
        while registry.transfers.isEmpty || session.tokens == nil { await Task.yield() }
        try await Task.sleep(for: .milliseconds(20))
        await session.end()
        let failed = await task.value
        if case .failure(.fault(let fault)) = failed {
            #expect(fault.kind == .sessionEnded)
        } else {
            Issue.record("\(failed)")
        }
        await world.system.hold(false)
        #expect(world.requests.isEmpty, "the system was told")
        #expect(world.files == [])
    }

    @Test func aRefusalOfAnOldTokenEndsNoSession() async throws {
        let world = try BackgroundWorld { request, _ in
            request.headers["Authorization"] == "Bearer TOKEN-OF-ADA" ? .response(401, [:], []) : .stored
        }
        await begin(world)
        await world.system.hold(false)
        let session = Session(store: store)
        await session.replaceTokens(SessionTokens(access: "NEWER", identity: "ada"))
        #expect(try await send(session, world.launch()).get().number == 4)
        #expect(session.tokens?.access == "NEWER")
        #expect(world.requests.count == 2)
    }

    @Test func interceptorsSeeEachAttemptOnce() async throws {
        let world = try BackgroundWorld { _, number in number == 1 ? .response(503, [:], []) : .stored }
        let counter = CountingInterceptor()
        await world.sendAndEnd(Attic.StoreAgain(), as: "one", from: Attic(interceptors: [counter]))
        #expect(counter.count == 1)
        await world.system.hold(false)
        let (registry, attic) = (world.launch(), Attic(interceptors: [counter]))
        _ = await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await attic.binding.perform(Attic.StoreAgain(), as: "one", in: registry)
        }
        #expect(counter.count == 2)
        #expect(world.requests.allSatisfy { $0.headers["X-Seen"] == "yes" })
    }
}

private final class CountingInterceptor: Interceptor {
    private let state = LockedState { 0 }
    var count: Int { state.withLock { $0 } }

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        state.withLock { $0 += 1 }
        var request = request
        request.headers.set("X-Seen", "yes")
        return try await next(request)
    }
}
