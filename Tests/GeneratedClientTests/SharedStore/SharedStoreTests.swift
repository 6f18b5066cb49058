import AuthClient
import ErrandRuntime
import Foundation
import TestServices
import Testing

/// Processes that share the file of a session, against a server that rotates refresh tokens and refuses one that
/// is used for the second time.
@Suite(.serialized) struct SharedStoreTests {
    private let folder: String
    private var path: String { folder + "/session.json" }
    private let service: AuthService

    init() async throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("errand-shared-\(UUID().uuidString)").path
        service = try await AuthService.start()
        _ = try await auth().logIn(user: "ada", password: "lovelace")
    }

    private func auth() -> Auth {
        Auth(
            .init(url: service.url), session: Session(store: .file(path)),
            common: .init(clientID: AuthService.clientID),
            clientSecret: AuthService.clientSecret)
    }

    private func sharer(_ task: String) async throws -> SharingProcess {
        let process = try SharingProcess(task, path, service.url, AuthService.clientID, AuthService.clientSecret)
        #expect(await process.line() == "ready")
        return process
    }

    private func end() async throws {
        await service.stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    private var renewals: Int { get async { await service.requests(on: "POST /sessions/renewal").count } }

    @Test func processesThatRenewAtTheSameTimeBurnNoToken() async throws {
        let sharers = [try await sharer("renew"), try await sharer("renew"), try await sharer("renew")]
        for round in 1...60 {
            await service.expireSessions()
            // Every other renewal takes its time, so that all others come in the middle of it.
            if round.isMultiple(of: 2) {
                await service.script(.delay(.milliseconds(20), then: nil), on: "POST /sessions/renewal")
            }
            for sharer in sharers { sharer.go() }
            for sharer in sharers {
                let line = await sharer.line() ?? "it has ended"
                #expect(line == "person 1", "round \(round)")
            }
            #expect(await renewals == round)
            #expect(await service.refreshes == round)
        }
        #expect(await service.logins == 1)
        #expect(await service.violations.isEmpty)
        for sharer in sharers { await sharer.end() }
        try await end()
    }

    /// The test above would notice a store without a lock.
    @Test func withoutTheLockATokenIsBurnt() async throws {
        let sharers = [try await sharer("renew-unlocked"), try await sharer("renew-unlocked")]
        await service.expireSessions()
        // The server responds to the first one when the second one is there, or can no longer come.
        let both = ScriptedFault.hold { [service] in
            let end = ContinuousClock.now + .seconds(10)
            while await service.requests(on: "POST /sessions/renewal").count < 2, ContinuousClock.now < end {
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
        await service.script(both, times: 2, on: "POST /sessions/renewal")
        for sharer in sharers { sharer.go() }
        for sharer in sharers { _ = await sharer.line() }
        #expect(await renewals == 2)
        #expect(await service.refreshes == 1)
        for sharer in sharers { await sharer.end() }
        try await end()
    }

    @Test func aHolderThatIsKilledHoldsNobodyUp() async throws {
        for round in 1...5 {
            let holder = try await sharer("hold")
            await service.expireSessions()
            let auth = auth()
            let command = Task { await auth.result(of: Auth.WhoAmI()) }
            while await service.requests(on: "GET /me").count < 2 * round - 1 {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await Task.sleep(for: .milliseconds(50))
            #expect(await renewals == round - 1, "nobody renews while another process has the lock")
            await holder.end()
            #expect(try await command.value.get().id == 1)
            #expect(await service.refreshes == round)
        }
        try await end()
    }

    /// Another user logs in here. The other process's commands belong to the first user, and are not sent with the new token.
    @Test func anotherUserGetsNoCommandOfAnotherProcess() async throws {
        let sharer = try await sharer("renew")
        sharer.go()
        #expect(await sharer.line() == "person 1")
        await service.expireSessions()
        _ = try await auth().logIn(user: "grace", password: "hopper")
        let asked = await service.requests(on: "GET /me").count
        sharer.go()
        let line = await sharer.line() ?? "it has ended"
        #expect(line.contains("sessionEnded"), "\(line)")
        #expect(await service.requests(on: "GET /me").count == asked + 1)
        sharer.go()
        #expect(await sharer.line() == "person 2")
        await sharer.end()
        try await end()
    }

    /// It is killed after its request has left and before a response has arrived.
    @Test func aRenewalThatIsKilledHoldsNobodyUp() async throws {
        let sharer = try await sharer("renew")
        await service.expireSessions()
        await service.script(.delay(.seconds(60), then: .status(503)), on: "POST /sessions/renewal")
        sharer.go()
        while await renewals == 0 { try await Task.sleep(for: .milliseconds(5)) }
        let auth = auth()
        let command = Task { await auth.result(of: Auth.WhoAmI()) }
        await sharer.end()
        #expect(try await command.value.get().id == 1)
        #expect(await service.refreshes == 1)
        try await end()
    }

    /// Wherever a process ends while it saves, the file holds one session or the other, whole.
    @Test func aSaverThatIsKilledDamagesNothing() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let store = FileSessionStore(path: path)
        for round in 1...20 {
            let saver = try await sharer("save")
            try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &generator)))
            await saver.end()
            let loaded = await store.load()
            let problem = await store.problem
            let tokens = try #require(loaded, "seed \(seed), round \(round): \(problem as Any)")
            #expect(tokens.access.dropFirst(7) == tokens.refresh?.dropFirst(8) ?? "", "seed \(seed), round \(round)")
        }
        // The drafts of the killed processes are removed when no process can be writing them any more.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.contains(".new-") {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: folder + "/" + name)
        }
        await store.save(SessionTokens(access: "last"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                "session.json", "session.json.lock",
            ])
        try await end()
    }

    /// The lock excludes no other process, as on some network file systems. No process removes another one's draft.
    @Test func processesWithoutALockKeepTheirDrafts() async throws {
        let saves = 80
        var sharers: [SharingProcess] = []
        for _ in 1...2 { sharers.append(try SharingProcess("save-without-exclusion", path, "\(saves)")) }
        for sharer in sharers { #expect(await sharer.line() == "ready") }
        for sharer in sharers { sharer.go() }
        for sharer in sharers { #expect(await sharer.line() == "0 problems []") }
        #expect(await FileSessionStore(path: path).load()?.access == "access \(saves - 1)")
        try await end()
    }
}
